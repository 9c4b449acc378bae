/**
 * The text of a new event, in the only form that ledger-git writes.
 *
 * Front matter with plain values, an empty line, and the body in a fence that Markdown formatters leave alone: one
 * field per line, lists indented by two, a guard line at the end (docs/decisions/0020). The name contains a hash of
 * the content, so equal names mean equal bytes, and two agents cannot collide.
 */

import { createHash } from 'node:crypto'
import type { NewCheckpoint, NewEvent } from './event.ts'
import { fenced } from './fence.ts'
import type { Instant } from './instant.ts'
import { formatInstant, parseInstant } from './instant.ts'
import { renameGuard } from './rename-guard.ts'
import { snapshotLines } from './snapshot.ts'
import { isPlain, scalar } from './yaml-text.ts'

const HEAD = ['agent', 'branch', 'type', 'session', 'commit'] as const
/** UTF-16 units. A formatter may wrap a longer text of several words, but never breaks a single word. */
const MAX_HEAD_WORDS = 32

/** Renders the file's text. `parseEvent` reads back exactly these fields. */
export function renderEvent(event: NewEvent): string {
  const given = HEAD.filter((key) => event[key] !== undefined)
  const inHead = given.filter((key) => fitsHead(event[key] ?? ''))
  const front = [`ts: ${instantText(event.ts)}`, ...inHead.flatMap((key) => field(key, event[key]))]
  const body = [
    ...given.filter((key) => !inHead.includes(key)).flatMap((key) => field(key, event[key])),
    ...field('reason', event.reason),
    ...field('stream', event.stream),
    ...(event.body === undefined ? contentLines(event) : event.body.trimEnd().split('\n')),
  ].filter((line) => line !== '')
  const head = `---\n${front.join('\n')}\n---\n`
  return `${head}\n${fenced([...body, renameGuard(`${head}\n${body.join('\n')}`)])}`
}

function fitsHead(text: string): boolean {
  return isPlain(text) && (text.length <= MAX_HEAD_WORDS || !text.includes(' '))
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

/** The content of the event as lines of its body. */
export function contentLines(event: Omit<NewEvent, 'ts' | 'agent'>): string[] {
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
    ...list('supersedes', event.supersedes),
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
      ...(updated === undefined ? [] : [`updated: ${instantText(updated)}`]),
    ]
    return fields.map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`)
  })
  return lines.length === 0 ? [] : ['checkpoints:', ...lines]
}

function field(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${scalar(value)}`]
}

function list(key: string, items: readonly string[] | undefined): string[] {
  if (items === undefined || items.length === 0) return []
  return [`${key}:`, ...items.map((item) => `  - ${scalar(item)}`)]
}

/** A time is never quoted, whatever its form. */
function instantText(text: string): string {
  return parseInstant(text) === undefined ? scalar(text) : text.trim().replace(/\s+/g, ' ')
}
