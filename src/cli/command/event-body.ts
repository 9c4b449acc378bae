/** The options for an event's content, shared by every command that writes an event. */

import { usage } from '../../core/errors/errors.ts'
import type { NewCheckpoint, NewEvent } from '../../core/event/event.ts'
import { parseInstant } from '../../core/event/instant.ts'
import type { Input } from './command.ts'
import { list, sentence } from './command.ts'

export const BODY_OPTIONS = {
  now: sentence('what is being done now'),
  goal: sentence('the goal of the work'),
  test: sentence('the command that tests it'),
  title: sentence('title of the ledger'),
  done: { ...list('something done (repeatable)'), isSentence: true },
  next: { ...list('a next step (repeatable)'), isSentence: true },
  decision: { ...list('key=value (repeatable); key= removes'), isSentence: true },
  question: { ...list('an open question (repeatable)'), isSentence: true },
  resolve: { ...list('a question that is answered (repeatable)'), isSentence: true },
  checkpoint: list('phase=5,status=validated[,updated=TIME] (repeatable)'),
}

export type EventBody = Pick<NewEvent, 'title' | 'goal' | 'test' | 'now' | 'next'> &
  Required<
    Pick<
      NewEvent,
      'thisSession' | 'decisions' | 'checkpoints' | 'openQuestions' | 'resolvedQuestions'
    >
  >

/** Blank values count as absent; `--next ""` alone is an empty list. */
export function readBody(input: Input): EventBody {
  const items = (name: string) => input.texts(name).filter((item) => item.trim() !== '')
  return {
    title: input.filled('title'),
    goal: input.filled('goal'),
    test: input.filled('test'),
    now: input.filled('now'),
    thisSession: items('done'),
    next: input.texts('next').length === 0 ? undefined : items('next'),
    decisions: input.texts('decision').map(readDecision),
    checkpoints: input.texts('checkpoint').map(readCheckpoint),
    openQuestions: items('question'),
    resolvedQuestions: items('resolve'),
  }
}

/** True also if an empty list of next steps is all that was given. */
export function isEmptyBody(body: EventBody): boolean {
  return Object.values(body).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  )
}

/** YAML does not allow a longer key on one line. */
const MAX_KEY = 1000

function readDecision(pair: string): { key: string; value: string | null } {
  const at = pair.indexOf('=')
  const key = pair.slice(0, at).trim()
  if (at === -1 || key === '') {
    throw usage(`--decision ${pair} is not key=value`, 'for example --decision db=sqlite')
  }
  if (key.length > MAX_KEY) {
    const message = `a decision's key has at most ${MAX_KEY} characters`
    throw usage(message, 'put the text into the value')
  }
  return { key, value: pair.slice(at + 1) || null }
}

function readCheckpoint(pairs: string): NewCheckpoint {
  const example = 'for example --checkpoint phase=5,status=validated'
  const fields: Record<string, string | undefined> = {}
  for (const pair of pairs.split(',')) {
    const [, key, value = ''] = /^\s*(phase|status|updated)\s*=(.*)$/s.exec(pair) ?? []
    if (key === undefined) {
      throw usage(`--checkpoint ${pairs}: ${pair} is not phase=, status= or updated=`, example)
    }
    if (value.trim() !== '') fields[key] = value.trim()
  }
  const { phase, status, updated } = fields
  if (updated !== undefined && parseInstant(updated) === undefined) {
    const message = `--checkpoint ${pairs}: updated=${updated} is not an ISO 8601 time`
    throw usage(message, 'for example updated=2026-01-31T09:00:00Z')
  }
  if (phase === undefined && status === undefined) {
    throw usage(`--checkpoint ${pairs} needs a phase or a status`, example)
  }
  return { phase, status, updated }
}
