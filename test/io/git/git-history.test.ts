/** HEAD as it is read from files is HEAD as git has it, wherever git keeps it. */

import { symlinkSync } from 'node:fs'
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

test('on a branch, packed, linked, detached, by another name, in a worktree, before the first commit', async () => {
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
  repo.commit('second', { 'a.txt': 'b\n' }) // the packed name is older
  expect((await headOf(repo)).oid).toBe(repo.git('rev-parse', 'HEAD'))
  repo.git('switch', '-q', '-c', 'main\u00a0', 'HEAD~1') // a space that git lets end a name
  const there = { branch: 'main\u00a0', oid: repo.git('rev-parse', 'HEAD') }
  expect(await headOf(repo)).toEqual(there)
  repo.git('switch', '-q', 'main')
  repo.run('rm', ['.git/HEAD'])
  symlinkSync('refs/heads/main', join(repo.folder, '.git/HEAD'))
  expect(await headOf(repo)).toEqual({ branch: 'main', oid: repo.git('rev-parse', 'HEAD') })
})
