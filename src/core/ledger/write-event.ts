/**
 * The text of a new event, in the one canonical shape that ledger-git writes.
 *
 * Front matter, an empty line, the body and a guard line; one field a line, strings plain where YAML
 * cannot mistake them and double-quoted otherwise. The name carries a hash of the content, so equal names
 * mean equal bytes and two agents cannot collide.
 */

import { createHash } from 'node:crypto'
import type { LedgerEvent } from './event.ts'
import type { Instant } from './instant.ts'
import { formatInstant, parseInstant } from './instant.ts'
import { renameGuard } from './rename-guard.ts'
import { snapshotLines } from './snapshot.ts'
import { quote } from './yaml-text.ts'

export interface NewEvent {
  /** ISO 8601, stored as given. */
  readonly ts: string
  readonly agent: string
  readonly branch?: string | undefined
  readonly type?: string | undefined
  readonly reason?: string | undefined
  readonly session?: string | undefined
  readonly commit?: string | undefined
  /** A body in YAML that is stored as it is; excludes the fields below. */
  readonly body?: string | undefined
  readonly title?: string | undefined
  readonly goal?: string | undefined
  readonly test?: string | undefined
  readonly now?: string | undefined
  readonly thisSession?: readonly string[]
  readonly next?: readonly string[] | undefined
  readonly decisions?: readonly { key: string; value: string | null }[]
  readonly checkpoints?: readonly NewCheckpoint[]
  readonly openQuestions?: readonly string[]
  readonly resolvedQuestions?: readonly string[]
  readonly retracts?: readonly string[]
  /** Only of a snapshot. */
  readonly covers?: readonly LedgerEvent[]
}

export interface NewCheckpoint {
  readonly phase?: string | undefined
  readonly status?: string | undefined
  readonly updated?: string | undefined
}

/** Renders the file's text. `parseEvent` reads back exactly these fields. */
export function renderEvent(event: NewEvent): string {
  const front = [
    `ts: ${plainInstant(event.ts)}`,
    `agent: ${scalar(event.agent)}`,
    ...field('branch', event.branch),
    ...field('type', event.type),
    ...field('reason', event.reason),
    ...field('session', event.session),
    ...field('commit', event.commit),
  ]
  const body = event.body === undefined ? bodyLines(event).join('\n') : event.body.trimEnd()
  const text = `---\n${front.join('\n')}\n---\n${body === '' ? '' : `\n${body}\n`}`
  return `${text}${renameGuard(text)}\n`
}

/** The event's file name: instant, agent, and 8 hex digits of the SHA-256 of its text. */
export function eventFileName(instant: Instant, agent: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const author = [...Buffer.from(agent.toWellFormed())]
    .map((byte) => String.fromCharCode(byte))
    .map((unit) => (/[A-Za-z0-9._-]/.test(unit) ? unit : '-'))
    .join('')
    .slice(0, 64)
  return `${formatInstant(instant).replaceAll(':', '-')}_${author}_${hash}.md`
}

function bodyLines(event: NewEvent): string[] {
  return [
    ...field('title', event.title),
    ...field('goal', event.goal),
    ...field('test', event.test),
    ...field('now', event.now),
    ...list('this_session', event.thisSession),
    ...(event.next?.length === 0 ? ['next: []'] : list('next', event.next)),
    ...decisionLines(event.decisions ?? []),
    ...checkpointLines(event.checkpoints ?? []),
    ...list('open_questions', event.openQuestions),
    ...list('resolved_questions', event.resolvedQuestions),
    ...list('retracts', event.retracts),
    ...(event.covers === undefined ? [] : snapshotLines(event.covers)),
  ]
}

function decisionLines(decisions: NonNullable<NewEvent['decisions']>): string[] {
  if (decisions.length === 0) return []
  const lines = decisions.map(
    ({ key, value }) => `  ${scalar(key)}: ${value === null ? 'null' : scalar(value)}`,
  )
  return ['decisions:', ...lines]
}

function checkpointLines(checkpoints: readonly NewCheckpoint[]): string[] {
  const lines = checkpoints.flatMap(({ phase, status, updated }) => {
    const fields = [
      ...(phase === undefined
        ? []
        : [`phase: ${/^(?:0|[1-9]\d{0,8})$/.test(phase) ? phase : scalar(phase)}`]),
      ...field('status', status),
      ...(updated === undefined ? [] : [`updated: ${plainInstant(updated)}`]),
    ]
    return fields.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
  })
  return lines.length === 0 ? [] : ['checkpoints:', ...lines]
}

function field(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${scalar(value)}`]
}

function list(key: string, items: readonly string[] | undefined): string[] {
  if (items === undefined || items.length === 0) return []
  return [`${key}:`, ...items.map((item) => `- ${scalar(item)}`)]
}

/** Words that YAML 1.1 or 1.2 readers take for something else than a string. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Plain when no YAML reader can mistake it: starts with a letter, no `: `, ` #` or control. */
function scalar(text: string): string {
  const value = text.toWellFormed()
  const plain = /^\p{L}[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u.test(value) && !/: |:$| #|\s$/.test(value)
  return plain && !RESERVED.test(value) ? value : quote(value)
}

function plainInstant(text: string): string {
  return parseInstant(text) !== undefined && !/\s/.test(text) ? text : quote(text)
}
