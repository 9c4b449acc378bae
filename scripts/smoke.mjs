/**
 * The packed tool, as a user gets it: packs the package, installs the tarball without network in a
 * repository made on the spot, and lets git merge two branches.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ledger-git smoke '))
const home = join(folder, 'home')
const repository = join(folder, 'a repository')
mkdirSync(home)
mkdirSync(repository)
const env = {
  PATH: process.env.PATH,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Smoke',
  GIT_AUTHOR_EMAIL: 'smoke@example.com',
  GIT_COMMITTER_NAME: 'Smoke',
  GIT_COMMITTER_EMAIL: 'smoke@example.com',
}
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: repository, env, encoding: 'utf8' }).trim()
const ledger = (...args) => run('node_modules/.bin/ledger-git', ...args)

try {
  const packed = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
    {
      cwd: root,
      encoding: 'utf8',
    },
  ).trim()
  run('git', 'init', '-q', '-b', 'main')
  writeFileSync(join(repository, 'package.json'), '{"private":true}\n')
  writeFileSync(join(repository, '.gitignore'), 'node_modules\n')
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', join(folder, packed))
  ledger('install')
  run('git', 'add', '-A')
  run('git', 'commit', '-qm', 'init')
  run('git', 'switch', '-qc', 'topic')
  ledger('event', 'add', '--agent', 'toast', '--now', 'one side')
  run('git', 'commit', '-qm', 'topic', '--allow-empty')
  run('git', 'switch', '-q', 'main')
  ledger('event', 'add', '--agent', 'waffle', '--now', 'other side')
  run('git', 'commit', '-qm', 'main', '--allow-empty')
  run('git', 'merge', '-q', '--no-edit', 'topic')
  ledger('check', '--range', 'HEAD~2..HEAD')
  run('node_modules/.bin/cc-synthesize', '--check')
  run('node_modules/.bin/git-ledger', 'status')
  const current = readFileSync(join(repository, 'thoughts/shared/handoffs/current.md'), 'utf8')
  for (const text of ['one side', 'other side']) {
    if (!current.includes(text)) throw new Error(`the merged ledger lacks "${text}"`)
  }
  if (run('git', 'status', '--porcelain') !== '') throw new Error('the worktree is not clean')
  console.log(`${packed}: installs and merges`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
