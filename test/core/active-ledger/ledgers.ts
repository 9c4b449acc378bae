/** Active ledgers for tests: the full template, and what people and tools make of it. */

import * as fc from 'fast-check'

export const FULL = `---
updated: 2025-12-27T10:30:00Z
session_id: T-abc123
platform: claude
bound_track: feature-name_20251227
bound_bead: my-workflow:3-xyz
mode: SA
tdd_phase: null
heartbeat: 2025-12-27T10:25:00Z
validation:
  gates_passed: []
  current_gate: null
  retries: 0
  last_failure: null
---

# Session Ledger

## Active Task

bead: my-workflow:3-xyz
track: feature-name_20251227

## Goal

What we're trying to accomplish in this session.

## State

### Done
- Completed item 1
- Completed item 2

### Now
- Current work item

### Next
- Upcoming item 1
- Upcoming item 2

## Key Decisions

| Decision | Reasoning | When |
|----------|-----------|------|
| Chose X over Y | Because Z | 10:15 |

## Working Set

**Branch:** feature/my-feature

**Modified:**
- \`path/to/file1.ts\`
- \`path/to/file2.ts\`

**Read:**
- \`path/to/reference.md\` - For understanding pattern

## Open Questions

- Unresolved question 1?
- Unresolved question 2?

## Validation History

| Gate | Status | Time | Notes |
|------|--------|------|-------|
| design | ✅ PASS | 10:15 | All checks passed |
`

/** Front matter as people write it: comments, unknown keys, other forms of the same values. */
const FRONT = [
  'updated: 2025-12-27T10:30:00Z',
  'updated: "2025-12-27T10:30:00Z" # by hand',
  'session_id: T-1',
  '# a comment',
  '',
  'mine: {a: [1,',
  '  2]}',
  'bound_track: null',
  "bound_track: 'a b'",
  'validation:',
  'validation: {gates_passed: [design], retries: 1, mine: 7} # flow',
  'validation: soon',
  '  gates_passed: [design, spec] # two',
  '  gates_passed:',
  '    - design',
  '    # inside',
  '    - spec',
  '  retries: 1',
  '  mine: kept',
  '  last_failure: >',
  '    a long',
  '    text',
  'heartbeat: ~',
  'broken: [a: b: c',
  'tab:\tx',
] as const

const BODY = [
  '# Session Ledger',
  '## Active Task',
  'bead: a-1',
  '- track: x',
  '## Goal',
  'To get there.',
  '## State',
  '### Done',
  '### Now',
  '### Next',
  '### Next (later)',
  '- one',
  '- [x] two',
  '- [ ] one',
  '  - nested',
  '  more words',
  '* three',
  '## Key Decisions',
  '| Decision | Reasoning | When |',
  '|---|---|---|',
  '| A | b \\| c | 10:15 |',
  '## Working Set',
  '**Branch:** main (merged)',
  '**Modified:**',
  '- `a.ts`',
  '- `b.ts` - why',
  '- None (testing only)',
  '**Read:**',
  '## Open Questions',
  '- None currently',
  '- Why?',
  '## Validation History',
  '| Gate | Status | Time | Notes |',
  '## My notes',
  '<!-- keep',
  '-->',
  '```',
  '~~~',
  '---',
  '',
] as const

const eol = fc.constantFrom('\n', '\n', '\r\n')
const linesOf = (lines: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...lines), { maxLength })

/** Any mixture of the lines above. */
export const anyLedger = fc
  .record({
    bom: fc.boolean(),
    front: fc.option(linesOf(FRONT, 10)),
    body: linesOf(BODY, 24),
    eol,
    isEnded: fc.boolean(),
  })
  .map(({ bom, front, body, eol, isEnded }) => {
    const head = front === null ? [] : ['---', ...front, '---']
    const text = [...head, ...body].join(eol)
    return `${bom ? '\ufeff' : ''}${text}${isEnded ? eol : ''}`
  })

/** The sections of the template in any order and number, with additions by people. */
export const plausibleLedger = fc
  .tuple(
    fc.shuffledSubarray(FULL.split(/^(?=## )/m).slice(1), { minLength: 3 }),
    fc.constantFrom(
      '',
      '## My notes\n\nkeep me\n',
      '<!-- keep -->\n',
      '## State of mind\n\n- fine\n',
    ),
    eol,
  )
  .map(([sections, more, eol]) => {
    const [head = ''] = FULL.split(/^(?=## )/m)
    return [head, ...sections, more].join('').replaceAll('\n', eol)
  })
