/** Estimates the item on which an iteration is going to work: from the prompt, otherwise from the loop's plan. */

import { foreseenText } from '../../core/context/foresee.ts'
import { isPossible } from '../../core/estimate/verdict.ts'
import { openInOrder } from '../../core/plan/order.ts'
import { readPlan } from '../../core/plan/read-plan.ts'
import { findLoops } from '../../core/ralph/dialects.ts'
import { isForeign } from '../../core/ralph/loop.ts'
import { titleOfPrompt } from '../../core/ralph/prompt.ts'
import { takeResume } from '../../core/ralph/resume-block.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { Estimate } from '../estimate/estimate-task.ts'
import { DEFAULT_WINDOW, estimateTask, planTask, textTask } from '../estimate/estimate-task.ts'
import { readLoopFiles } from '../loops/loop-files.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import type { ItemAhead } from './loop-world.ts'

const MAX_TITLE = 120

/** `prompt`: the iteration's prompt. A new context is empty, so only the window size matters. */
export async function itemAhead(
  session: SessionContext,
  prompt: string,
  window = DEFAULT_WINDOW,
): Promise<ItemAhead> {
  const { item, estimate } = await estimated(session, takeResume(prompt), window)
  const { tokens, percentOfWindow } = estimate
  const what = oneLine(item, '').slice(0, MAX_TITLE)
  return {
    said: `"${what}" takes about ${Math.round(tokens / 1000)}k tokens, ${percentOfWindow}% of the window`,
    warning: isPossible(estimate) ? undefined : foreseenText({ ...estimate, what, isFile: false }),
  }
}

async function estimated(
  session: SessionContext,
  prompt: string,
  window: number,
): Promise<{ readonly item: string; readonly estimate: Estimate }> {
  const estimate = (task: Parameters<typeof estimateTask>[1]) =>
    estimateTask(session, task, { window, remaining: undefined }, undefined)
  const read = await readLoopFiles(session.repository.worktree)
  const plans = findLoops(read).flatMap((loop) =>
    isForeign(loop) ? [] : [{ text: read(loop.file) ?? '', task: loop.task }],
  )
  for (const { text, task } of [{ text: prompt, task: undefined }, ...plans]) {
    const plan = readPlan(text)
    if (plan === undefined || plan.form === 'sections') continue
    const open = openInOrder(plan)
    // A loop may choose an item other than the first.
    const unit = open.find((one) => one.task?.title === task) ?? open[0]
    if (unit?.task === undefined) continue
    const file = { plan: { ...plan, units: [unit] }, text, path: undefined, folder: undefined }
    return { item: unit.task.title, estimate: estimate(planTask(session, file)) }
  }
  return {
    item: titleOfPrompt(prompt) ?? 'the prompt',
    estimate: estimate(textTask(session, prompt)),
  }
}
