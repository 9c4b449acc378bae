import { expect, test } from 'vitest'
import type { AgentSignal } from '../../../src/core/agents/agent-signal.ts'
import { foreseenText, sizeOf, tasksOf } from '../../../src/core/context/foresee.ts'
import { newSession } from '../../../src/core/session/change-session.ts'
import type { Todo } from '../../../src/core/session/todos.ts'

const AT = '2026-01-10T12:00:00Z'
const about = { id: 's1', agent: 'claude', base: undefined, owner: undefined }
const session = (...todos: Todo[]) => ({
  ...newSession({ ...about, worktree: { path: '/w', name: '' } }, AT),
  todos,
})
const signal = (fields: Partial<AgentSignal>) =>
  ({ session: 's1', agent: 'claude', kind: 'turn_start', ...fields }) as AgentSignal
const todo = (text: string, status: Todo['status']) => ({ text, status }) as Todo
const prompt = (text: string) =>
  tasksOf(signal({ prompt: text }), session(), session()).map(({ what }) => what)

test.each([
  ['Implement specs/004/tasks.md', ['specs/004/tasks.md']],
  ['Do @docs/plans/auth.md, then rest', ['docs/plans/auth.md']],
  ['Go on with scripts/ralph/prd.json.', ['scripts/ralph/prd.json']],
  ['Fix src/auth.ts as README.md says', []],
  ['/shard specs/004/tasks.md', []],
  ['/checkpoint --estimate docs/plan.md', []],
  ['a/spec.md b/spec.md c/spec.md d/spec.md', ['a/spec.md', 'b/spec.md', 'c/spec.md']],
])('a prompt starts the plans that it names: %s', (text, expected) => {
  expect(prompt(text)).toEqual(expected)
})

test('a to-do begins once, when its status becomes in progress', () => {
  const used = signal({ kind: 'tool_used', tool: { todos: [] } as never })
  const begun = session(todo('One', 'completed'), todo('Two', 'in_progress'))
  const before = session(todo('One', 'in_progress'), todo('Two', 'pending'))
  expect(tasksOf(used, before, begun)).toEqual([{ what: 'Two', isFile: false }])
  expect(tasksOf(used, begun, begun)).toEqual([])
  expect(tasksOf(signal({ kind: 'tool_used' }), before, begun)).toEqual([])
  const ofSubagent = { ...used, subagent: { id: 'a1' } } as AgentSignal
  expect(tasksOf(ofSubagent, before, begun)).toEqual([])
})

test.each([
  [[], undefined],
  [[undefined], undefined],
  [[10, undefined], undefined],
  [[50], 'small'],
  [[50.1], 'large'],
  [[20, 30], 'small'],
  [[20, 31], 'large'],
])('tasks that take %j %% of what remains are %s', (shares, size) => {
  const fits = shares.map((percentOfRemaining) => ({
    percentOfWindow: 1,
    percentOfRemaining,
    verdict: 'fits' as const,
  }))
  expect(sizeOf(fits)).toBe(size)
})

test('says what does not fit, and the ways out', () => {
  const plan = { what: 'a/plan.md', isFile: true, tokens: 131_400, percentOfWindow: 65.7 }
  const text = foreseenText({ ...plan, verdict: 'must-shard', percentOfRemaining: undefined })
  expect(text).toContain('"a/plan.md" takes about 131k tokens: 65.7% of the context window.')
  expect(text).toContain('`ledger-git context shard a/plan.md`')
  const short = foreseenText({ ...plan, verdict: 'exceeds-remaining', percentOfRemaining: 210 })
  expect(short).toContain('more than remains of this context (210% of it)')
})
