/** Partial clones: missing event blobs are fetched all at once, whichever command needs them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { sampleOf } from '../support/long.ts'

function originWith(events: number): Repo {
  const repo = ledgerRepo('origin')
  for (let i = 0; i < events; i++) {
    const text = `---\nts: 2026-01-01T00:00:0${i}Z\nagent: a${i}\n---\n\nnow: step ${i}\n`
    repo.write(`${EVENTS}/2026-01-01T00-00-0${i}Z_a${i}.md`, text)
  }
  repo.commit('events')
  repo.git('config', 'uploadpack.allowFilter', 'true')
  repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  return repo
}

/** Counts the fetches that a command caused, as git traces them. */
function fetchesOf(repo: Repo, ...args: string[]): { fetches: number; stdout: string } {
  const trace = join(repo.sandbox.folder, `trace-${args.join('-').replaceAll('/', '_')}`)
  const env = { GIT_TRACE: trace }
  const ran = repo.tryLedgerWith({ env }, ...args)
  if (ran.status !== 0) throw new Error(ran.stderr)
  const lines = readFileSync(trace, 'utf8').split('\n')
  const fetches = lines.filter((line) => /built-in: git fetch\b/.test(line)).length
  return { fetches, stdout: ran.stdout }
}

const READING: [string, string[]][] = [
  ['check of a commit', ['check', '--rev', 'main']],
  ['show of a commit', ['show', '--rev', 'main', '--json']],
  ['the log of a commit', ['log', '--rev', 'main']],
]
test.each(sampleOf(READING, 3))('%s fetches all at once in a bare partial clone', (_, args) => {
  const origin = originWith(8)
  const { sandbox } = origin
  const url = `file://${origin.folder}`
  sandbox.at(sandbox.folder).git('clone', '-q', '--bare', '--filter=blob:none', url, 'bare.git')
  const bare = sandbox.at(join(sandbox.folder, 'bare.git'))
  const { fetches, stdout } = fetchesOf(bare, ...args)
  expect(stdout).toMatch(/step 7|fresh/)
  expect(fetches).toBeGreaterThan(0)
  // One fetch for all events; check also needs current.md, and settings may need one, too.
  expect(fetches).toBeLessThanOrEqual(2)
  expect(fetchesOf(bare, ...args, '--json').fetches).toBe(0)
})
