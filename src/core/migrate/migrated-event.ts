/** Turns what one source says into the event that records it in the ledger. */

import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import { parseEvent } from '../event/parse-event.ts'
import { quote } from '../event/yaml-text.ts'
import { contentLines, eventFileName, renderEvent } from '../event/write-event.ts'
import { MAX_EVENT_BYTES } from '../event/event-bytes.ts'
import type { Draft } from './draft.ts'
import type { ReadSource } from './ledger-markdown.ts'
import { noteOf } from './note.ts'
import type { SourceProblem } from './source-text.ts'
import { hashLine, hashOf } from './source-text.ts'
import { timesHeld } from './metadata.ts'

export interface MigratedEvent {
  /** File name in `events/`. */
  readonly file: string
  readonly text: string
}

/** What the source itself does not say. */
export interface Origin {
  /** Path relative to the top of the repository. */
  readonly path: string
  /** The source's text, with LF line endings. */
  readonly text: string
  readonly type: 'handoff' | 'note'
  readonly ts: Instant
  readonly agent: string
  readonly session: string | undefined
  /** The stream that the source is about; undefined for the ledger of the whole repository. */
  readonly stream?: string | undefined
  /** The source is a handoff that stays in place, and keeps everything for which an event has no field. */
  readonly isAdopted?: boolean
}

export function migratedEvent(
  read: ReadSource,
  origin: Origin,
): MigratedEvent | { problem: SourceProblem } {
  const { draft, source } = read
  const { stream } = draft
  const named = stream?.texts[0] === origin.session && stream !== undefined ? [stream] : []
  const claims = [...draft.claims(), ...timesHeld(draft.times, origin.ts), ...named]
  const { isAdopted = false } = origin
  const note = isAdopted ? '' : noteOf(source, claims, draft.structure)
  const head = {
    ts: formatInstant(origin.ts),
    agent: origin.agent,
    branch: draft.text('branch'),
    type: origin.type,
    reason: isAdopted ? 'adopted' : 'migrated',
    session: origin.session,
    stream: origin.stream,
    commit: draft.text('commit'),
  }
  const body = [
    ...contentLines(contentOf(draft)),
    // Verbatim on one line: no formatter may change what proves that nothing was lost.
    ...(note === '' ? [] : [`note: ${quote(note)}`]),
    `source: ${quote(origin.path.toWellFormed())}`,
    hashLine(hashOf(origin.text)),
  ]
  const text = renderEvent({ ...head, body: body.join('\n') })
  if (text.length > MAX_EVENT_BYTES) return { problem: 'too-large-as-event' }
  return { file: eventFileName(origin.ts, origin.agent, text), text }
}

function contentOf(draft: Draft) {
  const texts = (list: Parameters<Draft['list']>[0]) =>
    draft.list(list).map(({ texts }) => texts[0] ?? '')
  const next = texts('next')
  return {
    title: draft.text('title'),
    goal: draft.text('goal'),
    test: draft.text('test'),
    now: draft.text('now'),
    thisSession: texts('thisSession'),
    next: next.length === 0 && !draft.clearsNext ? undefined : next,
    decisions: [...draft.decisions].map(([key, { value }]) => ({ key, value })),
    checkpoints: draft.checkpoints.map(({ checkpoint }) => checkpoint),
    openQuestions: texts('openQuestions'),
    resolvedQuestions: texts('resolvedQuestions'),
  }
}

/** An event from another folder is moved unchanged. */
export function movedEvent(text: string): MigratedEvent | { problem: SourceProblem } {
  const { event, problems } = parseEvent({ file: '', id: '', text })
  if (event === undefined || problems.length > 0) return { problem: 'unreadable-event' }
  return { file: eventFileName(event.ts, event.agent, text), text }
}
