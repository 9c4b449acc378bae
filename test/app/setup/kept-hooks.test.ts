/** A hook that was kept before: by an install that was killed, or before a tool rewrote the hook. */

import { existsSync, linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isWrapper } from '../../../src/core/setup/install-texts.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'
import { needsHookFiles } from '../../support/not-run.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { installIn, uninstallIn } from './in-process.ts'

const HOOK = '.git/hooks/pre-push'
const KEPT = `${HOOK}.ledger-git-kept`
const PYTHON = '#!/usr/bin/env python3\nimport os, sys\nprint(os.path.basename(sys.argv[0]))\n'

function link(repo: Repo): void {
  rmSync(`${repo.folder}/${HOOK}`, { force: true })
  symlinkSync('../../tools/push.sh', `${repo.folder}/${HOOK}`)
}

function copy(repo: Repo): void {
  rmSync(`${repo.folder}/${HOOK}`, { force: true })
  writeFileSync(`${repo.folder}/${HOOK}`, PYTHON, { mode: 0o755 })
}

function withHook(make: (repo: Repo) => void): Repo {
  const repo = new Sandbox().init()
  repo.write('tools/push.sh', '#!/bin/sh\n')
  repo.chmod('tools/push.sh', 0o755)
  repo.commit('init')
  repo.write('.git/hooks/note', '') // the folder is there
  make(repo)
  return repo
}

const runTest = test.skipIf(needsHookFiles('hooks that were kept before'))

const TOOLS = [
  ['links', link],
  ['copies', copy],
] as const
runTest.each(sampleOf(TOOLS, 2))(
  'a project that %s its hook with each installation of packages',
  async (_name, make) => {
    const repo = withHook(make)
    const before = snapshot(repo.sandbox.folder)
    await installIn(repo)
    const installed = snapshot(repo.sandbox.folder)
    make(repo)

    expect((await installIn(repo)).notes).toEqual([])
    expect(changedPaths(installed, snapshot(repo.sandbox.folder))).toEqual([])

    make(repo)
    const { changes } = await uninstallIn(repo, true)
    expect(changes.map(({ path }) => path)).toContain(`${repo.folder}/${KEPT}`)
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
  },
)

runTest('an install that was killed between keeping the hook and writing its own', async () => {
  const repo = withHook(copy)
  const before = snapshot(repo.sandbox.folder)
  linkSync(`${repo.folder}/${HOOK}`, `${repo.folder}/${KEPT}`)
  expect((await installIn(repo)).notes).toEqual([])
  expect(isWrapper(repo.read(HOOK))).toBe(true)
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

runTest('what was kept comes back where a tool removed our hook', async () => {
  const repo = withHook(copy)
  await installIn(repo)
  rmSync(`${repo.folder}/${HOOK}`)
  await uninstallIn(repo)
  expect(repo.read(HOOK)).toBe(PYTHON)
  expect(existsSync(`${repo.folder}/${KEPT}`)).toBe(false)
})

runTest(
  'another hook than the one that was kept is left alone, and the way on is said',
  async () => {
    const repo = withHook(copy)
    await installIn(repo)
    const newer = `${PYTHON}# newer\n`
    rmSync(`${repo.folder}/${HOOK}`)
    repo.write(HOOK, newer)
    repo.chmod(HOOK, 0o755)
    const [note = ''] = (await installIn(repo)).notes
    const fix = /; (mv .*) && ledger-git install$/.exec(note)?.[1] ?? 'false'
    expect(repo.read(HOOK)).toBe(newer)
    expect((await uninstallIn(repo, true)).notes.join()).toContain(KEPT)
    expect(repo.run('sh', ['-c', fix])).toMatchObject({ status: 0 })
    expect((await installIn(repo)).notes).toEqual([])
    expect(repo.read(KEPT)).toBe(newer)
  },
)

runTest('a shell script in the place of ours is not hidden by what was kept', async () => {
  const repo = withHook(copy)
  await installIn(repo)
  repo.write(HOOK, '#!/bin/sh\necho newer\n')
  await installIn(repo)
  expect(isWrapper(repo.read(HOOK))).toBe(false)
  expect(repo.read(HOOK)).toMatch(/echo newer\n$/)
})
