/** The real Codex, offline: what it sends to our hooks, and our commands in the sandbox that it runs them in. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../src/core/agents/agents.ts'
import { checkpoints, events, trailers } from '../sessions/readers.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, Sandbox } from '../support/git-repo.ts'
import { notRunUnless } from '../support/not-run.ts'
import type { Model, Step } from './model.ts'
import { startModel } from './model.ts'

/** The program itself, in the package of this system. */
const VENDOR = new URL(
  `node_modules/@openai/codex-${process.platform}-${process.arch}/vendor/`,
  import.meta.url,
).pathname
const [CODEX = ''] = existsSync(VENDOR)
  ? readdirSync(VENDOR).map((name) => join(VENDOR, name, 'bin', 'codex'))
  : []

const isMissing = notRunUnless(
  existsSync(CODEX),
  'Codex',
  'it is not installed; LEDGER_LONG=1 installs it, where there is a registry',
)
const isUnboxed = notRunUnless(
  !isMissing && spawnSync(CODEX, ['sandbox', '--', 'true']).status === 0,
  "Codex's sandbox",
  'it cannot be set up on this machine',
)

/** A repository with Codex connected; below `/tmp`, which its sandbox shows as it is. */
function connected(): Repo {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = '/tmp'
  const sandbox = new Sandbox()
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  const repo = sandbox.init()
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.ledger('install', '--agent', 'codex')
  repo.commit('chore: set up ledger-git')
  return repo
}

/** One `codex exec` from its start to its end; what the model was asked. */
async function codex(
  repo: Repo,
  mode: 'danger-full-access' | 'workspace-write',
  prompt: string,
  steps: readonly Step[],
): Promise<Model> {
  const model = await startModel(steps)
  const home = join(repo.sandbox.folder, 'codex')
  mkdirSync(home, { recursive: true })
  const config = [
    'model = "gpt-5.5"',
    'model_provider = "script"',
    'approval_policy = "never"',
    `sandbox_mode = "${mode}"`,
    '[model_providers.script]',
    'name = "script"',
    `base_url = "http://127.0.0.1:${model.port}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPT_KEY"',
    `[projects."${repo.folder}"]`,
    'trust_level = "trusted"',
  ]
  writeFileSync(join(home, 'config.toml'), `${config.join('\n')}\n`)
  const child = spawn(CODEX, ['exec', '--dangerously-bypass-hook-trust', prompt], {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, CODEX_HOME: home, SCRIPT_KEY: 'none' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 100_000,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null]
  expect(status, said).toBe(0)
  return model
}

const ledgerGit = (words: string) => `'${process.execPath}' '${CLI}' ${words}`

describe('a session of Codex', () => {
  test.skipIf(isMissing)(
    'ends: its commit has a checkpoint, its event is written, the next one hears of it',
    async () => {
      const repo = connected()
      await codex(repo, 'danger-full-access', 'Add a parser', [
        { command: "echo parser > parser.txt && git add -A && git commit -q -m 'feat: parser'" },
        { text: 'The parser is in place.' },
      ])
      const [id = ''] = trailers(repo, 'HEAD~1')
      const [session] = Object.keys(checkpoints(repo)[id] ?? {})
      expect(session).toBeDefined()
      expect(repo.ledger('session', 'list', '--all')).toMatch(
        new RegExp(`^${session}  ended  codex`),
      )
      expect(events(repo)).toHaveLength(1)
      expect(events(repo)[0]).toContain('The parser is in place.')
      const next = await codex(repo, 'danger-full-access', 'Go on', [])
      expect(next.requests[0]).toContain('The parser is in place.')
      expect(repo.status()).toBe('')
    },
  )

  test.skipIf(isMissing)('sends what the adapter reads: every event that install registers', () => {
    const program = readFileSync(CODEX)
    for (const { event } of AGENTS.codex.hooks) {
      const title = `${event.replace(/\B[A-Z]/g, '-$&').toLowerCase()}.command.input`
      const schema = schemaIn(program, title)
      expect(schema.title).toBe(title)
      expect(schema.properties).toMatchObject({ hook_event_name: { const: event } })
      for (const field of ['session_id', 'cwd', 'transcript_path', ...(FIELDS[event] ?? [])]) {
        expect(schema.properties, title).toHaveProperty(field)
      }
    }
  })
})

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

/** The program carries its schemas as pretty-printed texts. */
function schemaIn(program: Buffer, title: string): Schema {
  const named = program.indexOf(`\n  "title": "${title}"`)
  const start = program.lastIndexOf('{\n  "$schema"', named)
  const end = program.indexOf('\n}', named) + 2
  return JSON.parse(program.toString('utf8', start, end)) as Schema
}

test.skipIf(isMissing || isUnboxed)(
  "commands work in Codex's sandbox: reading, and an event whose path is printed",
  async () => {
    const repo = connected()
    repo.event('--agent', 'ada', '--now', 'parse dates', '--commit')
    const commands = ['show', 'check', 'status', 'log', 'session list', 'doctor', 'why HEAD']
    const all = commands.map((words) => `${ledgerGit(words)}; echo "status $?: ${words}"`)
    const add = ledgerGit('event add --agent cleo --now sandboxed')
    const model = await codex(repo, 'workspace-write', 'Look around', [
      { command: `(${all.join('; ')}) 2>&1` },
      { command: `touch .git/mine; ${add}; echo "status $?"` },
      { text: 'Looked.' },
    ])
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
