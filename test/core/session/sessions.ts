/** Sessions for tests: one with a value in every field, and any session. */

import * as fc from 'fast-check'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import { newSession } from '../../../src/core/session/change-session.ts'
import { PHASES } from '../../../src/core/session/phase.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'

export const AT = '2026-01-10T12:00:00Z'
export const checkpoint = (digit: string) => digit.repeat(12) as CheckpointId
export const oid = (digit: string) => digit.repeat(40)

export function fresh(about: Partial<SessionState> = {}): SessionState {
  const worktree = { path: '/repo/tree', name: 'feature' }
  const owner = { pid: 4711, startTime: '123456' }
  const named = { id: 's1', agent: 'claude-code', worktree, base: oid('a'), owner }
  return { ...newSession(named, AT), ...about }
}

export const FULL: SessionState = {
  ...fresh(),
  name: 'claude-3f2a',
  branch: 'feature',
  phase: 'active_committed',
  endedAt: '2026-01-10T13:00:00.250Z',
  turn: 3,
  pendingCheckpoint: checkpoint('1'),
  awaiting: [{ commit: oid('b'), checkpoint: checkpoint('1') }],
  commits: [
    { commit: oid('c'), checkpoint: checkpoint('2') },
    { commit: oid('b'), checkpoint: checkpoint('1') },
  ],
  pushTo: { remote: 'origin', isAsked: false },
  filesTouched: ['src/a.ts', 'a file with spaces', 'ünï'],
  hasMoreFiles: true,
  dirtyBefore: ['notes.txt'],
  mayHaveWritten: true,
  transcript: { path: '/home/me/t.jsonl', offset: 12 },
  tasks: [
    { toolUseId: 'toolu_01', transcriptPath: '/home/me/task.jsonl' },
    { toolUseId: 'toolu_02', transcriptPath: undefined },
  ],
  firstPrompt: 'Fix the parser\n"now"',
  prompts: ['and test it'],
  steps: 2,
  lastCheckpoint: checkpoint('2'),
  isCondensed: true,
  isLeftBehind: true,
  todos: [
    { id: '7', text: 'write', status: 'in_progress' },
    { text: 'test', status: 'pending' },
    { text: 'read', status: 'completed' },
  ],
  lastMessage: 'Done.',
  questions: ['Which one?'],
  handoffs: [
    { path: 'thoughts/parser/current.md', blob: oid('d'), isChanged: true },
    { path: 'thoughts/new/current.md', blob: undefined, isChanged: false },
  ],
  endEvent: '2026-01-10T13-00-00Z_toast_9f2c41ab.md',
  toldUntil: '2026-01-10T12:59:00.123000000Z',
  workedAt: '2026-01-10T12:58:00Z',
  askedAt: '2026-01-10T12:58:30Z',
  unknown: {},
}

/** As JSON returns it: without negative zero. */
const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const anyText = fc.string({ unit: 'binary', maxLength: 8 })
const anyCommits = fc.subarray([...FULL.commits])

/** Every optional field is sometimes absent. */
export const anyState: fc.Arbitrary<SessionState> = fc
  .record({
    phase: fc.constantFrom(...PHASES),
    name: fc.constantFrom(undefined, 'claude', 'claude-3f2a'),
    branch: fc.constantFrom(undefined, 'main', 'feat/ü'),
    base: fc.constantFrom(undefined, oid('a'), 'ab'.repeat(32)),
    endedAt: fc.constantFrom(undefined, AT),
    owner: fc.constantFrom(undefined, FULL.owner),
    turn: fc.nat(),
    pendingCheckpoint: fc.constantFrom(undefined, checkpoint('1'), checkpoint('2')),
    awaiting: anyCommits,
    commits: anyCommits,
    pushTo: fc.constantFrom(undefined, FULL.pushTo),
    filesTouched: fc.uniqueArray(anyText, { maxLength: 3 }),
    hasMoreFiles: fc.boolean(),
    mayHaveWritten: fc.boolean(),
    transcript: fc.constantFrom(undefined, FULL.transcript),
    tasks: fc.subarray([...FULL.tasks]),
    firstPrompt: fc.option(anyText, { nil: undefined }),
    prompts: fc.array(anyText, { maxLength: 3 }),
    steps: fc.nat(),
    lastCheckpoint: fc.constantFrom(undefined, checkpoint('3')),
    isCondensed: fc.boolean(),
    isLeftBehind: fc.boolean(),
    todos: fc.subarray([...FULL.todos]),
    lastMessage: fc.option(anyText, { nil: undefined }),
    questions: fc.array(anyText, { maxLength: 2 }),
    handoffs: fc.subarray([...FULL.handoffs]),
    endEvent: fc.option(anyText, { nil: undefined }),
    unknown: fc.dictionary(
      fc.constantFrom('later', '__proto__', 'constructor', 'unknown', 'Version'),
      anyJson,
    ),
  })
  .map((about) => fresh(about as Partial<SessionState>))
