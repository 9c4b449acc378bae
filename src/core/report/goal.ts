/** Of many prompts the one that is the goal. Pure. */

import { plainLine, shorten } from '../text/markdown-to-text.ts'
import { isPlan, isTask, isWork, kindOf, LOOKS, promptLine } from './request.ts'

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
 * first that names work or that work was done for; one that only wants to see something counts last. Where
 * the session does not begin with a task, `title` says it: what the agent's program calls the session.
 */
export function goalIn(
  prompts: readonly Prompt[],
  max: number,
  title?: string,
): string | undefined {
  const lines = prompts.map(({ text, deeds }) => ({ line: promptLine(text, max), deeds }))
  const kinds = (['request', 'question', 'command'] as const).map((kind) =>
    lines.filter(({ line }) => kindOf(line) === kind),
  )
  const [requests = []] = kinds
  const looksFirst = LOOKS.test(requests[0]?.line ?? '')
  const isAnyDone = requests.some(({ deeds }) => deeds > 0)
  const [first] = prompts
  const begins = first !== undefined && (isPlan(first.text) || isTask(first.text))
  const ranks = [
    begins || title === undefined || prompts.length === 0 ? [] : [{ line: titleLine(title, max) }],
    requests.slice(0, 1).filter(({ line, deeds }) => deeds > 0 || isWork(line)),
    requests.filter(({ line, deeds }) => deeds > 0 && isWork(line)),
    requests.filter(({ line, deeds }) => {
      return deeds > 0 || (isAnyDone ? !LOOKS.test(line) : looksFirst && isWork(line))
    }),
    ...kinds,
  ]
  const goal = ranks.flat()[0]?.line
  if (goal === undefined) return undefined
  const named = prompts.slice(0, EARLY).map(({ text }) => ISSUE.exec(text))
  const [, sign, number] = named.find((match) => match !== null) ?? []
  const issue = sign ?? (number === undefined ? undefined : `#${number}`)
  if (issue === undefined || goal.includes(issue.slice(1))) return goal
  return `${shorten(goal, max - issue.length - 3)} (${issue})`
}

/** Some are written as a name: `fix-expired-contracts`. */
function titleLine(title: string, max: number): string {
  const line = plainLine(title)
  const words = /\s/.test(line) ? line : line.replace(/[-_]+/g, ' ')
  return shorten(words.replace(/\.$/, ''), max)
}
