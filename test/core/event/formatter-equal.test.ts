/** Changes by a formatter are distinguished from changes by people. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { saysTheSame } from '../../../src/core/event/formatter-equal.ts'
import { runs } from '../../support/long.ts'

const BARE: string = `---
ts: 2026-01-10T13:03:52.417Z
agent: toast
branch: main
type: note
---

now: "Use bash -c '...' for shell quoting"
this_session:
- todo 1
- uses *stars* and snake_case_words
- a - b and 1 + 2
decisions:
  k1: v1
  path: C:\\new\\table
open_questions:
- "Does it \\"work\\"?"
# rename-guard: 4f1d2a99.................................................
`

/** What prettier 3 makes of it, with the default \`proseWrap\`. */
const PRETTIER = `---
ts: 2026-01-10T13:03:52.417Z
agent: toast
branch: main
type: note
---

now: "Use bash -c '...' for shell quoting"
this_session:

- todo 1
- uses _stars_ and snake_case_words
- a - b and 1 + 2
  decisions:
  k1: v1
  path: C:\\new\\table
  open_questions:
- "Does it \\"work\\"?"

# rename-guard: 4f1d2a99.................................................
`

/** The same with \`proseWrap: always\`: lines are joined. */
const WRAPPED = `---
ts: 2026-01-10T13:03:52.417Z
agent: toast
branch: main
type: note
---

now: "Use bash -c '...' for shell quoting" this_session:

* todo 1
* uses _stars_ and snake_case_words
* a - b and 1 + 2 decisions: k1: v1 path: C:\\new\\table open_questions:
* "Does it \\"work\\"?"

# rename-guard: 4f1d2a99.................................................
`

const FENCED: string = `---
ts: 2026-01-10T13:03:52.417Z
agent: toast
---

\`\`\`ledger
now: "Use it: now"
next:
  - 'it''s time'
  - "tab\\tand \\"quotes\\""
decisions:
  key: value
\`\`\`
`

describe('recognised as formatting', () => {
  test.each([
    ['prettier on a bare body', BARE, PRETTIER],
    ['prettier with wrapped prose', BARE, WRAPPED],
    ['biome: an empty line after the first fence', FENCED, FENCED.replace('---\n', '---\n\n')],
    ['Windows line endings', FENCED, FENCED.replaceAll('\n', '\r\n')],
    ['a byte order mark', FENCED, `\ufeff${FENCED}`],
    ['tildes', FENCED, FENCED.replaceAll('```', '~~~')],
    ['a longer fence with another word', FENCED, FENCED.replace('```ledger', '````yaml ledger')],
    ['quotes', FENCED, FENCED.replace(`'it''s time'`, '"it\'s time"')],
    ['single quotes', FENCED, FENCED.replace('"tab\\tand \\"quotes\\""', `'tab\\tand "quotes"'`)],
    ['quotes that are not needed', FENCED, FENCED.replace('value', '"value"')],
    ['indents', FENCED, FENCED.replaceAll('  - ', '- ')],
    ['trailing whitespace', FENCED, FENCED.replace('value', 'value  ').trimEnd()],
    ['rules', FENCED, FENCED.replaceAll('---', '***')],
    ['escapes', BARE, BARE.replace('snake_case', 'snake\\_case')],
  ])('%s', (_what, before, after) => {
    expect(after).not.toBe(before)
    expect(saysTheSame(before, after)).toBe(true)
  })
})

describe('not recognised as formatting', () => {
  test.each([
    ['a word changed', BARE, BARE.replace('todo 1', 'todo 2')],
    ['a secret removed', BARE, BARE.replace('v1', '')],
    ['a key gone', FENCED, FENCED.replace('key: value', 'value')],
    ['words joined', BARE, BARE.replace('todo 1', 'todo1')],
    [
      'items swapped',
      BARE,
      BARE.replace('todo 1', 'TMP').replace('C:', 'todo 1').replace('TMP', 'C:'),
    ],
    ['a sign within a line', BARE, BARE.replace('a - b', 'a + b')],
    ['plus for minus', BARE, BARE.replace('1 + 2', '1 - 2')],
    ['an item turned into text', FENCED, FENCED.replace('  - "tab', '    "tab')],
    ['a backslash', BARE, BARE.replace('C:\\new', 'C:new')],
    ['everything', FENCED, ''],
    ['half of it', FENCED, FENCED.slice(0, 60)],
    ['something added', FENCED, `${FENCED}test: npm test\n`],
    ['a number and its sign', FENCED.replace('value', '5'), FENCED.replace('value', '-5')],
  ])('%s', (_what, before, after) => {
    expect(saysTheSame(before, after)).toBe(false)
  })
})

/** One step of a formatter; each step keeps letters, digits and their order. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\n\n'),
  (text) => text.replace(/^([ \t]*)- /gm, '$1  * '),
  (text) => text.replace(/^([ \t]*)[-*] /gm, '$1+ '),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll("'", '"'),
  (text) => text.replace(/^ +/gm, '\t'),
  // The lines of a paragraph; no formatter treats a fence as one.
  (text) => text.replace(/(?<!(?:```|~~~)\w*)(?<=\w)\n([a-z_]+:)/g, ' $1'),
  (text) => text.replace(/^(?:```|~~~)(\w*)$/gm, '~~~~$1'),
  (text) => text.trimEnd(),
]

test('recognises any steps of a formatter in any order', () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(BARE, FENCED), steps, (before, chosen) => {
      const after = chosen.reduce<string>((text, step) => step(text), before)
      expect(saysTheSame(before, after), after).toBe(true)
    }),
    runs(400),
  )
})

test('does not recognise a letter or digit that is changed, removed or added', () => {
  const lines = (text: string) => text.replaceAll(/```\w*/g, (fence) => ' '.repeat(fence.length))
  const places = (text: string) =>
    [...lines(text).matchAll(/[A-Za-z0-9]/g)].map(({ index }) => index)
  fc.assert(
    fc.property(
      fc.constantFrom(BARE, FENCED),
      fc.nat(),
      fc.constantFrom('', 'q', '7', 'xx'),
      fc.constantFrom(...STEPS, (text: string) => text),
      (before, which, letter, step) => {
        const all = places(before)
        const at = all[which % all.length] ?? 0
        if (before[at] === letter) return
        const after = step(before.slice(0, at) + letter + before.slice(at + 1))
        expect(saysTheSame(before, after), after).toBe(false)
      },
    ),
    runs(800),
  )
})
