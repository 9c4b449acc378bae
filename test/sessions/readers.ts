/** What can be seen of sessions: states, the checkpoints branch, trailers, shadow data and the ledger. */

import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS } from '../support/git-repo.ts'

export const BRANCH = 'refs/heads/ledger/checkpoints/v1'

export interface State {
  readonly id: string
  readonly phase: string
  readonly base: string | undefined
  readonly worktree: { readonly path: string; readonly name: string }
  readonly lastSignOfLife: string
  readonly endedAt?: string
  readonly owner?: { readonly pid: number; readonly startTime: string }
  readonly turn: number
  readonly steps: number
  readonly pendingCheckpoint?: string
  readonly lastCheckpoint?: string
  readonly awaiting: readonly { readonly commit: string; readonly checkpoint: string }[]
  readonly commits: readonly { readonly commit: string; readonly checkpoint: string }[]
  readonly filesTouched: readonly string[]
  readonly isCondensed: boolean
  readonly endEvent?: string
}

function ledgerFolder(repo: Repo): string {
  return join(repo.git('rev-parse', '--path-format=absolute', '--git-common-dir'), 'ledger-git')
}

export function stateFile(repo: Repo, session: string): string {
  return join(ledgerFolder(repo), 'sessions', `${session}.json`)
}

/** Undefined where the session has no state file. */
export function stateOf(repo: Repo, { session }: { session: string }): State | undefined {
  const file = stateFile(repo, session)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined
}

export function editState(repo: Repo, { session }: { session: string }, change: object): void {
  const file = stateFile(repo, session)
  const state = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...state, ...change }))
}

/** Makes its last sign of life this old, also in the file that the launcher touches. */
export function age(repo: Repo, agent: { session: string }, minutes: number): void {
  const then = new Date(Date.now() - minutes * 60_000)
  editState(repo, agent, { lastSignOfLife: then.toISOString() })
  const quiet = join(ledgerFolder(repo), 'quiet', agent.session)
  if (existsSync(quiet)) utimesSync(quiet, then, then)
}

export interface StoredSession {
  readonly session: string
  readonly commits: readonly string[]
  readonly files: readonly string[]
  readonly turn: number
  readonly steps: number
  readonly transcript: string
  readonly prompts: string
  readonly context: string
  /** Transcripts of subagents by id. */
  readonly tasks: Readonly<Record<string, string>>
}

/** Checkpoints of the branch by id, each with its sessions by id. */
export function checkpoints(repo: Repo): Record<string, Record<string, StoredSession>> {
  if (repo.tryGit('rev-parse', '--verify', '-q', BRANCH).status !== 0) return {}
  const paths = repo.git('ls-tree', '-r', '--name-only', BRANCH).split('\n')
  const found: Record<string, Record<string, StoredSession>> = {}
  for (const path of paths) {
    const [, a, b, n] = /^([0-9a-f]{2})\/([0-9a-f]{10})\/(\d+)\/metadata\.json$/.exec(path) ?? []
    if (n === undefined) continue
    const stored = readStored(repo, `${a}/${b}/${n}`, paths)
    ;(found[`${a}${b}`] ??= {})[stored.session] = stored
  }
  return found
}

function readStored(repo: Repo, folder: string, paths: readonly string[]): StoredSession {
  const read = (name: string) =>
    paths.includes(`${folder}/${name}`) ? repo.git('show', `${BRANCH}:${folder}/${name}`) : ''
  const tasks = paths.flatMap((path) => {
    const id = path.startsWith(`${folder}/tasks/`) ? path.split('/').at(-2) : undefined
    return id === undefined ? [] : [[id, read(path.slice(folder.length + 1))] as const]
  })
  return {
    ...(JSON.parse(read('metadata.json')) as StoredSession),
    transcript: read('transcript.jsonl'),
    prompts: read('prompts.txt'),
    context: read('context.md'),
    tasks: Object.fromEntries(tasks),
  }
}

/** The checkpoint ids that a commit's trailers name. */
export function trailers(repo: Repo, revision = 'HEAD'): string[] {
  const format = '--format=%(trailers:key=Ledger-Checkpoint,valueonly)'
  return repo.git('log', '-1', format, revision).split('\n').filter(Boolean)
}

/** Shadow refs by name. */
export function shadows(repo: Repo): string[] {
  const format = '--format=%(refname)'
  return repo.git('for-each-ref', format, 'refs/ledger/shadow/').split('\n').filter(Boolean)
}

/** The ledger of the worktree, as `show --json` gives it. */
export function ledger(repo: Repo): Ledger {
  return JSON.parse(repo.ledger('show', '--json')) as Ledger
}

export interface Ledger {
  readonly goal: { readonly value: string } | null
  readonly now: { readonly value: string } | null
  readonly this_session: readonly { readonly text: string }[]
  readonly next: readonly { readonly text: string }[]
  readonly open_questions: readonly { readonly text: string }[]
}

/** Event files of the worktree from a session's end (or of another type). */
export function events(repo: Repo, type = 'session_end'): string[] {
  const folder = join(repo.folder, EVENTS)
  if (!existsSync(folder)) return []
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return texts.filter((text) => new RegExp(`^type: ${type}$`, 'm').test(text))
}

/** The log of sessions: why things did not happen. */
export function sessionLog(repo: Repo): string {
  const file = join(ledgerFolder(repo), 'log', 'sessions.log')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** All files in all shadow data. */
export function shadowPaths(repo: Repo): string[] {
  return shadows(repo).flatMap((ref) =>
    repo.git('ls-tree', '-r', '--name-only', ref).split('\n').filter(Boolean),
  )
}
