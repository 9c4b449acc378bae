/**
 * The code that V8 compiled is kept for the next start: it is used if it is intact, compiled again if not, and never
 * causes a failure.
 */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { diverged, ONLY_DECISIONS } from '../git/scene.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, CURRENT } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))
builtFrom(() => import('../../src/entry/main.ts'))

const folderOf = (repo: Repo) => join(repo.folder, '.git/ledger-git/cache/code')
/** Without the marks of files that ran only once. */
const pathsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('js'))
    .map((name) => join(folder, name))
/** Identifies the files: a rewritten file has another inode. */
const inodes = (folder: string) => pathsIn(folder).map((path) => statSync(path).ino)

function merge(repo: Repo): string {
  repo.git('checkout', '-q', '-f', '--detach', 'main')
  // The launcher sets the folder, as it does for users.
  const env = { LEDGER_GIT_CACHE: '', LEDGER_TEST_OWN_PROCESS: '1' }
  const ran = repo.run('git', ['merge', '-q', '--no-edit', 'topic'], { env })
  expect(ran).toMatchObject({ status: 0, stderr: ONLY_DECISIONS })
  return repo.read(CURRENT)
}

function merged(): { repo: Repo; folder: string; text: string } {
  const repo = diverged()
  rmSync(folderOf(repo), { recursive: true, force: true })
  const folder = folderOf(repo)
  const text = merge(repo)
  expect(readdirSync(folder).length, 'the mark alone').toBeGreaterThan(0)
  expect(pathsIn(folder), 'what runs once is not kept').toEqual([])
  expect(merge(repo)).toBe(text)
  return { repo, folder, text }
}

test("keeps a driver's code once, with readable names, for its owner only", () => {
  const { repo, folder, text } = merged()
  const files = pathsIn(folder).map((path) => basename(path))
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    expect(file).toMatch(/^[0-9a-f]{16}-[\w.-]+-(?:merge-driver|hook-[a-z-]+)-git-[\w-]+\.cjs$/)
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  }
  const before = inodes(folder)
  expect(merge(repo)).toBe(text)
  expect(inodes(folder)).toEqual(before)
})

const DAMAGES: [string, (path: string, bytes: Buffer) => void][] = [
  [
    'a byte',
    (path: string, bytes: Buffer) => {
      // Beyond V8's own header, which V8 checks itself.
      const at = bytes.length >> 2
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      writeFileSync(path, bytes)
    },
  ],
  ['its end', (path: string, bytes: Buffer) => truncateSync(path, bytes.length - 1)],
  ['all of it', (path: string) => truncateSync(path)],
]

test.each(sampleOf(DAMAGES, 3))('makes damaged code anew: %s', (_, damage) => {
  const { repo, folder, text } = merged()
  const was = pathsIn(folder).map((path) => readFileSync(path).length)
  for (const path of pathsIn(folder)) damage(path, readFileSync(path))
  const before = inodes(folder)
  expect(merge(repo)).toBe(text)
  const after = inodes(folder)
  expect(after.filter((inode) => before.includes(inode))).toEqual([])
  expect(pathsIn(folder).map((path) => readFileSync(path).length > 0)).toEqual(was.map(() => true))
  expect(merge(repo)).toBe(text)
  expect(inodes(folder)).toEqual(after)
})

longTest('ignores files that are not compiled code', () => {
  const { repo, folder, text } = merged()
  for (const path of pathsIn(folder)) writeFileSync(path, Buffer.alloc(4000, 'not compiled code'))
  expect(merge(repo)).toBe(text)
})

const SPOILT: [string, (folder: string) => void][] = [
  ['a file', (folder) => writeFileSync(folder, '')],
  ['read-only', (folder) => (mkdirSync(folder), chmodSync(folder, 0o500))],
]

longTest.each(SPOILT)(
  'merges without a message if nothing can be kept, because the folder is %s',
  (_, spoil) => {
    const { repo, folder, text } = merged()
    rmSync(folder, { recursive: true })
    spoil(folder)
    expect(merge(repo)).toBe(text)
  },
)

test('removes files of other builds that were not written for a week', () => {
  const { repo, folder } = merged()
  const [own = '', other = ''] = pathsIn(folder).map((path) => basename(path))
  const weekAgo = Date.now() / 1000 - 8 * 86_400
  const others = ['0'.repeat(16) + own.slice(16), `${own}.77.tmp`]
  for (const name of [...others, 'new']) writeFileSync(join(folder, name), 'x')
  for (const name of [...others, own, other]) utimesSync(join(folder, name), weekAgo, weekAgo)
  // So that something must be written.
  truncateSync(join(folder, own))
  merge(repo)
  const left = readdirSync(folder)
  expect(left).toEqual(expect.arrayContaining(['new', own, other]))
  expect(others.filter((name) => left.includes(name))).toEqual([])
})

longTest("keeps code of typed commands in the user's cache folder", () => {
  const { repo } = merged()
  const cache = join(repo.folder, '..', 'caches')
  const status = () =>
    repo.run(process.execPath, [CLI, 'status'], { env: { XDG_CACHE_HOME: cache } })
  const first = status()
  expect(first.status).toBe(0)
  expect(status()).toEqual(first)
  const folder = join(cache, 'ledger-git/code')
  const before = inodes(folder)
  expect(before.length).toBeGreaterThan(1)
  expect(status()).toEqual(first)
  expect(inodes(folder)).toEqual(before)
})
