/** The command in shells: pipes that close early, completion, colours. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { notRunUnless } from '../support/not-run.ts'
import { writeEvent } from './words.ts'
import { longTest, sampleOf } from '../support/long.ts'

const COMMAND = `'${process.execPath}' '${CLI}'`

longTest('a reader that closes early causes no error', () => {
  const repo = ledgerRepo()
  for (let i = 0; i < 300; i++) writeEvent(repo, `${i}.md`, `now: ${'x'.repeat(180)}`)
  for (const words of ['log', 'log --json', 'event list', 'synthesize --stdout', 'show --json']) {
    const ran = repo.run('bash', ['-c', `${COMMAND} ${words} | head -1; echo "\${PIPESTATUS[0]}"`])
    expect.soft(ran.stderr, words).toBe('')
    expect.soft(ran.stdout.split('\n').at(-2), words).toBe('0')
  }
})

test.each(sampleOf(['bash', 'zsh', 'fish'], 3))(
  'completion for %s is a script that the shell accepts',
  (shell) => {
    const repo = new Sandbox().init()
    const { status, stdout, stderr } = repo.tryLedger('completion', shell)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    repo.write('completion', stdout)
    if (repo.run('sh', ['-c', `command -v ${shell}`]).status !== 0) {
      process.stderr.write(`not run: ${shell} is not installed here, its script was not checked\n`)
      return
    }
    expect(repo.run(shell, ['-n', 'completion'])).toMatchObject({ status: 0, stderr: '' })
  },
)

/** A repository with `ledger-git` on PATH, one decision and one extra branch. */
function repoToComplete(): Repo {
  const repo = ledgerRepo()
  repo.write('bin/ledger-git', `#!/bin/sh\nexec ${COMMAND} "$@"\n`)
  repo.chmod('bin/ledger-git', 0o755)
  repo.event('--agent', 'toast', '--decision', 'db=sqlite')
  repo.git('branch', 'feature/login')
  return repo
}

const onPath = (repo: Repo, command: string, ...words: string[]) =>
  repo.run(command, words, { env: { PATH: `${repo.folder}/bin:${process.env['PATH']}` } }).stdout

/** The questions to every shell, each with its answer. */
const LINES: readonly (readonly [line: string, answer: string])[] = [
  ['ledger-git syn', 'synthesize'],
  ['git ledger why ', 'db'],
  ['npx ledger-git preview f', 'feature/login'],
  ['ledger-git show --rev=fea', 'feature/login'],
]

test('bash completes commands, options and values, also after git and npx', () => {
  const repo = repoToComplete()
  onPath(repo, 'sh', '-c', 'ledger-git completion bash >bash')
  const complete = (line: string) => {
    const words = line.split(/ |(?=[=])|(?<==)/)
    const script = `source ./bash
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      case $1 in git) _git_ledger ;; npx) _ledger_git_npx ;; *) _ledger_git ;; esac
      printf '%s\n' "\${COMPREPLY[@]}"`
    return onPath(repo, 'bash', '-c', script, 'bash', words[0] ?? '')
      .trim()
      .split('\n')
  }
  for (const [line, answer] of LINES) expect.soft(complete(line), line).toEqual([answer])
  expect(complete('ledger-git event ret')).toEqual(['retract'])
  expect(complete('ledger-git check --ra')).toEqual(['--range'])
})

const hasShell = (shell: string) =>
  new Sandbox().at('/').run('sh', ['-c', `command -v ${shell}`]).status === 0

longTest('fish completes the same, with descriptions', (context) => {
  if (notRunUnless(hasShell('fish'), 'completion in fish', 'fish is not installed')) context.skip()
  const repo = repoToComplete()
  onPath(repo, 'sh', '-c', 'ledger-git completion fish >fish')
  const asked = LINES.map(([line]) => `complete -C '${line}'`).join('; ')
  const found = onPath(repo, 'fish', '--no-config', '-c', `source fish; ${asked}`)
  for (const [, answer] of LINES) expect.soft(found, answer).toContain(answer)
  expect(found).toContain('db\tsqlite')
})

/** Types a line and TAB in a zsh terminal. */
const ZPTY = `zmodload zsh/zpty
zpty z zsh -f -i
out() { local o all=; sleep $1; while zpty -rt z o; do all+=$o; done; print -r -- "$all" }
zpty -w z "fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep"
out 3 >/dev/null
zpty -n -w z "$1"$'\\t'; out 3
zpty -d z`

longTest('zsh completes the same, from a file in its fpath', (context) => {
  if (notRunUnless(hasShell('zsh'), 'completion in zsh', 'zsh is not installed')) context.skip()
  const repo = repoToComplete()
  onPath(repo, 'sh', '-c', 'ledger-git completion zsh >_git-ledger')
  for (const [line, answer] of LINES) {
    expect.soft(onPath(repo, 'zsh', '-f', '-c', ZPTY, 'zsh', line), line).toContain(answer)
  }
})

test('commands print no control characters off a terminal', () => {
  const repo = ledgerRepo()
  writeEvent(repo, 'a.md', 'now: plain')
  for (const words of sampleOf(
    [['log'], ['show'], ['status'], ['--help'], ['diff', 'HEAD'], ['doctor']],
    2,
  )) {
    const ran = repo.tryLedgerWith({ env: { NO_COLOR: undefined } }, ...words)
    const printed = `${ran.stdout}${ran.stderr}`.replaceAll('\n', '')
    expect.soft(printed, words.join(' ')).not.toMatch(/\p{Cc}/u)
  }
})
