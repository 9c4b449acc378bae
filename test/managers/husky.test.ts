/** husky's files are in git: teammates get our block with them, whether or not they have what it starts. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { HOOKS } from '../../src/app/hooks/hook-context.ts'
import { doctorIn, quick, statusIn } from '../app/doctor/in-process.ts'
import { named, type } from '../app/doctor/scene.ts'
import type { Repo } from '../support/git-repo.ts'
import { needsHookFiles, notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { snapshot } from '../support/snapshot.ts'
import { husky8, husky9, MANAGERS, NOT_HERE } from './managers.ts'
import { alone, commitAndPush, commitSetUp, held, must, watchedSandbox, workplace } from './work.ts'
import { IS_LONG, longTest } from '../support/long.ts'

for (const manager of MANAGERS.filter(({ name }) => name.startsWith('husky'))) {
  describe.skipIf(notRunUnless(manager.isHere, manager.name, NOT_HERE))(manager.name, () => {
    // The others do what husky 9 does: they point git to a folder.
    test.runIf(IS_LONG || manager === husky9)(
      'runs its jobs in a clone without ledger-git, and runs both after an install there',
      async () => {
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
      },
    )

    longTest('keeps an install in a linked worktree where husky has not run yet', async () => {
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

/** The real husky without the build scripts, which npm runs for a folder. */
function packageOf(version: string, { sandbox }: Repo): string {
  const folder = join(sandbox.folder, 'husky')
  cpSync(fileURLToPath(new URL(`node_modules/husky${version}`, import.meta.url)), folder, {
    recursive: true,
  })
  const file = join(folder, 'package.json')
  const { scripts: _, devDependencies: __, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(rest))
  return folder
}

for (const manager of [husky9, husky8]) {
  const title = `${manager.name} is reported missing in a new linked worktree until npm install runs there`
  test.skipIf(!IS_LONG || notRunUnless(manager.isHere, title, NOT_HERE) || needsHookFiles(title))(
    title,
    async () => {
      const repo = workplace(watchedSandbox())
      manager.setUp(repo)
      const version = manager === husky8 ? '8' : '9'
      const prepare = manager === husky8 ? 'husky install' : 'husky'
      const devDependencies = { husky: `file:${packageOf(version, repo)}` }
      repo.write('package.json', JSON.stringify({ scripts: { prepare }, devDependencies }))
      repo.write('.gitignore', 'node_modules\n')
      await installIn(repo)
      commitSetUp(repo)
      repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '../linked')
      const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))

      const status = await statusIn(linked, quick(linked))
      expect(status.hooks).toMatchObject({ active: [], missing: [...HOOKS] })
      expect(status.next).toBe('npm install')
      const { findings } = await doctorIn(linked, quick(linked))
      expect(findings.filter((finding) => finding.status !== 'ok')).toMatchObject([
        { name: 'hooks-folder', status: 'broken', fix: 'npm install' },
      ])
      const inMain = await doctorIn(repo, quick(repo))
      expect(inMain.findings.filter((finding) => finding.status !== 'ok')).toMatchObject([
        { name: 'hooks-in-worktrees', fix: `(cd ${linked.folder} && npm install)` },
      ])

      // The fix is typed as printed, in the main worktree, where it names the folder; without a registry.
      const env = {
        npm_config_offline: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
      }
      const fix = named(inMain.findings, 'hooks-in-worktrees')?.fix ?? 'false'
      expect(type(repo, fix, env)).toMatchObject({ status: 0 })
      for (const place of [repo, linked]) {
        const mended = await doctorIn(place, quick(place))
        expect(mended.findings.filter((finding) => finding.status !== 'ok')).toEqual([])
      }
      expect((await statusIn(linked, quick(linked))).hooks.missing).toEqual([])
    },
  )
}

describe.skipIf(
  !IS_LONG || notRunUnless(husky8.isHere && husky9.isHere, 'husky 8, then 9', NOT_HERE),
)('husky 8, then 9', () => {
  test('runs both from files of husky 8 that contain our blocks', async () => {
    const repo = workplace(watchedSandbox())
    husky8.setUp(repo)
    await installIn(repo)
    commitSetUp(repo)
    repo.git('init', '-q', '--bare', '../remote.git')
    husky9.install(repo)
    expect.soft(await commitAndPush(repo)).toEqual(held(husky9))
    expect.soft((await installIn(repo)).changes).toEqual([])
  })
})
