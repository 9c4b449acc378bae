/** Event data as lines for a terminal: one line each, no control characters. */

import type { LedgerEvent } from '../../core/event/event.ts'
import { escapeUnits } from '../../core/text/escape-units.ts'
import { safeText } from '../../core/text/safe-text.ts'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'

export { safeText } from '../../core/text/safe-text.ts'

/** All lines of a text, made safe for a terminal. */
export function safeLines(value: string): string[] {
  const lines = value.replace(/\n$/, '').split(/\r\n|[\n\u2028\u2029]/)
  // Bidirectional control characters make a text read as something else.
  const turned = /[\u202a-\u202e\u2066-\u2069]/g
  return lines.map((line) =>
    stripControlChars(line.replaceAll('\t', '  ')).replace(turned, '\ufffd'),
  )
}

/** A note, indented to set it off from the lines around it. */
export function noteLines(note: string): string[] {
  return safeLines(note).map((line) => (line === '' ? '' : `    ${line}`))
}

/** What an event says, one line per fact. */
export function eventFacts(event: LedgerEvent): string[] {
  const registers = (['title', 'goal', 'test', 'now'] as const).flatMap((key) =>
    event[key] === undefined ? [] : [`${key}: ${safeText(event[key])}`],
  )
  return [
    ...registers,
    ...event.thisSession.map((item) => `done: ${safeText(item)}`),
    ...(event.next ?? []).map((item) => `next: ${safeText(item)}`),
    ...(event.next?.length === 0 ? ['next: (none)'] : []),
    ...event.decisions.map(({ key, value, text }) =>
      value === null
        ? `decision removed: ${safeText(key)}`
        : `decision ${safeText(key)}: ${safeText(text)}`,
    ),
    ...event.openQuestions.map((item) => `question: ${safeText(item)}`),
    ...event.resolvedQuestions.map((item) => `resolved: ${safeText(item)}`),
    ...event.checkpoints.map(
      ({ phase, status }) => `checkpoint: phase ${safeText(phase)} ${safeText(status)}`,
    ),
    ...event.retracts.map((file) => `retracts: ${safeText(file)}`),
    ...(event.covers.length === 0
      ? []
      : [`stands for ${count(event.covers.length, 'archived event')}`]),
    ...event.supersedes.map((agent) => `supersedes: ${safeText(agent)}`),
  ]
}

/** A path that is not shortened. */
export function safePath(path: string): string {
  return safeText(path, 4096)
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Members of an object under their JSON names: `startedAt` as `started_at`. */
export function members<T extends object>(of: T, ...names: readonly (keyof T & string)[]) {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(names.map((name) => [snake(name), of[name]]))
}

/** A documented JSON shape as text: every member is present, unknown values are `null`, maps are objects. */
export function jsonText(value: unknown): string {
  const plain = (_: string, part: unknown) =>
    part instanceof Map ? Object.fromEntries(part) : (part ?? null)
  const withNulls = JSON.stringify(value, plain, 2)
  // JSON escapes C0 controls only; a terminal also obeys DEL and the C1 set.
  return `${escapeUnits(withNulls, /[\u007f-\u009f\u2028\u2029]/g)}\n`
}
