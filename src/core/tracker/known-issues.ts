/** What the tracker said of issues when it was last told something: their states. Pure. */

import { formatInstant, instantFromMillis } from '../event/instant.ts'
import { isCount, isObject, isText } from '../text/json-values.ts'
import { foldLine, shorten } from '../text/markdown-to-text.ts'

export interface KnownIssue {
  /** The name of its state, as the team calls it. */
  readonly state: string
  /** Unix time in milliseconds at which the tracker said so. */
  readonly at: number
}

/** By key, such as `ANV-123`. */
export type KnownIssues = ReadonlyMap<string, KnownIssue>

const MAX_ISSUES = 100
const MAX_STATE = 60

/** The newest ones stay; names of states are a stranger's. */
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

/** What is damaged is not known. */
export function parseIssues(fields: Readonly<Record<string, unknown>>): KnownIssues {
  const issues = Object.entries(fields).flatMap(([key, value]) => {
    const { state, at } = isObject(value) ? value : {}
    return isText(state) && isCount(at) ? [[key, { state, at }] as const] : []
  })
  return new Map(issues)
}

/** One line of each. */
export function issueLines(issues: KnownIssues): string[] {
  return [...issues].map(([key, known]) => {
    return `Issue ${key}: ${known.state} (in the tracker, ${instantOf(known)})`
  })
}

function instantOf({ at }: KnownIssue): string {
  return formatInstant(instantFromMillis(at))
}

/** As JSON has it. */
export function issuesJson(issues: KnownIssues) {
  return [...issues].map(([issue, known]) => {
    return { issue, state: known.state, at: instantOf(known) }
  })
}
