/** An agent in a fresh repository, and the questions that every scenario of commits asks. */

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Repo } from '../support/git-repo.ts'
import { copyOf, ledgerRepo } from '../support/git-repo.ts'
import { Agent } from './agent.ts'
import { BRANCH, checkpoints, ledger, shadows, trailers } from './readers.ts'

export function scene(session = 'session-a'): { repo: Repo; agent: Agent } {
  const repo = copyOf('two files', () => {
    const made = ledgerRepo()
    made.commit('files', {
      'old.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n',
      'other.txt': 'other\n',
    })
    return made
  })
  return { repo, agent: new Agent(repo, session) }
}

/** A whole turn that writes files and commits nothing. */
export async function turn(agent: Agent, files: Record<string, string>): Promise<void> {
  await agent.prompt(`Write ${Object.keys(files).join(', ')}`)
  for (const [path, content] of Object.entries(files)) await agent.write(path, content)
  await agent.stop('Written.')
}

/** A person's commit of these paths as they are. */
export function commit(repo: Repo, message: string, ...paths: string[]): string {
  repo.git('add', '--', ...paths)
  repo.git('commit', '-q', '-m', message)
  return repo.git('rev-parse', 'HEAD')
}

/** The only checkpoint that a commit names. */
export function linkOf(repo: Repo, revision = 'HEAD'): string {
  const [link, ...more] = trailers(repo, revision)
  if (link !== undefined && more.length === 0) return link
  throw new Error(`${revision} has ${more.length === 0 ? 'no' : 'several'} links`)
}

/** Commits of all branches whose trailers name a missing checkpoint. */
export function dangling(repo: Repo): string[] {
  const known = new Set(Object.keys(checkpoints(repo)))
  const commits = repo.git('rev-list', '--branches', `--not`, ...tipOf(repo)).split('\n')
  return commits.filter((one) => one !== '' && trailers(repo, one).some((id) => !known.has(id)))
}

/** How many checkpoints were written: each is one commit of the branch. */
export function written(repo: Repo): number {
  return tipOf(repo).length === 0 ? 0 : Number(repo.git('rev-list', '--count', BRANCH))
}

function tipOf(repo: Repo): string[] {
  return repo.tryGit('rev-parse', '-q', '--verify', BRANCH).status === 0 ? [BRANCH] : []
}

/** What one session has in a checkpoint. */
export function partOf(repo: Repo, checkpoint: string, session = 'session-a') {
  return checkpoints(repo)[checkpoint]?.[session]
}

/** The commits that shadow data is based on, seven digits each. */
export function bases(repo: Repo): string[] {
  return shadows(repo).map((ref) => ref.slice('refs/ledger/shadow/'.length).split('-')[0] ?? '')
}

export function short(commit: string): string {
  return commit.slice(0, 7)
}

/** Runs one hook of a session in a process of its own, at the same time as others. */
export function hookAtOnce(agent: Agent, event: string, fields: object): Promise<number | null> {
  const { repo, session, transcript } = agent
  const payload = { session_id: session, transcript_path: transcript, cwd: repo.folder }
  const launcher = join(repo.folder, '.git', 'ledger-git', 'run')
  const child = spawn(launcher, ['agent-hook', 'claude', event], {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, ...repo.sandbox.tick() },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ ...payload, hook_event_name: event, ...fields }))
  return new Promise((resolve) => child.once('close', resolve))
}

/** What the ledger lists as done. */
export function done(repo: Repo): string[] {
  return ledger(repo).this_session.map(({ text }) => text)
}

/** Writes an executable file beside the repository. */
export function script(repo: Repo, name: string, text: string): string {
  const file = join(repo.sandbox.folder, name)
  writeFileSync(file, text, { mode: 0o755 })
  return file
}

/** Watches from now on; the function waits until such a background command of a hook has ended. */
export function watchErrands(repo: Repo, errand: string): () => Promise<void> {
  const launch = join(repo.folder, '.git/ledger-git/launch')
  const [node, cli] = readFileSync(launch, 'utf8').split('\n')
  const over = join(repo.sandbox.folder, 'over')
  const text = `#!/bin/sh\n'${node}' "$@"\nstatus=$?\necho "$3" >>'${over}'\nexit $status\n`
  writeFileSync(launch, `${script(repo, 'recorder', text)}\n${cli}\n`)
  writeFileSync(over, '')
  return async () => {
    for (let i = 0; i < 1200; i++) {
      if (readFileSync(over, 'utf8').includes(errand)) return writeFileSync(over, '')
      await setTimeout(50)
    }
    throw new Error(`${errand} never came`)
  }
}
