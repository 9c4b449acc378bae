/** Runs a coding agent in a repository with ledger-git installed, against a model that follows a script. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { AgentSignal } from '../../src/core/agents/agent-signal.ts'
import type { AgentName } from '../../src/core/agents/agents.ts'
import { readPayload } from '../../src/core/agents/agents.ts'
import type { Repo } from '../support/git-repo.ts'
import { Sandbox } from '../support/git-repo.ts'
import type { Answer, Model } from './model.ts'
import { startModel } from './model.ts'
import type { Place } from './programs.ts'
import { PROGRAMS } from './programs.ts'

/** What a hook of the agent was told. */
export type Payload = Readonly<Record<string, unknown>> & { readonly hook_event_name: string }

/** A fresh repository with these agents connected. */
export function connected(...agents: AgentName[]): Repo {
  const repo = new Sandbox().init()
  repo.git('config', 'user.name', 'Ada') // some agents hide the user's
  repo.git('config', 'user.email', 'ada@example.com')
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.ledger('install', ...agents.flatMap((agent) => ['--agent', agent]))
  repo.commit('chore: set up ledger-git')
  return repo
}

/** Everything that hooks of agents were told in this sandbox, in order. */
export function told(repo: Repo): Payload[] {
  const file = toldFile(repo)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Payload)
}

const toldFile = (repo: Repo) => join(repo.sandbox.folder, 'told')

interface Played {
  readonly model: Model
  /** What the program printed. */
  readonly said: string
  readonly status: number | null
}

/** A running program. */
interface Playing {
  readonly model: Model
  readonly ended: Promise<Played>
  /** What it has printed so far. */
  said(): string
  /** Types into its terminal. */
  type(keys: string): void
  kill(signal: NodeJS.Signals): void
}

/** Starts the agent with these words, in a terminal or with pipes. */
export async function start(
  repo: Repo,
  agent: AgentName,
  words: readonly string[],
  script: readonly Answer[],
  { inTerminal = false } = {},
): Promise<Playing> {
  const model = await startModel(script)
  const file = toldFile(repo)
  const { folder } = repo
  const home = join(repo.sandbox.folder, 'home')
  // One write for each payload, even if others write at the same time.
  const record = `{ tr -d '\\n'; echo; } >'${file}.'$$ && cat '${file}.'$$ >>'${file}'`
  const place: Place = { home, folder, port: model.port, record }
  const program = PROGRAMS[agent]
  const env = { ...repo.sandbox.env, ...program.configure(place), TERM: 'xterm-256color' }
  const command = [
    ...(program.isScript === true ? [process.execPath] : []),
    program.file,
    ...program.words(place),
    ...words,
  ]
  const [first = '', ...others] = inTerminal ? terminal(command) : command
  const child = spawn(first, others, {
    cwd: folder,
    env,
    stdio: [inTerminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk.toString()
    if (chunk.includes('\x1b[6n')) child.stdin?.write('\x1b[1;1R') // where is the cursor?
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const ended = once(child, 'close').then(([status]) => ({
    model,
    said,
    status: status as number | null,
  }))
  return {
    model,
    ended,
    said: () => said,
    type: (keys) => void child.stdin?.write(keys),
    kill: (signal) => void child.kill(signal),
  }
}

/** util-linux's script(1) makes a terminal, which has no size until it is told one. */
function terminal(command: readonly string[]): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  return ['script', '-qefc', `stty rows 50 cols 150; exec ${quoted}`, '/dev/null']
}

/** Runs one prompt from start to end; `session` resumes that session. */
export async function play(
  repo: Repo,
  agent: AgentName,
  prompt: string,
  script: readonly Answer[],
  session?: string,
): Promise<Played> {
  const { once, goOn } = PROGRAMS[agent]
  const words = session === undefined ? once(prompt) : goOn(session, prompt)
  const playing = await start(repo, agent, words, script)
  const played = await playing.ended
  expect(played.status, played.said).toBe(0)
  return played
}

/** What the agent's hooks reported, as we understand it, without events that are not followed. */
export function signals(repo: Repo, agent: AgentName): AgentSignal[] {
  return told(repo).flatMap((payload) => readPayload(agent, '', JSON.stringify(payload)) ?? [])
}

/** Waits for what another process does. */
export async function until(isSo: () => boolean, what: () => string): Promise<void> {
  for (let i = 0; i < 900 && !isSo(); i += 1) await sleep(100)
  expect(isSo(), `waited for ${what()}`).toBe(true)
}
