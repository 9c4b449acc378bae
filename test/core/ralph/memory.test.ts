import { expect, test } from 'vitest'
import type { ContextHandoff } from '../../../src/core/context/handoff-document.ts'
import { titleOf } from '../../../src/core/context/handoff-document.ts'
import { memoryPort, memoryQueries } from '../../../src/core/ralph/memory.ts'

test('asks nothing when it is off', () => {
  expect(memoryQueries({ contextMemory: 'off', memoryTools: ['search'] })).toEqual([])
})

test('searches for the title of checkpoints', () => {
  const text = memoryQueries({ contextMemory: 'claude-mem', memoryTools: [] }).join('\n')
  const query = /search\(query="([^"]*)"\)/.exec(text)?.[1] ?? 'none'
  const handoff = { level: 'L2', percent: 87, issue: 'ANV-123' } as ContextHandoff
  expect(titleOf(handoff)).toContain(query)
  expect(text).toMatch(/session_start_context[^]*timeline/)
})

test("prefers the user's own queries", () => {
  const memoryTools = ['recent()', 'search("checkpoint")']
  expect(memoryQueries({ contextMemory: 'claude-mem', memoryTools })).toEqual(memoryTools)
})

test.each([
  [{}, 1000, 37_700],
  [{}, 501, 37_701],
  [{ CLAUDE_MEM_WORKER_PORT: '40000' }, 1000, 40_000],
  [{ CLAUDE_MEM_WORKER_PORT: '0' }, 1000, 37_700],
  [{ CLAUDE_MEM_WORKER_PORT: '65536' }, 1000, 37_700],
  [{ CLAUDE_MEM_WORKER_PORT: 'example.com' }, 1000, 37_700],
])('%j and user id %i give port %i', (env, uid, port) => {
  expect(memoryPort(env, uid)).toBe(port)
})
