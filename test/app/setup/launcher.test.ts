/** The launcher finds Node and the command in any environment that starts git. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, ledgerRepo } from '../../support/git-repo.ts'
import { VERSION } from '../../support/ci-host.ts'
import { installIn, isHeadFresh } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

/** A server that stands in for Node would take no options. */
const OWN_PROCESS = { LEDGER_TEST_OWN_PROCESS: '1' }

/** A folder with the few programs that hooks need, without Node. */
function pathWithoutNode(repo: Repo): string {
  const folder = join(repo.sandbox.folder, 'bin')
  mkdirSync(folder)
  for (const name of ['git', 'sh', 'cat', 'grep', 'uname', 'sed']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    symlinkSync(found, join(folder, name))
  }
  return folder
}

function setLaunch(repo: Repo, node: string, cli: string): void {
  repo.write('.git/ledger-git/launch', `${node}\n${cli}\n`)
}

/** Adds an event and commits some work in the given environment. */
function commitWork(repo: Repo, env: NodeJS.ProcessEnv = {}) {
  repo.event('--now', 'launched')
  repo.write('work.txt', `${Math.random()}\n`)
  repo.git('add', 'work.txt')
  return repo.run('git', ['commit', '-q', '-m', 'work'], { env })
}

/** True if the hook did its work: the event is in the commit, and `current.md` shows it. */
async function isTakenIn(repo: Repo): Promise<boolean> {
  return (await isHeadFresh(repo)) && repo.git('show', `HEAD:${CURRENT}`).includes('[->] launched')
}

test('uses the recorded Node if PATH has none', async () => {
  const repo = ledgerRepo()
  expect(commitWork(repo, { PATH: pathWithoutNode(repo) })).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
})

longTest('works in the nearly empty environment of a GUI client', async () => {
  const repo = ledgerRepo()
  repo.event('--now', 'launched')
  repo.write('work.txt', 'x\n')
  repo.git('add', 'work.txt')
  const { HOME } = repo.sandbox.env
  const words = ['-i', `HOME=${HOME}`, 'PATH=/usr/bin:/bin', 'git', 'commit', '-q', '-m', 'work']
  expect(repo.run('env', words)).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
})

test('finds another Node if the recorded one is gone', async () => {
  const repo = ledgerRepo()
  setLaunch(repo, '/gone/bin/node', CLI)
  const PATH = `${join(process.execPath, '..')}:${process.env['PATH']}`
  expect(commitWork(repo, { PATH })).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
})

/** A node that logs its version, then acts as Node. */
function nvmNode(repo: Repo, version: string): string {
  return nodeIn(repo, `.nvm/versions/node/${version}/bin`, version)
}

/** `place`: a folder in the home folder. */
function nodeIn(repo: Repo, place: string, version: string): string {
  const folder = join(repo.sandbox.env['HOME'] ?? '', place)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'node'),
    `#!/bin/sh\necho ${version} >>"$HOME/found"\nexec '${process.execPath}' "$@"\n`,
    { mode: 0o755 },
  )
  return folder
}

const foundNodes = (repo: Repo) =>
  new Set(repo.sandbox.at(repo.sandbox.folder).read('home/found').trim().split('\n'))

longTest(
  'finds a recent Node installed by nvm if the recorded one is gone, not one that is too old',
  async () => {
    const repo = ledgerRepo()
    setLaunch(repo, '/gone/bin/node', CLI)
    for (const version of ['v8.17.0', 'v16.20.2', 'v20.19.0']) nvmNode(repo, version)
    expect(commitWork(repo, { PATH: pathWithoutNode(repo) }).status).toBe(0)
    expect(await isTakenIn(repo)).toBe(true)
    expect(foundNodes(repo)).toEqual(new Set(['v20.19.0']))
  },
)

test('finds a Node installed by fnm on macOS, where the path has a space', async () => {
  const repo = ledgerRepo()
  setLaunch(repo, '/gone/bin/node', CLI)
  const versions = 'Library/Application Support/fnm/node-versions'
  nodeIn(repo, `${versions}/v20.19.0/installation/bin`, 'v20.19.0')
  expect(commitWork(repo, { PATH: pathWithoutNode(repo) }).status).toBe(0)
  expect(await isTakenIn(repo)).toBe(true)
  expect(foundNodes(repo)).toEqual(new Set(['v20.19.0']))
})

