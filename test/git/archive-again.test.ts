/** An event that comes back after a snapshot replaced it, and is archived again. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { everAdded, readSnapshots } from '../support/oracle.ts'
import { lawBroken, similarEvent } from './archive-scene.ts'

/** main: an old event, archived, restored and archived again; branch `other`: the old event. */
function archivedAgain(): { repo: Repo; first: string; back: string; again: string } {
  const repo = ledgerRepo()
  const file = similarEvent(repo, '2026-01-02T00:00:00Z')
  repo.commit('old event')
  repo.git('branch', 'other')
  repo.ledger('archive', '--commit')
  const first = repo.git('rev-parse', 'HEAD')
  repo.ledger('event', 'restore', file)
  const back = repo.commit('back')
  repo.ledger('archive', '--commit')
  return { repo, first, back, again: repo.git('rev-parse', 'HEAD') }
}

function expectLaw(repo: Repo): void {
  const head = repo.git('rev-parse', 'HEAD')
  for (const held of readSnapshots(repo, [head])) {
    expect(lawBroken(everAdded(repo, ['--all']), held)).toBeUndefined()
  }
}

test('archiving loses nothing when the first archiving is reverted on another branch', () => {
  const { repo, first, back, again } = archivedAgain()
  expectLaw(repo)
  repo.git('switch', '-q', '-c', 'topic', back)
  repo.git('revert', '--no-edit', first)
  expectLaw(repo)
  repo.git('merge', '-q', '--no-edit', again)
  expectLaw(repo)
})

longTest('archiving loses nothing when only its second commit is picked to a branch', () => {
  const { repo, again } = archivedAgain()
  repo.git('switch', '-q', 'other')
  repo.git('cherry-pick', '--allow-empty', '--keep-redundant-commits', again)
  expectLaw(repo)
})
