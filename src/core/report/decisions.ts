/** What the user decided: answers to the agent's questions, and plans. Pure. */

import type { AskedQuestion, TranscriptEntry } from '../agents/agent-signal.ts'
import { blocksOf, countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { planTitle } from '../prompt/plan-title.ts'

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
    if (outcome === 'accepted') return choice('plan', isBare(title) ? planLine(text) : title)
    if (outcome === 'open' || said === undefined) return []
    return choice(`not as planned: ${shorten(title, 40)}`, said)
  })
  const last = new Map<string, Choice>()
  for (const one of all) {
    last.delete(one.key)
    last.set(one.key, one)
  }
  return [...last.values()].filter(({ value }) => value !== '').slice(-MAX_CHOICES)
}

/** It leads to what stands below it, or only says that it is a plan. */
function isBare(title: string): boolean {
  return /[:：]$|^(?:the )?(?:implementation |refactoring )?plan$|^(?:实施|实现|修改)?(?:计划|方案)$/i.test(
    title,
  )
}

/** With the items that its title leads to. */
function planLine(text: string): string {
  const [first = '', ...others] = blocksOf(text).map((block) => block.text)
  return `${first} ${others.join('; ')}`
}

const MAX_TYPED = 3
const GO_ON =
  /^(?:\d+|y|yes|yep|ok|okay|go|good|sure|n|no|nope|(?:i )?approved?|continue|done|default|\w+\?)[.!]?$/i

/** The user left it to the agent, moved on in the program's own menu, or thinks aloud. */
const NO_CHOICE =
  /^(?:you decide|up to you|your (?:call|choice)|whatever|no preference|not sure|(?:i )?(?:don't|do not) know|h+m+\b|depends|skip|next(?: area)?$|more questions|(?:done|i'm done|that's all|none)\b|chat about this|let me think|type something|other$)/i
/** It asks how to go on here, or whether the user is content. */
const STEERS =
  /\b(?:more questions|move (?:on )?to (?:the )?next|what would you like to (?:do|work on)|(?:what|which)\b[^?]{0,60}(?:you(?:['’]d| would)|would you) like me to|what(?:'s| is) next|ready to (?:create|start|continue|proceed|move)|continue (?:or|with)|are you (?:happy|satisfied|ready)|does this look|is this (?:correct|right|ok)|anything else)\b|\bêtes-vous satisfait/i

function answered({ about, text, options, answer }: AskedQuestion): Choice[] {
  if (answer === undefined) return []
  // Without options longer words are what the agent asked for, such as a log, and no choice.
  const isNone = options.length === 0 && (countWords(answer) > MAX_TYPED || GO_ON.test(answer))
  // It takes the place of an answer before it all the same.
  if (isNone) return choice(about ?? text, answer).map(({ key }) => ({ key, value: '' }))
  if (NO_CHOICE.test(answer.trim()) || STEERS.test(text)) return []
  return choice(about ?? text, `${answer} (asked: ${plainLine(text)})`)
}

/** Keys are words: in YAML a colon or a quote would end one. */
function choice(key: string, value: string): Choice[] {
  const words = plainLine(key).match(/[\p{L}\p{N}]+/gu) ?? []
  const name = shorten(words.join('-').toLowerCase(), 60).replace(/-?…$/, '')
  const line = shorten(plainLine(value), MAX_VALUE)
  return name === '' || !hasWords(line) ? [] : [{ key: name, value: line }]
}
