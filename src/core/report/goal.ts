/** Of many prompts the one that is the goal. Pure. */

import { shorten } from '../text/markdown-to-text.ts'
import { ASKS, isTaskLine, isWork, kindOf, LOOKS, promptLine } from './request.ts'

/** An issue or a pull request that a prompt names. */
const ISSUE =
  /\b(?:issues?|prs?|pull requests?|mr|fix(?:es)?|close[sd]?|resolve[sd]?|see|ticket|bug|of|for|in)[ -](#\d{1,6})\b|\/(?:issues|pull|merge_requests)\/(\d{1,6})\b/i

/** Prompts of which one may still say what the first was about. */
const EARLY = 3

export interface Prompt {
  readonly text: string
  /** Calls that changed something for it. */
  readonly deeds: number
}

/**
 * Oldest first. A request counts before a question, a question before the name of a command. Of requests the
 * first that names work or that work was done for; one that only wants to see something counts last.
 */
export function goalIn(prompts: readonly Prompt[], max: number): string | undefined {
  const lines = prompts.map(({ text, deeds }) => ({ line: promptLine(text, max), deeds }))
  const kinds = (['request', 'question', 'command'] as const).map((kind) =>
    lines.filter(({ line }) => kindOf(line) === kind),
  )
  const [requests = []] = kinds
  const looksFirst = LOOKS.test(requests[0]?.line ?? '')
  const isAnyDone = requests.some(({ deeds }) => deeds > 0)
  const ranks = [
    requests.slice(0, 1).filter(({ line, deeds }) => deeds > 0 || isWork(line)),
    requests.filter(({ line, deeds }) => deeds > 0 && isWork(line)),
    requests.filter(({ line, deeds }) => {
      return deeds > 0 || (isAnyDone ? !LOOKS.test(line) : looksFirst && isWork(line))
    }),
    ...kinds,
  ]
  const first = ranks.flat()[0]
  if (first === undefined) return undefined
  const goal = withMain(first, requests, max)
  const named = prompts.slice(0, EARLY).map(({ text }) => ISSUE.exec(text))
  const [, sign, number] = named.find((match) => match !== null) ?? []
  const issue = sign ?? (number === undefined ? undefined : `#${number}`)
  if (issue === undefined || goal.includes(issue.slice(1))) return goal
  return `${shorten(goal, max - issue.length - 3)} (${issue})`
}

interface Asked {
  readonly line: string
  readonly deeds: number
}

/** Where far more was done for a later request, that stands with the first, or for one that only looks. */
function withMain(first: Asked, requests: readonly Asked[], max: number): string {
  const isSide = LOOKS.test(first.line) || ASKS.test(first.line)
  const isOther = (line: string) => line.slice(0, SAME) !== first.line.slice(0, SAME)
  const tasks = requests.filter(
    ({ line }) => isOther(line) && (isSide ? isTaskLine(line) : isWork(line)),
  )
  const most = Math.max(...tasks.map(({ deeds }) => deeds))
  const main = tasks.find(({ deeds }) => deeds === most)
  if (main === undefined || most < MIN_MAIN || most < first.deeds * MIN_MAIN) return first.line
  if (isSide && first.deeds === 0) return main.line
  const half = Math.floor((max - THEN.length) / 2)
  const before = shorten(first.line, Math.max(half, max - THEN.length - main.line.length))
  return `${before}${THEN}${shorten(main.line, max - THEN.length - before.length)}`
}

const MIN_MAIN = 3
/** UTF-16 units by which a request that is asked again is known. */
const SAME = 30
const THEN = '; then: '
