/**
 * How full the context was, read from a transcript: each response counts once, and only in the main
 * chain.
 */

import { expect, test } from 'vitest'
import { readContextRecords } from '../../../src/core/agents/context-records.ts'

const line = (record: object) => JSON.stringify(record)
const assistant = (id: string, tokens: number, content: object[], more: object = {}) =>
  line({
    type: 'assistant',
    timestamp: '2026-01-10T12:00:00.000Z',
    message: {
      id,
      content,
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 97,
        cache_read_input_tokens: tokens - 100,
      },
    },
    ...more,
  })
const text = (words: string) => [{ type: 'text', text: words }]

test('reads each response once, with the number of characters added before it', () => {
  const records = readContextRecords([
    line({ type: 'user', uuid: 'u1', message: { content: 'x'.repeat(50) } }),
    assistant('m1', 1000, text('a'.repeat(10))),
    assistant('m1', 1000, [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }]),
    line({
      type: 'user',
      message: {
        content: [{ type: 'tool_result', content: [{ type: 'text', text: 'y'.repeat(90) }] }],
      },
    }),
    line({ type: 'user', uuid: 'u1', message: { content: 'x'.repeat(50) } }),
    assistant('s1', 9999, text('subagent'), { isSidechain: true }),
    assistant('m2', 1500, [{ type: 'thinking', thinking: 'z' }]),
    assistant('e1', 1600, text('error'), { isApiErrorMessage: true }),
    'no JSON',
    line({ type: 'assistant', message: { id: 'm3', usage: { input_tokens: 'many' } } }),
  ])
  const at = '2026-01-10T12:00:00.000Z'
  const call = 'Bash'.length + '{"command":"ls"}'.length
  expect(records).toEqual([
    { kind: 'response', at, context: 1000, charactersBefore: 50 },
    { kind: 'response', at, context: 1500, charactersBefore: 10 + call + 90 },
  ])
})

test('reads compactions, including those of older releases', () => {
  const boundary = (compactMetadata: object) =>
    line({ type: 'system', subtype: 'compact_boundary', timestamp: 'T', compactMetadata })
  expect(
    readContextRecords([
      boundary({ trigger: 'auto', preTokens: 155_250 }),
      boundary({ trigger: 'manual', preTokens: 90_000, postTokens: 12_000 }),
      line({ type: 'system', subtype: 'stop_hook_summary' }),
    ]),
  ).toEqual([
    { kind: 'compaction', at: 'T', trigger: 'auto', before: 155_250, after: undefined },
    { kind: 'compaction', at: 'T', trigger: 'manual', before: 90_000, after: 12_000 },
  ])
})
