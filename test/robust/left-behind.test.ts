/**
 * Temporary files of killed processes are removed after an hour, wherever they are; those of running processes stay.
 */

import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFor } from '../../src/io/files/files.ts'
import { isLeft } from '../../src/io/files/left-behind.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import { crash, ownCode } from './crash.ts'

/** A number that no process has: greater than any system assigns. */
const DEAD = '4194305'
const LIVING = String(process.pid)
const LONG_AGO = Date.now() / 1000 - 7200

const written = (folder: string) => (pid: string) =>
  tempFor(join(folder, 'x')).replace(String(process.pid), pid)

/** What each part of ledger-git leaves behind when it is killed, in a repository with a linked worktree. */
function kinds(repo: Repo): Readonly<Record<string, (pid: string) => string>> {
  const git = join(repo.folder, '.git')
  const cache = join(git, 'ledger-git/cache')
  return {
    'an event': written(join(repo.folder, EVENTS)),
    'current.md': written(join(repo.folder, ROOT)),
    'an archived event': written(join(repo.folder, ROOT, 'archive/2026-01-01')),
    '.gitattributes': written(repo.folder),
    'settings of an agent': written(join(repo.folder, '.claude')),
    'git configuration': written(git),
    'info/attributes': written(join(git, 'info')),
    'a hook': written(join(git, 'hooks')),
    'a shim': written(join(git, 'ledger-git/hooks')),
    'a session': written(join(git, 'ledger-git/sessions')),
    'an index for a commit': (pid) => join(git, `ledger-git-index-${pid}-0123abcd`),
    'its lock': (pid) => join(git, `ledger-git-index-${pid}-0123abcd.lock`),
    'that of a linked worktree': (pid) =>
      join(git, `worktrees/linked/ledger-git-index-${pid}-0123abcd`),
    'a kept state': written(join(cache, '0123456789abcdef/states')),
    'a step of a session': (pid) => join(git, `ledger-git/scratch/_${pid}-aB3dE6/index`),
    "doctor's objects": (pid) =>
      join(repo.sandbox.folder, `tmp/ledger-git-doctor-${pid}-aB3dE6/ab/cd`),
  }
}

/** What has the age: the folder, if the file is in one of ours. */
const whole = (path: string) => path.replace(/(_\d+-aB3dE6|doctor-\d+-aB3dE6)\/.*$/, '$1')

function leave(path: string, seconds?: number): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'half of')
  if (seconds !== undefined) utimesSync(whole(path), seconds, seconds)
  return path
}

function place(): Repo {
  const repo = ledgerRepo()
  repo.ledger('install', '--agent', 'claude')
  repo.git('worktree', 'add', '-q', '--detach', '../linked')
  return repo
}

test.each(sampleOf(['event add --agent a --now x', 'doctor --fix'], 2))(
  '%s removes temporary files of dead processes',
  (words) => {
    const repo = place()
    const all = Object.entries(kinds(repo))
    const dead = all.map(([what, path]) => [what, leave(path(DEAD), LONG_AGO)] as const)
    const living = all.map(([what, path]) => [what, leave(path(LIVING), LONG_AGO)] as const)
    // It has a folder for temporary files of its own: other tests look into theirs.
    const env = { TMPDIR: join(repo.sandbox.folder, 'tmp') }
    expect(repo.run(process.execPath, [CLI, ...words.split(' ')], { env }).status).toBe(0)
    for (const [what, path] of dead) expect.soft(existsSync(whole(path)), what).toBe(false)
    for (const [what, path] of living) {
      expect.soft(existsSync(path), `${what}, of a living one`).toBe(true)
      expect(isLeft(whole(path))).toBe(false)
    }
  },
)

test('keeps temporary files within the hour, and commands that read remove none', () => {
  const repo = place()
  const paths = Object.values(kinds(repo)).map((path) => leave(path(DEAD)))
  repo.ledger('event', 'add', '--agent', 'a', '--now', 'x')
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
  for (const path of paths) utimesSync(whole(path), LONG_AGO, LONG_AGO)
  for (const words of ['status', 'show', 'log', 'check', 'fleet']) repo.ledger(words)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

longTest('doctor names temporary files, in other worktrees too, and --fix removes them', () => {
  const repo = place()
  const path = leave(written(join(repo.sandbox.folder, 'linked', EVENTS))(DEAD), LONG_AGO)
  const found = JSON.parse(repo.tryLedger('doctor', '--json').stdout) as {
    findings: { name: string }[]
  }
  expect(found.findings.find(({ name }) => name === 'locks')).toEqual({
    name: 'locks',
    status: 'warning',
    message: `left behind by a process that died: ${path}`,
    fix: 'ledger-git doctor --fix',
  })
  expect(repo.ledger('doctor', '--fix')).toContain(`fixed    removed ${path}\n`)
  expect(existsSync(path)).toBe(false)
})

test('keeps files of others with similar names', () => {
  const repo = place()
  const others = [
    `${EVENTS}/.ledger-git-notes.tmp`,
    `.ledger-git-${DEAD}-x.md`,
    `src/.ledger-git-${DEAD}-x.tmp`,
    `${ROOT}/merge-${DEAD}-x`,
    `.git/ledger-git-index-mine`,
  ]
  for (const path of others) leave(join(repo.folder, path), LONG_AGO)
  repo.ledger('event', 'add', '--agent', 'a', '--now', 'x')
  expect(others.filter((path) => !repo.exists(path))).toEqual([])
})

const LOOKS_LEFT = /(?:^|\/)(?:\.[^/]*\.tmp|[^/]*ledger-git-index[^/]*|merge-[^/]*|_[^/]*)$/

longTest('removes whatever a command killed at any of many steps left behind', async () => {
  const seen = new Set<string>()
  const words = ['event', 'add', '--agent', 'a', '--now', 'x', '--commit']
  const every = IS_LONG ? 1 : 30
  for (let at = 0, isKilled = true; isKilled; at += every) {
    const repo = ownCode(ledgerRepo())
    isKilled = (await crash(repo, words, at)).status !== 0
    const left = () =>
      readdirSync(repo.folder, { recursive: true, encoding: 'utf8' }).filter(
        (path) => LOOKS_LEFT.test(path) && !path.startsWith('.git/objects'),
      )
    for (const path of left()) {
      seen.add(path.replaceAll(/\d{2,}[^/]*/g, 'N'))
      utimesSync(join(repo.folder, path), LONG_AGO, LONG_AGO)
    }
    repo.ledger('status') // removes the index's lock if the killed command held it
    repo.git('reset', '-q')
    repo.ledger('event', 'add', '--agent', 'a', '--now', 'y')
    expect(left(), `killed at ${at}`).toEqual([])
  }
  expect(seen.size).toBeGreaterThan(1)
})
