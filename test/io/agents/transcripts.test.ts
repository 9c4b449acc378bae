/** Transcripts like each agent's recordings, read into neutral entries. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { MAX_TEXT, todosOf } from '../../../src/core/agents/agent-signal.ts'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import { AGENT_NAMES, AGENTS, readEntries } from '../../../src/core/agents/agents.ts'
import { readTail } from '../../../src/io/agents/transcript-file.ts'
import { runs } from '../../support/long.ts'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

function entriesOf(agent: AgentName, name: string): TranscriptEntry[] {
  const slice = readTail(fixture(name), 1 << 20)
  if (slice === undefined) throw new Error('no transcript')
  return readEntries(agent, slice)
}

/** Files that tools are recorded to have written, each once, in the order of first mention. */
function filesOf(entries: readonly TranscriptEntry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => (entry.kind === 'tool' ? entry.tool.files : [])))]
}

/** One word for each entry, so that a whole transcript fits into an assertion. */
function brief(entry: TranscriptEntry): string {
  if (entry.kind === 'tool') return `${entry.tool.name}${entry.tool.mayWrite ? '!' : ''}`
  return 'text' in entry ? `${entry.kind}: ${entry.text.slice(0, 60)}` : entry.kind
}

describe('Claude Code', () => {
  const entries = entriesOf('claude', 'claude-session.jsonl')

  test('lists words of the user and the agent and tools that ran, in order and once', () => {
    expect(entries.map(brief)).toEqual([
      'prompt: The cart total ignores discounts, please fix it',
      "assistant: I'll look at the cart.\n\nTwo places compute the total.",
      'TodoWrite',
      'Edit',
      'refusal',
      'interruption',
      'Task!',
      'Edit',
      'TodoWrite',
      'summary: This session is being continued from a previous conversation',
      'Bash!',
      'failure: API Error: 529 overloaded',
      'assistant: All 42 tests pass.\n\n**Summary:**\n\n- The total counts discoun',
    ])
  })

  test('counts no files of refused calls, but those of subagents', () => {
    expect(filesOf(entries)).toEqual(['/home/ada/shop/src/cart.ts', '/home/ada/shop/src/report.ts'])
  })

  test("keeps the session's to-do list when a subagent has its own", () => {
    expect(todosOf(entries).map(({ text, status }) => [text, status])).toEqual([
      ['Fix the total', 'in_progress'],
      ['Add a test', 'pending'],
    ])
  })

  test('gives tasks their numbers from the answers, in whatever order these come', () => {
    expect(todosOf(entriesOf('claude', 'claude-tasks.jsonl'))).toEqual([
      { id: '1', text: 'Write the parser', status: 'completed' },
      { id: '2', text: 'Wire it into the CLI', status: 'in_progress' },
    ])
  })

  test('joins the lines of one response, and drops a repeated record', () => {
    const line = (uuid: string, id: string, text: string) =>
      JSON.stringify({
        type: 'assistant',
        uuid,
        message: { id, content: [{ type: 'text', text }] },
      })
    const lines = [
      line('1', 'a', 'x'),
      line('2', 'a', 'y'),
      line('1', 'a', 'x'),
      line('3', 'b', 'x'),
    ]
    expect(AGENTS.claude.readLines(lines).map(brief)).toEqual(['assistant: x\n\ny', 'assistant: x'])
  })

  test.each(['<system-reminder>', '<teammate-message teammate_id="team-lead">\n', '<ide_x "'])(
    'removes an unclosed tag of the program (%j) with all that follows, quickly',
    (tag) => {
      const content = `${tag.repeat(50_000)}x`
      const line = JSON.stringify({ type: 'user', message: { content } })
      expect(AGENTS.claude.readLines([line])).toEqual([])
    },
  )
})

describe('Codex', () => {
  const entries = entriesOf('codex', 'codex-rollout.jsonl')

  test('counts once what is logged twice, and ignores what the program says as the user', () => {
    expect(entries.map(brief)).toEqual([
      'prompt: Rewrite old.rs',
      'assistant: I start with a plan.',
      'update_plan',
      'apply_patch',
      'apply_patch',
      'shell!',
      'apply_patch',
      'summary: Moved old.rs.',
      'assistant: Imports are fixed.',
    ])
  })

  test('takes files from patches, also in a shell command, but not from a failed one', () => {
    expect(filesOf(entries)).toEqual([
      'src/new.rs',
      'src/old.rs',
      'src/moved.rs',
      'src/gone.rs',
      '/home/ada/shop/src/new.rs',
      'src/shell.rs',
      '/home/ada/shop/src/later.rs',
    ])
  })

  test('reads the plan as the to-do list', () => {
    expect(todosOf(entries).map(({ text, status }) => [text, status])).toEqual([
      ['Move old.rs', 'completed'],
      ['Fix imports', 'in_progress'],
      ['Run tests', 'pending'],
    ])
  })
})

