/** lefthook rewrites its files when its settings change: what keeps us in them. */

import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IS_CONFIG_GIT, needsHookFiles, notRunUnless } from '../support/not-run.ts'
import { parse, stringify } from 'yaml'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import { EVENTS } from '../support/git-repo.ts'
import type { Repo } from '../support/git-repo.ts'
import { lefthook, LEFTHOOK_YML, runLefthook, NOT_HERE } from './managers.ts'
import type { Outcome } from './work.ts'
import {
  alone,
  commitAndPush,
  commitSetUp,
  expectHolds,
  expectPathCommit,
  filesOf,
  held,
  lost,
  watchedSandbox,
  work,
  workplace,
} from './work.ts'
import { IS_LONG, longTest } from '../support/long.ts'

/** A time that no file of the test has by itself. */
const LATER = new Date('2030-01-01T00:00:00Z')

type Settings = Record<string, { jobs: unknown[] }>

function lefthookRepo(): { repo: Repo; before: Outcome } {
  const repo = workplace(watchedSandbox())
  lefthook.setUp(repo)
  commitSetUp(repo)
  return { repo, before: work(repo) }
}

/** Adds the lines for lefthook.yml that `install` printed, as its reader would. */
function addSnippet(repo: Repo, notes: readonly string[], more: object = {}): void {
  const note = notes.find((text) => text.includes('lefthook.yml')) ?? ''
  const snippet = parse(note.slice(note.indexOf('\n'))) as Settings
  const settings = parse(LEFTHOOK_YML) as Settings
  for (const [hook, { jobs }] of Object.entries(snippet)) {
    settings[hook] = { jobs: [...(settings[hook]?.jobs ?? []), ...jobs] }
  }
  repo.write('lefthook.yml', stringify({ ...settings, ...more }, { lineWidth: 0 }))
}

describe.skipIf(notRunUnless(lefthook.isHere, 'lefthook', NOT_HERE))('lefthook', () => {
  longTest('removes our block when its settings change, and install puts it back', async () => {
    const { repo } = lefthookRepo()
    await installIn(repo)
    commitSetUp(repo)
    repo.write('lefthook.yml', `${LEFTHOOK_YML}colors: false\n`)
    // lefthook compares whole seconds, and reads the file only if they differ from those it kept.
    utimesSync(join(repo.folder, 'lefthook.yml'), LATER, LATER)
    repo.git('add', 'lefthook.yml')
    expect(await commitAndPush(repo), 'the hook that runs is the old one').toMatchObject({
      isTaken: true,
    })
    const events = repo.git('ls-tree', '--name-only', 'HEAD', '--', `${EVENTS}/`)
    // post-commit is gone as well: its work is done by the next hook of ours that is left.
    const { starts, ...round } = lost(lefthook)
    const next = await commitAndPush(repo)
    expect(next).toMatchObject(round)
    expect(next.starts).toEqual(IS_CONFIG_GIT ? starts : ['hook prepare-commit-msg'])
    const kept = repo.git('ls-tree', '--name-only', 'HEAD', '--', `${EVENTS}/`)
    expect(kept, 'no event of the commit before is deleted').toBe(events)
    await installIn(repo)
    repo.git('add', '-A')
    expect(await commitAndPush(repo)).toEqual(held(lefthook))
  })

  // Where git runs us from its configuration, there is nothing to add.
  test.skipIf(!IS_LONG || needsHookFiles('the lines that install prints keep us in its files'))(
    'keeps running us with the lines that install prints for its settings',
    async () => {
      const { repo, before } = lefthookRepo()
      const files = filesOf(repo, lefthook)
      const { notes } = await installIn(repo)
      addSnippet(repo, notes)
      commitSetUp(repo)
      expect.soft(await commitAndPush(repo), 'block and job').toEqual(held(lefthook))

      runLefthook(repo, 'install', '-f')
      expect(repo.read('.git/hooks/pre-commit'), 'no block any more').not.toContain('ledger-git')
      // lefthook runs our job beside the others, not after them.
      await expectHolds(repo, before, 'without a block', { isLast: false })
      await expectPathCommit(repo)
      const again = await installIn(repo)
      expect.soft(again.notes, 'nothing more to say').toEqual([])

      repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
      const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
      expect.soft(await commitAndPush(linked), 'in a linked worktree').toEqual(held(lefthook))
      repo.git('worktree', 'remove', '--force', '../linked')

      await uninstallIn(repo)
      const left = JSON.stringify(filesOf(repo, lefthook))
      expect.soft(left).not.toContain('ledger-git')
      commitSetUp(repo)
      const after = await commitAndPush(repo)
      expect.soft(after, 'the lines do nothing after uninstall').toEqual(alone(lefthook))
      repo.write('lefthook.yml', LEFTHOOK_YML)
      runLefthook(repo, 'uninstall')
      runLefthook(repo, 'install')
      expect.soft(filesOf(repo, lefthook)).toEqual(files)
    },
  )

  test.skipIf(!IS_LONG || needsHookFiles('block and job together: we run once'))(
    'runs us once when both the block and the job are there',
    async () => {
      const { repo, before } = lefthookRepo()
      const { notes } = await installIn(repo)
      addSnippet(repo, notes, { no_auto_install: true })
      commitSetUp(repo)
      await expectHolds(repo, before, 'with both')
      expect(repo.read('.git/hooks/pre-commit')).toContain('>>> ledger-git')
    },
  )

  test.skipIf(!IS_LONG || needsHookFiles('lines that are comments do not count'))(
    'gets our block when the lines in its settings are only comments',
    async () => {
      const { repo } = lefthookRepo()
      const { notes } = await installIn(repo)
      const lines = notes.join('\n').replaceAll(/^/gm, '# ')
      repo.write('lefthook.yml', `${LEFTHOOK_YML}${lines}\n`)
      commitSetUp(repo)
      runLefthook(repo, 'install', '-f')
      await installIn(repo)
      expect(await commitAndPush(repo)).toEqual(held(lefthook))
    },
  )

  test('restores our hooks when it is uninstalled', async () => {
    const repo = workplace(watchedSandbox())
    const before = filesOf(repo, lefthook)
    await installIn(repo)
    const ours = filesOf(repo, lefthook)
    lefthook.setUp(repo)
    await installIn(repo)
    runLefthook(repo, 'uninstall')
    expect.soft(filesOf(repo, lefthook)).toEqual(ours)
    await uninstallIn(repo)
    expect.soft(filesOf(repo, lefthook)).toEqual(before)
  })
})
