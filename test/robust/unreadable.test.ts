/** A file that cannot be read: whatever needs it says so, and everything else works without it. */

import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { asOther, asOtherUser, needsOther } from '../support/other-user.ts'

builtFrom(
  () => import('../../src/app/ledger/unreadable-files.ts'),
  () => import('../../src/app/repair/find-damage.ts'),
  () => import('../../src/io/git/git-worktree.ts'),
)

interface Shut {
  readonly repo: Repo
  readonly ledger: (...words: string[]) => Ran
  readonly git: (...words: string[]) => Ran
}

/** A repository that another user works in, except for the files that are shut: only their owner may open them. */
function shut(make: (repo: Repo) => readonly string[]): Shut {
  const repo = ledgerRepo()
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
  const run = ([program, ...words]: [string, ...string[]]) => repo.run(program, words, { env })
  const ledger = (...words: string[]) => run([...asOther('main.js'), ...words])
  repo.run('chmod', ['-R', 'a+rwX', repo.sandbox.folder])
  expect(ledger('install').status).toBe(0)
  repo.event('--agent', 'toast', '--now', 'old')
  repo.commit('old')
  const files = make(repo)
  repo.run('chmod', ['-R', 'a+rwX', repo.sandbox.folder])
  repo.run('chmod', ['000', ...files.map((file) => join(repo.folder, file))])
  return { repo, ledger, git: (...words) => run(asOtherUser('git', ...words)) }
}

/** No bug is reported, and no error of Node's. */
function expectSaid(ran: Ran, words: string): void {
  expect(ran.stderr, words).not.toMatch(/this is a bug|\n {4}at /)
  expect([0, 1], `${words}: ${ran.stderr}`).toContain(ran.status)
}

describe.skipIf(needsOther('files that may not be read'))('a file that may not be read', () => {
  test('is skipped and named if it is a pending event, and a commit takes the others', () => {
    let file = ''
    const { repo, ledger, git } = shut((made) => {
      file = made.event('--agent', 'toast', '--now', 'shut')
      return [file]
    })
    const name = file.replace(/^.*\//, '')
    const all =
      'status,check,show,log,event list,diff HEAD~1 HEAD,why x,synthesize --no-confirm,' +
      'archive --dry-run,migrate --dry-run,doctor,fleet,show --all-worktrees'
    for (const words of sampleOf(all.split(','), 12)) expectSaid(ledger(...words.split(' ')), words)
    expect(JSON.parse(ledger('show', '--json').stdout)).toMatchObject({
      meta: { skipped: [{ file: name, problem: 'may not be read: no commit takes it' }] },
    })
    expect(ledger('event', 'list').stderr).toContain(`${name}: may not be read`)
    expect(ledger('status').stdout).toContain(`damaged: ${name}`)
    expect(ledger('doctor').stdout).toContain(name)
    const validated = ledger('event', 'validate')
    expect(validated).toMatchObject({
      status: 1,
      stdout: `${name}: may not be read: no commit takes it\n`,
    })
    expect(validated.stderr).toContain(`next: chmod u+r ${file}`)
    for (const word of ['show', 'drop'])
      expect(ledger('event', word, name)).toMatchObject({
        status: 3,
        stderr: `ledger-git: ${file} could not be read (EACCES)\n  next: check permissions, then run the command again\n`,
      })
    const added = ledger('event', 'add', '--agent', 'toast', '--now', 'open')
    expect(added).toMatchObject({ status: 0, stderr: '' })
    repo.write('work.txt', 'x')
    git('add', 'work.txt')
    const committed = git('commit', '-qm', 'work')
    expect(committed).toMatchObject({ status: 0 })
    expect(committed.stderr).toContain(`${file} may not be read and stays out of the commit`)
    expect(repo.changed()).toContain(added.stdout.trim())
    expect(repo.changed()).not.toContain(file)
    repo.chmod(file, 0o644)
    expect(ledger('status').stdout).not.toContain('damaged')
  })

  longTest(
    'does not stop commands if it is a committed event; status and event validate report it',
    () => {
      let name = ''
      const { ledger } = shut((repo) => {
        name = repo.git('ls-files', EVENTS).split('\n').pop() ?? ''
        return [name]
      })
      for (const words of ['check', 'show', 'event add --now x'])
        expectSaid(ledger(...words.split(' ')), words)
      expect(ledger('status').stdout).toContain('damaged: ')
      expect(ledger('event', 'validate').stderr).toContain(`next: chmod u+r ${name}`)
    },
  )

  longTest(
    'is named with what to do if it is current.md, a folder of the ledger or the settings',
    () => {
      const cases = [
        [CURRENT, 'status,check,synthesize --no-confirm'],
        [EVENTS, 'status,check,show,event add --now x'],
        [ROOT, 'status,check,show'],
        ['.ledger-git.yaml', 'status,check,show,event add --now x'],
      ] as const
      const { repo, ledger } = shut(() => [])
      repo.write('.ledger-git.yaml', 'mode: tracked\n')
      for (const [path, all] of cases) {
        repo.chmod(path, 0)
        for (const words of sampleOf(all.split(','), 4)) {
          const ran = ledger(...words.split(' '))
          expect(ran, `${path}: ${words}`).toMatchObject({ status: 3, stdout: '' })
          const said = /^ledger-git: (?<what>\S+) could not be read \(EACCES\)\n {2}next: ./
          expect(said.exec(ran.stderr)?.groups?.['what']?.startsWith(path), ran.stderr).toBe(true)
        }
        expect(ledger('doctor').stderr, path).not.toContain('bug')
        repo.chmod(path, 0o777)
      }
    },
  )

  longTest('does not stop event add if it is current.md', () => {
    const { ledger } = shut(() => [CURRENT])
    expect(ledger('event', 'add', '--now', 'x')).toMatchObject({ status: 0 })
    const staged = ledger('event', 'add', '--now', 'y', '--stage')
    expect(staged).toMatchObject({ status: 3, stdout: expect.stringContaining('.md') })
  })

  longTest(
    'is not blamed on the driver by doctor if it is an unwritable worktree, which it names',
    () => {
      const { repo, ledger } = shut(() => [])
      repo.run('chmod', ['555', repo.folder])
      onTestFinished(() => repo.chmod('.', 0o755))
      const { findings } = JSON.parse(ledger('doctor', '--json').stdout) as { findings: object[] }
      expect(findings).toContainEqual({
        name: 'driver-merge',
        status: 'broken',
        message: expect.stringMatching(/^not tried: git cannot write into .*\(Permission denied\)/),
        fix: `make ${repo.folder} writable for you`,
      })
    },
  )
})
