/** Messages name commands in the form that works where they are read. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMMANDS, GROUPS } from '../../../src/cli/command-table.ts'
import { configText } from '../../../src/core/setup/install-texts.ts'
import { inOwnName } from '../../../src/core/text/own-name.ts'
import { ownName } from '../../../src/io/terminal/talk.ts'
import { builtFrom } from '../../support/built-from.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'

builtFrom(() => import('../../../src/entry/main.ts'))

const bin = '/home/me/bin'
const local = '/home/me/app/node_modules'

test.each<readonly [how: string, env: NodeJS.ProcessEnv, script: string, name: string]>([
  [
    'the alias',
    { LEDGER_GIT_TYPED: 'git ledger' },
    `${local}/ledger-git/dist/main.js`,
    'git ledger',
  ],
  ['git-ledger on PATH', { PATH: bin }, `${bin}/git-ledger`, 'git ledger'],
  ['a global installation', { PATH: bin }, `${bin}/ledger-git`, 'ledger-git'],
  ['npx', { PATH: `${local}/.bin:/bin` }, `${local}/.bin/ledger-git`, 'npx ledger-git'],
  ['npx beside a global installation', { PATH: bin }, `${local}/.bin/ledger-git`, 'npx ledger-git'],
  [
    'a hook installed by npx',
    { PATH: `${local}/.bin:/bin` },
    `${local}/ledger-git/dist/git-entry.cjs`,
    'npx ledger-git',
  ],
  [
    'a hook of a global installation',
    { PATH: bin },
    '/lib/node_modules/ledger-git/dist/git-entry.cjs',
    'ledger-git',
  ],
  ['a checkout', {}, '/src/ledger-git/dist/main.js', 'ledger-git'],
])('ownName finds the name for %s', (_how, env, script, name) => {
  const there = new Set([`${bin}/ledger-git`, `${local}/.bin/ledger-git`])
  expect(ownName(env, script, (path) => there.has(path))).toBe(name)
})

test('ownName is git ledger for a hook installed by npx if the clone has our alias', () => {
  const home = new Sandbox().folder
  const name = () => ownName({ LEDGER_GIT_HOME: home }, `${local}/ledger-git/dist/git-entry.cjs`)
  expect(name()).toBe('npx ledger-git')
  writeFileSync(join(home, 'config'), configText({ alias: false }))
  expect(name()).toBe('npx ledger-git')
  writeFileSync(join(home, 'config'), configText())
  expect(name()).toBe('git ledger')
})

const WORDS = [...COMMANDS.map(({ name }) => name), ...Object.keys(GROUPS), 'help']

test.each(WORDS)('inOwnName renames the command `ledger-git %s`', (word) => {
  expect(inOwnName(`next: ledger-git ${word}`, 'npx ledger-git')).toBe(
    `next: npx ledger-git ${word}`,
  )
})

test.each([
  ['a newer ledger-git than this; a newer ledger-git wrote it', undefined],
  ['ledger-git: not found. next: npx ledger-git install', undefined],
  ['.git/ledger-git install-record, git log --oneline', undefined],
  [
    'run ledger-git resolve, then ledger-git check',
    'run git ledger resolve, then git ledger check',
  ],
  ['ledger-git --help', 'git ledger help'],
  ['ledger-git show --help', 'git ledger show --help'],
  // npm puts our command on PATH; the alias exists only after an install, and npx might download another release.
  ['"prepare": "husky && ledger-git install || exit 0"', undefined],
])('inOwnName renames commands, and only those: %s', (text, expected) => {
  expect(inOwnName(text, 'git ledger')).toBe(expected ?? text)
})

longTest(
  'messages, status, fleet, doctor and help use the name that was typed, but JSON does not',
  () => {
    const repo = new Sandbox().init()
    mkdirSync(join(repo.folder, 'node_modules/.bin'), { recursive: true })
    const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
    const typed = (path: string, ...words: string[]) => repo.run(process.execPath, [path, ...words])
    const npx = join(repo.folder, 'node_modules/.bin/ledger-git')
    const git = join(repo.folder, 'git-ledger')
    for (const link of [npx, git]) symlinkSync(main, link)
    expect(typed(npx, 'frob').stderr).toContain('\n  next: npx ledger-git --help\n')
    expect(typed(git, 'frob').stderr).toContain('\n  next: git ledger help\n')
    expect(typed(npx, 'status').stdout).toMatch(/^next: +npx ledger-git install$/m)
    expect(typed(npx, 'status', '--json').stdout).toContain('"next": "ledger-git install"')
    expect(typed(npx, 'doctor').stdout).toContain('fix: npx ledger-git install\n')
    expect(typed(npx, 'continuity', 'status').stdout).toContain('next: npx ledger-git continuity')
    repo.event('--question', 'Which one', '--ts', '2026-01-01T00:00:00Z')
    const resolve = "event add --resolve 'Which one'"
    expect(typed(npx, 'fleet').stdout).toMatch(new RegExp(`^ +npx ledger-git ${resolve}$`, 'm'))
    expect(typed(npx, 'fleet', '--json').stdout).toContain(`"git ledger ${resolve}"`)
    expect(typed(npx, 'show', '-h').stdout).toMatch(/^npx ledger-git show\n/)
  },
)
