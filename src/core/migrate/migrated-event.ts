/** From what one source says to the event that says it in the ledger. */

import type { Instant } from '../ledger/instant.ts'
import { formatInstant } from '../ledger/instant.ts'
import { parseEvent } from '../ledger/parse-event.ts'
import { quote } from '../ledger/yaml-text.ts'
import { eventFileName, renderEvent } from '../ledger/write-event.ts'
import { MAX_EVENT_BYTES } from '../ledger/event-bytes.ts'
import type { Draft } from './draft.ts'
import type { ReadSource } from './ledger-markdown.ts'
import { noteOf } from './note.ts'
import type { SourceProblem } from './source-text.ts'
import { hashLine, hashOf } from './source-text.ts'
import { timesHeld } from './source-time.ts'

export interface MigratedEvent {
  /** File name in `events/`. */
  readonly file: string
  readonly text: string
}

/** What the source itself does not say. */
export interface Origin {
  /** Path from the top of the repository. */
  readonly path: string
  /** The source's text, with LF line ends. */
  readonly text: string
  readonly type: 'handoff' | 'note'
  readonly ts: Instant
  readonly agent: string
  readonly session: string | undefined
}

export function migratedEvent(
  read: ReadSource,
  origin: Origin,
): MigratedEvent | { problem: SourceProblem } {
  const { draft, source } = read
  const { stream } = draft
  const named = stream?.texts[0] === origin.session && stream !== undefined ? [stream] : []
  const claims = [...draft.claims(), ...timesHeld(draft.times, origin.ts), ...named]
  const note = noteOf(source, claims, draft.structure)
  const head = {
    ts: formatInstant(origin.ts),
    agent: origin.agent,
    branch: draft.text('branch'),
    type: origin.type,
    reason: 'migrated',
    session: origin.session,
    commit: draft.text('commit'),
  }
  const fields = bodyOf(renderEvent({ ...head, ...contentOf(draft) }))
  const body = [...fields, ...noteLines(note), ...originLines(origin)].join('\n')
  const text = renderEvent({ ...head, body })
  if (text.length > MAX_EVENT_BYTES) return { problem: 'too-large-as-event' }
  return { file: eventFileName(origin.ts, origin.agent, text), text }
}

/** The fields as `renderEvent` writes them, without head and comments: values are never bare lines. */
function bodyOf(event: string): string[] {
  const lines = event.split('\n')
  const body = lines.slice(lines.indexOf('---', 1) + 1)
  return body.filter((line) => line !== '' && !line.startsWith('#'))
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

function originLines({ path, text }: Origin): string[] {
  return [`source: ${quote(path.toWellFormed())}`, hashLine(hashOf(text))]
}

/** Characters that a block of YAML cannot hold as they are. */
const NOT_IN_BLOCK =
  /[^\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** Verbatim as a block for people; quoted where the text has characters that no block may have. */
function noteLines(note: string): string[] {
  if (note === '') return []
  if (NOT_IN_BLOCK.test(note)) return [`note: ${quote(note)}`]
  return ['note: |2', ...note.split('\n').map((line) => (line === '' ? '' : `  ${line}`))]
}

/** An event of another folder stays as it is: it only moves. */
export function movedEvent(text: string): MigratedEvent | { problem: SourceProblem } {
  const { event, problems } = parseEvent({ file: '', id: '', text })
  if (event === undefined || problems.length > 0) return { problem: 'unreadable-event' }
  return { file: eventFileName(event.ts, event.agent, text), text }
}
