/** Which repositories may be read in process: all others are read by git. */

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBatchReader } from '../../../src/io/objects/open-reader.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { discover } from '../../../src/io/git/discover.ts'
import { openCatFileReader } from '../../../src/io/objects/open-reader.ts'
import { isOrdinary, openInProcess } from '../../../src/io/objects/isomorphic-reader.ts'
import type { Place } from '../../../src/app/ports.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'

function repoWithCommit(sandbox: Sandbox, name = 'repo', ...args: string[]): Repo {
  const repo = sandbox.init(name, ...args)
  repo.commit('x', { 'a.txt': 'a\n' })
  return repo
}

function cloned(sandbox: Sandbox, ...args: string[]): Repo {
  const origin = repoWithCommit(sandbox, 'origin')
  origin.git('config', 'uploadpack.allowFilter', 'true')
  origin.git('clone', '-q', ...args, `file://${origin.folder}`, '../clone')
  return sandbox.at(join(sandbox.folder, 'clone'))
}

const inProcess = ({ env }: Git, place: Place) => openInProcess(place, env)

async function placeOf(repo: Repo) {
  return discover(new Git(repo.folder, repo.sandbox.env))
}

const ORDINARY: readonly (readonly [string, (sandbox: Sandbox) => Repo])[] = [
  ['a plain repository', (sandbox) => repoWithCommit(sandbox)],
  ['a clone', (sandbox) => cloned(sandbox)],
  ['a shallow clone', (sandbox) => cloned(sandbox, '--depth=1')],
  [
    'a linked worktree',
    (sandbox) => {
      repoWithCommit(sandbox).git('worktree', 'add', '-q', '-b', 'side', '../linked')
      return sandbox.at(join(sandbox.folder, 'linked'))
    },
  ],
  [
    'a repository with small packs',
    (sandbox) => {
      const repo = repoWithCommit(sandbox)
      repo.git('gc', '-q')
      return repo
    },
  ],
]

const SPECIAL: readonly (readonly [string, (sandbox: Sandbox) => Repo])[] = [
  ['a SHA-256 repository', (sandbox) => repoWithCommit(sandbox, 'repo', '--object-format=sha256')],
  [
    'a repository with alternates',
    (sandbox) => {
      repoWithCommit(sandbox, 'origin').git('clone', '-q', '--shared', '.', '../clone')
      return sandbox.at(join(sandbox.folder, 'clone'))
    },
  ],
  ['a partial clone', (sandbox) => cloned(sandbox, '--filter=blob:none')],
  [
    'a repository with replaced objects',
    (sandbox) => {
      const repo = repoWithCommit(sandbox)
      repo.commit('y')
      repo.git('replace', 'HEAD', 'HEAD~1')
      return repo
    },
  ],
  [
    'a repository with replaced objects and packed refs',
    (sandbox) => {
      const repo = repoWithCommit(sandbox)
      repo.commit('y')
      repo.git('replace', 'HEAD', 'HEAD~1')
      repo.git('pack-refs', '--all', '--prune')
      rmSync(join(repo.folder, '.git/refs/replace'), { recursive: true, force: true })
      return repo
    },
  ],
  [
    'a repository with a large pack',
    (sandbox) => {
      const repo = repoWithCommit(sandbox)
      repo.write('big', randomBytes(5 * 1024 * 1024))
      repo.commit('big')
      repo.git('repack', '-q', '-a', '-d')
      return repo
    },
  ],
]

test.each(ORDINARY)('%s is ordinary', async (_name, make) => {
  const repo = make(new Sandbox())
  expect(isOrdinary(await placeOf(repo), repo.sandbox.env)).toBe(true)
})

test.each(SPECIAL)('%s is left to git', async (_name, make) => {
  const repo = make(new Sandbox())
  expect(isOrdinary(await placeOf(repo), repo.sandbox.env)).toBe(false)
})

test.each(['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'])(
  'a quarantine (%s) is left to git',
  async (name) => {
    const repo = repoWithCommit(new Sandbox())
    expect(isOrdinary(await placeOf(repo), { ...repo.sandbox.env, [name]: '/x' })).toBe(false)
  },
)

test.each(sampleOf([...ORDINARY, ...SPECIAL], 2))(
  'every reader returns the bytes that git has in %s',
  async (_name, make) => {
    const repo = make(new Sandbox())
    for (const open of [openBatchReader, openCatFileReader, inProcess]) {
      const reader = open(new Git(repo.folder, repo.sandbox.env), await placeOf(repo))
      if (reader === undefined) continue
      const oid = repo.git('rev-parse', 'HEAD:a.txt')
      expect(Buffer.from((await reader.read(oid))?.content ?? []).toString('utf8')).toBe('a\n')
      const head = await reader.read(repo.git('rev-parse', 'HEAD'))
      const expected = repo.run('git', ['cat-file', 'commit', 'HEAD']).stdout
      expect(Buffer.from(head?.content ?? []).toString('utf8')).toBe(expected)
      expect(await reader.read('1'.repeat(oid.length))).toBeUndefined()
      reader.close()
    }
  },
)
