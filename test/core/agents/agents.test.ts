/** Every agent record is complete; docs/add-an-agent.md explains what each part is for. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { agentNamed, AGENT_NAMES, AGENTS, readPayload } from '../../../src/core/agents/agents.ts'
import { agent as says, call, entriesOf } from '../report/endings.ts'

const TOP = new URL('../../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, TOP), 'utf8')

/** Without these signals a session cannot be followed from start to end. */
const NEEDED = ['session_start', 'turn_start', 'turn_end', 'session_end', 'tool_used']

describe.each(AGENT_NAMES)('%s', (name) => {
  const agent = AGENTS[name]

  test('has one hook with a timeout for every moment of a session', () => {
    const kinds = agent.hooks.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(NEEDED))
    const events = [
      ...agent.hooks.map(({ event }) => event),
      ...Object.keys(agent.otherEvents ?? {}),
    ]
    expect(new Set(events).size).toBe(events.length)
    for (const { seconds } of agent.hooks) expect(seconds).toBeGreaterThan(0)
    for (const kind of ['session_start', 'turn_end']) {
      expect(agent.hooks.find((hook) => hook.kind === kind)?.reads).toBeDefined()
    }
  })

  test('understands each of its events', () => {
    const payload = JSON.stringify({ session_id: 's1', reason: 'x' })
    for (const { event, kind } of agent.hooks) {
      expect(readPayload(name, event, payload)).toMatchObject({ agent: name, kind, session: 's1' })
    }
  })

  test('is named in settings, environment and documentation', () => {
    expect(agent.file).toMatch(/^\.[a-z]+\/[a-z]+\.json$/)
    expect(agent.variable).toMatch(/^[A-Z_]+$/)
    expect(agent.switchFiles.length).toBeGreaterThan(0)
    expect([agentNamed(name), agentNamed(`${name}-code`)]).toEqual([name, name])
    expect(read('docs/install.md')).toContain(agent.title)
    for (const template of Object.values(agent.texts ?? {})) {
      expect(existsSync(fileURLToPath(new URL(`templates/${template}`, TOP)))).toBe(true)
    }
  })

  test('has its hooks on, and reads no entries, if settings and transcript are empty', () => {
    expect(agent.switchIn({})).toBeUndefined()
    expect(agent.readLines(['{}', '', 'x'])).toEqual([])
  })
})

test("tools of Claude Code that an editor offers as its own are Claude Code's", () => {
  const used = (prefix: string) =>
    entriesOf(
      call(`${prefix}Bash`, { command: 'npm test' }, { content: '3 passed' }),
      call(`${prefix}Edit`, { file_path: '/a/b.ts' }, { content: 'ok' }),
      call(`${prefix}Read`, { file_path: '/a/c.ts' }, { content: 'ok' }),
    )
  expect(used('mcp__acp__')).toEqual(used(''))
  expect(used('mcp__other__')).not.toEqual(used(''))
})

test.each([
  [
    'It is 3.\n\nSources:\n- [A (b)](https://a.example/b_c)\n- [B](https://b.example) - new\n',
    'It is 3.',
  ],
  ['It is 3.\n\n**Sources:**\n\n* [A](https://a.example)', 'It is 3.'],
  ['Sources:\n- [A](https://a.example)', undefined],
  ['It is 3.\n\nSources:\n- the limit\n- the day', undefined],
  ['Sources:\n- [A](https://a.example)\n\nIt is 3.', undefined],
])(
  "a message of Claude Code has no list of a web search's sources at its end: %j",
  (text, left) => {
    const message = left ?? text
    expect(entriesOf(says(text))).toEqual([{ kind: 'assistant', text: message }])
    const payload = JSON.stringify({ session_id: 's1', last_assistant_message: text })
    expect(readPayload('claude', 'Stop', payload)).toMatchObject({ lastMessage: message })
  },
)

test('rejects an unknown agent name', () => {
  expect(['', 'clau', 'claudette', 'toString', 'a-claude'].map(agentNamed)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})
