/** In every kind of repository, changes are listed exactly, made once, and undone byte for byte. */

import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { InstallReport } from '../../../src/app/setup/install-record.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { changedFiles, changedPaths, snapshot } from '../../support/snapshot.ts'
import { callFolder, CONFIGURATIONS } from './configurations.ts'
import { installIn, uninstallIn } from './in-process.ts'
import { sampleOf } from '../../support/long.ts'

const MANIFEST = /\/ledger-git\/install\.json$/

/** Paths of a report, relative to the sandbox, as in snapshots. */
function paths(repo: Repo, { changes }: InstallReport): string[] {
  return changes.map(({ path }) => path.slice(repo.sandbox.folder.length + 1)).toSorted()
}

test.each(sampleOf(CONFIGURATIONS, 14))(
  '$name: install lists its changes exactly, makes them once, and uninstall restores everything',
  async (configuration) => {
    const sandbox = new Sandbox()
    const repo = callFolder(configuration, configuration.make(sandbox))
    const now = () => snapshot(sandbox.folder)
    const before = now()

    const planned = await installIn(repo, true)
    expect(changedPaths(before, now())).toEqual([])

    const done = await installIn(repo)
    const installed = now()
    expect(paths(repo, planned)).toEqual(paths(repo, done))
    const changed = changedFiles(before, installed).filter((path) => !MANIFEST.test(path))
    // A folder that is moved is listed by its own name.
    const listed = paths(repo, done)
    const named = changed.map((path) => listed.find((name) => path.startsWith(`${name}/`)) ?? path)
    expect([...new Set(named)]).toEqual(listed)
    const kept = listed.filter((path) => path.endsWith('.ledger-git-kept'))
    const names = kept.map((path) => path.slice(path.lastIndexOf('/') + 1).split('.')[0])
    expect(names).toEqual((configuration.keeps ?? []).toSorted())
    const { note } = configuration
    if (note === undefined) expect(done.notes).toEqual([])
    else expect(done.notes.join('\n')).toMatch(note)

    expect.soft((await installIn(repo)).changes).toEqual([])
    expect.soft(changedPaths(installed, now()), 'by the second install').toEqual([])

    const again = now()
    const removal = await uninstallIn(repo, true)
    expect(changedPaths(again, now())).toEqual([])
    expect.soft(paths(repo, await uninstallIn(repo))).toEqual(paths(repo, removal))
    expect(changedPaths(before, now())).toEqual([])
  },
)

test.each(sampleOf(CONFIGURATIONS, 14))(
  '$name: uninstall finds the blocks without a record',
  async (configuration) => {
    const sandbox = new Sandbox()
    const repo = callFolder(configuration, configuration.make(sandbox))
    const before = snapshot(sandbox.folder)
    await installIn(repo)
    const place = repo.git('rev-parse', '--path-format=absolute', '--git-common-dir')
    rmSync(`${place}/ledger-git/install.json`)

    await uninstallIn(repo)

    const after = snapshot(sandbox.folder)
    for (const [path, was] of Object.entries(before)) {
      // A line break that install added before its block may stay.
      if (after[path] !== was)
        expect(after[path]).toBe(was.replace(/"$/, '\\n"').replace('link ./', 'link '))
    }
    const marked = Object.keys(after).filter((path) => after[path]?.includes('>>> ledger-git'))
    expect(marked).toEqual([])
    expect(repo.tryGit('config', '--get', 'merge.ledger.driver').stdout).toBe('')
  },
)
