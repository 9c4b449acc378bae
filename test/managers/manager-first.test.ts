/** A hook manager is installed first, and ledger-git afterwards: both work, and keep working. */

import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { MANAGERS, NOT_HERE } from './managers.ts'
import {
  alone,
  commitAndPush,
  commitSetUp,
  expectHolds,
  expectJobs,
  expectPathCommit,
  filesOf,
  held,
  lost,
  watchedSandbox,
  work,
  workplace,
} from './work.ts'
import { longTest } from '../support/long.ts'

for (const manager of MANAGERS) {
  describe.skipIf(notRunUnless(manager.isHere, manager.name, NOT_HERE))(manager.name, () => {
    longTest(
      'runs its jobs beside our hooks after each change of either, until uninstall',
      async () => {
        const sandbox = watchedSandbox()
        const repo = workplace(sandbox)
        manager.setUp(repo)
        commitSetUp(repo)
        const before = work(repo)
        expectJobs(manager, before)
        const files = filesOf(repo, manager)

        await installIn(repo)
        commitSetUp(repo)
        await expectHolds(repo, before, 'after install')
        await expectPathCommit(repo)
        expect.soft((await installIn(repo)).changes, 'by the second install').toEqual([])

        repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
        const linked = sandbox.at(join(sandbox.folder, 'linked'))
        if (manager.isPerWorktree) manager.install(linked)
        expect.soft(await commitAndPush(linked), 'in a linked worktree').toEqual(held(manager))
        repo.git('worktree', 'remove', '--force', '../linked')

        manager.install(repo)
        const state = manager.again === 'keeps' ? held(manager) : lost(manager)
        expect.soft(await commitAndPush(repo), 'after the manager ran again').toEqual(state)
        await installIn(repo)
        repo.git('add', '-A')
        expect.soft(await commitAndPush(repo), 'after both ran again').toEqual(held(manager))

        await uninstallIn(repo)
        expect.soft(filesOf(repo, manager), 'after uninstall').toEqual(files)
        commitSetUp(repo)
        expect.soft(await commitAndPush(repo), 'after uninstall').toEqual(alone(manager))
      },
    )
  })
}
