/**
 * What Claude Code does with the settings that `install` wrote: it finds the hooks of an event whose matcher fits, in
 * every settings file, and runs their commands as written, and the status line, with the payloads of the real program.
 * Its log grows with each response, by at least as many bytes as the tokens can take.
 */

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import type { Ran, Repo } from '../support/git-repo.ts'

type Json = Record<string, unknown>

interface Settings {
  readonly hooks?: Readonly<Record<string, readonly Group[]>>
  readonly statusLine?: { readonly command: string }
}
interface Group {
  readonly matcher?: string
  readonly hooks: readonly { readonly command: string }[]
}

export interface Heard {
  /** What the model reads. */
  readonly context: string
  /** Why the agent goes on instead of stopping. */
  readonly block: string
  /** What the person reads. */
  readonly message: string
}

export class ClaudeProgram {
  readonly repo: Repo
  readonly session: string
  readonly log: string
  readonly model: string
  env: Json = {}
  #tokens = 0

  constructor(repo: Repo, session: string, model = 'claude-sonnet-4-5') {
    this.repo = repo
    this.session = session
    this.model = model
    this.log = join(repo.sandbox.folder, 'home', 'logs', `${session}.jsonl`)
    mkdirSync(dirname(this.log), { recursive: true })
    writeFileSync(this.log, '')
  }

  async begin(source = 'startup'): Promise<Heard> {
    return this.fire('SessionStart', { source, model: this.model })
  }

  prompt(text: string): Promise<Heard> {
    this.#append({ type: 'user', message: { role: 'user', content: text } })
    return this.fire('UserPromptSubmit', { prompt: text })
  }

  /** A response after which the context has this many tokens, followed by a tool. */
  use(tokens: number, tool = 'Read', isTerse = false): Promise<Heard> {
    this.respond(tokens, isTerse)
    const input = { file_path: '/x' }
    const fields = { tool_name: tool, tool_input: input, tool_response: { ok: true } }
    return this.fire('PostToolUse', { ...fields, tool_use_id: `t${tokens}` }, tool)
  }

  /** `isTerse`: fewer bytes than the tokens can take, as when the log does not contain what they stand for. */
  respond(tokens: number, isTerse = false): void {
    const text = isTerse ? '' : '.'.repeat(Math.max(tokens - this.#tokens, 0) * 2)
    const usage = { input_tokens: 4, cache_read_input_tokens: tokens - 4, output_tokens: 0 }
    const message = { id: `m${tokens}`, role: 'assistant', model: this.model, usage }
    this.#tokens = tokens
    this.#append({ type: 'assistant', message: { ...message, content: [{ type: 'text', text }] } })
  }

  stop(isHeld = false): Promise<Heard> {
    return this.fire('Stop', { stop_hook_active: isHeld, last_assistant_message: 'Done so far.' })
  }

  /** Everything that a compaction does, before and after. */
  async compact(left: number): Promise<Heard> {
    await this.fire('PreCompact', { trigger: 'auto', custom_instructions: '' })
    const compactMetadata = { trigger: 'auto', preTokens: this.#tokens, postTokens: left }
    this.#append({ type: 'system', subtype: 'compact_boundary', compactMetadata })
    this.#tokens = left
    return this.begin('compact')
  }

  /** What the terminal shows. `about`: fields of `context_window`. */
  statusLine(about: Json): Ran {
    const command = this.#settings().findLast(({ statusLine }) => statusLine)?.statusLine?.command
    const input = { session_id: this.session, model: { id: this.model }, context_window: about }
    return this.#run(command ?? 'false', JSON.stringify(input))
  }

  async fire(event: string, fields: Json = {}, tool = ''): Promise<Heard> {
    const payload = {
      session_id: this.session,
      transcript_path: this.log,
      cwd: this.repo.folder,
      permission_mode: 'default',
      hook_event_name: event,
      ...fields,
    }
    const groups = this.#settings().flatMap(({ hooks }) => hooks?.[event] ?? [])
    const fitting = groups.filter(({ matcher }) => tool === '' || matches(matcher, tool))
    const answers = fitting.flatMap(({ hooks }) =>
      hooks.map(({ command }) => {
        const { status, stdout, stderr } = this.#run(command, JSON.stringify(payload))
        if (status !== 0) throw new Error(`${event} → ${status}\n${stdout}${stderr}`)
        return (stdout === '' ? {} : JSON.parse(stdout)) as Json
      }),
    )
    const all = (read: (answer: Json) => unknown) =>
      answers.flatMap((answer) => (read(answer) as string | undefined) ?? []).join('\n')
    return {
      context: all(
        ({ hookSpecificOutput: out }) => (out as Json | undefined)?.['additionalContext'],
      ),
      block: all(({ decision, reason }) => (decision === 'block' ? reason : undefined)),
      message: all(({ systemMessage }) => systemMessage),
    }
  }

  /** The nearest one comes last. */
  #settings(): Settings[] {
    const files = ['.claude/settings.json', '.claude/settings.local.json']
    return files
      .filter((file) => this.repo.exists(file))
      .map((file) => JSON.parse(this.repo.read(file)) as Settings)
  }

  #append(line: Json): void {
    appendFileSync(this.log, `${JSON.stringify(line)}\n`)
  }

  #run(command: string, input: string): Ran {
    const { sandbox, folder } = this.repo
    const env = { ...sandbox.env, ...sandbox.tick(), ...this.env } as NodeJS.ProcessEnv
    const ran = spawnSync('sh', ['-c', command], { cwd: folder, env, input, encoding: 'utf8' })
    return { status: ran.status ?? 128, stdout: ran.stdout, stderr: ran.stderr }
  }
}

/** As the program reads it: names separated by bars are names, anything else is a pattern. */
function matches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').includes(tool)
  return new RegExp(matcher).test(tool)
}
