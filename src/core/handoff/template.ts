/** A new handoff: only the Ledger, as the continuity ledger's authors have it, filled in with what is known. */

import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import { scalar } from '../event/yaml-text.ts'
import { lineOf } from './edit-lines.ts'
import { PHASE_STATES } from './phases.ts'
import { emptyValidation } from './validation.ts'

export interface NewHandoff {
  readonly name: string
  readonly branch: string
  readonly time: Instant
  readonly goal: string | undefined
  readonly test: string | undefined
  readonly next: readonly string[]
  /** Labels, without the `Phase 1` part. */
  readonly phases: readonly string[]
  readonly pattern: string | undefined
  readonly agentName: string | undefined
  readonly task: string | undefined
}

export function renderHandoff(handoff: NewHandoff): string {
  const { name, branch, next, phases } = handoff
  const time = formatInstant(handoff.time)
  const goal = lineOf(handoff.goal ?? '') || '(not set)'
  const steps = next.map(lineOf).filter((step) => step !== '')
  const first = lineOf(handoff.task ?? handoff.goal ?? '') || 'Define the first step'
  const names = phases.length === 0 ? ['', '', ''] : phases.map((phase) => lineOf(phase))
  const labels = names.map((label, i) => `Phase ${i + 1}${label === '' ? '' : ` (${label})`}`)
  return `---
date: ${time}
session_name: ${scalar(name)}
branch: ${scalar(branch)}
status: active
---

# Work Stream: ${name}

## Ledger
<!-- This section is extracted by SessionStart hook for quick resume -->
**Updated:** ${time}
**Goal:** ${goal}
**Branch:** ${branch}
**Test:** ${lineOf(handoff.test ?? '') || '(none)'}

### Now
[->] ${first}

### This Session
- [x] Session started

### Next
${steps.map((step) => `- [ ] ${step}\n`).join('') || '- (none yet)\n'}
### Decisions
- (none yet)

### Open Questions
- (none)

### Workflow State
pattern: ${lineOf(handoff.pattern ?? '') || '(none)'}
phase: 1
total_phases: ${labels.length}
retries: 0
max_retries: 3

#### Resolved
- goal: ${JSON.stringify(goal)}
- resource_allocation: balanced

#### Unknowns
- (none)

#### Last Failure
(none)

### Checkpoints
<!-- Agent checkpoint state for resumable workflows -->
**Agent:** ${lineOf(handoff.agentName ?? '') || '(none)'}
**Task:** ${lineOf(handoff.task ?? '') || goal}
**Started:** ${time}
**Last Updated:** ${time}

#### Phase Status
${labels.map((label) => `- ${label}: ${PHASE_STATES.pending.icon} ${PHASE_STATES.pending.word}\n`).join('')}
#### Validation State
${emptyValidation().join('\n')}

#### Resume Context
- Current focus: (not started)
- Next action: Begin ${labels[0]}
- Blockers: (none)

---

## Context

Minimal handoff created for ledger tracking. Full context to be added.
`
}
