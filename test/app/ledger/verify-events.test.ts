/** What is verified: each tree once, and of the next tree only the differences. */

import { expect, test } from 'vitest'
import { placeOfRevision } from '../../../src/app/ledger/ledger-sources.ts'
import type { LedgerCache, VerifiedTree } from '../../../src/app/ports/ledger-cache.ts'
import type { ObjectReader } from '../../../src/app/ports.ts'
import { damagedEvents } from '../../../src/app/ledger/verify-events.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo, ROOT } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'

/** A reader that records what it is asked for, and remembers what was verified. */
async function watched(repo: Repo) {
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const asked: string[] = []
  let kept: VerifiedTree | undefined
  const cache = {
    events: () => new Map(),
    addEvents: () => {},
    verified: () => kept,
    keepVerified: (verified: VerifiedTree) => (kept = verified),
  } as unknown as LedgerCache
  const reader: ObjectReader = {
    cache,
    close: () => {},
    read: async (oid) => {
      const object = await repository.objects.read(oid)
      asked.push(`${object?.type} ${oid}`)
      return object
    },
  }
  const verify = async (revision: string, most?: number) => {
    return damagedEvents(reader, await placeOfRevision(repository, revision, ROOT), most)
  }
  return { asked, reader, verify }
}

const blobs = (asked: readonly string[]) => asked.filter((one) => one.startsWith('blob'))

function events(): { repo: Repo; paths: string[] } {
  const repo = ledgerRepo()
  const paths = ['a', 'b', 'c'].map((word) => repo.event('--agent', word, '--now', word))
  repo.commit('three', { 'a.txt': 'a\n' })
  return { repo, paths }
}

test('verifies a tree once, then only new and changed events', async () => {
  const { repo, paths } = events()
  const [first = ''] = paths
  const { asked, verify } = await watched(repo)
  const look = () => verify('HEAD')
  expect(await look()).toEqual([])
  expect(asked.splice(0)).toHaveLength(3)
  expect(await look()).toEqual([])
  expect(asked).toEqual([])

  const path = repo.event('--agent', 'd', '--now', 'd')
  repo.commit('more', { 'a.txt': 'b\n' })
  expect(await look()).toEqual([])
  expect(blobs(asked.splice(0))).toEqual([`blob ${repo.git('rev-parse', `HEAD:${path}`)}`])

  repo.write(first, repo.read(first).replace('now: a', 'now: z'))
  repo.git('commit', '-q', '-am', 'unseen', '--no-verify')
  const found = await look()
  expect(found.map(({ file }) => file)).toEqual([first.slice(first.lastIndexOf('/') + 1)])
  repo.event('--agent', 'e', '--now', 'e')
  repo.commit('other', { 'a.txt': 'c\n' })
  asked.length = 0
  expect(await look()).toEqual(found)
})

test('is not stopped by a remembered tree that git has pruned', async () => {
  const { repo } = events()
  const { reader, verify } = await watched(repo)
  reader.cache?.keepVerified({ tree: '1'.repeat(40), damaged: [], open: [] })
  expect(await verify('HEAD')).toEqual([])
})

longTest('verifies and remembers nothing if there are more events than the limit', async () => {
  const { repo } = events()
  const { asked, verify } = await watched(repo)
  expect(await verify('HEAD', 2)).toEqual([])
  expect(asked).toEqual([])
  await verify('HEAD', 3)
  expect(blobs(asked)).toHaveLength(3)
})
