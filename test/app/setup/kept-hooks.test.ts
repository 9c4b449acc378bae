/** Hooks that were already kept: by an install that was killed, or before a tool rewrote the hook. */

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
  repo.write('.git/hooks/note', '') // so that the folder exists
  make(repo)
  return repo
}

const runTest = test.skipIf(needsHookFiles('hooks that were kept before'))

const TOOLS = [
  ['links', link],
  ['copies', copy],
] as const
runTest.each(sampleOf(TOOLS, 2))(
  'a project that %s its hook with each package installation can be reinstalled and uninstalled',
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

runTest(
  'completes an install that was killed between keeping the hook and writing its own',
  async () => {
    const repo = withHook(copy)
    const before = snapshot(repo.sandbox.folder)
    linkSync(`${repo.folder}/${HOOK}`, `${repo.folder}/${KEPT}`)
    expect((await installIn(repo)).notes).toEqual([])
    expect(isWrapper(repo.read(HOOK))).toBe(true)
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
  },
)

runTest('uninstall restores the kept hook if a tool removed ours', async () => {
  const repo = withHook(copy)
  await installIn(repo)
  rmSync(`${repo.folder}/${HOOK}`)
  await uninstallIn(repo)
  expect(repo.read(HOOK)).toBe(PYTHON)
  expect(existsSync(`${repo.folder}/${KEPT}`)).toBe(false)
})

runTest(
  'leaves a hook that differs from the kept one alone, and says how to continue',
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

runTest('a shell script in place of our hook still runs, beside what was kept', async () => {
  const repo = withHook(copy)
  await installIn(repo)
  repo.write(HOOK, '#!/bin/sh\necho newer\n')
  await installIn(repo)
  expect(isWrapper(repo.read(HOOK))).toBe(false)
  expect(repo.read(HOOK)).toMatch(/echo newer\n$/)
})
