/** ledger-git is installed first, and a hook manager afterwards. */

import { describe, expect, test } from 'vitest'
import { notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { gitLfs, lefthook, MANAGERS, NOT_HERE } from './managers.ts'
import {
  alone,
  commitAndPush,
  commitSetUp,
  filesOf,
  lost,
  held,
  watchedSandbox,
  workplace,
} from './work.ts'
import { IS_LONG } from '../support/long.ts'

// husky, too, replaces our hooks with its own.
for (const manager of IS_LONG ? MANAGERS : [lefthook, gitLfs]) {
  describe.skipIf(notRunUnless(manager.isHere, manager.name, NOT_HERE))(manager.name, () => {
    test('runs beside ledger-git after one more install when it is set up on top', async () => {
      const sandbox = watchedSandbox()
      const plain = workplace(sandbox, 'plain')
      manager.setUp(plain)
      const repo = workplace(sandbox)
      await installIn(repo)
      commitSetUp(repo)
      repo.git('init', '-q', '--bare', '../remote.git')

      manager.setUp(repo)
      commitSetUp(repo)
      const state = manager.onTop === 'keeps' ? held(manager) : lost(manager)
      expect.soft(await commitAndPush(repo), 'before the second install').toEqual(state)

      await installIn(repo)
      commitSetUp(repo)
      expect.soft(await commitAndPush(repo), 'after the second install').toEqual(held(manager))

      await uninstallIn(repo)
      expect.soft(filesOf(repo, manager)).toEqual(filesOf(plain, manager))
      commitSetUp(repo)
      expect.soft(await commitAndPush(repo), 'after uninstall').toEqual(alone(manager))
    })

    test('has only its own files after uninstall when it was set up on top once or again and again', async () => {
      const sandbox = watchedSandbox()
      const plain = workplace(sandbox, 'plain')
      manager.setUp(plain)
      const files = filesOf(plain, manager)
      const repo = workplace(sandbox)
      await installIn(repo)
      manager.setUp(repo)
      await uninstallIn(repo)
      expect.soft(filesOf(repo, manager), 'at once').toEqual(files)

      for (let i = 0; i < 2; i++) {
        await installIn(repo)
        manager.install(repo)
      }
      await uninstallIn(repo)
      expect.soft(filesOf(repo, manager), 'after both ran twice').toEqual(files)
    })
  })
}
