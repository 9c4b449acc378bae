/** What git reports about its history, wherever git stores it and however the user has configured the output. */

import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

async function headOf(repo: Repo) {
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const head = await repository.history.head()
  repository.close()
  return head
}

test('head finds branch and commit: packed, linked, detached, symbolic, or before the first commit', async () => {
  const repo = new Sandbox().init()
  expect(await headOf(repo)).toEqual({ branch: 'main', oid: undefined })
  repo.commit('first', { 'a.txt': 'a\n' })
  const oid = repo.git('rev-parse', 'HEAD')
  expect(await headOf(repo)).toEqual({ branch: 'main', oid })
  repo.git('switch', '-q', '-c', 'feat/ü')
  expect(await headOf(repo)).toEqual({ branch: 'feat/ü', oid })
  repo.git('worktree', 'add', '-q', '-b', 'other', '../beside')
  expect(await headOf(repo.sandbox.at(join(repo.sandbox.folder, 'beside')))).toEqual({
    branch: 'other',
    oid,
  })
  repo.git('pack-refs', '--all')
  expect(await headOf(repo)).toEqual({ branch: 'feat/ü', oid })
  repo.git('symbolic-ref', 'refs/heads/name', 'refs/heads/main')
  repo.git('symbolic-ref', 'HEAD', 'refs/heads/name')
  expect((await headOf(repo)).oid).toBe(oid)
  repo.git('switch', '-q', '--detach', 'main')
  expect(await headOf(repo)).toEqual({ branch: undefined, oid })
  repo.git('switch', '-q', 'main')
  repo.commit('second', { 'a.txt': 'b\n' }) // the packed ref is older
  expect((await headOf(repo)).oid).toBe(repo.git('rev-parse', 'HEAD'))
  repo.git('switch', '-q', '-c', 'main\u00a0', 'HEAD~1') // a space that git allows at the end of a name
  const there = { branch: 'main\u00a0', oid: repo.git('rev-parse', 'HEAD') }
  expect(await headOf(repo)).toEqual(there)
  repo.git('switch', '-q', 'main')
  repo.run('rm', ['.git/HEAD'])
  symlinkSync('refs/heads/main', join(repo.folder, '.git/HEAD'))
  expect(await headOf(repo)).toEqual({ branch: 'main', oid: repo.git('rev-parse', 'HEAD') })
})

test('history is read correctly when commits are signed and git log shows signatures', async () => {
  const repo = new Sandbox().init()
  const gpg = join(repo.sandbox.folder, 'gpg')
  const sign =
    'cat >/dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo "-----BEGIN PGP SIGNATURE-----"'
  writeFileSync(gpg, `#!/bin/sh\ncase $* in *--verify*) echo Good >&2 ;; *) ${sign} ;; esac\n`)
  chmodSync(gpg, 0o755)
  repo.git('config', 'gpg.program', gpg)
  repo.git('config', 'log.showSignature', 'true')
  const commit = () => repo.git('commit', '-q', '-S', '--allow-empty', '-m', 'signed')
  commit()
  repo.git('switch', '-q', '-c', 'side')
  commit()
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-ff', '--no-commit', 'side')
  repo.write('folder/a.txt', 'a\n')
  repo.git('add', 'folder')
  commit()
  const oid = repo.git('rev-parse', 'HEAD')
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const { history } = repository
  expect(repo.git('log', '-1', '--format=%H')).toBe(`Good\n${oid}`)
  expect(await history.lastMove()).toBe('commit (merge): signed')
  expect(await history.addedByMerges('HEAD', ['folder'])).toEqual(['folder/a.txt'])
  const added = await history.additions('folder')
  expect(added.get('folder/a.txt')).toEqual({ oid, subject: 'signed' })
  expect(await history.workSince('folder')).toEqual({ commits: 0, files: [] })
  repository.close()
})

test('unreachable lists commits that no branch has, also those that git has pruned', async () => {
  const repo = new Sandbox().init()
  const kept = repo.commit('kept', { 'a.txt': 'a\n' })
  const pruned = repo.commit('pruned', { 'a.txt': 'b\n' })
  repo.git('reset', '-q', '--hard', kept)
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('gc', '-q', '--prune=now')
  const left = repo.commit('left', { 'a.txt': 'c\n' })
  repo.git('reset', '-q', '--hard', kept)
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const unreachable = (...commits: string[]) => repository.history.unreachable(commits)
  expect(await unreachable(kept, left)).toEqual([left])
  expect(await unreachable(kept, pruned, left)).toEqual([pruned, left])
  expect(await unreachable(pruned)).toEqual([pruned])
  repository.close()
})
