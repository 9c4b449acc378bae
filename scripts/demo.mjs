/**
 * Shows the main job in a real repository, created for the demo: two branches with events, one merge, a fresh
 * ledger. Prints the commands and their output like a terminal. `--keep` leaves the repository behind.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Sandbox } from '../bench/sandbox.mjs'
import { buildIfStale } from './build-if-stale.mjs'

console.log(`# ledger-git: what parallel agents know, kept in git without merge conflicts.
# The main job in a repository created for this demo: two branches, one merge, a fresh ledger.
`)
buildIfStale(() => {})
// Neither reads nor changes the configuration of the machine it runs on.
const sandbox = new Sandbox(fileURLToPath(new URL('../dist/main.js', import.meta.url)))
const repository = join(sandbox.folder, 'repository')
mkdirSync(repository)

function run(command, args, { show = true, quiet = false } = {}) {
  if (show) console.log(`\n$ ${[command, ...args.map(quoted)].join(' ')}`)
  const said =
    command === 'ledger-git'
      ? sandbox.ledger(repository, ...args)
      : sandbox.run(repository, command, args)
  if (!quiet && said !== '') console.log(said)
  return said
}

function quoted(word) {
  return /[^\w@%+=:,./-]/.test(word) ? `"${word}"` : word
}

function commit(file, message) {
  writeFileSync(join(repository, file), `${message}\n`)
  run('git', ['add', file], { show: false })
  run('git', ['commit', '--quiet', '-m', message])
}

try {
  run('git', ['init', '--quiet', '--initial-branch=main'], { show: false })
  writeFileSync(join(repository, 'README.md'), '# demo\n')
  run('git', ['add', '.'], { show: false })
  run('git', ['commit', '--quiet', '-m', 'init'], { show: false })

  console.log('# One repository, set up once')
  run('ledger-git', ['install'], { quiet: true })
  run('git', ['add', '.'], { show: false })
  run('git', ['commit', '--quiet', '-m', 'chore: set up ledger-git'])

  console.log('\n# An agent works on a branch')
  run('git', ['switch', '--quiet', '--create', 'fix/parser'])
  run('ledger-git', [
    'event',
    'add',
    '--agent',
    'toast',
    '--now',
    'Review the parser fix',
    '--done',
    'Found the off-by-one',
    '--decision',
    'parser=hand-written',
    '--question',
    'Do we keep the old grammar?',
  ])
  commit('parser.txt', 'fix: off-by-one in the parser')

  console.log('\n# Meanwhile, another agent works on main')
  run('git', ['switch', '--quiet', 'main'])
  run('ledger-git', [
    'event',
    'add',
    '--agent',
    'waffle',
    '--goal',
    'Ship 1.0',
    '--now',
    'Write release notes',
    '--done',
    'Bumped the version',
    '--next',
    'Tag the release',
    '--decision',
    'license=MIT',
  ])
  commit('notes.txt', 'docs: release notes')

  console.log('\n# Both sides changed current.md; git merge needs no help')
  run('git', ['merge', '--no-edit', 'fix/parser'])
  const path = 'thoughts/shared/handoffs/current.md'
  console.log(`\n$ cat ${path}`)
  console.log(readFileSync(join(repository, path), 'utf8'))
  run('ledger-git', ['check', '--range', 'HEAD~2..HEAD'])
  const status = run('git', ['status', '--porcelain'])
  if (status !== '') throw new Error('the worktree is not clean')
  console.log(
    '(clean)\n\nThe merged ledger has the state of both agents, and nobody had to resolve a conflict.',
  )
} finally {
  if (process.argv.includes('--keep')) console.log(`\nThe repository is in ${repository}`)
  else sandbox.remove()
}
