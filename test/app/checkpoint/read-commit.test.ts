/** The index and commits as condensing sees them, on real git. */

import { expect, test } from 'vitest'
import { changesOf, changesOfIndex, treeOfHead } from '../../../src/app/checkpoint/read-commit.ts'
import { versionsIn } from '../../../src/app/shadow/git-trees.ts'
import { gitChanges } from '../../../src/io/git/git-changes.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

const HOSTILE = 'dir/ä "quoted"\n:(top) name'

async function opened(repo: Repo, env: NodeJS.ProcessEnv = {}) {
  const repository = await openRepository(repo.folder, { ...repo.sandbox.env, ...env })
  return { repository, changes: gitChanges(repository.git) }
}

function blobOf(repo: Repo, text: string): string {
  return repo.run('git', ['hash-object', '--stdin'], { input: text }).stdout.trim()
}

test("reads added, changed, deleted and renamed files, and a commit's versions of given paths", async () => {
  const repo = new Sandbox().init()
  repo.commit('one', { 'old.ts': 'old', 'gone.ts': 'gone', 'sub/same.ts': 'same', 'b.ts': 'b' })
  repo.git('rm', '-q', 'gone.ts')
  repo.git('mv', 'old.ts', 'renamed.ts')
  repo.write(HOSTILE, 'new')
  repo.write('b.ts', 'b2')
  repo.git('add', '-A')
  repo.write('announced.ts', 'x')
  repo.git('add', '-N', 'announced.ts')
  repo.git('config', 'diff.renames', 'copies')
  repo.git('config', 'core.abbrev', '7')
  const blob = (text: string) => blobOf(repo, text)
  const context = await opened(repo)
  const staged = await changesOfIndex(context)
  const expected = [
    { path: 'b.ts', before: blob('b'), after: blob('b2') },
    { path: HOSTILE, before: undefined, after: blob('new') },
    { path: 'gone.ts', before: blob('gone'), after: undefined },
    { path: 'old.ts', before: blob('old'), after: undefined },
    { path: 'renamed.ts', before: undefined, after: blob('old') },
  ]
  expect(staged).toEqual(expected)
  const first = repo.git('rev-parse', 'HEAD')
  repo.git('commit', '-q', '-m', 'two')
  const again = await opened(repo)
  const commit = repo.git('rev-parse', 'HEAD')
  expect(await changesOf(again, commit)).toEqual({ changes: expected, parent: first })
  const paths = ['sub/same.ts', 'b.ts', 'nowhere.ts', 'sub', 'sub/same.ts/x', HOSTILE]
  const { repository } = again
  expect(await versionsIn(repository, await treeOfHead(repository), paths)).toEqual([
    { path: 'sub/same.ts', blob: blob('same') },
    { path: 'b.ts', blob: blob('b2') },
    { path: HOSTILE, blob: blob('new') },
  ])
  repo.git('commit', '-q', '--allow-empty', '-m', 'empty')
  expect((await changesOf(again, commit)).changes).toEqual(expected)
})

test('reads the index before a first commit, the first commit, GIT_INDEX_FILE and SHA-256', async () => {
  const repo = new Sandbox().init('repo', '--object-format=sha256')
  repo.write('a.ts', 'a')
  repo.run('git', ['add', 'a.ts'], { env: { GIT_INDEX_FILE: '.git/other' } })
  const changes = [{ path: 'a.ts', before: undefined, after: blobOf(repo, 'a') }]
  const other = await opened(repo, { GIT_INDEX_FILE: `${repo.folder}/.git/other` })
  expect(await changesOfIndex(other)).toEqual(changes)
  const plain = await opened(repo)
  expect(await changesOfIndex(plain)).toEqual([])
  expect(await treeOfHead(plain.repository)).toBeUndefined()
  const first = repo.commit('first')
  expect(await changesOf(plain, first)).toEqual({ changes, parent: undefined })
})

test('compares a merge with its first parent', async () => {
  const repo = new Sandbox().init()
  repo.commit('one', { 'a.ts': 'a' })
  repo.git('switch', '-q', '-c', 'topic')
  repo.commit('two', { 'b.ts': 'b' })
  repo.git('switch', '-q', 'main')
  repo.commit('three', { 'c.ts': 'c' })
  repo.git('merge', '-q', '--no-edit', 'topic')
  const { changes } = await changesOf(await opened(repo), repo.git('rev-parse', 'HEAD'))
  expect(changes.map(({ path }) => path)).toEqual(['b.ts'])
})
