/** `ledger-git config`: which settings are in effect, and where each comes from. */

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { json, refusal } from './words.ts'

interface Answer {
  readonly settings: { key: string; value: unknown; default: unknown; source: string }[]
  readonly file: string | null
}

const FILE = '.ledger-git.yaml'

test('shows every setting with its default if there is no file', () => {
  const repo = new Sandbox().init()
  const { settings, file } = json<Answer>(repo, 'config')
  expect(file).toBeNull()
  expect(settings.length).toBeGreaterThan(5)
  expect(settings.filter(({ source }) => source !== 'default')).toEqual([])
  for (const { value, default: known } of settings) expect(value).toEqual(known)
})

test('shows the effective value and the line of the file that sets it', () => {
  const repo = new Sandbox().init()
  repo.write(FILE, '# ours\ncommit:\n  protected: [main, 1.10]\narchive.keep: 2160h\n')
  const { settings, file } = json<Answer>(repo, 'config')
  expect(file).toBe(FILE)
  expect(settings.filter(({ source }) => source !== 'default')).toEqual([
    { key: 'commit.protected', value: ['main', '1.10'], default: [], source: `${FILE}:3` },
    { key: 'archive.keep', value: '90d', default: 'forever', source: `${FILE}:4` },
  ])
  const lines = repo.ledger('config').split('\n')
  expect(lines).toHaveLength(settings.length)
  expect(new Set(lines.map((line) => line.search(/(?<= )\S/))).size).toBe(1)
  expect(lines).toContainEqual(
    expect.stringMatching(/^commit\.protected +\[main, 1\.10\] +\.ledger-git\.yaml:3$/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/^archive\.after +7d +default$/))
})

test('prints only the value of a single key, a list with one item per line', () => {
  const repo = new Sandbox().init()
  repo.write(FILE, `ledger.root: ${'deep/'.repeat(60)}notes\ncommit.protected: [main, 1.10]\n`)
  const run = (...words: string[]) => repo.tryLedger('config', ...words)
  expect(run('ledger.root').stdout).toBe(`${'deep/'.repeat(60)}notes\n`)
  expect(run('commit.protected').stdout).toBe('main\n1.10\n')
  expect(run('mode').stdout).toBe('tracked\n')
  expect(json(repo, 'config', 'mode')).toEqual({
    key: 'mode',
    value: 'tracked',
    default: 'tracked',
    source: 'default',
  })
  repo.write(FILE, 'commit.protected: []\n')
  expect(run('commit.protected')).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('refuses an unknown key and names the nearest; refuses a file that it cannot read', () => {
  const repo = new Sandbox().init()
  const ran = repo.tryLedger('config', 'archive.keeps')
  expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
  expect(ran.stderr).toMatch(/unknown setting archive\.keeps; did you mean archive\.keep\?/)
  expect(repo.tryLedger('config', 'constructor').status).toBe(2)
  repo.write(FILE, '\nmode: both\n')
  const broken = repo.tryLedger('config')
  expect(refusal(broken)).toEqual({ status: 2, stdout: '' })
  expect(broken.stderr).toMatch(/line 2: mode has a bad value \(expected: tracked or untracked\)/)
})

test.each<[what: string, put: (path: string) => void]>([
  ['a folder', (path) => mkdirSync(path)],
  ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
  ['a link', (path) => symlinkSync('other.yaml', path)],
])('%s in place of the file is refused, not ignored', (_, put) => {
  const repo = ledgerRepo()
  repo.write('other.yaml', 'mode: untracked\n')
  put(join(repo.folder, FILE))
  const ran = repo.tryLedger('show')
  expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
  expect(ran.stderr).toContain(`${FILE} is not a regular file`)
  const { stdout } = repo.tryLedger('doctor', '--json')
  expect(stdout).toContain(`${FILE} is not a regular file`)
})

test("reads HEAD's file in a bare repository, and the file on disk in a worktree", () => {
  const repo = ledgerRepo()
  repo.commit('chore: settings', { [FILE]: '\nclock.max_drift: 90s\n' })
  repo.write(FILE, 'clock.max_drift: 2h\n')
  repo.git('clone', '-q', '--bare', '.', '../bare.git')
  const bare = repo.sandbox.at(join(repo.sandbox.folder, 'bare.git'))
  expect(repo.ledger('config', 'clock.max_drift')).toBe('2h')
  expect(json(bare, 'config', 'clock.max_drift')).toMatchObject({
    value: '90s',
    source: `${FILE}:2`,
  })
  bare.git('update-ref', 'HEAD', 'HEAD~1')
  expect(json<Answer>(bare, 'config').file).toBeNull()
})
