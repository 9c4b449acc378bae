/** Branches that try to run code in CI jobs or to read the jobs' tokens. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { hasHttpGit, JOB_TOKEN, VERSION, WRITE_TOKEN } from '../../support/ci-host.ts'
import { CURRENT } from '../../support/git-repo.ts'
import { IS_LONG, sampleOf } from '../../support/long.ts'
import { notRunUnless } from '../../support/not-run.ts'
import type { HostName } from './ci-team.ts'
import { HOSTS, Team } from './ci-team.ts'

const isMissing = notRunUnless(hasHttpGit(), 'hostile branches in CI', 'this git has no HTTP')

/** The file that hostile code leaves; its name says how the code got in. */
const MARK = 'pwned'

const NAMES = [
  `$(touch\${IFS}${MARK})`,
  `\`touch\${IFS}${MARK}\``,
  `x;touch\${IFS}${MARK};'"`,
  `--upload-pack=touch\${IFS}${MARK}`,
  '-rf',
  'it\'s|a&"trap">x',
]

/** Every file of a tree that some program might run or read as its settings. */
function hostileFiles(folder: string): Record<string, string> {
  const mark = (way: string) => join(folder, `${MARK}-${way}`)
  const sh = (way: string) => `#!/bin/sh\nenv >'${mark(way)}'\n`
  const js = (way: string) =>
    `#!/usr/bin/env node\nrequire('fs').writeFileSync('${mark(way)}', JSON.stringify(process.env))\n`
  const touch = (way: string) => `env >'${mark(way)}'`
  const bin = { 'ledger-git': 'cli.js', git: 'cli.js', node: 'cli.js' }
  const scripts = ['preinstall', 'install', 'postinstall', 'prepare', 'ledger-git', 'check', 'test']
  const hooks = ['pre-commit', 'commit-msg', 'post-checkout', 'post-merge', 'pre-push']
  return {
    'node_modules/ledger-git/package.json': JSON.stringify({
      name: 'ledger-git',
      version: VERSION,
      bin,
    }),
    'node_modules/ledger-git/cli.js': js('package'),
    'node_modules/.package-lock.json': '{"lockfileVersion":3,"packages":{}}',
    ...Object.fromEntries(
      [...Object.keys(bin), 'npm', 'npx', 'sh'].flatMap((name) => [
        [`node_modules/.bin/${name}`, sh(`bin-${name}`)],
        [name, sh(`top-${name}`)],
      ]),
    ),
    'evil.js': js('node-options'),
    'evil.sh': sh('script-shell'),
    '.npmrc': [
      'registry=http://127.0.0.1:9/',
      'prefix=./node_modules',
      'global-prefix=./node_modules',
      'node-options=--require ./evil.js',
      'script-shell=./evil.sh',
      'git=./evil.sh',
      'shell=./evil.sh',
      'ignore-scripts=false',
      'cache=./node_modules',
    ].join('\n'),
    'package.json': JSON.stringify({
      name: 'ledger-git',
      version: VERSION,
      bin: './node_modules/ledger-git/cli.js',
      scripts: Object.fromEntries(scripts.map((name) => [name, touch(`script-${name}`)])),
      workspaces: ['node_modules/ledger-git'],
      overrides: { 'ledger-git': 'file:node_modules/ledger-git' },
      dependencies: { 'ledger-git': 'file:node_modules/ledger-git' },
      packageManager: 'npm@0.0.1',
    }),
    '.node-version': '0.10',
    '.env': 'NODE_OPTIONS="--require ./evil.js"',
    ...Object.fromEntries(
      hooks.flatMap((hook) => [
        [`.husky/${hook}`, sh(`husky-${hook}`)],
        [`.husky/_/${hook}`, sh(`husky_-${hook}`)],
        [`.githooks/${hook}`, sh(`githooks-${hook}`)],
        [`hooks/${hook}`, sh(`hooks-${hook}`)],
      ]),
    ),
    '.gitattributes': '* filter=evil diff=evil merge=evil\n*.txt filter=lfs -text\n',
    '.gitconfig': `[filter "evil"]\n\tsmudge = ${touch('smudge')}\n[core]\n\thooksPath = hooks\n`,
    '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c '${touch('submodule')}'\n\tupdate = !${touch('update')}\n`,
    '.lfsconfig': `[lfs]\n\turl = http://127.0.0.1:9/\n[lfs "customtransfer.x"]\n\tpath = ./evil.sh\n`,
    'lefthook.yml': `pre-push:\n  jobs:\n    - run: ${touch('lefthook')}\n`,
  }
}

