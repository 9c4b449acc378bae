/**
 * How a session ended, where it did not end on a message of the agent: with a question or plan that nobody
 * answered, a refused call, an interruption, a tool that still ran, a prompt without a reply.
 *
 * Only what came after the last prompt tells: what a turn before said is over.
 */

import type { ProposedPlan, TranscriptEntry } from '../agents/agent-signal.ts'
import {
  blocksOf,
  countWords,
  endOf,
  foldLine,
  hasWords,
  plainLine,
  shorten,
} from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from './items.ts'
import { questionsIn } from './questions.ts'
import { quoteOf } from './quote.ts'
import { planTitle, promptLine } from './prompt-line.ts'
import { isAnswer } from './request.ts'
import { changedFiles, PLAN_FILE, tells } from './turns.ts'

export interface Ending {
  /** One line. */
  readonly now: string
  /** Questions that the agent asked with a tool, without an answer. */
  readonly questions: readonly string[]
  /** The user did not let it go on. */
  readonly isStopped?: true
}

/** Before a to-do that was in hand when the user asked for something else. */
export const ON_LIST = 'on its list: '

/** UTF-16 units of a part of the line. */
const PART = 150
const QUESTION = SUMMARY_LIMITS.question

/** Undefined: on a message, or nothing is known. `task`: what it was at, by its to-do list; that `isLate`. */
export function endingOf(
  entries: readonly TranscriptEntry[],
  task: string | undefined,
  isLate = false,
): Ending | undefined {
  const start = entries.findLastIndex((entry) => entry.kind === 'prompt' && hasWords(entry.text))
  const told = entries.slice(start + 1).filter(tells)
  if (start === -1 && told.length === 0) return undefined
  const deeds = told.filter(({ kind }) => kind !== 'interruption' && kind !== 'failure')
  const opening = entries[start]
  const request =
    opening?.kind === 'prompt' ? requestOf(opening.text, entries.slice(0, start)) : undefined
  const last = deeds.at(-1)
  const stop = told.at(-1)
  const isAsked = isLate && opening?.kind === 'prompt' && !isAnswer(opening.text)
  const aim = task === undefined || isAsked ? request : shorten(task, PART)
  // A to-do is nothing that was asked for.
  const goal = [asked(request), aim === request ? undefined : `${ON_LIST}${aim}`]
  const isInterrupted = stop?.kind === 'interruption'
  const deed = lastDeed(deeds, isInterrupted ? 'stopped in' : 'no answer yet from')
  const failure = lastFailure(deeds)
  // The last call stands whole; before it, what there is room for.
  const room = SUMMARY_LIMITS.now - MAX_STATE - [aim, failure, deed].join('; ').length
  const said = shorten(lastSaid(deeds) ?? '', Math.max(0, room - 2))
  const since = doneSince(deeds, room - said.length - 4)
  const work = [aim, said, since, failure, deed]
  if (stop?.kind === 'failure') {
    return says('stopped by an error', [errorOf(stop.text), ...goal, deed])
  }
  if (last === undefined && task === undefined) {
    if (request === undefined) return undefined
    return says(isInterrupted ? 'interrupted by the user, before a reply to' : 'no reply yet to', [
      request,
    ])
  }
  switch (last?.kind) {
    case 'question':
      return waiting(deeds)
    case 'plan':
      return planEnding(last.plan, planFileIn(entries))
    case 'refusal': {
      // Of an interrupted one nobody can tell whether it was refused, or stopped while it ran.
      const isStopped = isInterrupted && last.said === undefined
      const said = heard(last.said)
      const why = said === undefined ? goal : [said]
      const state = isStopped ? 'the user stopped' : 'the user refused'
      return { ...says(state, [refusedCalls(deeds), ...why]), isStopped: true }
    }
    default:
      if (isInterrupted) return { ...says('interrupted by the user', work), isStopped: true }
      return last?.kind === 'assistant' ? undefined : says('not finished', work)
  }
}

/** `yes` alone says nothing without what it answers. */
function requestOf(prompt: string, before: readonly TranscriptEntry[]): string {
  const line = promptLine(prompt, PART)
  if (!isAnswer(prompt)) return line
  const message = before.findLast(
    (entry) => (entry.kind === 'assistant' || entry.kind === 'prompt') && hasWords(entry.text),
  )
  const about =
    message?.kind === 'assistant'
      ? (questionsIn(message.text, QUESTION).at(-1) ?? quoteOf(message.text, PART) ?? '')
      : promptLine(message?.kind === 'prompt' ? message.text : '', PART)
  return hasWords(about) ? `“${line}” to: ${plainLine(about)}` : line
}

