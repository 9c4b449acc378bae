/** ledger-git is there, then a hook manager comes on top. */

import { describe, expect, test } from 'vitest'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { MANAGERS } from './managers.ts'
import {
  commitEvent,
  commitSetUp,
  expectHolds,
  filesOf,
  lost,
  taken,
  watchedSandbox,
  work,
  workplace,
} from './work.ts'

for (const manager of MANAGERS) {
  describe.skipIf(!manager.isHere)(manager.name, () => {
    test('on top: one more install, and both run', async () => {
      const sandbox = watchedSandbox()
      const plain = workplace(sandbox, 'plain')
      manager.setUp(plain)
      commitSetUp(plain)
      const alone = work(plain)
      const repo = workplace(sandbox)
      await installIn(repo)
      commitSetUp(repo)

      manager.setUp(repo)
      commitSetUp(repo)
      const state = manager.onTop === 'keeps' ? taken(manager) : lost(manager)
      expect.soft(await commitEvent(repo), 'before the second install').toEqual(state)

      await installIn(repo)
      commitSetUp(repo)
      await expectHolds(repo, alone, 'after the second install')

      await uninstallIn(repo)
      expect.soft(filesOf(repo, manager)).toEqual(filesOf(plain, manager))
      commitSetUp(repo)
      expect.soft(work(repo), 'after uninstall').toEqual(alone)
    })
  })
}
