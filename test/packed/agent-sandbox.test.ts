/**
 * Commands that agents run also work in the agents' sandbox: no socket is half-closed, there is no network, and
 * nothing below `.git` can be written. Sandboxes differ, so the commands are run under more than one rule.
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { IS_LONG, sampleOf } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'

const helper = (name: string) =>
  fileURLToPath(new URL(`../support/helpers/${name}`, import.meta.url))

interface Rule {
  readonly name: string
  readonly isHere: boolean
  /** The words that come before the words of the command. */
  readonly words: readonly string[]
}

const SECCOMP = ['python3', helper('agent-sandbox.py')]

const RULES: readonly Rule[] = [
  {
    name: 'the kernel rule that Codex uses',
    isHere: spawnSync('sh', ['-c', '"$@"', 'sh', ...SECCOMP, 'true']).status === 0,
    words: [...SECCOMP, process.execPath, CLI],
  },
  {
    name: 'a Node that cannot half-close sockets',
    isHere: true,
    words: [process.execPath, '--require', helper('no-half-close.cjs'), CLI],
  },
]

/** The output goes into files, which every sandbox allows. A command that waits for ever is ended. */
function run(repo: Repo, rule: Rule, command: string, input = ''): Ran {
  const script = `printf %s '${input}' | timeout 60 "$@" >../out 2>../err`
  const words = ['-c', script, 'sh', ...rule.words, ...command.split(' ')]
  const { status } = repo.run('sh', words)
  return { status, stdout: repo.read('../out'), stderr: repo.read('../err') }
}

function worked(): Repo {
  const repo = ledgerRepo()
  repo.sandbox.env['LEDGER_TEST_OWN_PROCESS'] = '1' // below the sandbox
  repo.event('--agent', 'ada', '--now', 'parse dates', '--decision', 'dates=ISO 8601')
  repo.commit('feat: dates', { 'dates.txt': 'dates\n' })
  repo.event('--agent', 'bob', '--now', 'pending')
  return repo
}

const READING = [
  ['show', 0, 'parse dates'],
  ['show --json', 0, '"dates"'],
  ['log', 0, 'pending'],
  ['why dates', 0, 'ISO 8601'],
  ['why HEAD', 1, 'no session'],
  ['diff HEAD~1', 0, 'parse dates'],
  ['preview HEAD', 0, ''],
  ['status', 0, 'fresh'],
  ['check', 0, 'fresh'],
  ['check --rev HEAD', 0, 'fresh'],
  ['event validate', 0, 'valid'],
  ['session list', 0, 'no open sessions'],
  ['session recover --dry-run', 0, ''],
  ['checkpoint list', 0, ''],
  ['doctor', 0, '0 broken'],
] as const

const EVENTS_ADDED: [string, string][] = [
  ['event add --agent cleo --now sandboxed', ''],
  ['event add --agent cleo --stdin', 'now: sandboxed'],
]

/** A short run uses one of the rules, the first that works on this machine. */
const rules = IS_LONG ? RULES : RULES.filter(({ isHere }) => isHere).slice(0, 1)

describe.each(rules)('$name', (rule) => {
  const isMissing = notRunUnless(rule.isHere, rule.name, 'it needs python3 and seccomp')

  test.skipIf(!IS_LONG || isMissing)('commands that only read', () => {
    const repo = worked()
    for (const [command, status, said] of sampleOf(READING, 6)) {
      const ran = run(repo, rule, command)
      expect(`${ran.stdout}${ran.stderr}`, command).toContain(said)
      expect(ran, command).toMatchObject({ status })
    }
  })

  test.skipIf(isMissing).each(sampleOf(EVENTS_ADDED, 2))(
    '%s: the event is written, its path is printed, and nothing is said about .git',
    (command, input) => {
      const repo = worked()
      readOnly(repo)
      const ran = run(repo, rule, command, input)
      readOnly(repo, 'u+w')
      expect(ran).toMatchObject({ status: 0, stderr: '' })
      expect(ran.stdout).toMatch(new RegExp(`^${EVENTS}/\\S+_cleo_\\S+\\.md\\n$`))
      expect(repo.read(ran.stdout.trim())).toContain('sandboxed')
      expect(repo.ledger('show')).toContain('sandboxed')
      repo.commit('chore: everything')
      expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0 })
    },
  )

  test.skipIf(!IS_LONG || isMissing)(
    'with `synthesize.on_event: file`, too: the next commit renders current.md',
    () => {
      const repo = worked()
      repo.commit('chore: at once', { '.ledger-git.yaml': 'synthesize:\n  on_event: file\n' })
      readOnly(repo)
      const ran = run(repo, rule, 'event add --agent cleo --now sandboxed')
      readOnly(repo, 'u+w')
      expect(ran).toMatchObject({ status: 0 })
      expect(repo.read(ran.stdout.trim())).toContain('sandboxed')
      expect(ran.stderr).toMatch(
        /^$|the event is written, but current.md is not updated yet: [^]*\n {2}next: /,
      )
      repo.commit('chore: everything')
      expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0 })
    },
  )
})

/**
 * Applies to root, too, if the rule enforces permissions. The cache is removed, so that the command tries to write
 * it.
 */
function readOnly(repo: Repo, mode = 'a-w'): void {
  if (mode === 'a-w') repo.run('rm', ['-rf', join(repo.folder, '.git/ledger-git/cache')])
  repo.run('chmod', ['-R', mode, join(repo.folder, '.git')])
}
