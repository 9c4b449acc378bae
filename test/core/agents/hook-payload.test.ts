/** Payloads as the agents send them, and payloads that nobody should send. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentSignal } from '../../../src/core/agents/agent-signal.ts'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import { isSessionId } from '../../../src/core/session/session-state.ts'
import { AGENT_NAMES, readPayload } from '../../../src/core/agents/agents.ts'
import { MAX_PAYLOAD } from '../../../src/core/agents/hook-payload.ts'
import { runs } from '../../support/long.ts'
import { orGivenUp } from '../../support/or-given-up.ts'

const SESSION = '5f0c1c1e-7a52-4d5b-9a53-3c8d54a0b001'
const TRANSCRIPT = '/home/ada/.claude/projects/-home-ada-shop/5f0c1c1e.jsonl'

type Payload = Record<string, unknown>

function payload(hook: string, fields: Payload = {}): Payload {
  return {
    session_id: SESSION,
    transcript_path: TRANSCRIPT,
    cwd: '/home/ada/shop',
    hook_event_name: hook,
    ...fields,
  }
}

function read(agent: AgentName, fields: Payload): AgentSignal | undefined {
  return readPayload(agent, '', JSON.stringify(fields))
}

function signal(agent: AgentName, hook: string, fields: Payload = {}): AgentSignal {
  const answer = read(agent, payload(hook, fields))
  if (answer === undefined) throw new Error('no signal')
  return answer
}

const claude = (name: string, input: unknown, response: unknown = {}, more: Payload = {}) =>
  signal('claude', 'PostToolUse', {
    tool_name: name,
    tool_input: input,
    tool_response: response,
    tool_use_id: 'toolu_1',
    permission_mode: 'default',
    ...more,
  }).tool

const NOTHING: AgentSignal = {
  agent: 'claude',
  kind: 'turn_end',
  session: SESSION,
  cwd: '/home/ada/shop',
  transcript: TRANSCRIPT,
  source: undefined,
  reason: undefined,
  prompt: undefined,
  lastMessage: undefined,
  tool: undefined,
  subagent: undefined,
}

describe('the moments of a session', () => {
  test.each<[AgentName, string, Payload, Partial<AgentSignal>]>([
    [
      'claude',
      'SessionStart',
      { source: 'startup', model: 'claude-opus-4-6' },
      { kind: 'session_start', source: 'startup' },
    ],
    ['claude', 'SessionStart', { source: 'fork' }, { kind: 'session_start', source: 'resume' }],
    ['claude', 'SessionStart', { source: 'tomorrow' }, { kind: 'session_start' }],
    [
      'claude',
      'UserPromptSubmit',
      { prompt: 'Fix it', permission_mode: 'plan' },
      { kind: 'turn_start', prompt: 'Fix it' },
    ],
    [
      'claude',
      'Stop',
      { stop_hook_active: false, last_assistant_message: 'Fixed.' },
      { lastMessage: 'Fixed.', mayAsk: true },
    ],
    ['claude', 'Stop', { stop_hook_active: true }, {}],
    ['claude', 'StopFailure', { error: 'overloaded' }, {}],
    [
      'claude',
      'PreCompact',
      { trigger: 'auto', custom_instructions: '' },
      { kind: 'before_compaction', reason: 'auto' },
    ],
    [
      'claude',
      'SessionEnd',
      { reason: 'prompt_input_exit' },
      { kind: 'session_end', reason: 'prompt_input_exit' },
    ],
    [
      'codex',
      'SessionStart',
      { source: 'compact', model: 'gpt-5.3-codex', transcript_path: null },
      { kind: 'session_start', source: 'compact', transcript: undefined },
    ],
    [
      'codex',
      'UserPromptSubmit',
      { prompt: 'Go', turn_id: 't1' },
      { kind: 'turn_start', prompt: 'Go' },
    ],
    ['codex', 'Stop', { last_assistant_message: null, turn_id: 't1' }, { mayAsk: true }],
    ['codex', 'Interrupt', {}, {}],
    ['codex', 'SessionEnd', { reason: 'other' }, { kind: 'session_end', reason: 'other' }],
    ['codex', 'PreCompact', { trigger: 'manual' }, { kind: 'before_compaction', reason: 'manual' }],
    [
      'gemini',
      'SessionStart',
      { source: 'clear', timestamp: '2026-08-10T02:08:26Z' },
      { kind: 'session_start', source: 'clear' },
    ],
    ['gemini', 'BeforeAgent', { prompt: 'Go' }, { kind: 'turn_start', prompt: 'Go' }],
    [
      'gemini',
      'AfterAgent',
      { prompt: 'Go', prompt_response: 'Gone.' },
      { prompt: 'Go', lastMessage: 'Gone.', mayAsk: true },
    ],
    ['gemini', 'AfterAgent', { prompt_response: '[no response text]' }, {}],
    [
      'gemini',
      'PreCompress',
      { trigger: 'manual' },
      { kind: 'before_compaction', reason: 'manual' },
    ],
    ['gemini', 'SessionEnd', { reason: 'exit' }, { kind: 'session_end', reason: 'exit' }],
  ])('%s %s %j', (agent, hook, fields, expected) => {
    expect(signal(agent, hook, fields)).toEqual({ ...NOTHING, agent, ...expected })
  })

  test('ignores the compactions that Gemini CLI reports before every request', () => {
    expect(read('gemini', payload('PreCompress', { trigger: 'auto' }))).toBeUndefined()
    expect(signal('claude', 'PreCompact', { trigger: 'auto' }).reason).toBe('auto')
  })

  test('treats a notification of Claude Code as the start of a turn without a prompt', () => {
    const told = '<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n'
    for (const prompt of [
      `${told}</task-notification>`,
      `${told}</task-notification>\nFull transcript available at: /tmp/a1.output`,
      ` ${told}`,
    ]) {
      expect(signal('claude', 'UserPromptSubmit', { prompt })).toEqual({
        ...NOTHING,
        kind: 'turn_start',
      })
    }
    const prompt = 'What does <task-notification> mean?'
    expect(signal('claude', 'UserPromptSubmit', { prompt }).prompt).toBe(prompt)
    expect(signal('gemini', 'BeforeAgent', { prompt: told }).prompt).toBe(told)
  })

  test('keeps the user’s words of a prompt for Claude Code, verbatim', () => {
    const promptOf = (prompt: string) => signal('claude', 'UserPromptSubmit', { prompt }).prompt
    const opened = '<ide_opened_file>The user opened /a/b.ts.</ide_opened_file>'
    expect(promptOf(`${opened}\nFix the login`)).toBe('Fix the login')
    expect(promptOf(opened)).toBeUndefined()
    const lead = '<teammate-message teammate_id="team-lead">\nFix it.\n</teammate-message>'
    expect(promptOf(lead)).toBe('Fix it.')
    const typed = 'Fix this:\n\n\n\n  <b>x</b>\n\n\nand that'
    expect(promptOf(typed)).toBe(typed)
  })

  test('ignores events that are unknown or belong to another agent', () => {
    for (const [agent, hook] of [
      ['claude', 'PreToolUse'],
      ['claude', 'Notification'],
      ['claude', 'AfterAgent'],
      ['claude', 'constructor'],
      ['codex', 'BeforeAgent'],
      ['gemini', 'Stop'],
    ] as const) {
      expect(read(agent, payload(hook))).toBeUndefined()
    }
  })

  test('uses the event name from the command line if the payload has none', () => {
    const { hook_event_name: _, ...fields } = payload('')
    const text = JSON.stringify(fields)
    expect(readPayload('claude', 'Stop', text)).toEqual({ ...NOTHING, mayAsk: true })
    expect(readPayload('claude', 'SessionEnd', JSON.stringify(payload('Stop')))).toEqual({
      ...NOTHING,
      mayAsk: true,
    })
  })
})

describe('subagents', () => {
  const own = { agent_id: 'ab9c31787f9afde46', agent_type: 'Explore' }
  const transcript = '/home/ada/.claude/projects/x/5f0c1c1e/subagents/agent-ab9c.jsonl'

  test.each(['claude', 'codex'] as const)(
    '%s: reports the end of a subagent with its transcript',
    (agent) => {
      const fields = { ...own, agent_transcript_path: transcript, last_assistant_message: 'Two.' }
      expect(signal(agent, 'SubagentStop', fields)).toEqual({
        ...NOTHING,
        agent,
        kind: 'subagent_end',
        lastMessage: 'Two.',
        subagent: { id: own.agent_id, transcript },
      })
    },
  )

  test('treats a turn end with an agent id as the end of a subagent, and ignores its other turn events', () => {
    expect(signal('claude', 'Stop', own).kind).toBe('subagent_end')
    for (const hook of ['UserPromptSubmit', 'SessionStart', 'SessionEnd', 'PreCompact']) {
      expect(read('claude', payload(hook, own))).toBeUndefined()
    }
    // A session that was started with a specific agent has a type, but no id.
    expect(signal('claude', 'Stop', { agent_type: 'reviewer' }).kind).toBe('turn_end')
  })

  test('treats the summarizer of Claude Code, which has no type, as a subagent', () => {
    const fields = { agent_id: 'a1c06aa7a028f8af1', agent_type: '', background_tasks: [] }
    const summary = '<summary>\n1. Primary Request and Intent:\n   Add a parser\n</summary>'
    const ended = { ...fields, agent_transcript_path: transcript, last_assistant_message: summary }
    expect(signal('claude', 'SubagentStop', ended)).toMatchObject({
      kind: 'subagent_end',
      subagent: { id: fields.agent_id, transcript },
    })
  })

  test("records the files of a subagent's tools, but not its to-do list", () => {
    const fields = { ...own, tool_name: 'Write', tool_input: { file_path: '/a' } }
    expect(signal('claude', 'PostToolUse', fields)).toMatchObject({
      kind: 'tool_used',
      tool: { files: ['/a'] },
      subagent: { id: own.agent_id, transcript: undefined },
    })
    const todos = [{ content: 'x', status: 'pending', activeForm: 'x' }]
    const list = { ...own, tool_name: 'TodoWrite', tool_input: { todos } }
    expect(signal('claude', 'PostToolUse', list).tool?.todos).toBeUndefined()
  })
})

describe('tools of Claude Code', () => {
  test.each([
    ['Edit', { file_path: '/a.ts', old_string: 'x', new_string: 'y' }, ['/a.ts'], false],
    ['MultiEdit', { file_path: '/a.ts', edits: [] }, ['/a.ts'], false],
    ['Write', { file_path: 'rel/é b.ts', content: '' }, ['rel/é b.ts'], false],
    ['NotebookEdit', { notebook_path: '/n.ipynb', new_source: '' }, ['/n.ipynb'], false],
    ['Read', { file_path: '/a.ts' }, [], false],
    ['Bash', { command: 'rm -r x' }, [], true],
    ['Task', { subagent_type: 'Explore' }, [], true],
    ['Agent', {}, [], true],
    ['mcp__files__write\n', { path: '/a' }, [], true],
    ['Write', { file_path: 7 }, [], false],
    ['Write', { file_path: 'a\0b' }, [], false],
    ['Write', { file_path: ' ' }, [], false],
    ['__proto__', { file_path: '/a' }, [], false],
  ])('%s %j', (name, input, files, mayWrite) => {
    const {
      reads: _reads,
      removed: _removed,
      command: _command,
      ...use
    } = claude(name, input) ?? {}
    expect(use).toEqual({ name, files, mayWrite, todos: undefined })
  })

  test('counts no written file for a failed tool', () => {
    const fields = { tool_name: 'Edit', tool_input: { file_path: '/a' }, error: 'no match' }
    expect(signal('claude', 'PostToolUseFailure', fields).tool).toMatchObject({ files: [] })
    const shell = { tool_name: 'Bash', tool_input: { command: 'x' }, is_interrupt: true }
    expect(signal('claude', 'PostToolUseFailure', shell).tool).toMatchObject({ mayWrite: true })
  })

  test('TodoWrite replaces the list, and entries of wrong types are dropped', () => {
    const todos = [
      { content: 'a', status: 'completed', activeForm: 'A' },
      { content: 'b', status: 'in_progress', activeForm: 'B' },
      { content: '', status: 'pending' },
      { content: 'c', status: 'someday' },
      { content: 7, status: 'pending' },
      { content: 'd', status: 'toString' },
      null,
      'e',
    ]
    expect(claude('TodoWrite', { todos })?.todos).toEqual({
      kind: 'list',
      todos: [
        { id: undefined, text: 'a', status: 'completed' },
        { id: undefined, text: 'b', status: 'in_progress' },
      ],
    })
    expect(claude('TodoWrite', { todos: 'x' })?.todos).toEqual({ kind: 'list', todos: [] })
  })

  test('TaskCreate and TaskUpdate change one task', () => {
    const add = (response: unknown) =>
      claude('TaskCreate', { subject: 'a', description: 'A' }, response)?.todos
    const added = (id: string | undefined) => ({
      kind: 'add',
      todo: { id, text: 'a', status: 'pending' },
    })
    expect(add({ task: { id: '4', subject: 'a' } })).toEqual(added('4'))
    expect(add('Task #12 created successfully: a')).toEqual(added('12'))
    expect(add([{ type: 'text', text: 'Task #3 created successfully: a' }])).toEqual(added('3'))
    expect(add({ success: true })).toEqual(added(undefined))
    expect(claude('TaskUpdate', { taskId: '4', status: 'completed' })?.todos).toEqual({
      kind: 'set',
      id: '4',
      text: undefined,
      status: 'completed',
    })
    expect(claude('TaskUpdate', { taskId: '4', status: 'deleted' })?.todos).toMatchObject({
      status: 'dropped',
    })
    expect(claude('TaskUpdate', { status: 'completed' })?.todos).toBeUndefined()
    expect(claude('TaskCreate', {})?.todos).toBeUndefined()
  })
})

test('reads the tools of Codex: a patch, a shell command with a patch, a plan', () => {
  const codex = (name: string, input: unknown, tool_response = 'Success.') =>
    signal('codex', 'PostToolUse', { tool_name: name, tool_input: input, tool_response }).tool
  const patch = '*** Begin Patch\r\n*** Update File: a b.ts\r\n@@\r\n+x\r\n*** End Patch'
  expect(codex('apply_patch', { command: patch })).toEqual({
    name: 'apply_patch',
    files: ['a b.ts'],
    mayWrite: false,
    todos: undefined,
  })
  expect(codex('apply_patch', patch)?.files).toEqual(['a b.ts'])
  expect(codex('Bash', { command: `apply_patch <<'E'\n${patch}\nE` })).toMatchObject({
    files: ['a b.ts'],
    mayWrite: true,
  })
  expect(codex('Bash', { command: '*** Update File: not-in-a-patch' })?.files).toEqual([])
  // A failed call names files that it did not write.
  for (const failed of [
    'apply_patch verification failed: Failed to find expected lines in a b.ts:',
    'failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: 1',
    'Process exited with code 1\nOutput:\nInvalid patch hunk on line 4',
  ]) {
    expect(codex('apply_patch', { command: patch }, failed)?.files, failed).toEqual([])
  }
  expect(codex('update_plan', { plan: [{ step: 'a', status: 'pending' }] })?.todos).toEqual({
    kind: 'list',
    todos: [{ id: undefined, text: 'a', status: 'pending' }],
  })
})

test('reads the tools of Gemini CLI: files, a shell command, a list; a failed call writes nothing', () => {
  const gemini = (name: string, input: unknown, response: unknown = { llmContent: 'ok' }) =>
    signal('gemini', 'AfterTool', { tool_name: name, tool_input: input, tool_response: response })
      .tool
  expect(gemini('write_file', { file_path: '/a', content: '' })).toEqual({
    name: 'write_file',
    files: ['/a'],
    mayWrite: false,
    todos: undefined,
  })
  expect(gemini('replace', { file_path: '/a' }, { error: { message: 'no' } })?.files).toEqual([])
  expect(gemini('replace', { file_path: '/a' }, { error: null })?.files).toEqual(['/a'])
  expect(gemini('run_shell_command', { command: 'x' })?.mayWrite).toBe(true)
  const todos = [
    { description: 'a', status: 'blocked' },
    { description: 'b', status: 'cancelled' },
  ]
  expect(gemini('write_todos', { todos })?.todos).toEqual({
    kind: 'list',
    todos: [{ id: undefined, text: 'a', status: 'pending' }],
  })
})

describe('malformed and unusual payloads', () => {
  test.each([
    '',
    ' \n',
    '\ufeff',
    '{',
    'null',
    '[]',
    '"Stop"',
    '{}',
    '{"hook_event_name":"Stop"}',
    '{"hook_event_name":"Stop","session_id":7}',
    '{"hook_event_name":["Stop"],"session_id":"a"}',
    '['.repeat(200_000),
  ])('%.40j', (text) => {
    expect(readPayload('claude', '', text)).toBeUndefined()
  })

  test.each([
    '../../etc/passwd',
    'a/b',
    'a\\b',
    '..',
    '.',
    '.hidden',
    '-rf',
    'a..b',
    'a\0',
    'a\n',
    'é',
    'a b',
    'a.lock',
    'a.',
    '~',
    'a'.repeat(129),
  ])('rejects a session id that is not a safe file name: %j', (id) => {
    expect(isSessionId(id)).toBe(false)
    const answer = read('claude', payload('Stop', { session_id: id }))
    expect(answer).toBeUndefined()
  })

  test('accepts session ids that agents use', () => {
    for (const id of [SESSION, 'session-1', '2026-01-07-c93f3533', 'a'.repeat(128), 'a.b_c']) {
      expect(isSessionId(id)).toBe(true)
    }
  })

  test('ignores fields of wrong types and unknown fields', () => {
    const odd = {
      cwd: 'rel',
      transcript_path: '~/x.jsonl',
      prompt: {},
      model: [],
      reason: 'x'.repeat(201),
      extra: { deep: [1] },
    }
    expect(signal('claude', 'SessionEnd', odd)).toEqual({
      ...NOTHING,
      kind: 'session_end',
      cwd: undefined,
      transcript: undefined,
    })
    expect(signal('claude', 'PostToolUse', { tool_name: 7 }).tool).toBeUndefined()
    expect(claude('Write', 'x', null)?.files).toEqual([])
  })

  test('skips a BOM, and keeps texts in full so that a secret in them is recognized', () => {
    const message = `a${'x'.repeat(50_000)}z`
    const text = `\ufeff${JSON.stringify(payload('Stop', { last_assistant_message: message }))}\n`
    expect(readPayload('claude', '', text)?.lastMessage).toBe(message)
  })

  test('reads a long prompt that begins like a template quickly', () => {
    const prompt = `IT IS CRITICAL THAT YOU FOLLOW ${'a_'.repeat(600_000)}`
    const read = () => signal('codex', 'UserPromptSubmit', { prompt }).prompt
    expect(orGivenUp(read)).toBe(prompt)
  })

  test('accepts 50 MB, and rejects more than the limit', () => {
    const content = 'x'.repeat(50 * 1024 * 1024)
    expect(claude('Write', { file_path: '/a', content })?.files).toEqual(['/a'])
    expect(readPayload('claude', 'Stop', 'x'.repeat(MAX_PAYLOAD + 1))).toBeUndefined()
  })

  const HOOKS = [
    'SessionStart',
    'UserPromptSubmit',
    'PostToolUse',
    'Stop',
    'SubagentStop',
    'BeforeAgent',
    'AfterTool',
    'AfterAgent',
  ]
  const TOOLS = [
    'Write',
    'TodoWrite',
    'TaskCreate',
    'TaskUpdate',
    'apply_patch',
    'update_plan',
    'write_todos',
    'write_file',
    'Bash',
  ]

  test.each(AGENT_NAMES)(
    '%s: any JSON under the known keys gives a well-formed answer',
    (agent) => {
      const anyValue = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>(SESSION, '/a', '', 'a', null, [], {}),
      )
      const anyInput = fc.oneof(
        anyValue,
        fc.record(
          {
            file_path: anyValue,
            todos: fc.array(anyValue),
            plan: anyValue,
            command: anyValue,
            subject: anyValue,
            taskId: anyValue,
            status: anyValue,
          },
          { requiredKeys: [] },
        ),
      )
      const anyPayload = fc.record(
        {
          hook_event_name: fc.oneof(fc.constantFrom<unknown>(...HOOKS), anyValue),
          session_id: fc.oneof(fc.constant<unknown>(SESSION), anyValue),
          cwd: anyValue,
          transcript_path: anyValue,
          source: anyValue,
          reason: anyValue,
          prompt: anyValue,
          last_assistant_message: anyValue,
          agent_id: anyValue,
          tool_name: fc.oneof(fc.constantFrom<unknown>(...TOOLS), anyValue),
          tool_input: anyInput,
          tool_response: anyValue,
          ['__proto__']: anyValue,
        },
        { requiredKeys: ['hook_event_name', 'session_id'] },
      )
      const isText = (value: unknown) =>
        value === undefined || (typeof value === 'string' && value.trim() !== '')
      fc.assert(
        fc.property(anyPayload, (fields) => {
          const answer = readPayload(agent, '', JSON.stringify(fields))
          if (answer === undefined) return
          expect(isSessionId(answer.session)).toBe(true)
          const { cwd, transcript, reason, prompt, lastMessage, tool } = answer
          expect([cwd, transcript, reason, prompt, lastMessage].every(isText)).toBe(true)
          expect([cwd, transcript].every((path) => path?.startsWith('/') ?? true)).toBe(true)
          expect((tool?.files ?? []).every(isText)).toBe(true)
        }),
        runs(1000),
      )
    },
  )
})
