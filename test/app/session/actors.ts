/**
 * Agents and git's hooks in this process, on real git, with a clock and processes that the test sets: what
 * `test/sessions/` plays with real ones.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { followCommit, linkMessage } from '../../../src/app/session/commit-sessions.ts'
import { handleSignal } from '../../../src/app/session/handle-signal.ts'
import type { SessionContext } from '../../../src/app/shadow/session-context.ts'
import type { OpenSession } from '../../../src/io/sessions/session-context.ts'
import { openSessionContext } from '../../../src/io/sessions/session-context.ts'
import type { AgentSignal, SignalKind } from '../../../src/core/agents/agent-signal.ts'
import type { ProcessIdentity } from '../../../src/core/session/session-state.ts'
import type { OwnerLife } from '../../../src/core/session/liveness.ts'
import { readCheckpoints } from '../../../src/core/checkpoint/trailers.ts'

import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { AT } from '../../support/session-context.ts'

export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** The clock and processes that the actors see. */
export class Stage {
  readonly repo: Repo
  now = Date.parse(AT)
  /** Whether the agents' processes are alive. */
  life: OwnerLife = 'alive'
  /** The process that summarizes a session; none is really started. */
  worker: ProcessIdentity | undefined
  /** How `ledger-git` is typed here. */
  program: string | undefined
  readonly said: string[] = []

  constructor(files: Record<string, string> = { 'old.txt': 'old\n', 'other.txt': 'other\n' }) {
    this.repo = new Sandbox().init()
    this.repo.commit('first', files)
  }

  /** A linked worktree and a branch, both with this name. */
  worktree(name: string): Repo {
    const folder = join(this.repo.sandbox.folder, name)
    this.repo.git('worktree', 'add', '-q', '-b', name, folder)
    return this.repo.sandbox.at(folder)
  }

  /** `pid` is the agent's process; without it, nobody knows who runs this. */
  async within<T>(
    repo: Repo,
    pid: number | undefined,
    action: (context: OpenSession) => Promise<T>,
  ): Promise<T> {
    const context = await openSessionContext(repo.folder, repo.sandbox.env)
    const known: Partial<SessionContext> = {
      clock: { now: () => this.now },
      processes: {
        owner: () => (pid === undefined ? undefined : { pid, startTime: '1' }),
        lifeOf: () => this.life,
        ancestors: () => (pid === undefined ? [] : [1000, pid]),
      },
      ...(this.program !== undefined && { program: this.program }),
      say: (message) => void this.said.push(message),
      summaries: { ...context.summaries, start: () => this.worker },
    }
    try {
      return await action({ ...context, ...known })
    } finally {
      context.close()
    }
  }

  /** A session's state. */
  state(session: string) {
    return this.within(this.repo, undefined, async ({ sessions }) => sessions.read(session))
  }

  /** Sessions that a commit may belong to. */
  open(): Promise<string[]> {
    return this.within(this.repo, undefined, async ({ sessions }) =>
      sessions.listOpen().map(({ id }) => id),
    )
  }
}

export class Actor {
  readonly session: string
  readonly pid: number
  readonly #stage: Stage

  constructor(stage: Stage, session: string, pid = 100) {
    this.#stage = stage
    this.session = session
    this.pid = pid
  }

  async signal(kind: SignalKind, about: Partial<AgentSignal> = {}, repo = this.#stage.repo) {
    const none = { cwd: undefined, transcript: undefined, source: undefined, reason: undefined }
    const unsaid = { prompt: undefined, lastMessage: undefined, model: undefined, tool: undefined }
    const { session } = this
    const signal = { ...none, ...unsaid, subagent: undefined, agent: 'claude', kind, session }
    return this.#stage.within(repo, this.pid, (context) =>
      handleSignal(context, { ...(signal as AgentSignal), ...about }),
    )
  }

  /** Returns what the agent gets to read. */
  start(repo = this.#stage.repo, source: AgentSignal['source'] = 'startup') {
    return this.signal('session_start', { source }, repo)
  }

  prompt(prompt: string, repo = this.#stage.repo) {
    return this.signal('turn_start', { prompt }, repo)
  }

  async turn(files: Record<string, string>, repo = this.#stage.repo): Promise<void> {
    await this.prompt(`${this.session}: write ${Object.keys(files).join(', ')}`, repo)
    for (const [path, content] of Object.entries(files)) repo.write(path, content)
    await this.signal('turn_end', {}, repo)
  }

  end(repo = this.#stage.repo) {
    return this.signal('session_end', {}, repo)
  }

  commit(message: string, repo = this.#stage.repo): Promise<string[]> {
    return commitBy(this.#stage, this.pid, message, repo)
  }
}

/** Commits these paths, or everything, with our part of git's hooks; returns the ids in the trailers. */
export async function commitBy(
  stage: Stage,
  pid: number | undefined,
  message: string,
  repo = stage.repo,
  ...paths: string[]
): Promise<string[]> {
  const ids = await commitUnfollowed(stage, pid, message, repo, ...paths)
  await stage.within(repo, pid, (context) => followCommit(context, { isSequence: false }))
  return ids
}

/** The same, except that the post-commit hook was killed before it did anything. */
export async function commitUnfollowed(
  stage: Stage,
  pid: number | undefined,
  message: string,
  repo = stage.repo,
  ...paths: string[]
): Promise<string[]> {
  repo.git('add', ...(paths.length === 0 ? ['-A'] : paths))
  const messageFile = join(repo.sandbox.folder, 'message')
  writeFileSync(messageFile, `${message}\n`)
  await stage.within(repo, pid, (context) =>
    linkMessage(context, {
      messageFile,
      draftFile: `${messageFile}-draft`,
      source: 'message',
      sourceCommit: undefined,
      words: ['git', 'commit', '-m', message],
      isSequence: false,
      opensEditor: false,
      hasMessageHook: () => Promise.resolve(true),
    }),
  )
  repo.git('commit', '-q', '-F', messageFile)
  return readCheckpoints(readFileSync(messageFile, 'utf8'))
}
