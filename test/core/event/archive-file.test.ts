import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  archiveDay,
  archivePath,
  parseArchived,
  renderArchived,
} from '../../../src/core/event/archive-file.ts'
import { anyText, instant } from '../../support/arbitraries.ts'

describe('an archived event', () => {
  test('comes back byte for byte, whatever it contains', () => {
    const anyBytes = fc.oneof(
      anyText.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(anyText, anyBytes, (name, bytes) => {
        const file = name.toWellFormed()
        const back = parseArchived(renderArchived({ file, bytes }))
        expect(back?.file).toBe(file)
        expect(Buffer.from(back?.bytes ?? []).equals(bytes)).toBe(true)
      }),
    )
  })

  test('is one JSON string on one line, with the unchanged text', () => {
    const text = renderArchived({ file: 'e.md', bytes: Buffer.from('a\n"b"') })
    expect(text).toMatch(/^"[^\n]+"\n$/)
    const json: unknown = JSON.parse(text)
    expect(json).toMatch(/^\{"file":"e\.md"\}\na\n"b"\n# rename-guard: [0-9a-f.]+$/)
  })

  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"event":null}',
    '{"event":{"file":"a","text":""}}',
    '""',
    '"{}"',
    String.raw`"{\"file\":1}\n---\n# rename-guard: "`,
    String.raw`"{\"file\":\"a\"}\n---"`,
    String.raw`"{\"file\":\"a\"}\n# rename-guard: "`,
    String.raw`"{\"file\":\"a\",\"encoding\":\"hex\"}\n---\n# rename-guard: "`,
  ])('rejects anything else: %s', (text) => expect(parseArchived(text)).toBeUndefined())
})

describe('the path of an archived event', () => {
  test("is in the folder of the event's UTC date", () => {
    const path = archivePath('2026-01-10_a.md', instant('2026-01-11T09:00:00+10:00'))
    expect(path).toBe('2026-01-10/2026-01-10_a.json')
    expect(archiveDay(path)).toBe('2026-01-10')
  })

  test.each([
    'README.md',
    '2026-01-10/x.md',
    '2026-1-1/x.json',
    'a/2026-01-10/x.json',
    '2026-01-10',
  ])('%s is not an archive path', (path) => expect(archiveDay(path)).toBeUndefined())
})
