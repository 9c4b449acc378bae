/** The last calls of a session that ended in the middle of its work: what failed, what went well, what runs. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { changedFiles, namesOf } from './changed-files.ts'
import { unique } from '../message/items.ts'

/** Before the last call: after its last words what went well, else what was changed; without words that first. */
export function doneBefore(deeds: readonly TranscriptEntry[], room: number): string | undefined {
  const start = deeds.findLastIndex((entry) => entry.kind === 'assistant' && hasWords(entry.text))
  const [calls, files] = [callsSince(deeds, start, room), changedUpTo(deeds, room)]
  return start === -1 ? (files ?? calls) : (calls ?? files)
}

/** What went well after its last words: they may be older than that. Where there is room. */
function callsSince(
  deeds: readonly TranscriptEntry[],
  start: number,
  room: number,
): string | undefined {
  const calls = deeds
    .slice(start + 1, -1)
    .flatMap((entry) =>
      entry.kind === 'tool' && entry.isOpen !== true && entry.failed === undefined
        ? (entry.label ?? [])
        : [],
    )
  const last = deeds.at(-1)
  const known = last?.kind === 'tool' ? last.label : undefined
  const labels = [...new Set(calls)].filter((label) => label !== known)
  if (labels.length === 0) return undefined
  const shown = labels.slice(-MAX_SINCE).map((label) => shorten(label, LABEL))
  const more = labels.length - shown.length
  const state = start === -1 ? 'went well' : 'since then'
  const line = `${state}: ${more === 0 ? '' : `${more} more ${more === 1 ? 'call' : 'calls'}, `}${shown.join(', ')}`
  return line.length > room ? undefined : line
}

/** The files that were changed up to the last call, the newest first; that of the last call alone is in its label. */
function changedUpTo(deeds: readonly TranscriptEntry[], room: number): string | undefined {
  const files = deeds.toReversed().flatMap(changedFiles)
  const names = namesOf(files)
  const [last] = deeds.slice(-1).flatMap(changedFiles)
  if (names === undefined || files.every((file) => file === last)) return undefined
  const line = `changed ${names}`
  return line.length > room ? undefined : line
}

const MAX_SINCE = 2
/** UTF-16 units of a call's label, or of what it printed, beside another one. */
export const LABEL = 80

/** Commands without which the work is not done. */
const ACTS =
  /\bgit (?:-C \S+ )?(?:push|pull|merge|rebase|switch|checkout|commit|cherry-pick)\b|(?<![\w./-])[\w./-]{1,80} (?:run )?(?:build|compile|deploy|publish|migrate)\b|\b(?:make|tsc|pytest|vitest|jest)\b|\b(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]+|\bsystemctl (?:--\S+ )*\w+|\bdocker(?:[ -]compose)? \w+|\bpip3? install\b|\b(?:python3?|node|go|cargo|dotnet|mvn) [\w./-]+/g

/**
 * What failed before the last call, and nothing of it succeeded since. Where that failed as well, those right before
 * it: it may be an accident beside them.
 */
export function failuresBefore(deeds: readonly TranscriptEntry[]): string | undefined {
  const last = deeds.at(-1)
  if (last?.kind !== 'tool' || last.failed === undefined) return lastFailure(deeds)
  const start = deeds.findLastIndex(({ kind }) => kind === 'assistant')
  const tried = actsOf(last)
  const lines = deeds.slice(Math.max(start + 1, deeds.length - MAX_RECENT), -1).flatMap((entry) => {
    if (entry.kind !== 'tool' || entry.failed === undefined || entry.label === last.label) return []
    const isAgain = actsOf(entry).some((act) => tried.includes(act))
    return isAgain ? [] : failureOf(entry.label, shorten(entry.failed, LABEL))
  })
  return lines.length === 0 ? undefined : unique(lines).join('; ')
}

const MAX_RECENT = 4

function lastFailure(deeds: readonly TranscriptEntry[]): string | undefined {
  const ended = new Set<string>()
  for (const [i, entry] of deeds.toReversed().entries()) {
    if (entry.kind !== 'tool' || entry.isOpen === true) continue
    const { label, failed } = entry
    const acts = actsOf(entry)
    if (failed === undefined) for (const act of acts) ended.add(act)
    else if (i === 0) return undefined
    else if (acts.length > 0 && !acts.some((act) => ended.has(act))) return failureOf(label, failed)
  }
  return undefined
}

/** The same, in whichever folder. */
function actsOf({ tool, label }: TranscriptEntry & { kind: 'tool' }): string[] {
  return ((tool.command ?? label ?? '').match(ACTS) ?? []).map((act) => act.replace(/ -C \S+/, ''))
}

function failureOf(label: string | undefined, why: string): string {
  return `failed: ${label} (${why})`
}

/** What they print is not what they did. */
const LOOKS =
  /^\s*(?:cd [^;&\n]*(?:&&|;|\n)\s*)?(?:ls|cat|sed -n|head|tail|find|grep|rg|tree|git (?:diff|log|show|ls-files|status))\b/
/** What says nothing of the result: Claude Code's line behind an output, npm's about its script, a stack. */
const PROGRAM =
  /^Shell cwd was reset to |^npm (?:error|ERR!)|^\s*at (?:\S+ \(|\S+:\d+|ignore-listed)/
/** What pm2 and docker compose put before each line of a process. */
const PREFIX = /^(?:\d+\|[\w.-]+ *\| ?|[\w.-]+-\d+ +\| )/

/** Of calls that run at once those that run. */
export function lastDeed(deeds: readonly TranscriptEntry[], open: string): string | undefined {
  const running = deeds.flatMap((entry) =>
    entry.kind === 'tool' && entry.isOpen === true ? (entry.label ?? []) : [],
  )
  const last = deeds.at(-1)
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

/** What a command printed last, or another server's tool first. */
function resultOf({ ran, told }: TranscriptEntry & { kind: 'tool' }): string | undefined {
  const printed =
    ran === undefined || LOOKS.test(ran.command)
      ? []
      : ran.output.split('\n').map((one) => one.replace(PREFIX, ''))
  const line = told ?? printed.findLast((one) => hasWords(one) && !PROGRAM.test(one)) ?? ''
  const said = shorten(plainLine(line), LABEL)
  return countWords(said) > 1 ? said : undefined
}
