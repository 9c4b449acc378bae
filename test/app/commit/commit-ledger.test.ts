import { expect, test } from 'vitest'
import { commitLedger } from '../../../src/app/commit/commit-ledger.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { ledgerRepo } from '../../support/git-repo.ts'

test('an event that disappeared after it was listed does not keep others out of the commit', async () => {
  const repo = ledgerRepo()
  const [left, gone] = [repo.event('--now', 'left'), repo.event('--now', 'gone')]
  repo.run('rm', [gone])
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const context = { repository, settings: await readSettings(repository), say: () => {} }
  const change = { added: [], removed: [], untracked: [left, gone] }
  await commitLedger(context, 'session_end by claude', change)
  repository.close()
  expect(repo.changed()).toContain(left)
  expect(repo.status()).toBe('')
})
