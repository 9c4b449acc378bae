/**
 * Transcript lines without the parts that are never reported: what is read from them stays the
 * same, with secrets redacted or not.
 */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AGENTS, toldLines } from '../../../src/core/agents/agents.ts'
import { secretScanner } from '../../../src/io/secrets/secret-scanner.ts'
import { runs } from '../../support/long.ts'

const SECRET = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`
const TEXTS = [
  'fine',
  '',
  `token ${SECRET}`,
  'Exit code 1\nError: no',
  '[Request interrupted by user]',
  "The user doesn't want to proceed with this tool use. the user said: no",
  'User has answered your questions: "Which?"="This". You can now …',
  'Task #3 created',
  'a "b" \\ \u2028 é',
]
const NAMES = [
  'Bash',
  'mcp__acp__Bash',
  'Edit',
  'Write',
  'Read',
  'AskUserQuestion',
  'ExitPlanMode',
  'TaskCreate',
  'Task',
  'X',
]

const anyText = fc.constantFrom(...TEXTS)
const anyId = fc.constantFrom('1', '2', '3')
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })

const anyCall = fc.record({
  type: fc.constant('tool_use'),
  id: anyId,
  name: fc.constantFrom(...NAMES),
  input: fc.record({
    file_path: maybe(fc.constantFrom('/a/b.ts', '')),
    content: maybe(anyText),
    new_string: maybe(anyText),
    edits: maybe(fc.array(anyText)),
    command: maybe(anyText),
    description: maybe(anyText),
    subject: maybe(anyText),
    plan: maybe(anyText),
    run_in_background: maybe(fc.boolean()),
    questions: maybe(fc.constant([{ question: 'Which?', options: ['This', 'That'] }])),
  }),
})
const anyContent = fc.oneof(
  anyText,
  fc.array(fc.oneof(anyText, fc.record({ type: fc.constant('text'), text: anyText }))),
)
const anyAnswer = fc.record({
  type: fc.constant('tool_result'),
  tool_use_id: anyId,
  is_error: maybe(fc.boolean()),
  content: maybe(anyContent),
})
const anyBlock = fc.oneof(
  anyCall,
  anyAnswer,
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({ type: fc.constant('thinking'), thinking: anyText, signature: anyText }),
  anyText,
)
const anyRecord = fc.record({
  type: fc.constantFrom('user', 'assistant', 'system', 'x'),
  uuid: maybe(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')),
  timestamp: maybe(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')),
  isSidechain: maybe(fc.constant(true)),
  message: maybe(fc.record({ id: maybe(anyId), content: fc.oneof(anyText, fc.array(anyBlock)) })),
  toolUseResult: maybe(
    fc.oneof(
      anyText,
      fc.record({
        stdout: anyText,
        interrupted: maybe(fc.boolean()),
        backgroundTaskId: maybe(anyText),
        answers: maybe(fc.constant({ 'Which?': 'That' })),
        task: maybe(fc.constant({ id: '7' })),
        content: maybe(anyContent),
      }),
    ),
  ),
})
const anyLine = fc.oneof(
  { weight: 9, arbitrary: anyRecord.map((record) => JSON.stringify(record)) },
  fc.constantFrom('', 'no JSON', '[]', '{', '7'),
)

test('the shortened lines read the same as the originals, with secrets redacted or not', () => {
  const { readLines } = AGENTS.claude
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
      const told = toldLines('claude-code', lines)
      expect(readLines(told)).toEqual(readLines(lines))
      expect(readLines(told.map(secretScanner.lineRedactor()))).toEqual(
        readLines(lines.map(secretScanner.lineRedactor())),
      )
    }),
    runs(2000, 200),
  )
})

test('drops texts that tools were asked to write or that they returned, and nothing else', () => {
  const call = (name: string, input: object) => ({ type: 'tool_use', id: name, name, input })
  const answer = (name: string, is_error = false) => ({
    toolUseResult: { stdout: 'STDOUT', file: 'FILE', interrupted: false },
    message: { content: [{ type: 'tool_result', tool_use_id: name, is_error, content: 'TEXT' }] },
  })
  const written = { file_path: '/a/b.ts', content: 'CONTENT', old_string: 'OLD' }
  const told = (record: object) => toldLines('claude', asked(record)).at(-1) ?? ''
  const asked = (record: object) => [
    JSON.stringify({ message: { content: [call('Bash', {}), call('Read', {})] } }),
    JSON.stringify(record),
  ]
  expect(told({ message: { content: [call('Write', written)] } })).toBe(
    '{"message":{"content":[{"type":"tool_use","id":"Write","name":"Write","input":{"file_path":"/a/b.ts"}}]}}',
  )
  expect(told(answer('Read'))).toBe(
    '{"message":{"content":[{"type":"tool_result","tool_use_id":"Read","is_error":false}]}}',
  )
  expect(told(answer('Read', true))).toMatch(/"TEXT"/)
  expect(told(answer('Bash'))).toMatch(/^(?!.*STDOUT).*"interrupted":false.*"TEXT"/)
  const other = JSON.stringify({ message: { content: [call('Bash', { command: 'ls' }), 'text'] } })
  expect(toldLines('claude', [other])).toEqual([other])
  expect(toldLines('codex', [other])).toEqual([other])
})

test.each([
  ['TaskCreate', { subject: 'Write a parser' }, 'Task #3 created successfully'],
  ['Edit', { file_path: '/a/b.ts' }, '[Request interrupted by user for tool use]'],
])('keeps a result of %s that says more than success', (name, input, content) => {
  const call = { type: 'tool_use', id: '1', name, input }
  const answer = { type: 'tool_result', tool_use_id: '1', content }
  const lines = [
    { type: 'assistant', message: { content: [call] } },
    { type: 'user', message: { content: [answer] } },
  ].map((record) => JSON.stringify(record))
  expect(toldLines('claude', lines)).toEqual(lines)
  expect(AGENTS.claude.readLines(lines)).not.toEqual(
    AGENTS.claude.readLines(lines.map((line) => line.replace(content, 'Done'))),
  )
})

test('keeps a line whose value is nested too deeply', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const block = `{"type":"tool_use","name":"Write","input":{"content":"x","edits":1,"more":${deep}}}`
  const line = `{"type":"assistant","message":{"content":[${block}]}}`
  expect(toldLines('claude', [line])).toEqual([line])
})
