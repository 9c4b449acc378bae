/** Hand-kept Markdown in the forms that teams use. */

import { describe, expect, test } from 'vitest'
import { markdown } from './migrated.ts'

const HANDOFF = `---
date: 2026-01-10T13:03:52Z
session_name: fix-hooks
branch: fix/hooks
status: active
---

# Work Stream: fix-hooks

## Ledger
<!-- extracted by a hook -->
**Updated:** 2026-01-10T13:03:52Z
**Goal:** Hooks survive spaces. Done when they run.
**Branch:** fix/hooks
**Test:** npm test && grep 'x' a | wc -l

### Now
[->] Create the PR

### This Session
- [x] Forked it
- [ ] Not yet pushed

### Next
- [x] Wrote the plan
- [ ] Ask for review

### Decisions
- bash_wrapper: Chose \`bash -c '...'\` because: quoting
- **quotes** — single outside
- Kept the rest

### Open Questions
- UNCONFIRMED: does it work?
- parser: RESOLVED — by hand

### Workflow State
pattern: router

### Checkpoints
**Agent:** kraken
**Last Updated:** 2026-01-10T13:00:00Z

#### Phase Status
- Phase 1: ✓ VALIDATED
- Phase 2 (Tests): → IN_PROGRESS (3 of 5)

---

## Context

### Next
- the road not taken
`

test.each([
  ['Q2 (RESOLVED)', true],
  ['Which port? **(CONFIRMED)**', true],
  ['Which port? (✓ RESOLVED: 8080)', true],
  ['Which port? (UNCONFIRMED)', false],
  ['Who says (RESOLVED) here?', false],
  ['Which port? (RESOLVEDLY)', false],
])('the question %j is resolved: %j', (question, isResolved) => {
  const { event } = markdown(`## Open Questions\n- ${question}\n`)
  const said = { open: event.openQuestions, resolved: event.resolvedQuestions }
  expect(said).toEqual({
    open: isResolved ? [] : [question],
    resolved: isResolved ? [question] : [],
  })
})

describe('a handoff with a ledger section', () => {
  const { event, note } = markdown(HANDOFF)

  test('fills every field with its own text', () => {
    expect(event).toMatchObject({
      branch: 'fix/hooks',
      session: 'fix-hooks',
      reason: 'migrated',
      goal: 'Hooks survive spaces. Done when they run.',
      test: "npm test && grep 'x' a | wc -l",
      now: 'Create the PR',
      title: undefined,
      openQuestions: ['UNCONFIRMED: does it work?'],
      resolvedQuestions: ['parser: RESOLVED — by hand'],
    })
  })

  test('prefers the check box to the heading above it', () => {
    expect(event.thisSession).toEqual(['Forked it', 'Wrote the plan'])
    expect(event.next).toEqual(['Not yet pushed', 'Ask for review'])
  })

  test('reads the key of a decision if there is one', () => {
    expect(event.decisions.map(({ key, text }) => [key, text])).toEqual([
      ['bash_wrapper', "Chose `bash -c '...'` because: quoting"],
      ['quotes', 'single outside'],
      ['Kept the rest', ''],
    ])
  })

  test('reads phase and status of checkpoints', () => {
    expect(event.checkpoints.map(({ phase, status }) => [phase, status])).toEqual([
      ['1', 'validated'],
      ['2', 'in_progress'],
    ])
  })

  test('puts the rest into the note under its headings, without repetition', () => {
    expect(note).toBe(`status: active

# Work Stream: fix-hooks

## Ledger
<!-- extracted by a hook -->

### Workflow State
pattern: router

### Checkpoints
**Agent:** kraken
**Last Updated:** 2026-01-10T13:00:00Z

#### Phase Status
- Phase 2 (Tests): → IN_PROGRESS (3 of 5)

## Context

### Next
- the road not taken`)
  })
})

test('reads older ledgers with a list of states, a section for each, and no ledger heading', () => {
  const { event, note } = markdown(`# Continuity Ledger

**Last Updated:** 2026-03-07

## Goal

One platform:
- eight types
- no slideshows

## State

- Done:
  - [x] Phase 1: services
  - [x] the frontend
- Now: [→] deploy the worker
- Next: wire the winner

## Key Decisions

- \`quality_first\`: time is no constraint

## Open Questions / Known Issues

- None currently

## Working Set

**Branch:** main
**Test Command:** \`npm test\`

## Session 2026-02-25

**What was done:**
- fixed the download

**Craig's next steps:**
1. create an account
`)
  expect(event).toMatchObject({
    goal: 'One platform: eight types; no slideshows',
    now: 'deploy the worker',
    thisSession: ['Phase 1: services', 'the frontend', 'fixed the download'],
    next: ['wire the winner'],
    branch: 'main',
    test: 'npm test',
    openQuestions: [],
  })
  expect(event.decisions[0]).toMatchObject({ key: 'quality_first', text: 'time is no constraint' })
  expect(note).toContain("**Craig's next steps:**\n1. create an account")
  expect(note).toContain('## Open Questions / Known Issues\n\n- None currently')
})

describe('Now', () => {
  test('takes the rest of a heading that goes on', () => {
    const { event, note } = markdown(
      '### Now — SAVE TO CLEAR (today)\n**Done:** three things\n1. one',
    )
    expect(event.now).toBe('SAVE TO CLEAR (today)')
    expect(note).toContain('**Done:** three things\n1. one')
  })

  test('joins several arrows into one text', () => {
    expect(markdown('## Now\n[->] a\n- [→] b\nrest').event.now).toBe('a; b rest')
  })

  test('takes the first thought of prose, and notes the rest', () => {
    const { event, note } = markdown('## Now\nfirst\ngoes on\n\nsecond')
    expect([event.now, note]).toEqual(['first goes on', '## Now\n\nsecond'])
  })
})

test('clears the list for "None" under Next, and notes the text as it was written', () => {
  const { event, note } = markdown('## Next\n- None pending')
  expect([event.next, note]).toEqual([[], '## Next\n- None pending'])
})

test('reads decisions from a table', () => {
  const { event, note } = markdown(
    '## Decisions\n| Decision | Reasoning | When |\n|---|---|---|\n| Manual | no hooks | 16:30 |',
  )
  expect(event.decisions[0]).toMatchObject({ key: 'Manual', text: 'no hooks; 16:30' })
  expect(note).toBe('')
})

test('takes the last value of a key that is decided twice, and notes the first', () => {
  const { event, note } = markdown('## Decisions\n- db: sqlite\n- db: postgres')
  expect(event.decisions).toMatchObject([{ key: 'db', text: 'postgres' }])
  expect(note).toBe('## Decisions\n- db: sqlite')
})

test("takes the heading of the repository's own ledger as its title", () => {
  expect(markdown('# Work Stream: parser', true).event.title).toBe('parser')
  expect(markdown('# Our ledger', true).event.title).toBe('Our ledger')
})

test('notes fences, comments and text that looks like markup verbatim', () => {
  const source =
    '## Notes\n```\n## Next\n- [ ] no step\n\n---\n```\n<!--\n## Now\n-->\n\tindented: [['
  const { event, note } = markdown(source)
  expect(note).toBe(source)
  expect([event.next, event.now]).toEqual([undefined, undefined])
})

test('notes even text that no YAML block can contain', () => {
  expect(markdown('## Notes\n\u001b[31mred\u0007 \u2028 \ufeff').note).toBe(
    '## Notes\n\u001b[31mred\u0007 \u2028 \ufeff',
  )
})
