/**
 * A coding agent that follows a script: real files, real git, a real transcript, and the payloads that Claude Code
 * sends, through the command in its settings.
 *
 * Everything it runs is below a process of its own, as with a real agent: that process is the session's owner, so
 * commits of two agents differ, and `crash` kills one that says nothing. What a person does is done on the repository
 * itself. Its files are deterministic; only ids, times and processes are not.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Ran, Repo } from '../support/git-repo.ts'
import { agentCommand } from '../../src/core/agents/agent-command.ts'
import { lineOf, whereIs } from '../support/helpers/shell-line.mjs'

export type Todo = readonly [text: string, status: 'pending' | 'in_progress' | 'completed']
export type StartSource = 'startup' | 'resume' | 'clear' | 'compact'
type Json = Record<string, unknown>

export class Agent {
  readonly session: string
  readonly transcript: string
  /** Where it works now; `cd` changes it. */
  repo: Repo
  /** Where it was started. */
  readonly #project: Repo
  #host: ChildProcess | undefined
  #answers: AsyncIterator<string> | undefined
  #asked = 0
  #parent: string | null = null

  /** `session`: given for an agent that continues another one's session (`claude -r`). */
  constructor(repo: Repo, session: string = randomUUID()) {
    this.repo = repo
    this.#project = repo
    this.session = session
    const project = repo.folder.replace(/[^A-Za-z0-9]/g, '-')
    const projects = join(repo.sandbox.folder, 'home', '.claude', 'projects', project)
    this.transcript = join(projects, `${session}.jsonl`)
    mkdirSync(projects, { recursive: true })
    onTestFinished(() => this.crash())
  }

  get pid(): number | undefined {
    return this.#host?.pid
  }

  cd(repo: Repo): this {
    this.repo = repo
    return this
  }

  /** Returns the answer: text for the model and for the person. */
  async start(source: StartSource = 'startup'): Promise<Json> {
    const ran = await this.hook('SessionStart', { source, model: 'claude-opus-4-6' })
    return ran.stdout === '' ? {} : (JSON.parse(ran.stdout) as Json)
  }

  async prompt(text: string): Promise<Ran> {
    this.#say('user', text)
    return this.hook('UserPromptSubmit', { prompt: text })
  }

  /** Writes a file with the agent's tool for that. */
  async write(path: string, content: string, about: Json = {}): Promise<Ran> {
    const file = resolve(this.repo.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return this.tool(
      'Write',
      { file_path: file, content },
      { type: 'create', filePath: file },
      about,
    )
  }

  /** Runs real commands in a shell like the agent's; returns their output. */
  async bash(command: string): Promise<Ran> {
    const ran = await this.run('bash', ['-c', command], '', { CLAUDECODE: '1' })
    const response = { stdout: ran.stdout, stderr: ran.stderr, interrupted: false, isImage: false }
    await this.tool('Bash', { command, description: 'run it' }, response)
    return ran
  }

  /** Commits `paths` (everything, without any); returns the commit. */
  async commit(message: string, ...paths: string[]): Promise<string> {
    const add = paths.length === 0 ? '-A' : paths.map((path) => `'${path}'`).join(' ')
    const ran = await this.bash(`git add ${add} && git commit -q -m '${message}'`)
    if (ran.status !== 0) throw new Error(`commit: ${ran.stdout}${ran.stderr}`)
    return this.repo.git('rev-parse', 'HEAD')
  }

  async todo(...todos: Todo[]): Promise<Ran> {
    const list = todos.map(([content, status]) => ({ content, status, activeForm: content }))
    return this.tool('TodoWrite', { todos: list }, { oldTodos: [], newTodos: list })
  }

  async tool(name: string, input: Json, response: Json = {}, about: Json = {}): Promise<Ran> {
    const id = `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`
    // A subagent's tools are in a log of its own.
    if (!('agent_id' in about)) {
      this.#say('assistant', [{ type: 'tool_use', id, name, input }])
      this.#say('user', [{ type: 'tool_result', tool_use_id: id, content: 'ok' }], {
        toolUseResult: response,
      })
    }
    const fields = { tool_name: name, tool_input: input, tool_response: response, tool_use_id: id }
    return this.hook('PostToolUse', { ...fields, ...about })
  }

  /** Ends a turn with the assistant's last words. */
  async stop(message: string): Promise<Ran> {
    this.say(message)
    return this.hook('Stop', { stop_hook_active: false, last_assistant_message: message })
  }

  /** Words between tools, which no hook reports. */
  say(message: string): void {
    this.#say('assistant', [{ type: 'text', text: message }])
  }

  /** Ctrl-C: the transcript gets a line, and no hook runs. */
  interrupt(): void {
    this.#say('user', [{ type: 'text', text: '[Request interrupted by user]' }])
  }

  async compact(trigger: 'manual' | 'auto' = 'auto'): Promise<Ran> {
    return this.hook('PreCompact', { trigger, custom_instructions: '' })
  }

  async end(reason = 'prompt_input_exit'): Promise<Ran> {
    return this.hook('SessionEnd', { reason })
  }

  /** Runs a subagent that writes a file and ends; returns its id. */
  async subagent(
    path: string,
    content: string,
    id = `a${randomUUID().slice(0, 7)}`,
  ): Promise<string> {
    const about = { agent_id: id, agent_type: 'general-purpose' }
    const log = join(dirname(this.transcript), this.session, 'subagents', `agent-${id}.jsonl`)
    mkdirSync(dirname(log), { recursive: true })
    const line = { type: 'user', isSidechain: true, agentId: id, sessionId: this.session }
    const words = { role: 'user', content: `Write ${path}` }
    appendFileSync(log, `${JSON.stringify({ ...line, message: words, uuid: randomUUID() })}\n`)
    await this.write(path, content, about)
    await this.hook('SubagentStop', {
      ...about,
      agent_transcript_path: log,
      stop_hook_active: false,
    })
    return id
  }

  /** Its process is gone; whatever it does next runs in a new one. */
  async crash(): Promise<void> {
    const host = this.#host
    this.#host = undefined
    if (host === undefined || host.exitCode !== null || host.signalCode !== null) return
    const gone = new Promise((done) => host.once('exit', done))
    host.kill('SIGKILL')
    await gone
  }

  /** Runs one hook as Claude Code does. Its status is always 0, which is asserted here for all. */
  async hook(event: string, fields: Json = {}): Promise<Ran> {
    const payload = {
      session_id: this.session,
      transcript_path: this.transcript,
      cwd: this.repo.folder,
      permission_mode: 'default',
      hook_event_name: event,
      ...fields,
    }
    const args = ['-c', agentCommand('claude', event)]
    const env = { CLAUDE_PROJECT_DIR: this.#project.folder }
    const ran = await this.run('sh', args, JSON.stringify(payload), env)
    if (ran.status !== 0) throw new Error(`${event} → ${ran.status}\n${ran.stdout}${ran.stderr}`)
    return ran
  }

  /** Runs anything as a child of the agent's process. */
  async run(command: string, args: string[], input = '', env: Json = {}): Promise<Ran> {
    const { sandbox, folder } = this.repo
    const line = lineOf(command, args, folder, { ...sandbox.env, ...sandbox.tick(), ...env })
    this.#begin()
    this.#asked += 1
    const files = join(sandbox.folder, `${this.session}-${this.#host?.pid}-${this.#asked}`)
    writeFileSync(`${files}.sh`, `(${line}) <'${files}.in' >'${files}.out' 2>'${files}.err'\n`)
    writeFileSync(`${files}.in`, input)
    this.#host?.stdin?.write(`. '${files}.sh'; echo $?\n`)
    const status = await this.#answers?.next()
    if (status === undefined || status.done === true)
      throw new Error(`${command}: the agent is gone`)
    const [stdout, stderr] = [
      readFileSync(`${files}.out`, 'utf8'),
      readFileSync(`${files}.err`, 'utf8'),
    ]
    for (const name of ['sh', 'in', 'out', 'err']) unlinkSync(`${files}.${name}`)
    return { status: Number(status.value), stdout, stderr }
  }

  /** The agent's own process, a shell under another name, which runs the commands it is given one by one. */
  #begin(): void {
    if (this.#host !== undefined) return
    const { folder, env } = this.repo.sandbox
    const program = join(folder, 'agent')
    if (!existsSync(program)) symlinkSync(whereIs('bash'), program)
    this.#host = spawn(program, ['--norc'], { stdio: ['pipe', 'pipe', 'inherit'], env })
    const lines = createInterface({ input: this.#host.stdout! })
    this.#answers = lines[Symbol.asyncIterator]()
  }

  #say(role: 'user' | 'assistant', content: unknown, fields: Json = {}): void {
    const uuid = randomUUID()
    const message =
      role === 'user'
        ? { role, content }
        : { ...MODEL, id: `msg_${uuid.slice(0, 8)}`, role, content }
    const line = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.repo.folder,
      sessionId: this.session,
      version: '2.1.42',
      gitBranch: 'main',
      type: role,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      ...fields,
    }
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`)
    this.#parent = uuid
  }
}

const MODEL = {
  type: 'message',
  model: 'claude-opus-4-6',
  stop_reason: null,
  usage: { input_tokens: 3, output_tokens: 12, cache_read_input_tokens: 18_000 },
}
