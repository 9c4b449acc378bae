/** The states of issues, as the tracker last reported them. Pure. */

import { formatMillis } from '../event/instant.ts'
import { isCount, isObject, isText } from '../text/json-values.ts'
import { foldLine, shorten } from '../text/markdown-to-text.ts'

export interface KnownIssue {
  /** The name of the state, as used by the team. */
  readonly state: string
  /** When the tracker reported it, in Unix time in milliseconds. */
  readonly at: number
}

/** By key, such as `ANV-123`. */
export type KnownIssues = ReadonlyMap<string, KnownIssue>

const MAX_ISSUES = 100
const MAX_STATE = 60

/** Keeps the newest issues. State names come from outside, so they are folded and shortened. */
export function withIssues(known: KnownIssues, news: KnownIssues): KnownIssues {
  const all = [...new Map([...known, ...news])].toSorted(([, a], [, b]) => b.at - a.at)
  return new Map(
    all
      .slice(0, MAX_ISSUES)
      .map(([key, { state, at }]) => [key, { state: shorten(foldLine(state), MAX_STATE), at }]),
  )
}

export function renderIssues(issues: KnownIssues): object {
  return Object.fromEntries(issues)
}

/** Damaged entries are skipped. */
export function parseIssues(fields: Readonly<Record<string, unknown>>): KnownIssues {
  const issues = Object.entries(fields).flatMap(([key, value]) => {
    const { state, at } = isObject(value) ? value : {}
    return isText(state) && isCount(at) ? [[key, { state, at }] as const] : []
  })
  return new Map(issues)
}

/** One line per issue. */
export function issueLines(issues: KnownIssues): string[] {
  return [...issues].map(([key, known]) => {
    return `Issue ${key}: ${known.state} (in the tracker, ${instantOf(known)})`
  })
}

function instantOf({ at }: KnownIssue): string {
  return formatMillis(at)
}

/** The issues in the JSON output. */
export function issuesJson(issues: KnownIssues) {
  return [...issues].map(([issue, known]) => {
    return { issue, state: known.state, at: instantOf(known) }
  })
}
