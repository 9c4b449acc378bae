/** Plans in the forms that people use, and generators for them. */

import * as fc from 'fast-check'

export const SPEC_KIT = `# Tasks: Rate limiting

**Input**: Design documents from \`/specs/004-rate-limit/\`
**Prerequisites**: plan.md, spec.md

## Format: \`[ID] [P?] [Story] Description\`

- **[P]**: can run in parallel

---

## Phase 1: Setup (Shared Infrastructure)

**Purpose**: a place to put things

- [X] T001 Create the module in src/limit/mod.ts
- [X] T002 [P] Configure the linter

**Checkpoint**: the project builds

---

## Phase 2: User Story 1 - Refuse (Priority: P1)

**Goal**: too many calls are refused

### Tests for User Story 1

- [ ] T003 [P] [US1] Contract test in test/limit.test.ts
- [x] T004 [P] [US1] Bucket in src/limit/bucket.ts

### Implementation for User Story 1

- [ ] T005 [US1] Middleware in src/limit/middleware.ts (depends on T003, T004)

**Checkpoint**: User Story 1 works by itself

## Dependencies & Execution Order

- **Setup**: no dependencies

1. Complete Phase 1
2. Complete Phase 2
`

export const KIRO = `# Implementation Plan

- [x] 1. Set up the API





- [x] 1.1 Add the endpoint
  - Implement POST /api/cost
  - _Requirements: 6.1, 6.3_

- [ ] 2. Costs
  - [ ] 2.1 Badge component
    - Colour of the design system
    - _Requirements: 1.5_
  - [ ]* 2.2 Property test for the badge
    - **Validates: Requirements 1.5**

- [ ]* 3. Load test

- [ ] 4. Checkpoint - Ensure all tests pass
  - Ensure all tests pass, ask the user if questions arise.

- [ ] 5. Polish
`

export const SUPERPOWERS = `# Worktrees Implementation Plan

> **For agentic workers:** Steps use checkbox (\`- [ ]\`) syntax for tracking.

**Goal:** Prefer native worktrees.

---

### Task 1: Detect

**Files:**
- Create: \`src/detect.sh\`
- Modify: \`src/main.sh:12-40\`

- [x] **Step 1: Write the failing test**

\`\`\`bash
# Task 9: not a heading
### Task 8: nor this
- [ ] not a step
---
\`\`\`

- [x] **Step 2: Run it**

### Task 2: Create

**Depends on:** Task 3

- [ ] **Step 1: Write the failing test**
- [ ] **Step 2: Make it pass**

### Task 3: Clean up

- [ ] **Step 1: Remove it**
`

export const PHASES = `# Proposal

## Problem

It is slow.

### Phase 1: Measure

- where the time goes

### Phase 2: Mend

1. cache
2. measure again

## Risks

None.
`

export const SPEC = `# Spec

Something is wanted.

## Requirements

- **FR-001**: it starts
- **FR-002**: it stops

| ID | Requirement |
| --- | --- |
| MON-001 | it is watched |

## Out of scope

- everything else
`

export const PRD = `${JSON.stringify(
  {
    project: 'App',
    branchName: 'ralph/priority',
    description: 'Task priority',
    custom: { kept: [1, null] },
    userStories: [
      {
        id: 'US-001',
        title: 'Field',
        description: 'As a developer…',
        acceptanceCriteria: ['column', 'migration', 'Typecheck passes'],
        priority: 1,
        passes: true,
        notes: '',
      },
      {
        id: 'US-002',
        title: 'Badge in src/card.tsx',
        acceptanceCriteria: ['colour'],
        passes: false,
      },
      { id: 'US-003', title: 'Filter', passes: false, extra: 1, dependsOn: ['US-002'] },
    ],
  },
  undefined,
  2,
)}\n`

const LINES = [
  '# Plan',
  '## Phase 1: Setup',
  '## Phase 2: Build',
  '### Task 1: One',
  '### Task 2: Two',
  '### 3. Three',
  '## Notes',
  '- [ ] T001 first in src/a.ts',
  '- [x] T002 [P] second',
  '- [ ] 1. one',
  '- [x] 1.1 below',
  '  - [ ] 2.1 nested',
  '  - [ ]* 2.2 optional',
  '    - _Requirements: 1.1_',
  '- [ ] **Step 1: Write**',
  '- bullet',
  '1. numbered',
  '**Checkpoint**: stop here',
  '- [ ] 3. Checkpoint - Ensure',
  '**Depends on:** Task 2',
  'prose in src/b.ts and src/a.ts',
  '',
  '',
  '---',
  '```',
  '~~~md',
  '<!-- hidden',
  '-->',
  '> - [ ] quoted',
  '| FR-001 | row |',
  '\ttab',
  'FR-002: x'.repeat(40),
] as const

/** Lines that a plan may have, in any order, with any line endings. */
export const anyPlanText: fc.Arbitrary<string> = fc
  .record({
    lines: fc.array(fc.constantFrom(...LINES), { maxLength: 40 }),
    eol: fc.constantFrom('\n', '\n', '\r\n'),
    start: fc.constantFrom('', '', '\ufeff', '---\ntitle: x\nlist:\n- [ ] no task\n---\n', '---\n'),
    end: fc.constantFrom('', '\n'),
  })
  .map(({ lines, eol, start, end }) => start.replaceAll('\n', eol) + lines.join(eol) + end)

/** Stories with few ids, some of which are not stories. */
export const anyPrdText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.record(
        {
          id: fc.constantFrom('US-001', 'US-002', 7),
          title: fc.constantFrom('one', 'two in src/a.ts', ''),
          acceptanceCriteria: fc.array(fc.constantFrom('a', 'b')),
          passes: fc.constantFrom(true, false, 'yes'),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(null, 'text', [], { __proto__: 1 }),
    ),
    { maxLength: 12 },
  )
  .map((userStories) => JSON.stringify({ description: 'x', userStories }))