function asked(aim: string | undefined): string | undefined {
  return aim === undefined ? undefined : `asked for: ${aim}`
}

/** Without the answer of the server that may stand behind it. */
function errorOf(text: string): string {
  const reason = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"')
  const said = foldLine(text.replace(/[{<][^]*/, ''))
  return shorten(reason === undefined ? said : `${said} ${foldLine(reason)}`, PART)
}

function says(state: string, parts: readonly (string | undefined)[]): Ending {
  const known = parts.filter((part) => part !== undefined && part !== '')
  const now = known.length === 0 ? state : `${state}: ${known.join('; ')}`
  return { now: shorten(now, SUMMARY_LIMITS.now), questions: [] }
}

/** The questions of one call stand together. */
function waiting(told: readonly TranscriptEntry[]): Ending {
  const before = told.findLastIndex(({ kind }) => kind !== 'question')
  const asked = told.slice(before + 1)
  const open = asked.flatMap((entry) => {
    if (entry.kind !== 'question' || entry.question.answer !== undefined) return []
    const { text, options } = entry.question
    const choice = options.length === 0 ? '' : ` (${options.join(' / ')})`
    return [asQuestion(plainLine(`${text}${choice}`))]
  })
  if (open.length > 0) return { ...says('waiting for an answer', [open[0]]), questions: open }
  const answers = asked.flatMap((entry) =>
    entry.kind === 'question'
      ? shorten(plainLine(`${entry.question.answer ?? ''} (asked: ${entry.question.text})`), PART)
      : [],
  )
  return says('the user answered, and nothing followed', answers)
}

/** Of a long one the end asks. */
function asQuestion(text: string): string {
  if (text.length <= QUESTION) return text
  const end = endOf(text, QUESTION)
  return /[?？]/.test(end) ? end : shorten(text, QUESTION)
}

const PLAN: Readonly<Record<ProposedPlan['outcome'], string>> = {
  open: 'waiting for a yes to the plan',
  accepted: 'the user accepted the plan, and nothing followed',
  refused: 'the user refused the plan',
}

/** A plan that is taken to a new session counts as refused here, too, without a word. */
function planEnding({ text, outcome, said }: ProposedPlan, file: string | undefined): Ending {
  const title = shorten(planTitle(text), PART)
  const isLeft = outcome === 'refused' && said === undefined
  const state = isLeft ? 'the plan was not accepted in this session' : PLAN[outcome]
  const words = heard(said)
  const place = file && `in ${file}`
  const rest = MAX_STATE * 2 + [title, words ?? '', place ?? ''].join('; ').length
  const parts = planParts(text, SUMMARY_LIMITS.now - rest)
  return says(state, [title, words, parts && `its parts: ${parts}`, place])
}

/** As many of its parts as fit, by their headings. */
function planParts(text: string, max: number): string | undefined {
  const [, ...headings] = blocksOf(text).flatMap(({ kind, text: line }) =>
    kind === 'heading' && !ABOUT_PLAN.test(line) ? shorten(line.replace(/:$/, ''), LABEL) : [],
  )
  let told = ''
  for (const one of headings) {
    const longer = told === '' ? one : `${told}, ${one}`
    if (longer.length > max) break
    told = longer
  }
  return told === '' ? undefined : told
}

/** Headings that every plan has. */
const ABOUT_PLAN =
  /^(?:context|overview|summary|background|goals?|approach|verification|testing|test plan|(?:the )?problem|(?:proposed )?solution|(?:files|changes|steps|tasks|implementation)(?: \S+){0,3}|(?:critical|key|modified|affected) files?(?: \S+){0,3}|notes?|risks?|(?:key )?references|out of scope)$/i

/** Claude Code keeps each plan in a file of its own, which is in no repository. */
function planFileIn(entries: readonly TranscriptEntry[]): string | undefined {
  const files = entries.flatMap(changedFiles)
  return /[^/\\]+[/\\][^/\\]+[/\\][^/\\]+$/.exec(
    files.findLast((file) => PLAN_FILE.test(file)) ?? '',
  )?.[0]
}

function refusedCalls(told: readonly TranscriptEntry[]): string {
  const before = told.findLastIndex(({ kind }) => kind !== 'refusal')
  const calls = told
    .slice(before + 1)
    .flatMap((entry) => (entry.kind === 'refusal' ? [entry.label] : []))
  return shorten(foldLine([...new Set(calls)].join(', ')), PART)
}

function heard(said: string | undefined): string | undefined {
  const words = shorten(plainLine(said ?? ''), PART)
  return words === '' ? undefined : `the user said: ${words}`
}

/** Words of a text that says something. */
const MIN_SAID = 3

/** What the agent said before its last call; before a few words, which announce a step, also what it had found. */
function lastSaid(deeds: readonly TranscriptEntry[]): string | undefined {
  const texts = deeds.flatMap((entry) => (entry.kind === 'assistant' ? entry.text : []))
  const last = texts.at(-1) ?? ''
  const found = last.length < LONG / 2 ? texts.findLast(({ length }) => length > LONG) : undefined
  const quotes = [found ?? '', last].map((text) => quoteOf(text, PART) ?? '')
  const said = quotes.filter((quote) => countWords(quote) > MIN_SAID).map((quote) => `“${quote}”`)
  return said.length === 0 ? undefined : said.join('; ')
}

const LONG = 300

/** What went well after its last words, the last call aside: they may be older than that. Where there is room. */
function doneSince(deeds: readonly TranscriptEntry[], room: number): string | undefined {
  const start = deeds.findLastIndex((entry) => entry.kind === 'assistant' && hasWords(entry.text))
  const calls = deeds
    .slice(start + 1, -1)
    .flatMap((entry) =>
      entry.kind === 'tool' && entry.isOpen !== true && entry.failed === undefined
        ? (entry.label ?? [])
        : [],
    )
  const labels = [...new Set(calls)]
  if (start === -1 || labels.length === 0) return undefined
  const shown = labels.slice(-MAX_SINCE).map((label) => shorten(label, LABEL))
  const more = labels.length - shown.length
  const line = `since then: ${more === 0 ? '' : `${more} more ${more === 1 ? 'call' : 'calls'}, `}${shown.join(', ')}`
  return line.length > room ? undefined : line
}

/** UTF-16 units of the words that begin the line. */
const MAX_STATE = 30

const MAX_SINCE = 2
/** UTF-16 units. */
const LABEL = 80

/** Commands without which the work is not done. */
const ACTS =
  /\bgit (?:-C \S+ )?(?:push|pull|merge|rebase|switch|checkout|commit|cherry-pick)\b|(?<![\w./-])[\w./-]{1,80} (?:run )?(?:build|compile|deploy|publish|migrate)\b|\b(?:make|tsc|pytest|vitest|jest)\b|\b(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]+|\b(?:python3?|node|go|cargo|dotnet|mvn) [\w./-]+/g

/** What failed before the last call, where that did not fail as well, and nothing of it succeeded since. */
function lastFailure(deeds: readonly TranscriptEntry[]): string | undefined {
  const ended = new Set<string>()
  for (const [i, entry] of deeds.toReversed().entries()) {
    if (entry.kind !== 'tool' || entry.isOpen === true) continue
    const { label, failed } = entry
    const acts = actsIn(entry.tool.command ?? label ?? '')
    if (failed === undefined) for (const act of acts) ended.add(act)
    else if (i === 0) return undefined
    else if (acts.length > 0 && !acts.some((act) => ended.has(act))) return failureOf(label, failed)
  }
  return undefined
}

/** The same, in whichever folder. */
function actsIn(command: string): string[] {
  return (command.match(ACTS) ?? []).map((act) => act.replace(/ -C \S+/, ''))
}

function failureOf(label: string | undefined, why: string): string {
  return `failed: ${label} (${why})`
}

/** What they print is not what they did. */
const LOOKS =
  /^\s*(?:cd [^;&\n]*(?:&&|;|\n)\s*)?(?:ls|cat|sed -n|head|tail|find|grep|rg|tree|git (?:diff|log|show|ls-files|status))\b/
/** Behind an output. */
const PROGRAM = /\s*^Shell cwd was reset to .*\s*$/m

/** Of calls that run at once the first that runs. */
function lastDeed(deeds: readonly TranscriptEntry[], open: string): string | undefined {
  const running = deeds.find((entry) => entry.kind === 'tool' && entry.isOpen === true)
  const last = deeds.at(-1)
  if (running?.kind === 'tool') return `${open}: ${running.label}`
  if (last?.kind !== 'tool') return undefined
  if (last.failed !== undefined) return failureOf(last.label, last.failed)
  const result = resultOf(last)
  return `last: ${last.label}${result === undefined ? '' : ` (${result})`}`
}

/** What a command printed last, or another server's tool first. */
function resultOf({ ran, told }: TranscriptEntry & { kind: 'tool' }): string | undefined {
  const isLook = ran !== undefined && LOOKS.test(ran.command)
  const output = isLook ? '' : (ran?.output ?? '').replace(PROGRAM, '')
  const line = told ?? output.trimEnd().split('\n').at(-1)
  const said = shorten(plainLine(line ?? ''), LABEL)
  return countWords(said) > 1 ? said : undefined
}
