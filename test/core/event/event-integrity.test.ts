/** Whether a file still matches the name that our writer gave it. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { integrityOf, isEmptied } from '../../../src/core/event/event-integrity.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import type { NewEvent } from '../../../src/core/event/event.ts'
import { eventFileName, renderEvent } from '../../../src/core/event/write-event.ts'

function written(event: NewEvent): { file: string; text: string } {
  const text = renderEvent(event)
  const instant = parseInstant(event.ts)?.instant
  if (instant === undefined) throw new Error(event.ts)
  return { file: eventFileName(instant, event.agent, text), text }
}

const own = written({ ts: '2026-01-10T13:03:52.417Z', agent: 'toast', now: 'x', branch: 'main' })
const integrity = (text: string, file = own.file) => integrityOf(file, Buffer.from(text))

test('an event that our writer wrote is intact, whatever it says and whatever its line endings', () => {
  const agents = fc.oneof(
    fc.constantFrom('toast', "o'brien", 'a b', 'gt/rig/p', 'Käfer', '#1', '1'),
  )
  const texts = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(agents, texts, fc.boolean(), (agent, now, isWindows) => {
      const { file, text } = written({ ts: '2026-01-10T15:03:52+02:00', agent, now })
      const read = isWindows ? text.replaceAll('\n', '\r\n') : text
      if (!text.includes('\r')) expect(integrity(read, file)).toBe('intact')
    }),
  )
})

test('a truncated, changed or zeroed file is damaged', () => {
  fc.assert(
    fc.property(fc.nat(own.text.length - 1), (at) => {
      expect(integrity(own.text.slice(0, at))).toBe('damaged')
    }),
  )
  expect(integrity(own.text.replace('now: x', 'now: y'))).toBe('damaged')
  expect(integrity(own.text.replace('now: x', 'now:\r x'))).toBe('damaged')
  expect(integrity('\0'.repeat(own.text.length))).toBe('damaged')
})

describe('files that our writer did not name are never damaged', () => {
  const front = (lines: string) => `---\n${lines}\n---\n\nnow: x\n`
  const head = 'ts: 2026-01-10T13:03:52.417Z\nagent: toast'
  test.each([
    ['a hook of Continuous-Claude', '2026-01-11T23-40-31.444Z_0379d65b.md', front(head)],
    ['a name chosen by hand', 'notes.md', ''],
    ['another agent', own.file, front(head.replace('toast', 'crisp'))],
    ['another time', own.file, front(head.replace('52.417', '52.418'))],
    ['no agent', own.file, front('ts: 2026-01-10T13:03:52.417Z')],
    [
      'a name that ends with a session id',
      '2026-01-10T13-03-52.417Z_toast_0379d65b.md',
      front(`${head}\nsession: 0379D65B-1f0c`),
    ],
  ])('%s', (_what, file, text) => {
    expect(integrity(text, file)).toBe('foreign')
  })

  test('a file with our name and our head, but other content, is damaged', () => {
    expect(integrity(front(head))).toBe('damaged')
    expect(integrity(front(head.replace('toast', '"toast"')))).toBe('damaged')
    expect(integrity(front(head.replace('toast', "'toast'")))).toBe('damaged')
  })
})

test('a file without content is recognized as emptied', () => {
  expect(isEmptied(Buffer.from(''))).toBe(true)
  expect(isEmptied(Buffer.from('\0\0\n \r\n'))).toBe(true)
  expect(isEmptied(Buffer.from('-'))).toBe(false)
})
