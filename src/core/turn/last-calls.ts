/** The last calls of a session that ended in the middle of its work: what failed, succeeded, or still runs. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { changedFiles, namesOf } from './changed-files.ts'
import { unique } from '../message/items.ts'

/**
 * What was done before the last call: successful calls since the agent's last words, else the files changed before
 * these words. Without any words, changed files are preferred.
 */
export function doneBefore(activity: readonly TranscriptEntry[], room: number): string | undefined {
  const start = activity.findLastIndex(
    (entry) => entry.kind === 'assistant' && hasWords(entry.text),
  )
  const calls = callsSince(activity, start, room)
  if (start === -1) return changedBeforeLast(activity, room) ?? calls
  if (calls !== undefined) return calls
  const files = changedBeforeLast(activity.slice(0, start + 1), room - EARLIER.length)
  return files?.replace(CHANGED, `${CHANGED}${EARLIER}`)
}

/** The words that are quoted before this may say that these changes were undone. */
const EARLIER = 'before these words: '
const CHANGED = 'changed '

/** Successful calls since the agent's last words. Undefined if there is no room. */
function callsSince(
  activity: readonly TranscriptEntry[],
  start: number,
  room: number,
): string | undefined {
  const calls = activity
    .slice(start + 1, -1)
    .flatMap((entry) =>
      entry.kind === 'tool' && entry.isOpen !== true && entry.failed === undefined
        ? (entry.label ?? [])
        : [],
    )
  const last = activity.at(-1)
  const known = last?.kind === 'tool' ? last.label : undefined
  const labels = [...new Set(calls)].filter((label) => label !== known)
  if (labels.length === 0) return undefined
  const shown = labels.slice(-MAX_SINCE).map((label) => shorten(label, LABEL))
  const more = labels.length - shown.length
  const state = start === -1 ? 'went well' : 'since then'
  const line = `${state}: ${more === 0 ? '' : `${more} more ${more === 1 ? 'call' : 'calls'}, `}${shown.join(', ')}`
  return line.length > room ? undefined : line
}

/**
 * The files changed up to the last call, newest first. Undefined if only the last call changed one, because its
 * label names that file.
 */
function changedBeforeLast(activity: readonly TranscriptEntry[], room: number): string | undefined {
  const files = activity.toReversed().flatMap(changedFiles)
  const names = namesOf(files)
  const [last] = activity.slice(-1).flatMap(changedFiles)
  if (names === undefined || files.every((file) => file === last)) return undefined
  const line = `${CHANGED}${names}`
  return line.length > room ? undefined : line
}

const MAX_SINCE = 2
/** UTF-16 units of a call's label or output when it is shown next to others. */
export const LABEL = 80

/** Commands that the work depends on. */
const ACTS =
  /\bgit (?:-C \S+ )?(?:push|pull|merge|rebase|switch|checkout|commit|cherry-pick)\b|(?<![\w./-])[\w./-]{1,80} (?:run )?(?:build|compile|deploy|publish|migrate)\b|\b(?:make|tsc|pytest|vitest|jest)\b|\b(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]+|\bsystemctl (?:--\S+ )*\w+|\bdocker(?:[ -]compose)? \w+|\bpip3? install\b|\b(?:python3?|node|go|cargo|dotnet|mvn) [\w./-]+/g

/**
 * The last failure before the last call, unless the same command succeeded later. If the last call failed too, the
 * failures right before it, which may be unrelated.
 */
export function failuresBefore(activity: readonly TranscriptEntry[]): string | undefined {
  const last = activity.at(-1)
  if (last?.kind !== 'tool' || last.failed === undefined) return lastFailure(activity)
  const start = activity.findLastIndex(({ kind }) => kind === 'assistant')
  const tried = actsOf(last)
  const lines = activity
    .slice(Math.max(start + 1, activity.length - MAX_RECENT), -1)
    .flatMap((entry) => {
      if (entry.kind !== 'tool' || entry.failed === undefined || entry.label === last.label)
        return []
      const isAgain = actsOf(entry).some((act) => tried.includes(act))
      return isAgain ? [] : failureOf(entry.label, shorten(entry.failed, LABEL))
    })
  return lines.length === 0 ? undefined : unique(lines).join('; ')
}

const MAX_RECENT = 4

function lastFailure(activity: readonly TranscriptEntry[]): string | undefined {
  const succeeded = new Set<string>()
  for (const [i, entry] of activity.toReversed().entries()) {
    if (entry.kind !== 'tool' || entry.isOpen === true) continue
    const { label, failed } = entry
    const acts = actsOf(entry)
    if (failed === undefined) for (const act of acts) succeeded.add(act)
    else if (i === 0) return undefined
    else if (acts.length > 0 && !acts.some((act) => succeeded.has(act)))
      return failureOf(label, failed)
  }
  return undefined
}

/** The commands in a call, regardless of the folder they ran in. */
function actsOf({ tool, label }: TranscriptEntry & { kind: 'tool' }): string[] {
  return ((tool.command ?? label ?? '').match(ACTS) ?? []).map((act) => act.replace(/ -C \S+/, ''))
}

function failureOf(label: string | undefined, why: string): string {
  return `failed: ${label} (${why})`
}

/** Read-only commands: their output is not a result. */
const READS =
  /^\s*(?:cd [^;&\n]*(?:&&|;|\n)\s*)?(?:ls|cat|sed -n|head|tail|find|grep|rg|tree|git (?:diff|log|show|ls-files|status))\b/
/**
 * Output that says nothing about the result: a line that Claude Code appends, npm's lines about its script, a stack
 * trace.
 */
const NOISE = /^Shell cwd was reset to |^npm (?:error|ERR!)|^\s*at (?:\S+ \(|\S+:\d+|ignore-listed)/
/** The prefix that pm2 and docker compose put before each line of a process. */
const PREFIX = /^(?:\d+\|[\w.-]+ *\| ?|[\w.-]+-\d+ +\| )/

/** The last call. If calls run in parallel, those that are still running. */
export function lastCall(activity: readonly TranscriptEntry[], open: string): string | undefined {
  const running = unique(
    activity.flatMap((entry) =>
      entry.kind === 'tool' && entry.isOpen === true ? (entry.label ?? []) : [],
    ),
  )
  const last = activity.at(-1)
  if (running.length > 0) return `${open}: ${runningCalls(running)}`
  if (last?.kind !== 'tool') return undefined
  if (last.failed !== undefined) return failureOf(last.label, last.failed)
  const result = resultOf(last)
  return `last: ${last.label}${result === undefined ? '' : ` (${result})`}`
}

function runningCalls(labels: readonly string[]): string {
  const [first = '', ...others] = labels
  if (others.length === 0) return first
  const shown = labels.slice(0, MAX_RUNNING).map((label) => shorten(label, LABEL))
  const more = labels.length - shown.length
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

const MAX_RUNNING = 3

/** The last line that a command printed, or the first line of another server's tool. */
function resultOf({ ran, told }: TranscriptEntry & { kind: 'tool' }): string | undefined {
  const printed =
    ran === undefined || READS.test(ran.command)
      ? []
      : ran.output.split('\n').map((one) => one.replace(PREFIX, ''))
  const line = told ?? printed.findLast((one) => hasWords(one) && !NOISE.test(one)) ?? ''
  const said = shorten(plainLine(line), LABEL)
  return countWords(said) > 1 ? said : undefined
}
