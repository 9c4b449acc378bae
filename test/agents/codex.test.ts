/** Behaviour that is specific to Codex: the schemas that it contains, and the sandbox in which our commands run. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AGENTS } from '../../src/core/agents/agents.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS } from '../support/git-repo.ts'
import { notRunUnless } from '../support/not-run.ts'
import { connected, start } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'

const { file, once, shell } = PROGRAMS.codex
const isMissing = isNotHere('codex')
const isUnboxed =
  !isMissing &&
  notRunUnless(
    spawnSync(file, ['sandbox', '--', 'true']).status === 0,
    "Codex's sandbox",
    'it cannot be set up on this machine',
  )

test.skipIf(isMissing)(
  'Codex has a schema with the fields that the adapter reads for every registered event',
  () => {
    const program = readFileSync(file)
    for (const { event } of AGENTS.codex.hooks) {
      const title = `${event.replace(/\B[A-Z]/g, '-$&').toLowerCase()}.command.input`
      const schema = schemaIn(program, title)
      expect(schema.title).toBe(title)
      expect(schema.properties).toMatchObject({ hook_event_name: { const: event } })
      for (const field of ['session_id', 'cwd', 'transcript_path', ...(FIELDS[event] ?? [])]) {
        expect(schema.properties, title).toHaveProperty(field)
      }
    }
  },
)

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['source', 'model'],
  UserPromptSubmit: ['prompt'],
  PostToolUse: ['tool_name', 'tool_input', 'tool_response', 'tool_use_id'],
  PreCompact: ['trigger'],
  Stop: ['last_assistant_message'],
  SubagentStop: ['agent_id', 'agent_type', 'agent_transcript_path', 'last_assistant_message'],
  SessionEnd: ['reason'],
}

interface Schema {
  readonly title: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** The program contains its schemas as pretty-printed texts. */
function schemaIn(program: Buffer, title: string): Schema {
  const named = program.indexOf(`\n  "title": "${title}"`)
  const start = program.lastIndexOf('{\n  "$schema"', named)
  const end = program.indexOf('\n}', named) + 2
  return JSON.parse(program.toString('utf8', start, end)) as Schema
}

/** Below `/tmp`, which the sandbox shows as it is. */
function connectedInTmp(): Repo {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = '/tmp'
  try {
    return connected('codex')
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

const ledgerGit = (words: string) => `'${process.execPath}' '${CLI}' ${words}`

test.skipIf(isMissing || isUnboxed)(
  "in Codex's sandbox, commands can read and add an event, whose path is printed",
  async () => {
    const repo = connectedInTmp()
    repo.event('--agent', 'ada', '--now', 'parse dates', '--commit')
    const commands = ['show', 'check', 'status', 'log', 'session list', 'doctor', 'why HEAD']
    const all = commands.map((words) => `${ledgerGit(words)}; echo "status $?: ${words}"`)
    const add = ledgerGit('event add --agent cleo --now sandboxed')
    const words = ['-c', 'sandbox_mode="workspace-write"', ...once('Look around')]
    const playing = await start(repo, 'codex', words, [
      { tools: [shell(`(${all.join('; ')}) 2>&1`)] },
      { tools: [shell(`touch .git/mine; ${add}; echo "status $?"`)] },
      { text: 'Looked.' },
    ])
    const { model, said, status } = await playing.ended
    expect(status, said).toBe(0)
    const [, looked = '', added = ''] = model.requests
    for (const words of commands) {
      expect(looked).toContain(`status ${words === 'why HEAD' ? 1 : 0}: ${words}`)
    }
    expect(looked).toContain('parse dates')
    expect(added).toMatch(/touch: .*\.git\/mine/)
    expect(added).toMatch(new RegExp(`${EVENTS}/[^/]+_cleo_[^/]+\\.md\\\\nstatus 0`))
    expect(repo.ledger('show')).toContain('sandboxed')
  },
)
