/** The template of Codex's `CONTINUITY.md`: labels as lines, in the forms that agents give it. */

import { describe, expect, test } from 'vitest'
import { markdown } from './migrated.ts'

const LINES = `Goal (incl. success criteria):
- Ship the parser.
- Success: all tests pass.
Constraints/Assumptions:
- Node only.
Key decisions:
- db: sqlite
- Test: each branch
State:
- In progress.
Done:
- Wrote the lexer.
Now:
- Printing.
Next:
- Ship it.
Open questions (UNCONFIRMED if needed):
- UNCONFIRMED: which port?
Working set (files/ids/commands):
- src/parse.ts
`
const BLANK = LINES.replaceAll(/^(\w.*:)$/gm, '\n$1\n')
const HEADINGS = LINES.replaceAll(/^(\w.*:)$/gm, '\n## $1')
const ITEMS = `# Ledger
- Goal (incl. success criteria):
    - Ship the parser.
    - Success: all tests pass.
- Constraints/Assumptions: Node only.
- Key decisions:
    - db: sqlite
    - Test: each branch
- State:
  - Done:
    - Wrote the lexer.
  - Now: Printing.
  - Next:
    - Ship it.
- Open questions (UNCONFIRMED if needed):
  - UNCONFIRMED: which port?
- Working set (files/ids/commands): src/parse.ts
`

describe.each([
  ['lines', LINES],
  ['lines with blank lines between', BLANK],
  ['headings', HEADINGS],
  ['items', ITEMS],
])('labels as %s', (form, text) => {
  const { event, note } = markdown(text)

  test('fill every field with their own text', () => {
    expect(event).toMatchObject({
      goal: 'Ship the parser.; Success: all tests pass.',
      test: undefined,
      now: 'Printing.',
      thisSession: ['Wrote the lexer.'],
      next: ['Ship it.'],
      openQuestions: ['UNCONFIRMED: which port?'],
    })
    expect(event.decisions.map(({ key, text }) => [key, text])).toEqual([
      ['db', 'sqlite'],
      ['Test', 'each branch'],
    ])
  })

  test('notes what has no field, without the labels of fields', () => {
    expect(note).toContain('Constraints/Assumptions:')
    expect(note).toContain('Node only.')
    expect(note).toContain('Working set (files/ids/commands):')
    if (form === 'lines') expect(note).toContain('State:\n- In progress.')
    expect(note).not.toMatch(/Goal|Open questions|Key decisions|Done|Ship|Printing/)
  })
})

test('reads labels as items, with texts next to them', () => {
  const { event, note } = markdown(`State:
  - Done:
  - Wrote the lexer.
  - **Parser:** begun.
  - Now:
  - Printing.
  - Next:
  - Working set: src/parse.ts
- Open questions:
- Which port?
- Node only.
- Constraints/Assumptions:
- No server.`)
  expect(event).toMatchObject({
    thisSession: ['Wrote the lexer.', '**Parser:** begun.'],
    now: 'Printing.',
    next: undefined,
    openQuestions: ['Which port?', 'Node only.'],
  })
  expect(note).toBe(`State:
  - Working set: src/parse.ts
- Constraints/Assumptions:
- No server.`)
})

test('a label does not head an item that is less deep', () => {
  expect(markdown('State:\n  - Done:\n- Prose.').event.thisSession).toEqual([])
})

test('indented labels between items head what follows, and end the previous item', () => {
  const { event, note } = markdown(`Done:
- Wrote the lexer,
  and its tests.
  Now:
- Final handoff.
  Next:
- None.
  Open questions (UNCONFIRMED if needed):
- Which port?
  Working set (files/ids/commands):
- src/parse.ts`)
  expect(event).toMatchObject({
    thisSession: ['Wrote the lexer, and its tests.'],
    now: 'Final handoff.',
    next: [],
    openQuestions: ['Which port?'],
  })
  expect(note).toBe('- None.\n  Working set (files/ids/commands):\n- src/parse.ts')
})

test('reads a text below a label, next to it, and over several lines', () => {
  const { event, note } = markdown(`Goal (incl. success criteria):

Ship the parser
without a break.

Now: print,
then rest
- why: it is last

Next: None after this.

Prose.`)
  expect(event).toMatchObject({ goal: 'Ship the parser without a break.', now: 'print, then rest' })
  expect([event.next, note]).toEqual([[], '- why: it is last\n\nNext: None after this.\n\nProse.'])
})

test('the empty template has no content', () => {
  const { event } = markdown(LINES.replaceAll(/^- .*$/gm, '- None yet…'))
  expect(event).toMatchObject({ goal: undefined, now: undefined, next: [], decisions: [] })
  expect([event.thisSession, event.openQuestions]).toEqual([[], []])
})

test.each([
  'None yet…',
  'None.',
  '(none)',
  '`None`',
  '(none — all merged)',
  'None - waits for review',
  'None currently.',
  'None until the review is in.',
  'Nothing pending',
  'No pending work',
  'No open questions.',
  'Нет.',
])('%j means that there is nothing', (text) => {
  const { event, note } = markdown(`## Next\n- ${text}\n\n## Open Questions\n- ${text}`)
  expect([event.next, event.openQuestions]).toEqual([[], []])
  expect(note).toContain(`## Next\n- ${text}`)
})

test.each(['None of the tests pass', 'Nothing works without the cache', 'No cache in CI'])(
  '%j has content',
  (text) => {
    expect(markdown(`## Next\n- ${text}`).event.next).toEqual([text])
  },
)

test('resolves questions that are struck out or say so, and drops steps that are struck out', () => {
  const { event, note } = markdown(`## Open Questions
- ~~Which port?~~ RESOLVED: 80
- CONFIRMED: it scales
- **cache:** RESOLVED by hand
- UNCONFIRMED: does it?
## Next
- ~~Ask Ada~~ no need
- Ship
## Decisions
- ~~db: sqlite~~
- db: postgres`)
  expect(event.resolvedQuestions).toHaveLength(3)
  expect(event.openQuestions).toEqual(['UNCONFIRMED: does it?'])
  expect(event.next).toEqual(['Ship'])
  expect(event.decisions.map(({ text }) => text)).toEqual(['postgres'])
  expect(note).toContain('- ~~Ask Ada~~ no need')
})

describe('[->]', () => {
  test('is Now below any heading of the ledger, unless there is a heading Now', () => {
    const ledger = '## Ledger\n### Current focus\n[->] parse\n- [ ] print\n'
    expect(markdown(ledger).event).toMatchObject({ now: 'parse', next: ['print'] })
    expect(markdown(`${ledger}\n### Now\n- rest`).event.now).toBe('rest')
    expect(markdown(`${ledger}\n## Elsewhere\n[->] no`).event.now).toBe('parse')
  })
})

test('takes the first items of a long list below Now, and notes the rest', () => {
  const long = (n: number) => `- ${'word '.repeat(60)}${n}`
  const { event, note } = markdown(`## Now\n${long(1)}\n${long(2)}\n${long(3)}`)
  expect(event.now).toMatch(/1$/)
  expect(note).toContain('word 3')
})
