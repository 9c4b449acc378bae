/** A line without its Markdown syntax, and the lines of a message that carry content. */

import { expect, test } from 'vitest'
import { plainLine } from '../../../src/core/text/markdown-to-text.ts'
import { blocksOf } from '../../../src/core/text/message-blocks.ts'

test.each([
  ['see [spec.md](/home/ada/api/specs/021-maps/spec.md#L10).', 'see 021-maps/spec.md.'],
  ['see [`spec.md`](specs/021-maps/spec.md:10)', 'see `specs/021-maps/spec.md`'],
  ['see [a.yml](.github/workflows/a.yml)', 'see .github/workflows/a.yml'],
  ['see [a.yml](./workflows/a.yml)', 'see workflows/a.yml'],
  ['see [a.yml](../workflows/a.yml)', 'see workflows/a.yml'],
  ['see [spec.md](spec.md)', 'see spec.md'],
  ['see [src/a.ts](src/a.ts)', 'see src/a.ts'],
  ['see [the spec](specs/021-maps/spec.md)', 'see the spec'],
  ['see [a.html](https://example.invalid/docs/a.html)', 'see a.html'],
  [
    'PR [#8](https://example.invalid/pull/8) is open',
    'PR #8 (https://example.invalid/pull/8) is open',
  ],
  ['[#8 [draft] Add a](https://example.invalid/8)', '#8 [draft] Add a (https://example.invalid/8)'],
  ['see [here](https://example.invalid/where)', 'see here (https://example.invalid/where)'],
  ['commit [`1a2b`](https://example.invalid/c/9)', 'commit `1a2b`'],
  [`[long](https://example.invalid/${'x'.repeat(100)})`, 'long'],
  ['see [a.ts](</my folder/a.ts>)', 'see [a.ts](</my folder/a.ts>)'],
  ['see [a.ts](file:///home/ada/api/a.ts)', 'see api/a.ts'],
  ['see src/**/__tests__ and **/fixtures', 'see src/**/__tests__ and **/fixtures'],
  ['**Note:** it is **done**.', 'Note: it is done.'],
  ['at **https://example.invalid/** now', 'at https://example.invalid/ now'],
  ['in **src/** only', 'in src/ only'],
  ['**Not closed', 'Not closed'],
  ['─── Morning report ───', 'Morning report'],
  ['──────', '──────'],
  ['<sub>`/clear` first</sub>, for `<sub>` and <div>', '`/clear` first, for `<sub>` and <div>'],
])('%s', (line, plain) => {
  expect(plainLine(line)).toBe(plain)
})

test.each([
  ['**Step 2: Tests.**', 'heading'],
  ['**Phase 3.**', 'heading'],
  ['**Task 4 - Docs!**', 'heading'],
  ['**All 52 tests pass.**', 'text'],
  ['**Ready to merge: no**', 'text'],
])('%s is a %s', (line, kind) => {
  expect(blocksOf(line)).toMatchObject([{ kind }])
})

test('a bar after a backslash ends no cell', () => {
  expect(blocksOf(String.raw`| Row 3 | \|a − b\| | ok |`)).toEqual([
    { kind: 'table', text: 'Row 3 - |a − b| - ok' },
  ])
})

test('an indented line right below an item belongs to it', () => {
  const texts = (markdown: string) => blocksOf(markdown).map(({ kind, text }) => `${kind}: ${text}`)
  expect(texts('- Run\n  `make`\n  Then wait\n- Push')).toEqual([
    'item: Run `make`. Then wait',
    'item: Push',
  ])
  expect(texts('- Run it\n\n  It takes long\n- Push\nDone')).toEqual([
    'item: Run it',
    'text: It takes long',
    'item: Push',
    'text: Done',
  ])
})

test.each(['`', '**', ''])('drops teaching remarks framed with “%s”', (mark) => {
  const texts = (...lines: string[]) => blocksOf(lines.join('\n')).map(({ text }) => text)
  const start = `${mark}★ Insight ─────────────────${mark}`
  const end = `${mark}─────────────────${mark}`
  expect(texts('It is in.', start, '- A limit is a bound.', end, 'Push it?')).toEqual([
    'It is in.',
    'Push it?',
  ])
  // Without an end, it is unknown where the remark ends.
  expect(texts('It is in.', start, '- A limit is a bound.')).toContain('A limit is a bound.')
  expect(texts(end, 'It is in.', end, 'Push it?')).toEqual(['It is in.', 'Push it?'])
})
