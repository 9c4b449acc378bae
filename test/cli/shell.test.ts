/** What shells do with the command: pipes that close early, completion, colours. */

import { expect, test } from 'vitest'
import { CLI, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { writeEvent } from './words.ts'
import { longTest } from '../support/long.ts'

const COMMAND = `'${process.execPath}' '${CLI}'`

longTest('a reader that closes early is no error', () => {
  const repo = ledgerRepo()
  for (let i = 0; i < 300; i++) writeEvent(repo, `${i}.md`, `now: ${'x'.repeat(180)}`)
  for (const words of ['log', 'log --json', 'event list', 'synthesize --stdout', 'show --json']) {
    const ran = repo.run('bash', ['-c', `${COMMAND} ${words} | head -1; echo "\${PIPESTATUS[0]}"`])
    expect.soft(ran.stderr, words).toBe('')
    expect.soft(ran.stdout.split('\n').at(-2), words).toBe('0')
  }
})

test.each(['bash', 'zsh', 'fish'])(
  'completion for %s is a script that this shell reads',
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

test('bash completes commands, and commands of commands', () => {
  const repo = new Sandbox().init()
  repo.write('bin/ledger-git', `#!/bin/sh\nexec ${COMMAND} "$@"\n`)
  repo.chmod('bin/ledger-git', 0o755)
  const complete = (line: string) => {
    const words = line.split(' ')
    const script = `PATH="$PWD/bin:$PATH"; source <(ledger-git completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _ledger_git; printf '%s\\n' "\${COMPREPLY[@]}"`
    return repo.run('bash', ['-c', script]).stdout.trim().split('\n')
  }
  expect(complete('ledger-git syn')).toEqual(['synthesize'])
  expect(complete('ledger-git event ret')).toEqual(['retract'])
  expect(complete('ledger-git check --ra')).toEqual(['--range'])
})

test('no colour and no control characters, on a terminal or off it', () => {
  const repo = ledgerRepo()
  writeEvent(repo, 'a.md', 'now: plain')
  for (const words of [['log'], ['show'], ['status'], ['--help']]) {
    expect(repo.ledger(...words)).not.toContain('\u001b')
  }
})
