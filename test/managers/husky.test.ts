/** husky's files are in git: teammates get our block with them, and have what runs it or have not. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { snapshot } from '../support/snapshot.ts'
import { husky8, husky9, MANAGERS, NOT_HERE } from './managers.ts'
import { alone, commitAndPush, commitSetUp, held, must, watchedSandbox, workplace } from './work.ts'

for (const manager of MANAGERS.filter(({ name }) => name.startsWith('husky'))) {
  describe.skipIf(notRunUnless(manager.isHere, manager.name, NOT_HERE))(manager.name, () => {
    test("a teammate's clone: jobs run without ledger-git, and both run with it", async () => {
      const sandbox = watchedSandbox()
      const repo = workplace(sandbox)
      manager.setUp(repo)
      await installIn(repo)
      commitSetUp(repo)
      repo.git('clone', '-q', '.', '../clone')
      repo.git('init', '-q', '--bare', '../remote.git')
      const clone = sandbox.at(join(sandbox.folder, 'clone'))
      manager.install(clone)
      expect.soft(await commitAndPush(clone), 'without ledger-git').toEqual(alone(manager))

      const status = clone.status()
      await installIn(clone)
      expect.soft(clone.status(), 'tracked files stay as they are').toBe(status)
      expect.soft(await commitAndPush(clone), 'with ledger-git').toEqual(held(manager))

      await uninstallIn(clone)
      expect.soft(clone.status(), "the team's blocks stay").toBe('')
      expect.soft(await commitAndPush(clone), 'after uninstall').toEqual(alone(manager))
    })

    test('install in a linked worktree where husky has not run yet', async () => {
      const sandbox = watchedSandbox()
      const repo = workplace(sandbox)
      manager.setUp(repo)
      commitSetUp(repo)
      repo.git('init', '-q', '--bare', '../remote.git')
      repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
      const linked = sandbox.at(join(sandbox.folder, 'linked'))
      const before = snapshot(linked.folder)
      await installIn(linked)
      await uninstallIn(linked)
      expect.soft(snapshot(linked.folder)).toEqual(before)

      await installIn(linked)
      manager.install(linked)
      commitSetUp(linked)
      expect.soft(await commitAndPush(linked), 'after husky').toEqual(held(manager))
      must(repo, 'git', 'merge', '-q', '--ff-only', 'linked')
      expect.soft(await commitAndPush(repo), 'in the main worktree').toEqual(held(manager))
    })
  })
}

describe.skipIf(notRunUnless(husky8.isHere && husky9.isHere, 'husky 8, then 9', NOT_HERE))(
  'husky 8, then 9',
  () => {
    test('its files with our blocks in them are taken over', async () => {
      const repo = workplace(watchedSandbox())
      husky8.setUp(repo)
      await installIn(repo)
      commitSetUp(repo)
      repo.git('init', '-q', '--bare', '../remote.git')
      husky9.install(repo)
      expect.soft(await commitAndPush(repo)).toEqual(held(husky9))
      expect.soft((await installIn(repo)).changes).toEqual([])
    })
  },
)
