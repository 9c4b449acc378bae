import { describe, expect, test } from 'vitest'
import { renderArchived } from '../../../src/core/event/archive-file.ts'
import { renameGuard, withoutGuard } from '../../../src/core/event/rename-guard.ts'
import { decodeEventText } from '../../../src/core/event/event-bytes.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'

/**
 * Git's own measure (`diffcore-delta.c`): bytes in spans that both files contain, divided by the
 * larger size. Spans end at a line break or after 64 bytes and are distinguished by a hash with
 * 107,927 values.
 */
function similarity(a: string, b: string): number {
  const [x, y] = [spans(a), spans(b)]
  let copied = 0
  for (const [hash, bytes] of x) copied += Math.min(bytes, y.get(hash) ?? 0)
  return copied / Math.max(Buffer.byteLength(a), Buffer.byteLength(b))
}

function spans(text: string): Map<number, number> {
  const counts = new Map<number, number>()
  let [one, two, length] = [0, 0, 0]
  for (const byte of Buffer.from(text)) {
    const old = one
    one = (((one << 7) ^ (two >>> 25)) + byte) >>> 0
    two = ((two << 7) ^ (old >>> 25)) >>> 0
    length += 1
    if (length < 64 && byte !== 10) continue
    const hash = (one + two * 0x61) % 107_927
    counts.set(hash, (counts.get(hash) ?? 0) + length)
    ;[one, two, length] = [0, 0, 0]
  }
  return counts
}

const note = (ts: string, extra: object = {}) =>
  renderEvent({
    ts,
    agent: 'toast',
    branch: 'main',
    type: 'note',
    commit: 'f'.repeat(40),
    now: 'same',
    ...extra,
  })

describe('git finds no two of our files similar', () => {
  const long = Array.from({ length: 200 }, (_, i) => `the same long list of next steps, item ${i}`)
  test.each([
    ['two short notes', {}],
    ['two long notes', { next: long }],
    ['very long notes', { goal: 'word '.repeat(40_000) }],
    ['non-ASCII text', { goal: '日本語'.repeat(500) }],
  ])('%s', (_, extra) => {
    const a = note('2026-01-10T00:00:00Z', extra)
    const b = note('2026-01-10T00:00:01Z', extra)
    expect(similarity(withoutGuard(a), withoutGuard(b))).toBeGreaterThan(0.5)
    expect(similarity(a, b)).toBeLessThan(0.5)
    const [x, y] = [a, b].map((text) =>
      renderArchived({ file: 'same.md', bytes: Buffer.from(text) }),
    ) as [string, string]
    expect(similarity(x, y)).toBeLessThan(0.5)
    expect(similarity(a, x)).toBeLessThan(0.5)
  })

  test('archived files of events by other tools, without a guard', () => {
    const text = (i: number) =>
      `---\nts: 2026-01-10T00:00:0${i}Z\nagent: a\n---\ngoal: ${'x'.repeat(900)}\n`
    const [x, y] = [1, 2].map((i) =>
      renderArchived({ file: 'e.md', bytes: Buffer.from(text(i)) }),
    ) as [string, string]
    expect(similarity(x, y)).toBeLessThan(0.5)
  })

  test('a snapshot and the next one that includes it', () => {
    const lines = (n: number) =>
      Array.from({ length: n }, (_, i) => `- {"file":"e${i}.md","now":"n"}`)
    const a = lines(3000).join('\n')
    const b = lines(3005).join('\n')
    const guarded = (text: string) => `${text}\n${renameGuard(text)}\n`
    expect(similarity(a, b)).toBeGreaterThan(0.9)
    expect(similarity(guarded(a), guarded(b))).toBeLessThan(0.5)
  })
})

describe('withoutGuard', () => {
  test('removes a guard that is the last line of the file or of its fence, and nothing else', () => {
    const text = note('2026-01-10T00:00:00Z')
    const lines = text.split('\n')
    expect(lines.at(-3)).toMatch(/^# rename-guard: [0-9a-f.]+$/)
    const rest = lines.toSpliced(-3, 1).join('\n')
    expect(withoutGuard(text)).toBe(rest)
    expect(withoutGuard(text.trimEnd())).toBe(rest.trimEnd())
    expect(withoutGuard('now: x\n# rename-guard: ab\n')).toBe('now: x\n')
    const others = ['now: x\n', 'now: x\n# rename-guard: ab', '# rename-guard: ab\n']
    for (const other of [...others, `${text}now: x\n`, `${text}\n`]) {
      expect(withoutGuard(other)).toBe(other)
    }
  })

  test('event bytes are decoded without the guard, whatever the line endings', () => {
    const text = note('2026-01-10T00:00:00Z')
    for (const variant of [text, text.replaceAll('\n', '\r\n')]) {
      expect(decodeEventText(Buffer.from(variant))).toBe(withoutGuard(text))
    }
  })

  test('the guard of a text is one line, deterministic and bounded', () => {
    const guard = renameGuard('x'.repeat(10_000_000))
    expect(guard).toBe(renameGuard('x'.repeat(10_000_000)))
    expect(guard.length).toBe(64 * 4096)
    expect(guard).not.toContain('\n')
  })
})
