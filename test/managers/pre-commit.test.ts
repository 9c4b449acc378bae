/** pre-commit runs the hooks that it found, including ours. */

import { describe, expect, test } from 'vitest'
import { notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { snapshot } from '../support/snapshot.ts'
import { preCommit, NOT_HERE } from './managers.ts'
import { commitAndPush, commitSetUp, held, lost, must, watchedSandbox, workplace } from './work.ts'
import { longTest } from '../support/long.ts'

describe.skipIf(notRunUnless(preCommit.isHere, 'pre-commit', NOT_HERE))('pre-commit', () => {
  test('runs with us and the user’s own hook, and any of them can be removed', async () => {
    const repo = workplace(watchedSandbox())
    const hooks = () => snapshot(`${repo.folder}/.git/hooks`)
    const mine = '#!/bin/sh\nsh "$RECORDER" mine "$@"\n'
    for (const hook of ['pre-commit', 'pre-push']) {
      repo.write(`.git/hooks/${hook}`, mine)
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
    const before = hooks()
    preCommit.setUp(repo)
    const managed = hooks()
    await installIn(repo)
    commitSetUp(repo)
    repo.git('init', '-q', '--bare', '../remote.git')
    const all = {
      ...held(preCommit),
      jobs: ['mine', 'pre-commit', 'commit-msg', 'mine', 'pre-push'],
    }
    expect.soft(await commitAndPush(repo), 'all three').toEqual(all)

    await uninstallIn(repo)
    expect.soft(hooks(), 'without us').toEqual(managed)

    await installIn(repo)
    for (const hook of preCommit.jobs) must(repo, 'pre-commit', 'uninstall', '-t', hook)
    const without = { ...all, jobs: ['mine', 'mine'] }
    repo.git('add', '-A')
    expect.soft(await commitAndPush(repo), 'without pre-commit').toEqual(without)
    await uninstallIn(repo)
    expect.soft(hooks(), 'without both').toEqual(before)
  })

  test('can be uninstalled first, and we leave nothing behind', async () => {
    const repo = workplace(watchedSandbox())
    const before = snapshot(`${repo.folder}/.git/hooks`)
    preCommit.setUp(repo)
    await installIn(repo)
    for (const hook of preCommit.jobs) must(repo, 'pre-commit', 'uninstall', '-t', hook)
    await uninstallIn(repo)
    expect(snapshot(`${repo.folder}/.git/hooks`)).toEqual(before)
  })

  longTest(
    'hides and restores unstaged changes around our hook; its install -f drops us until install',
    async () => {
      const repo = workplace(watchedSandbox())
      preCommit.setUp(repo)
      await installIn(repo)
      commitSetUp(repo)
      repo.git('init', '-q', '--bare', '../remote.git')
      repo.write('.gitattributes', `${repo.read('.gitattributes')}*.bin binary\n`)
      expect.soft(await commitAndPush(repo), 'with unstaged changes').toEqual(held(preCommit))
      expect.soft(repo.status()).toBe(' M .gitattributes')

      must(repo, 'pre-commit', 'install', '-f')
      expect.soft(await commitAndPush(repo)).toEqual(lost(preCommit))
      await installIn(repo)
      expect.soft(await commitAndPush(repo)).toMatchObject({ starts: held(preCommit).starts })
    },
  )
})