test('finds Node and the command in another nvm version if both recorded ones are gone', async () => {
  const repo = ledgerRepo()
  setLaunch(repo, '/gone/bin/node', '/gone/main.js')
  nvmNode(repo, 'v20.19.0') // has no command
  symlinkSync(CLI, join(nvmNode(repo, 'v22.1.0'), 'ledger-git'))
  const PATH = pathWithoutNode(repo)
  symlinkSync('/usr/bin/env', join(PATH, 'env'))
  expect(commitWork(repo, { PATH })).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
  expect(foundNodes(repo)).toEqual(new Set(['v22.1.0']))
})

test('finds the command in node_modules if the recorded one is gone', async () => {
  const repo = ledgerRepo()
  setLaunch(repo, process.execPath, '/gone/main.js')
  repo.write('.git/info/exclude', `${repo.read('.git/info/exclude')}node_modules\n`)
  mkdirSync(join(repo.folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(CLI, join(repo.folder, 'node_modules/.bin/ledger-git'))
  expect(commitWork(repo)).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
  // An alias and an agent's hooks may start anywhere in the worktree.
  const below = repo.sandbox.at(join(repo.folder, 'deep/er'))
  mkdirSync(below.folder, { recursive: true })
  expect(below.git('ledger', '--version')).toBe(VERSION)
})

describe('a recorded copy of the command', () => {
  /** A package of this name and version in a folder, as another worktree has it; returns its command. */
  function otherCopy(repo: Repo, version: string, folder = 'linked'): string {
    const root = join(repo.sandbox.folder, folder, 'node_modules/ledger-git')
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'ledger-git', version }))
    writeFileSync(join(root, 'dist/main.js'), `await import('${CLI}')\n`)
    return join(root, 'dist/main.js')
  }
  const launchOf = (repo: Repo) => repo.read('.git/ledger-git/launch')

  test('of this version is kept by the install of another copy, so they do not take turns', async () => {
    const repo = ledgerRepo()
    const own = launchOf(repo)
    const cli = otherCopy(repo, VERSION)
    const launch = { node: process.execPath, cli }
    expect((await installIn(repo, false, undefined, {}, { launch })).changes).toEqual([])
    expect(launchOf(repo)).toBe(own)
    setLaunch(repo, process.execPath, cli)
    expect((await installIn(repo)).changes).toEqual([])
    expect(commitWork(repo)).toMatchObject({ status: 0, stderr: '' })
    expect(await isTakenIn(repo)).toBe(true)
  })

  test('in the cache of npx is replaced by a lasting one, which stays', async () => {
    const repo = ledgerRepo()
    const cli = otherCopy(repo, VERSION, 'home/.npm/_npx/0a1b')
    const launch = { node: process.execPath, cli }
    const own = launchOf(repo)
    expect((await installIn(repo, false, undefined, {}, { launch })).changes).toEqual([])
    setLaunch(repo, process.execPath, cli)
    const { notes } = await installIn(repo, false, undefined, {}, { launch })
    expect(notes.join()).toContain('npm install --save-dev ledger-git')
    expect((await installIn(repo)).notes).toEqual([])
    expect(launchOf(repo)).toBe(own)
  })

  test.each<[string, (repo: Repo) => void]>([
    ['of another version', (repo) => otherCopy(repo, '0.0.1')],
    ['that is gone', (repo) => rmSync(join(repo.sandbox.folder, 'linked'), { recursive: true })],
    ['that cannot start', (repo) => writeFileSync(otherCopy(repo, VERSION), "import './gone.js'")],
    ['whose Node is gone', (repo) => setLaunch(repo, '/gone/node', otherCopy(repo, VERSION))],
  ])('%s is replaced', async (_, change) => {
    const repo = ledgerRepo()
    const own = launchOf(repo)
    setLaunch(repo, process.execPath, otherCopy(repo, VERSION))
    change(repo)
    await installIn(repo)
    expect(launchOf(repo)).toBe(own)
  })
})

