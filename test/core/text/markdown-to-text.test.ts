/** Links in a line that is read without its marks. */

import { expect, test } from 'vitest'
import { plainLine } from '../../../src/core/text/markdown-to-text.ts'

test.each([
  ['see [spec.md](/home/ada/api/specs/021-maps/spec.md#L10).', 'see 021-maps/spec.md.'],
  ['see [`spec.md`](specs/021-maps/spec.md:10)', 'see `specs/021-maps/spec.md`'],
  ['see [spec.md](spec.md)', 'see spec.md'],
  ['see [src/a.ts](src/a.ts)', 'see src/a.ts'],
  ['see [the spec](specs/021-maps/spec.md)', 'see the spec'],
  ['see [a.html](https://example.invalid/docs/a.html)', 'see a.html'],
  ['see [a.ts](</my folder/a.ts>)', 'see [a.ts](</my folder/a.ts>)'],
  ['see [a.ts](file:///home/ada/api/a.ts)', 'see api/a.ts'],
])('%s', (line, plain) => {
  expect(plainLine(line)).toBe(plain)
})
