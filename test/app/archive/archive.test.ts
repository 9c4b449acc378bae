import { expect, test, vi } from 'vitest'
import { archiveEvents } from '../../../src/app/archive/archive.ts'
import { planArchive } from '../../../src/app/archive/plan.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { writeEvent } from '../../cli/words.ts'
import { EVENTS, ledgerRepo, ROOT } from '../../support/git-repo.ts'

test('many archived files are written at once, but not all', async () => {
  const repo = ledgerRepo()
  for (let i = 0; i < 150; i++) writeEvent(repo, `${i}.md`, `now: ${i}`)
  repo.commit('events')
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const settings = await readSettings(repository)
  const plan = await planArchive(repository, settings, Date.parse('2027-01-01T00:00:00Z'), 0)
  const create = repository.worktree.create.bind(repository.worktree)
  let [writing, most] = [0, 0]
  vi.spyOn(repository.worktree, 'create').mockImplementation(async (...file) => {
    most = Math.max(most, (writing += 1))
    return create(...file).finally(() => (writing -= 1))
  })
  await archiveEvents({ repository, settings, say: () => {} }, plan, { commit: false })
  repository.close()
  expect(most).toBe(64)
  const staged = repo.git('ls-files', ROOT)
  expect(staged.match(/\/archive\/.*\.json$/gm)).toHaveLength(150)
  expect(staged).not.toContain(`${EVENTS}/149.md`)
  expect(repo.status()).not.toContain('?')
})
