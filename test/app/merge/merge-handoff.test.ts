/**
 * Which handoffs are merged by sections, which are merged as git merges any file, and that no byte is lost on the
 * way.
 */

import { describe, expect, test } from 'vitest'
import { mergeHandoffFiles } from '../../../src/app/merge/merge-handoff.ts'
import type { MergeText, MergeTexts } from '../../../src/app/ports/merge-text.ts'

const PROSE = ['base', 'ours', 'theirs'] as const

/** A text merge that records its calls and concatenates its sides. */
function seen(): { readonly calls: MergeTexts[]; readonly mergeText: MergeText } {
  const calls: MergeTexts[] = []
  const mergeText: MergeText = (sides) => {
    calls.push(sides)
    return { content: Buffer.concat([sides.ours, sides.theirs]), isConflict: true }
  }
  return { calls, mergeText }
}

function sidesOf(make: (word: string) => Uint8Array): MergeTexts {
  const [base, ours, theirs] = PROSE.map(make) as [Uint8Array, Uint8Array, Uint8Array]
  return { base, ours, theirs }
}

describe('texts that are not UTF-8 or too large', () => {
  const latin1 = (word: string) => Buffer.from(`caf\u00e9 ${word}\n`, 'latin1')
  const large = (word: string) => Buffer.from(`${word}\n`.padEnd(1024 * 1024 + 1, '\n'))
  const utf8 = (word: string) => Buffer.from(`${word}\n`)

  test.each([
    ['every side is latin1', sidesOf(latin1)],
    ['the base is latin1', { ...sidesOf(utf8), base: latin1('base') }],
    ['ours is latin1', { ...sidesOf(utf8), ours: latin1('ours') }],
    ['theirs is latin1', { ...sidesOf(utf8), theirs: latin1('theirs') }],
    ['ours is larger than 1 MiB', { ...sidesOf(utf8), ours: large('ours') }],
  ])('%s: merged as a whole, as bytes', (_, sides) => {
    const { calls, mergeText } = seen()
    const merged = mergeHandoffFiles(sides, mergeText)
    expect(calls).toEqual([sides])
    expect(merged.isConflict).toBe(true)
    expect(Buffer.from(merged.content).equals(Buffer.concat([sides.ours, sides.theirs]))).toBe(true)
  })
})

describe('a change of one side, or the same change on both', () => {
  test.each([
    ['a byte order mark', '\ufeff# Work\r\n'],
    ['no final line break', '# Work\n\n## Ledger\n\n### Now\n- [->] x'],
    ['nothing at all', ''],
    ['a NUL', 'a\0b\n'],
  ])('%s: keeps the bytes without asking git', (_, text) => {
    const { calls, mergeText } = seen()
    const [old, changed] = [Buffer.from('# Work\n'), Buffer.from(text)]
    for (const sides of [
      { base: old, ours: changed, theirs: old },
      { base: old, ours: old, theirs: changed },
      { base: old, ours: changed, theirs: changed },
    ]) {
      const { content, isConflict } = mergeHandoffFiles(sides, mergeText)
      expect([Buffer.from(content), isConflict]).toEqual([changed, false])
    }
    expect(calls).toEqual([])
  })
})

test('leaves to git what the section rules do not settle, with a conflict around the whole section', () => {
  const { calls, mergeText } = seen()
  const sides = sidesOf((word) => Buffer.from(`## Notes\n\n${word} — ✅\n`))
  const merged = mergeHandoffFiles(sides, mergeText)
  expect(merged.isConflict).toBe(true)
  expect(calls).not.toEqual([])
  const text = Buffer.from(merged.content).toString()
  for (const word of ['ours', 'theirs']) expect(text).toContain(`${word} — ✅\n`)
})

test('merges sections that both sides changed one by one up to a hundred, otherwise the whole text', () => {
  const sections = (count: number) =>
    sidesOf((word) =>
      Buffer.from(Array.from({ length: count }, (_, i) => `## Notes ${i}\n\n${word}\n\n`).join('')),
    )
  const few = seen()
  mergeHandoffFiles(sections(100), few.mergeText)
  expect(few.calls).toHaveLength(100)
  const many = seen()
  const sides = sections(101)
  const { content, isConflict } = mergeHandoffFiles(sides, many.mergeText)
  expect(many.calls).toHaveLength(101)
  expect(many.calls.at(-1)).toBe(sides)
  expect([Buffer.from(content), isConflict]).toEqual([
    Buffer.concat([sides.ours, sides.theirs]),
    true,
  ])
})
