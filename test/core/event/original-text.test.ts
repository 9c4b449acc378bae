/**
 * A formatter's changes to one of our events are undone if, and only if, the file name proves the
 * original.
 */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEventText } from '../../../src/core/event/event-bytes.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { originalText } from '../../../src/core/event/event-integrity.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import type { NewEvent } from '../../../src/core/event/event.ts'
import { eventFileName, renderEvent } from '../../../src/core/event/write-event.ts'
import { HOSTILE_TEXTS } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

function undone(event: NewEvent, format: (text: string) => string) {
  const text = renderEvent(event)
  const instant = parseInstant(event.ts)?.instant
  if (instant === undefined) throw new Error(event.ts)
  const file = eventFileName(instant, event.agent, text)
  const formatted = format(text)
  const { event: read } = parseEvent({
    file,
    id: '',
    text: decodeEventText(Buffer.from(formatted)),
  })
  return { text, original: originalText(file, formatted, read) }
}

const FORMATS: readonly ((text: string) => string)[] = [
  (text) => text.replace('---\n', '---\n\n'),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.trimEnd(),
  (text) => `\ufeff${text}`,
]

test('restores the bytes after changes of line endings, blank lines and marks', () => {
  // A formatter does not preserve a line break or whitespace at either end.
  const word = fc
    .constantFrom('x', ...HOSTILE_TEXTS)
    .filter((text) => /^\S[^\r\n\t]*\S$/.test(text))
  fc.assert(
    fc.property(word, word, fc.constantFrom(...FORMATS), (now, item, format) => {
      const ts = '2026-01-10T13:03:52.417Z'
      const event = {
        ts,
        agent: 'toast',
        now,
        next: [item],
        decisions: [{ key: 'k', value: item }],
      }
      const { text, original } = undone(event, format)
      expect(original).toBe(text)
    }),
    runs(200),
  )
})

test('restores the bytes after changes of indentation, quotes and bullets', () => {
  const event: NewEvent = {
    ts: '2026-01-10T13:03:52.417Z',
    agent: 'toast',
    type: 'note',
    branch: 'main',
    commit: 'abcdef0123',
    now: 'one: two',
    next: [],
    thisSession: ['a', 'b'],
    decisions: [
      { key: 'k', value: 'v' },
      { key: 'gone', value: null },
    ],
    checkpoints: [{ phase: '5', status: 'validated', updated: '2026-01-10T13:00:00Z' }],
    openQuestions: ['Why?'],
    retracts: ['x.md'],
  }
  const { text, original } = undone(event, (text) =>
    text
      .replace(/^(- | {2}(?:status|updated):)/gm, '  $1')
      .replace('k: v', '"k": \'v\'')
      .replace('next: []', 'next: [ ]'),
  )
  expect(original).toBe(text)
})

test('does not undo a changed word', () => {
  const event = { ts: '2026-01-10T13:03:52Z', agent: 'toast', now: 'one' }
  expect(undone(event, (text) => text.replace('one', 'two')).original).toBeUndefined()
})
