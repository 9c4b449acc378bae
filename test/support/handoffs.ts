/**
 * Handoffs as people and agents keep them: one in the documented form, and others in the shapes found in practice.
 */

import * as fc from 'fast-check'

export const HANDOFF = `---
date: 2026-01-10T13:03:52Z
session_name: auth-refactor
branch: feature/session-auth # ours
status: active
owner: "Ann \\"A\\""
---

# Work Stream: auth-refactor

## Ledger
<!-- This section is extracted by SessionStart hook for quick resume -->
**Updated:** 2026-01-15T14:30:00Z (after lunch)
**Goal:** Replace JWT auth. Done when all tests pass.
**Branch:** feature/session-auth
**Test:** npm test -- --grep session
**Reviewer:** nobody yet

### Now
[->] Logout endpoint and session invalidation

### This Session
- [x] Session model created
  - with a nested line
- [x] Redis integration complete

### Next
- [ ] Middleware swap
- [ ] Remove JWT imports

  a paragraph that belongs to it

### Decisions
- Session tokens: UUID v4 (simpler)
- **Storage:** Redis with 24h TTL

### Open Questions
- UNCONFIRMED: Does the rate limiter need sessions?

### Workflow State
pattern: hierarchical
phase: 3
total_phases: 6
retries: 0
max_retries: 3

#### Resolved
- goal: "Replace JWT auth"
- resource_allocation: balanced

#### Unknowns
- rate_limiter: UNKNOWN

#### Last Failure
(none)

### Checkpoints
<!-- Agent checkpoint state for resumable workflows -->
**Agent:** implementer
**Task:** Replace JWT auth with session-based auth
**Started:** 2026-01-15T10:00:00Z
**Last Updated:** 2026-01-15T14:30:00Z

#### Phase Status
- Phase 1 (Tests Written): ✓ VALIDATED (12 tests: all fail as expected)
- Phase 2 (Session Model): → IN_PROGRESS (started 2026-01-15T14:00:00Z)
- Phase 3 (Redis): ○ PENDING

#### Validation State
\`\`\`json
{
  "test_count": 15, // in all
  "tests_passing": 15,
  "files_modified": ["src/auth/session.py"],
  "last_test_command": "uv run pytest -v",
  "last_test_exit_code": 0
}
\`\`\`

#### Resume Context
- Current focus: Login endpoint
- Next action: Create the token
- Blockers: (none)

---

## Context

### Now
Not this one.
`

/** The checkpoints come before the Ledger, Now is done, and there is no front matter and no Next. */
export const BEFORE = `# Work Stream: continuity

## Checkpoints
<!-- Resumable state -->
**Task:** Make it shorter
**Started:** 2026-01-11T07:25:00Z

### Phase Status
- Phase 1 (Tests Written): VALIDATED (24 tests)
- Phase 2 (More Tests): SKIPPED (not needed)

### Validation State
\`\`\`json
{"last_test_command": "npm test"}
\`\`\`

---

## Ledger
**Updated:** 2026-01-11T07:32:00Z
**Goal:** Shorter

### Now
[x] Refactoring complete

### This Session
- [x] Read the file`

/** Suffixes, symbols, prose in Now, tables, Windows line endings, two headings of the same name, several arrows. */
export const LOOSE = `\ufeff# Alignment

## Ledger (2026-06-08, end of loop E)
**Updated:** 2026-06-08 (all loops built)
**Primary test:** \`npm run check\`

🎯 **What this session did:** everything.

### 🎯 Now — SAVE-TO-CLEAR (2026-06-08)
- [->] First thing
- → not an arrow in a box
- [->] Second thing
**Open:** lazy line of it

| a | b |
| --- | --- |
\`\`\`
## Ledger
---
\`\`\`

### This Session (2026-06-08)
1. ✅ Loop E
2. done without a box

### Prev Session
- [x] Loop D

### Next Steps
* [ ] ship it
  ---
  \`\`\`
- [ ] in a fence
  \`\`\`

### Now
text
## Files
---
## Ledger
### Next
- not this
`.replaceAll('\n', '\r\n')

const LINES = [
  ['## Ledger', '## Ledger (old)', '## Ledgers', '## Context', '# Top', '---', ' ---', '***', ''],
  ['### Now', '### Next', '### This Session (x)', '### Decisions', '#### Phase Status', '### Own'],
  ['### Workflow State', '#### Validation State', '### Checkpoints', '## Checkpoints', '### now'],
  [
    '### Open Questions',
    '#### Resolved',
    '#### Resume Context',
    '#### Last Failure',
    '#### Merged',
  ],
  ['**Updated:** 2026-01-01', '**Goal:** g: h', '**Branch**: main', '**Test:**', '**Agent:** a'],
  [
    '[->] focus',
    '- [->] focus',
    '- [x] done',
    '- [ ] open',
    '- a',
    '- b: c',
    '  - nested',
    '1. one',
  ],
  ['- Phase 1: ○ PENDING', '- Phase 2 (x): ✓ VALIDATED (2026-01-01)', 'phase: 2', 'retries: 0'],
  [
    '```',
    '```json',
    '{"a": 1}',
    '  ```',
    '~~~',
    '<!-- c -->',
    '<!--',
    '-->',
    'text',
    '  more',
    '| a |',
  ],
  ['- ✅ shipped', '[x] all', '(none)', '- (none yet)', '- UNCONFIRMED: q?', 'é 日 🎯'],
].flat()

/** Lines of handoffs in any order, with any line endings; most of the texts have a Ledger. */
export const anyHandoffText = fc
  .record({
    head: fc.constantFrom('', '\ufeff', '---\nbranch: a\n---\n', '---\r\nx: [\r\n---\r\n', '---\n'),
    hasLedger: fc.boolean(),
    lines: fc.array(
      fc.tuple(fc.constantFrom(...LINES), fc.constantFrom('\n', '\n', '\n', '\r\n')),
      {
        maxLength: 24,
      },
    ),
    last: fc.constantFrom('', '- last', '---', '### Now', 'text\r'),
  })
  .map(({ head, hasLedger, lines, last }) => {
    const body = lines.map((line) => line.join('')).join('')
    return `${head}${hasLedger ? '## Ledger\n' : ''}${body}${last}`
  })
