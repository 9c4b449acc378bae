/** The user's decisions: answers to the agent's questions, and verdicts on plans. Pure. */

import type { AskedQuestion, TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { chosenIn } from '../message/offered.ts'
import { planTitle } from '../prompt/plan-title.ts'

export interface Choice {
  readonly key: string
  readonly value: string
}

const MAX_VALUE = 300
const MAX_CHOICES = 10

/**
 * The newest choices in `untold`: each key once, with its last value. A plan that was refused without a comment is not
 * a decision. `entries`: the whole log, since a prompt may answer a message that was told before.
 */
export function choicesIn(
  untold: readonly TranscriptEntry[],
  entries: readonly TranscriptEntry[] = untold,
): Choice[] {
  const all = untold.flatMap((entry): Choice[] => {
    if (entry.kind === 'question') return choiceOf(entry.question)
    if (entry.kind === 'prompt') return typedChoice(entry, entries)
    if (entry.kind !== 'plan') return []
    const { text, outcome, said } = entry.plan
    const title = planTitle(text)
    if (outcome === 'accepted') return namedChoice('plan', isBare(title) ? planLine(text) : title)
    if (outcome === 'open' || said === undefined) return []
    return namedChoice(`not as planned: ${shorten(title, 40)}`, said)
  })
  const last = new Map<string, Choice>()
  for (const one of all) {
    last.delete(one.key)
    last.set(one.key, one)
  }
  return [...last.values()].filter(({ value }) => value !== '').slice(-MAX_CHOICES)
}

/** The title only introduces what follows, or says nothing but that this is a plan. */
function isBare(title: string): boolean {
  return /[:：]$|^(?:the )?(?:implementation |refactoring )?plan$|^(?:实施|实现|修改)?(?:计划|方案)$/i.test(
    title,
  )
}

/** The first block, followed by the others that it introduces. */
function planLine(text: string): string {
  const [first = '', ...others] = blocksOf(text).map((block) => block.text)
  return `${first} ${others.join('; ')}`
}

const MAX_TYPED = 3
const GO_ON =
  /^(?:\d+|y|yes|yep|ok|okay|go|good|sure|n|no|nope|(?:i )?approved?|continue|done|default|\w+\?)[.!]?$/i

/** The user left the choice to the agent, used the program's own menu to move on, or was thinking aloud. */
const NO_CHOICE =
  /^(?:you decide|up to you|your (?:call|choice)|whatever|no preference|not sure|(?:i )?(?:don't|do not) know|h+m+\b|depends|skip|next(?: area)?$|more questions|(?:done|i'm done|that's all|none)\b|chat about this|let me think|type something|other$)/i
/** The user asks for an explanation first. */
const ASKS_BACK =
  /^\s*(?:(?:can|could|would) you (?:please )?(?:explain|clarify|elaborate|tell me)|(?:please )?(?:explain|elaborate|help me (?:to )?understand)|what (?:do you|does (?:that|this|it)) mean)\b|[?？]\s*$/i
/** The question asks how to proceed here, or whether the user is satisfied. */
const ASKS_HOW_TO_PROCEED =
  /\b(?:more questions|move (?:on )?to (?:the )?next|what would you like to (?:do|work on)|(?:what|which)\b[^?]{0,60}(?:you(?:['’]d| would)|would you) like me to|what(?:'s| is) next|ready to (?:create|start|continue|proceed|move)|continue (?:or|with)|are you (?:happy|satisfied|ready)|does this look|is this (?:correct|right|ok)|anything else)\b|\bêtes-vous satisfait/i

function choiceOf({ about, text, options, answer }: AskedQuestion): Choice[] {
  if (answer === undefined) return []
  // Without options, a longer answer is input that the agent asked for, such as a log, and not a choice.
  const isInput = options.length === 0 && (countWords(answer) > MAX_TYPED || GO_ON.test(answer))
  // The empty value still replaces an earlier answer to the same question.
  if (isInput) return namedChoice(about ?? text, answer).map(({ key }) => ({ key, value: '' }))
  if (NO_CHOICE.test(answer.trim()) || ASKS_BACK.test(answer) || ASKS_HOW_TO_PROCEED.test(text))
    return []
  return namedChoice(about ?? text, `${answer} (asked: ${plainLine(text)})`)
}

/** A prompt that is nothing but the letter or number of an option in the message before it. */
function typedChoice(
  prompt: TranscriptEntry & { readonly kind: 'prompt' },
  entries: readonly TranscriptEntry[],
): Choice[] {
  const place = prompt.isAddition === true ? 0 : entries.indexOf(prompt)
  const before = entries.slice(0, Math.max(place, 0)).findLast(({ kind }) => kind !== 'recap')
  const chosen = before?.kind === 'assistant' ? chosenIn(before.text, prompt.text) : undefined
  if (chosen === undefined) return []
  const { question: text, option, others } = chosen
  if (text !== undefined) {
    return choiceOf({ about: undefined, text, options: others, answer: plainLine(option) })
  }
  const rest = others.map((one) => shorten(plainLine(one), MAX_OTHER)).join(' / ')
  return namedChoice(option, `${plainLine(option)} (rather than ${rest})`)
}

/** UTF-16 units of an option that was not chosen. */
const MAX_OTHER = 60

/** Keys contain words only: a colon or a quote would end a YAML key. */
function namedChoice(key: string, value: string): Choice[] {
  const words = plainLine(key).match(/[\p{L}\p{N}]+/gu) ?? []
  const name = shorten(words.join('-').toLowerCase(), 60).replace(/-?…$/, '')
  const line = shorten(plainLine(value), MAX_VALUE)
  return name === '' || !hasWords(line) ? [] : [{ key: name, value: line }]
}
