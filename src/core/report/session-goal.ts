/** The goal of a session, derived from its prompts and the work done for each. Pure. */

import type { Prompt } from './first-request.ts'
import { goalIn } from './goal.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { clarifies, continues, isTask } from '../prompt/request.ts'
import { countWords } from '../text/markdown-to-text.ts'
import type { SessionWork } from '../turn/session-work.ts'
import type { Turn } from '../turn/turns.ts'
import { replyOf } from '../turn/outcome.ts'
import {
  addsTo,
  countChanges,
  countDeeds,
  isSubstantive,
  MAX_BARE,
  sharesAnswer,
  turnsOf,
  wasBegun,
} from '../turn/turns.ts'

export function goalOf({ ledgerHasGoal, firstPrompt, entries }: SessionWork): string | undefined {
  if (ledgerHasGoal) return undefined
  // After a compaction, the first prompt in the log is not the session's first.
  const first = entries.find(({ kind }) => kind === 'prompt' || kind === 'summary')
  const turns = firstPrompt === undefined && first?.kind === 'summary' ? [] : turnsOf(entries)
  const prompts = promptsOf(turns)
  const at = prompts.findIndex(({ text }) => isSamePrompt(text, firstPrompt))
  const before =
    firstPrompt === undefined || at !== -1
      ? []
      : [{ text: firstPrompt, deeds: 1, changes: 1, wasBegun: true }]
  // Hooks are not told about commands. Any other prompt before the first one belongs to another session.
  const own = prompts.filter(({ text }, i) => i >= at || text.startsWith('/'))
  const title = entries.find(({ kind }) => kind === 'title')
  const called = title?.kind === 'title' ? title.text : undefined
  return goalIn(withClarifications([...before, ...own]), SUMMARY_LIMITS.goal, called)
}

/** `I mean the whole page` is joined to the prompt that it is about. */
function withClarifications(prompts: readonly Prompt[]): Prompt[] {
  const joined: Prompt[] = []
  for (const prompt of prompts) {
    const before = joined.at(-1)
    if (before === undefined || !clarifies(prompt.text)) joined.push(prompt)
    else {
      const text = `${before.text}\n\n${prompt.text}`
      joined[joined.length - 1] = { ...before, text, isRemark: prompt.isRemark === true }
    }
  }
  return joined
}

/** The session state keeps only the beginning of a long prompt. */
function isSamePrompt(prompt: string, kept: string | undefined): boolean {
  const beginning = (text: string) => text.trim().slice(0, 200)
  return kept !== undefined && beginning(prompt) === beginning(kept)
}

/** Counts the work for each prompt: in its own turn, and in the turns right after it that continue it. */
function promptsOf(turns: readonly Turn[]): Prompt[] {
  let later = NOTHING
  const backwards = turns.toReversed().map((turn) => {
    const { text, isUnread = false } = turn.prompt
    const unread = isUnread ? 1 : 0
    const deeds = later.deeds + countDeeds(turn.entries) + unread
    const reply = replyOf(turn, REPLIED_TO)
    const own = countChanges(turn.entries) + unread
    const isRest = !isTask(text) && !addsTo(turn) && sharesAnswer(turn)
    const changes = later.changes + own
    const prompt = {
      text,
      deeds,
      changes,
      reply,
      hasChanged: own > 0 && !isRest,
      isAddition: addsTo(turn),
      isRemark: isRemark(turn),
      wasBegun: later.wasBegun || wasBegun(turn.entries) || isUnread,
    }
    later = continues(text) || reply !== undefined || isRest || addsTo(turn) ? prompt : NOTHING
    return prompt
  })
  return backwards.toReversed()
}

/** The agent only said a few words to it. */
function isRemark({ entries }: Turn): boolean {
  const [answer, ...others] = entries.filter((one) => one.kind === 'tool' || isSubstantive(one))
  return others.length === 0 && answer?.kind === 'assistant' && countWords(answer.text) <= MAX_BARE
}

const NOTHING = { deeds: 0, changes: 0, wasBegun: false }

/** UTF-16 units of the text that a prompt replies to. */
const REPLIED_TO = 80
