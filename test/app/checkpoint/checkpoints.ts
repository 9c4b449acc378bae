/** Checkpoint records for tests, and the branch as git itself shows it. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CheckpointSession } from '../../../src/core/checkpoint/checkpoint.ts'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { TestContext } from '../../support/checkpoint-context.ts'
import { checkpointContext } from '../../support/checkpoint-context.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

export const BRANCH = 'ledger/checkpoints/v1'
export const ID = '0123456789ab' as CheckpointId
export const OTHER = '01aaaaaaaaaa' as CheckpointId

export function record(session: string, about: Partial<CheckpointSession> = {}): CheckpointSession {
  return {
    session,
    agent: 'claude',
    addedAt: '2026-01-10T12:00:00Z',
    condensedAt: '2026-01-10T12:00:00Z',
    branch: 'main',
    turn: 1,
    steps: 2,
    commits: ['a'.repeat(40)],
    files: ['a.ts'],
    transcript: '{"type":"user"}\n',
    transcriptOffset: 0,
    isCut: false,
    prompts: [`work of ${session}`],
    context: '# What\n',
    tasks: [],
    ...about,
  }
}

/** A repository with one commit, and a context for it. */
export async function scene(): Promise<{ repo: Repo; context: TestContext }> {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  return { repo, context: await checkpointContext(repo.folder, repo.sandbox.env) }
}

/** Locks the branch, so that it cannot be moved until it is released. */
export function holdBranch(repo: Repo): () => void {
  const lock = `${repo.folder}/.git/refs/heads/${BRANCH}.lock`
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  return () => rmSync(lock)
}

export function filesOfBranch(repo: Repo, revision = BRANCH): string[] {
  return repo.git('ls-tree', '-r', '--name-only', revision).split('\n')
}

/** The sessions that a checkpoint's own metadata names. */
export function sessionsOf(repo: Repo, id: string, revision = BRANCH): string[] {
  const text = repo.git('show', `${revision}:${id.slice(0, 2)}/${id.slice(2)}/metadata.json`)
  const { sessions } = JSON.parse(text) as { sessions: { session: string }[] }
  return sessions.map(({ session }) => session)
}

/** Adds a commit with these files to the branch, using git alone. */
export function commitFiles(
  repo: Repo,
  files: Record<string, string>,
  ref = `refs/heads/${BRANCH}`,
) {
  const index = `${repo.folder}/.git/by-hand`
  const env = { GIT_INDEX_FILE: index }
  const run = (args: string[], input = '') => {
    const ran = repo.run('git', args, { env, input })
    if (ran.status !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }
  const tip = repo.tryGit('rev-parse', '--verify', '-q', ref).stdout.trim()
  run(tip === '' ? ['read-tree', '--empty'] : ['read-tree', tip])
  const blobs = new Map<string, string>()
  for (const text of new Set(Object.values(files)))
    blobs.set(text, run(['hash-object', '-w', '--stdin'], text))
  const lines = Object.entries(files).map(([path, text]) => `100644 ${blobs.get(text)}\t${path}\n`)
  run(['update-index', '--index-info'], lines.join(''))
  const parents = tip === '' ? [] : ['-p', tip]
  const commit = run(['commit-tree', ...parents, run(['write-tree'])], 'by hand\n')
  run(['update-ref', ref, commit])
  return commit
}
