/** The index and commits as condensation sees them, on real git. */

import { expect, test } from 'vitest'
import {
  changesOf,
  changesOfIndex,
  commitFilesOf,
  filesOfChanges,
} from '../../../src/app/checkpoint/commit-files.ts'
import { GitChanges } from '../../../src/io/git/git-changes.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

const HOSTILE = 'dir/ä "quoted"\n:(top) name'

async function opened(repo: Repo, env: NodeJS.ProcessEnv = {}) {
  const repository = await openRepository(repo.folder, { ...repo.sandbox.env, ...env })
  return { repository, changes: new GitChanges(repository.git) }
}

function blobOf(repo: Repo, text: string): string {
  return repo.run('git', ['hash-object', '--stdin'], { input: text }).stdout.trim()
}

test('added, changed, deleted, renamed; what did not change is told of the paths in question', async () => {
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
  const paths = ['sub/same.ts', 'b.ts', 'nowhere.ts', 'sub', 'sub/same.ts/x', HOSTILE]
  const { repository, changes } = await opened(repo)
  const staged = await changesOfIndex(repository, changes)
  const found = filesOfChanges(staged)
  expect(new Map(found.changed.map(({ path, blob }) => [path, blob]))).toEqual(
    new Map([
      ['b.ts', blob('b2')],
      [HOSTILE, blob('new')],
      ['gone.ts', undefined],
      ['old.ts', undefined],
      ['renamed.ts', blob('old')],
    ]),
  )
  expect(new Map(found.parent.map(({ path, blob }) => [path, blob]))).toEqual(
    new Map([
      ['b.ts', blob('b')],
      ['gone.ts', blob('gone')],
      ['old.ts', blob('old')],
    ]),
  )
  repo.git('commit', '-q', '-m', 'two')
  const again = await opened(repo)
  const commit = repo.git('rev-parse', 'HEAD')
  const made = await commitFilesOf(again.repository, again.changes, commit, paths)
  expect(await changesOf(again.repository, again.changes, commit)).toEqual(staged)
  expect(made.changed).toEqual(found.changed)
  expect(made.parent).toEqual([...found.parent, { path: 'sub/same.ts', blob: blob('same') }])
  repo.git('commit', '-q', '--allow-empty', '-m', 'empty')
  expect((await commitFilesOf(again.repository, again.changes, commit, paths)).changed).toEqual(
    found.changed,
  )
})

test('before and at a first commit; GIT_INDEX_FILE; SHA-256', async () => {
  const repo = new Sandbox().init('repo', '--object-format=sha256')
  repo.write('a.ts', 'a')
  repo.run('git', ['add', 'a.ts'], { env: { GIT_INDEX_FILE: '.git/other' } })
  const changed = [{ path: 'a.ts', blob: blobOf(repo, 'a') }]
  const other = await opened(repo, { GIT_INDEX_FILE: `${repo.folder}/.git/other` })
  const staged = await changesOfIndex(other.repository, other.changes)
  expect(filesOfChanges(staged)).toEqual({ changed, parent: [] })
  const plain = await opened(repo)
  expect(await changesOfIndex(plain.repository, plain.changes)).toEqual([])
  const first = repo.commit('first')
  expect(await commitFilesOf(plain.repository, plain.changes, first, ['a.ts'])).toEqual({
    changed,
    parent: [],
  })
})

test('a merge is seen against its first parent', async () => {
  const repo = new Sandbox().init()
  repo.commit('one', { 'a.ts': 'a' })
  repo.git('switch', '-q', '-c', 'topic')
  repo.commit('two', { 'b.ts': 'b' })
  repo.git('switch', '-q', 'main')
  repo.commit('three', { 'c.ts': 'c' })
  repo.git('merge', '-q', '--no-edit', 'topic')
  const { repository, changes } = await opened(repo)
  const head = repo.git('rev-parse', 'HEAD')
  const found = await commitFilesOf(repository, changes, head, [])
  expect(found.changed.map(({ path }) => path)).toEqual(['b.ts'])
})
