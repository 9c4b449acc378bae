/** A context handoff with only the required content. */

import type { ContextHandoff } from '../../../src/core/context/handoff-document.ts'

export const EMPTY: ContextHandoff = {
  date: '2026-01-07',
  time: '11:45',
  session: 'abc123',
  agent: 'claude',
  branch: 'feature/ANV-123-new-feature',
  issue: undefined,
  level: 'unknown',
  percent: undefined,
  tokensLeft: undefined,
  reason: 'manual',
  task: undefined,
  now: undefined,
  current: undefined,
  done: [],
  next: [],
  decisions: [],
  questions: [],
  findings: [],
  reload: [],
  files: [],
  status: [],
  commits: [],
  wip: undefined,
  leftOut: [],
}
