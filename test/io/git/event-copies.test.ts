/** A pending event that was lost or torn, and the copy of it that a commit in progress left. */

import { expect, test } from 'vitest'
import { dropEvent } from '../../../src/app/repair/drop-event.ts'
import { restoreEvent } from '../../../src/app/repair/restore-event.ts'
import { settleEvents } from '../../../src/app/commit/settle-events.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import type { Repository } from '../../../src/io/git/repository.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'

/** A pending event and a copy of it, as left by a commit that was killed. */
async function withCopy(): Promise<{
  repo: Repo
  path: string
  text: string
  repository: Repository
}> {
  const repo = ledgerRepo()
  const path = repo.event('--agent', 'toast', '--now', 'x')
  const text = repo.read(path)
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  repository.marks.save({
    id: repository.marks.newId(),
    committer: undefined,
    indexFile: undefined,
    isOwn: false,
    isPartial: false,
    entries: [],
    copies: [{ path, oid: repo.git('hash-object', path), bytes: Buffer.from(text) }],
  })
  return { repo, path, text, repository }
}

test('restore recovers an event that was torn, lost, or staged and then emptied', async () => {
  const { repo, path, text, repository } = await withCopy()
  const name = path.slice(path.lastIndexOf('/') + 1, -12)
  repo.write(path, text.slice(0, 70))
  expect(await restoreEvent(repository, DEFAULT_SETTINGS, name)).toEqual({ path, existed: false })
  expect(repo.read(path)).toBe(text)
  repo.git('clean', '-qfd')
  expect(await restoreEvent(repository, DEFAULT_SETTINGS, name)).toEqual({ path, existed: false })
  expect(repo.status()).toBe(`?? ${path}`)
  repo.write(path, '')
  repo.git('add', path)
  await restoreEvent(repository, DEFAULT_SETTINGS, name)
  expect([repo.read(path), repo.status()]).toEqual([text, `A  ${path}`])
})

test('the message about a torn event offers restore first', async () => {
  const { repo, path, repository } = await withCopy()
  repo.write(path, '')
  const said: string[] = []
  const say = (message: string) => void said.push(message)
  await settleEvents({ repository, settings: DEFAULT_SETTINGS, say })
  expect(said.join('\n')).toMatch(/next: ledger-git event restore .*\n +or: ledger-git event drop/)
})

test('drop also removes the copy, even if nothing else is left of the event', async () => {
  const { repo, path, repository } = await withCopy()
  repo.git('clean', '-qfd')
  expect(await dropEvent({ repository, settings: DEFAULT_SETTINGS, say: () => {} }, path)).toBe(
    path,
  )
  expect([...repository.marks.copies(), repository.marks.isEmpty]).toEqual([true])
  await expect(restoreEvent(repository, DEFAULT_SETTINGS, path)).rejects.toMatchObject({
    code: 'EVENT_NOT_FOUND',
  })
})
