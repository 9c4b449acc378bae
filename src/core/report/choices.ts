/** What the user decided: answers to the agent's questions, and plans. Pure. */

import type { AskedQuestion, TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { planTitle } from './request.ts'

export interface Choice {
  readonly key: string
  readonly value: string
}

const MAX_VALUE = 300
const MAX_CHOICES = 10

/** Each key once, with its last value; the newest. A plan that was refused without a word decides nothing. */
export function choicesIn(entries: readonly TranscriptEntry[]): Choice[] {
  const all = entries.flatMap((entry): Choice[] => {
    if (entry.kind === 'question') return answered(entry.question)
    if (entry.kind !== 'plan') return []
    const { text, outcome, said } = entry.plan
    const title = planTitle(text)
    if (outcome === 'accepted') return choice('plan', title)
    if (outcome === 'open' || said === undefined) return []
    return choice(`not as planned: ${shorten(title, 40)}`, said)
  })
  const last = new Map<string, Choice>()
  for (const one of all) {
    last.delete(one.key)
    last.set(one.key, one)
  }
  return [...last.values()].slice(-MAX_CHOICES)
}

function answered({ about, text, answer }: AskedQuestion): Choice[] {
  if (answer === undefined) return []
  return choice(about ?? text, `${answer} (asked: ${plainLine(text)})`)
}

/** Keys are words: in YAML a colon or a quote would end one. */
function choice(key: string, value: string): Choice[] {
  const words = plainLine(key).match(/[\p{L}\p{N}]+/gu) ?? []
  const name = shorten(words.join('-').toLowerCase(), 60).replace(/-?…$/, '')
  const line = shorten(plainLine(value), MAX_VALUE)
  return name === '' || !hasWords(line) ? [] : [{ key: name, value: line }]
}
