/** The text of a new active ledger. */

import { entryText } from '../document/entry-text.ts'
import { IGNORE_END, IGNORE_START } from '../text/ignored-range.ts'

type NewLedger = Readonly<Record<'updated' | 'session' | 'platform' | 'branch', string>>

export function newLedger({ updated, session, platform, branch }: NewLedger): string {
  return `---
updated: ${entryText(updated)}
session_id: ${entryText(session)}
platform: ${entryText(platform)}
bound_track: null
bound_bead: null
mode: null
tdd_phase: null
heartbeat: ${entryText(updated)}
validation:
  gates_passed: []
  current_gate: null
  retries: 0
  last_failure: null
---

${IGNORE_START}

# Session Ledger

## Active Task

bead: none
track: none

## Goal

## State

### Done

### Now

### Next

## Key Decisions

| Decision | Reasoning | When |
|----------|-----------|------|

## Working Set

**Branch:** ${branch}

**Modified:**

**Read:**

## Open Questions

## Validation History

| Gate | Status | Time | Notes |
|------|--------|------|-------|

${IGNORE_END}
`
}
