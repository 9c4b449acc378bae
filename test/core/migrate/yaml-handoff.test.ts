/** YAML handoffs, valid and invalid. */

import { expect, test } from 'vitest'
import { yaml } from './migrated.ts'

const HANDOFF = `---
session: general
date: 2026-01-10
status: complete
---

goal: Finish the parser
now: Review: the fix
test: npm test

done_this_session:
  - task: Opened PR #47
    files: [a.ts, b.ts]
  - task: "Quoted: task"
    files: []

blockers: []

questions: [Which port?, Why b: c?]

decisions:
  - shorthand: "/loop 10" now works
  - db: sqlite
  - "no key at all"

next:
  - Merge it
  - "Phase 2: more"

worked:
  - patience
`

test('fills fields, even from sections that are not valid YAML', () => {
  const { event } = yaml(HANDOFF)
  expect(event).toMatchObject({
    session: 'general',
    goal: 'Finish the parser',
    now: 'Review: the fix',
    test: 'npm test',
    thisSession: ['Opened PR #47', 'Quoted: task'],
    next: ['Merge it', 'Phase 2: more'],
    openQuestions: ['Which port?', 'Why b: c?'],
  })
  expect(event.decisions.map(({ key, text }) => [key, text])).toEqual([
    ['shorthand', '"/loop 10" now works'],
    ['db', 'sqlite'],
    ['no key at all', ''],
  ])
})

test('notes what has no field verbatim, with the item it belongs to', () => {
  expect(yaml(HANDOFF).note).toBe(`status: complete

done_this_session:
  - task: Opened PR #47
    files: [a.ts, b.ts]
  - task: "Quoted: task"
    files: []

blockers: []

worked:
  - patience`)
})

test('clears the list for an empty list of next steps', () => {
  expect(yaml('goal: g\nnext: []').event.next).toEqual([])
})

test('reads block scalars and lists on one line', () => {
  const { event, note } = yaml('goal: |\n  one\n  two\nnext: [a, b]\nnow: >-\n  folded\n  text')
  expect(event).toMatchObject({ goal: 'one\ntwo', next: ['a', 'b'], now: 'folded text' })
  expect(note).toBe('')
})

test('reads checkpoints, and notes an invalid time', () => {
  const { event, note } = yaml(
    'checkpoints:\n- phase: 5\n  status: validated\n  updated: 2026-01-10T13:00:00Z\n- phase: 6\n  updated: soon',
  )
  expect(event.checkpoints.map(({ phase, status }) => [phase, status])).toEqual([
    ['5', 'validated'],
    ['6', ''],
  ])
  expect(note).toBe('checkpoints:\n- phase: 6\n  updated: soon')
})

test('reads next steps in groups, and keeps a key before a sentence', () => {
  const { event, note } = yaml(
    'goal: g\nnext:\n  now:\n    - merge\n    - tag it\n  later: the docs',
  )
  expect(event.next).toEqual(['merge', 'tag it', 'later: the docs'])
  expect(note).toBe('next:\n  now:')
})

test('does not treat results below test: as a command', () => {
  const { event, note } = yaml('goal: g\ntest:\n  unit: 12 passed\n  e2e: failed')
  expect([event.test, note]).toEqual([undefined, 'test:\n  unit: 12 passed\n  e2e: failed'])
  expect(yaml('goal: g\ntest: npm test').event.test).toBe('npm test')
})

test('does not find a line by a word that is part of another word', () => {
  expect(yaml('goal: # heading\n  later:\n    - fix\n- a').note).toBe('goal: # heading\n- a')
  expect(yaml('decisions:\n  fi: x\n  # fix').note).toContain('# fix')
})