function hostileBranch(team: Team, name: string): string {
  const { repo } = team
  repo.git('switch', '-q', '--detach', 'main')
  repo.event('--agent', 'agent', '--done', 'hostile')
  for (const [path, text] of Object.entries(hostileFiles(repo.sandbox.folder))) {
    repo.write(path, text)
    repo.chmod(path, 0o755)
  }
  const commit = team.push(name)
  // Also a submodule, which git itself would drop because its folder is missing.
  repo.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`)
  const env = { LEDGER_GIT: '0' }
  repo.run('git', ['commit', '-q', '--no-verify', '-m', 'submodule'], { env })
  repo.git('push', '-q', '--no-verify', 'origin', `HEAD:refs/heads/${name}`)
  return repo.git('rev-parse', 'HEAD')
}

/** Changes the ledger by hand, on top of what is checked out. */
function staleCommit({ repo }: Team, branch: string): string {
  repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
  repo.git('add', CURRENT)
  repo.run('git', ['commit', '-q', '--no-verify', '-m', 'stale'], { env: { LEDGER_GIT: '0' } })
  repo.git('push', '-q', '--no-verify', 'origin', `HEAD:refs/heads/${branch}`)
  return repo.git('rev-parse', 'HEAD')
}

/** Every file below a folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** No hostile code has run, and no token is in a file, in the output, or visible to `ps`. */
function expectUnharmed(team: Team, host: HostName, said: string): void {
  // GitLab's own runner keeps the job's token in the clone; that token may not push.
  const tokens = host === 'github' ? [WRITE_TOKEN, JOB_TOKEN] : [WRITE_TOKEN]
  const files = filesBelow(team.repo.sandbox.folder)
  const names = files.map((file) => basename(file))
  expect(names.filter((name) => name === MARK || name.startsWith(`${MARK}-`))).toEqual([])
  // The recorders in front of the programs do search for the token.
  const jobs = filesBelow(team.machine.folder).filter((file) => dirname(file) !== team.machine.bin)
  for (const token of tokens) {
    expect(jobs.filter((file) => readFileSync(file).includes(token))).toEqual([])
    expect(team.machine.started.join('\n') + said).not.toContain(token)
  }
  expect(team.machine.started.length).toBeGreaterThan(1)
}

/** Programs that had the token in their environment, as their first words. */
function holdersOfToken(team: Team): string[] {
  const holders = team.machine.started.filter((line) => line.startsWith('+token'))
  return holders.map((line) => {
    const words = line.split(' ').slice(1)
    const [program = ''] = words
    const command = words.find((word) => ['push', 'ls-remote', 'install'].includes(word))
    return command === undefined ? program : `${program} ${command}`
  })
}

test.skipIf(isMissing || !IS_LONG).each(HOSTS)(
  '%s: fleet and check give nobody the token, even if the host gives it to them',
  async (host: HostName) => {
    const team = await Team.start()
    const base = team.repo.git('rev-parse', 'main')
    const head = team.branch('toast')
    for (const name of ['fleet', 'check']) {
      const ran = await team.run(host, { name, head, base })
      expect(ran.status, ran.stderr).toBe(0)
    }
    expect(holdersOfToken(team)).toEqual([])
  },
)

// GitLab's jobs use the same scripts, and run with LEDGER_LONG=1. The job that checks runs here, too.
test.skipIf(isMissing || !IS_LONG).each(HOSTS)(
  '%s: merge-base runs nothing from a branch, and keeps its token to itself',
  async (host: HostName) => {
    const team = await Team.start()
    const base = team.repo.git('rev-parse', 'main')
    const head = hostileBranch(team, 'hostile')
    team.moveMain()
    // What an earlier job left in the tree of this machine.
    await team.run(host, { name: 'check', head, base, hasSecret: false })
    expectUnharmed(team, host, '')
    const before = team.tips()

    const ran = await team.mergeBase(host, ['hostile'])

    expect(ran.status, ran.stderr).toBe(0)
    expect(team.tips()['hostile'], 'it is a branch like any other').not.toBe(before['hostile'])
    expectUnharmed(team, host, ran.stdout + ran.stderr)
    const allowed = host === 'github' ? ['git push'] : ['git push', 'node']
    expect([...new Set(holdersOfToken(team))].toSorted()).toEqual(allowed)
  },
)

test.skipIf(isMissing).each(sampleOf(HOSTS, 2))('%s: branch names are never run', async (host) => {
  const team = await Team.start()
  const names = sampleOf(NAMES, 5)
  for (const name of names) team.branch(name)
  team.moveMain()
  const before = team.tips()

  const ran = await team.mergeBase(host, names)

  expect(ran.status, ran.stderr).toBe(0)
  const after = team.tips()
  expect(names.filter((name) => after[name] === before[name])).toEqual([])
  expectUnharmed(team, host, ran.stdout + ran.stderr)
})

test.skipIf(isMissing || !IS_LONG).each(HOSTS)(
  '%s: the check of a request runs no program from that request',
  async (host) => {
    const team = await Team.start()
    const base = team.repo.git('rev-parse', 'main')
    const check = (head: string) => team.run(host, { name: 'check', head, base, hasSecret: false })
    const fresh = await check(hostileBranch(team, 'hostile'))
    expect(fresh.status, fresh.stderr).toBe(0)
    const stale = staleCommit(team, 'hostile')

    const ran = await check(stale)

    expect(ran.status).toBe(1)
    expect(ran.stdout + ran.stderr).toContain('stale')
    expectUnharmed(team, host, ran.stdout + ran.stderr)
  },
)