describe('Gemini CLI', () => {
  const told = [
    'prompt: Add a greeting to hello.txt',
    'assistant: I will read it.',
    'write_file',
    'replace', // failed
    'write_todos',
    'assistant: The greeting is in `hello.txt`.',
  ]

  test('takes the last version of every message, without what was rewound', () => {
    expect(entriesOf('gemini', 'gemini-session.jsonl').map(brief)).toEqual(told)
  })

  test('reads the pretty-printed document of older releases the same way', () => {
    expect(entriesOf('gemini', 'gemini-document.json').map(brief)).toEqual(told)
  })

  test('reads nothing from the mere end of a document', () => {
    const slice = readTail(fixture('gemini-document.json'), 300)
    if (slice === undefined) throw new Error('no transcript')
    expect(readEntries('gemini', slice)).toEqual([])
  })

  test('drops cancelled to-dos and keeps blocked ones open', () => {
    const todos = todosOf(entriesOf('gemini', 'gemini-session.jsonl'))
    expect(todos.map(({ text, status }) => [text, status])).toEqual([
      ['Write it', 'completed'],
      ['Send it', 'pending'],
    ])
  })

  test('drops everything on a rewind to before the slice, and starts over with a list of messages', () => {
    const message = (id: string) => ({ id, type: 'gemini', content: id })
    const read = (...records: unknown[]) =>
      AGENTS.gemini.readLines(records.map((record) => JSON.stringify(record))).map(brief)
    const rewind = { $rewindTo: 'older' }
    expect(read(message('a'), message('c'), rewind, message('b'))).toEqual(['assistant: b'])
    expect(read(message('a'), { $set: { messages: [message('c')] } })).toEqual(['assistant: c'])
  })
})

describe('reading any lines', () => {
  const fixtures = ['claude-session.jsonl', 'codex-rollout.jsonl', 'gemini-session.jsonl']
  const lines = fixtures.flatMap((name) => readFileSync(fixture(name), 'utf8').split('\n'))

  /** Real records with one value replaced by something of another type. */
  const anyBroken = fc
    .record({
      line: fc.constantFrom(...lines),
      at: fc.nat(400),
      value: fc.constantFrom('null', '7', '[]', '{}', '"x"', '[null]', '[[1]]', '{"type":7}', ''),
    })
    .map(({ line, at, value }) => {
      let i = 0
      return line.replace(/"(?:[^"\\]|\\.)*"|\d+|true|false|null/g, (all, offset: number) =>
        i++ === at && line[offset + all.length] !== ':' ? value : all,
      )
    })
  const anyLine = fc.oneof(
    fc.constantFrom(...lines),
    anyBroken,
    fc.json(),
    fc.string(),
    fc.nat(300).chain((n) => fc.constantFrom(...lines).map((line) => line.slice(0, n))),
  )

  test.each(AGENT_NAMES)('%s: throws nothing, and every entry is well formed', (agent) => {
    const check = (some: string[]) => {
      for (const entry of AGENTS[agent].readLines(some)) {
        if (entry.kind === 'tool') {
          expect(entry.tool.files.every((file) => file !== '' && !file.includes('\0'))).toBe(true)
          expect(todosOf([entry]).every(({ text }) => text.trim() !== '')).toBe(true)
        } else if ('text' in entry) {
          expect(entry.text.length).toBeLessThanOrEqual(MAX_TEXT)
          if (entry.kind !== 'summary') expect(entry.text.trim()).toBe(entry.text)
        }
      }
    }
    fc.assert(fc.property(fc.array(anyLine, { maxLength: 12 }), check), runs(500))
  })

  test('finds no words of the assistant in lines of another agent', () => {
    for (const agent of AGENT_NAMES) {
      const others = fixtures.filter((name) => !name.startsWith(agent))
      for (const name of others) {
        expect(entriesOf(agent, name).filter(({ kind }) => kind === 'assistant')).toEqual([])
      }
    }
  })
})
