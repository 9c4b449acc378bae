/** A body from standard input must be right, and say something, before an event is made of it. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { BODY_KEYS } from '../../core/event/event.ts'
import { nearest } from '../../core/text/did-you-mean.ts'

const EXAMPLE = "printf 'now: fix the parser\\n' | ledger-git event add --stdin"

/** `isNamed`: the event has a type or a reason, which says something by itself. */
export async function checkBody(body: string, isNamed: boolean): Promise<void> {
  const { parseYaml, whyNoYaml } = await import('../../core/event/yaml-value.ts')
  const parsed = parseYaml(body)
  if (parsed?.kind !== 'map') {
    const why = whyNoYaml(body) ?? 'expected lines such as now: text'
    throw new LedgerError(
      'EVENT_INVALID',
      `the body on standard input is not a YAML map (${why})`,
      EXAMPLE,
    )
  }
  if (isNamed || (await saysSomething(body))) return
  const [key = ''] = parsed.entries.map((entry) => entry.key)
  const meant = nearest(key, BODY_KEYS, 2)
  const found =
    key === '' ? '' : ` (found: ${key}${meant === undefined ? '' : `; did you mean ${meant}?`})`
  throw new LedgerError('EVENT_INVALID', `an event must say something${found}`, EXAMPLE)
}

async function saysSomething(body: string): Promise<boolean> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const text = `---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\n${body}`
  const { event, problems } = parseEvent({ file: '', id: '', text })
  // What cannot be read is named when the event is read back.
  return event === undefined || problems.length > 0 || hasContent(event)
}

function hasContent(event: LedgerEvent): boolean {
  const { title, goal, test, now, next, type, reason } = event
  const { thisSession, decisions, checkpoints, openQuestions, resolvedQuestions, retracts } = event
  const lists = [thisSession, decisions, checkpoints, openQuestions, resolvedQuestions, retracts]
  return (
    [title, goal, test, now, next, type, reason].some((value) => value !== undefined) ||
    lists.some((list) => list.length > 0)
  )
}
