/** In a rebase, pick or merge that stopped, no command is advised that would refuse or get in its way. */

import { expect, test } from 'vitest'
import { json, refusal } from '../cli/words.ts'
import type { Repo } from '../support/git-repo.ts'
import { sampleOf } from '../support/long.ts'
import { diverged, note } from './scene.ts'

const TAKES = 'your next git commit takes the pending events along'

/** Both branches change the same file; topic is checked out. */
function clashing(): Repo {
  const repo = diverged()
  for (const branch of ['main', 'topic']) {
    repo.git('switch', '-q', branch)
    repo.commit(branch, { 'same.txt': `${branch}\n` })
  }
  return repo
}

const STOPS: Readonly<Record<string, readonly [what: string, ...words: string[]]>> = {
  'a rebase at a conflict': ['a rebase is in progress', 'rebase', 'main'],
  'a rebase at an edit': ['a rebase is in progress', 'rebase', '-q', '--exec', 'false', 'HEAD~1'],
  'a cherry-pick': ['a cherry-pick is in progress', 'cherry-pick', 'main'],
  'a merge': ['a merge is in progress', 'merge', 'main'],
}

test.each(sampleOf(Object.keys(STOPS), 4))('%s: is named, and to be finished first', (name) => {
  const repo = clashing()
  const [what = '', ...words] = STOPS[name] ?? []
  expect(repo.tryGit(...words).status).not.toBe(0)
  note(repo, 'pending')
  expect(json(repo, 'status')['next']).toBe(`${what}: finish that first; ${TAKES}`)

  const skipped = repo.tryLedger('event', 'add', '--now', 'x', '--commit')
  expect(skipped.stderr).toContain(`the ledger was not committed: ${what}\n`)
  expect(skipped.stderr).not.toContain('--allow-empty')
  const finish = `nothing was archived: ${what}\n  next: finish it, then run it again\n`
  for (const text of ['archive --retention 0s', 'synthesize --archive'])
    for (const more of [[], ['--commit']]) {
      const ran = repo.tryLedger(...text.split(' '), ...more)
      expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
      expect(ran.stderr).toContain(finish)
    }
})

test('a stale base is not to be resolved while a rebase onto it is running', () => {
  const repo = clashing()
  repo.git('switch', '-q', 'main')
  repo.git('add', note(repo, 'stale'))
  const env = { LEDGER_GIT: '0' }
  expect(repo.run('git', ['commit', '-q', '-m', 'stale'], { env }).status).toBe(0)
  expect(repo.tryGit('switch', '-q', 'topic').status).toBe(0)
  const stopped = repo.tryGit('rebase', 'main')
  expect(stopped.status).not.toBe(0)
  expect(stopped.stderr).not.toContain('ledger-git resolve')
})
