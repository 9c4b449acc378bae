/** A hook manager is there, then ledger-git comes: both work, and keep working. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { MANAGERS } from './managers.ts'
import {
  commitEvent,
  commitSetUp,
  expectHolds,
  expectJobs,
  filesOf,
  lost,
  taken,
  watchedSandbox,
  work,
  workplace,
} from './work.ts'

for (const manager of MANAGERS) {
  describe.skipIf(!manager.isHere)(manager.name, () => {
    test('first: jobs and hooks both run, after each change of either, until uninstall', async () => {
      const sandbox = watchedSandbox()
      const repo = workplace(sandbox)
      manager.setUp(repo)
      commitSetUp(repo)
      const alone = work(repo)
      expectJobs(manager, alone)
      const files = filesOf(repo, manager)

      await installIn(repo)
      commitSetUp(repo)
      await expectHolds(repo, alone, 'after install')
      expect.soft((await installIn(repo)).changes, 'by the second install').toEqual([])

      repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
      const linked = sandbox.at(join(sandbox.folder, 'linked'))
      if (manager.isPerWorktree) manager.install(linked)
      expect.soft(await commitEvent(linked), 'in a linked worktree').toEqual(taken(manager))
      repo.git('worktree', 'remove', '--force', '../linked')

      manager.install(repo)
      const state = manager.again === 'keeps' ? taken(manager) : lost(manager)
      expect.soft(await commitEvent(repo), 'after the manager ran again').toEqual(state)
      await installIn(repo)
      if (manager.again === 'replaces') {
        repo.git('add', '-A')
        await expectHolds(repo, alone, 'after the manager and install ran again')
      }

      await uninstallIn(repo)
      expect.soft(filesOf(repo, manager), 'after uninstall').toEqual(files)
      commitSetUp(repo)
      expect.soft(work(repo), 'after uninstall').toEqual(alone)
    })
  })
}
