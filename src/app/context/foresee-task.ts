/**
 * Estimates a prompt that names a spec or a plan, and a to-do that starts. The record keeps the size. If the task does
 * not fit, a message says so once. If it fits, nothing is said.
 */

import type { Foreseen, Task } from '../../core/context/foresee.ts'
import { foreseenText, sizeOf } from '../../core/context/foresee.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { isPossible } from '../../core/estimate/verdict.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { Window } from '../estimate/estimate-task.ts'
import { DEFAULT_WINDOW, estimateTask, planTask, textTask } from '../estimate/estimate-task.ts'
import { readPlanFile } from '../estimate/plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

const MAX_TODO = 120

/** The message about the tasks, and the record that remembers it and their size. `remaining`: tokens left. */
export function foreseeTasks(
  session: SessionContext,
  record: ContextRecord,
  tasks: readonly Task[],
  remaining: number | undefined,
): { readonly record: ContextRecord; readonly text: string | undefined } {
  const room = { window: record.window ?? DEFAULT_WINDOW, remaining }
  const estimates = tasks.flatMap((task) => foreseenIn(session, task, room, record.session) ?? [])
  const sized = { ...record, task: sizeOf(estimates) }
  const found = estimates.filter((one) => !isPossible(one) && !record.foreseen.includes(one.what))
  if (found.length === 0) return { record: sized, text: undefined }
  const foreseen = [...record.foreseen, ...found.map(({ what }) => what)].slice(-50)
  const texts = found.map((one) =>
    foreseenText({ ...one, what: oneLine(one.what, '').slice(0, MAX_TODO) }),
  )
  return { record: { ...sized, foreseen }, text: texts.join('\n') }
}

function foreseenIn(
  context: SessionContext,
  { what, isFile }: Task,
  room: Window,
  session: string,
): Foreseen | undefined {
  const { top } = context.repository.place
  try {
    const task = isFile
      ? planTask(context, readPlanFile(context, `${top}/${what}`, what))
      : textTask(context, what)
    return { ...estimateTask(context, task, room, session), what, isFile }
  } catch (error) {
    // There is no such file, or it has no tasks.
    if (error instanceof LedgerError) return undefined
    throw error
  }
}