test.each([
  ['nothing is found', '/gone/main.js', /not found, so the pre-commit hook did nothing/],
  ['the command crashes', 'crash.mjs', /the pre-commit hook failed \(status 42\)/],
])('%s: the commit is made anyway, with a message', (_name, cli, said) => {
  const repo = ledgerRepo()
  repo.write('../crash.mjs', 'process.exit(42)\n')
  setLaunch(repo, process.execPath, cli.startsWith('/') ? cli : `${repo.sandbox.folder}/${cli}`)
  const committed = commitWork(repo)
  expect(committed.status).toBe(0)
  expect(committed.stderr).toMatch(said)
  expect(repo.changed()).toEqual(['work.txt'])
})

const ODD: [string, NodeJS.ProcessEnv][] = [
  [
    'rubbish in NODE_OPTIONS',
    { ...OWN_PROCESS, NODE_OPTIONS: '--require /gone/file.cjs --no-such-option' },
  ],
  ['certificates that cannot be read', { NODE_EXTRA_CA_CERTS: '/gone/certificates.pem' }],
  ['git variables of a parent', { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z' }],
  ['CDPATH and an odd IFS', { CDPATH: '/tmp', IFS: 'e' }],
]
test.each(sampleOf(ODD, 3))('%s does no harm', async (_name, env) => {
  const repo = ledgerRepo()
  expect(commitWork(repo, env)).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(repo)).toBe(true)
})

test('works after the repository was moved', async () => {
  const repo = ledgerRepo()
  const there = repo.sandbox.at(join(repo.sandbox.folder, `moved "to" a 'new' place`))
  renameSync(repo.folder, there.folder)
  expect(commitWork(there)).toMatchObject({ status: 0, stderr: '' })
  expect(await isTakenIn(there)).toBe(true)
  expect(JSON.parse(there.ledger('status', '--json'))).toMatchObject({ driver: { active: true } })
})

/** Makes two branches with one event each; returns what `git merge` answered. */
function mergeBranches(repo: Repo, breakIt: () => void, env: NodeJS.ProcessEnv = {}) {
  repo.git('switch', '-q', '-c', 'side')
  repo.event('--done', 'on the side')
  repo.commit('side')
  repo.git('switch', '-q', 'main')
  repo.event('--done', 'on main')
  repo.commit('main')
  breakIt()
  return repo.run('git', ['merge', '-q', '--no-edit', 'side'], { env })
}

longTest('a merge works with rubbish in NODE_OPTIONS and without Node on PATH', async () => {
  const repo = ledgerRepo()
  const env = { ...OWN_PROCESS, NODE_OPTIONS: '--no-such-option', PATH: pathWithoutNode(repo) }
  expect(mergeBranches(repo, () => {}, env)).toMatchObject({ status: 0 })
  expect(await isHeadFresh(repo)).toBe(true)
  expect(repo.read(CURRENT)).toContain('- [x] on the side\n')
})

const GONE: [string, (repo: Repo) => void][] = [
  ['the command is gone', (repo: Repo) => setLaunch(repo, process.execPath, '/gone/main.js')],
  ['the launcher is gone', (repo: Repo) => rmSync(join(repo.folder, '.git/ledger-git/run'))],
]
longTest.each(GONE)('%s: a merge leaves both sides, with markers', async (_name, breakIt) => {
  const repo = ledgerRepo()
  expect(mergeBranches(repo, () => breakIt(repo)).status).toBe(1)
  expect(repo.read(CURRENT)).toMatch(/<<<<<<< [^]*on main[^]*=======[^]*on the side[^]*>>>>>>> /)
  repo.ledger('resolve')
  repo.git('commit', '-q', '--no-edit')
  expect(await isHeadFresh(repo)).toBe(true)
})

test('LEDGER_GIT=0 switches the pre-commit hook off', () => {
  const repo = ledgerRepo()
  expect(commitWork(repo, { LEDGER_GIT: '0' })).toMatchObject({ status: 0, stderr: '' })
  expect(repo.changed()).toEqual(['work.txt'])
})

test('commits continue silently after everything of ours was deleted by hand', () => {
  const repo = ledgerRepo()
  rmSync(join(repo.folder, '.git/ledger-git'), { recursive: true })
  expect(commitWork(repo)).toMatchObject({ status: 0, stderr: '' })
})
