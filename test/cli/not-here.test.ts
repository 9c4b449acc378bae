/** Commands in places where they cannot work: what they say is true, and what they advise helps. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CLI, ENTRY, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { needsHookFiles } from '../support/not-run.ts'

/** Follows a command's `next:` and runs the command again, in one shell. */
function afterNext(repo: Repo, said: Ran, words: string): Ran {
  const next = /^ {2}next: (.*?)(?:, then run it there)?$/m.exec(said.stderr)?.[1] ?? 'false'
  const tool = `'${process.execPath}' '${CLI}'`
  return repo.run('sh', ['-c', `${next} && cd "\${work:-.}" && ${tool} ${words}`], {
    env: { work: next.includes('../work') ? '../work' : '' },
  })
}

longTest(
  'in a clone that was never set up, event add says so in a line, doctor in one finding',
  () => {
    const origin = ledgerRepo()
    origin.git('clone', '-q', '.', '../clone')
    const clone = origin.sandbox.at(join(origin.sandbox.folder, 'clone'))
    const words = ['event', 'add', '--agent', 'ada', '--now', 'x']
    const added = clone.tryLedger(...words)
    expect(added).toMatchObject({
      status: 0,
      stderr:
        'ledger-git: this clone is not set up, so no commit will include the event; next: ledger-git install\n',
    })
    expect(clone.tryLedger('event', 'add', '--agent', 'a', '--now', 'y', '--commit').stderr).toBe(
      '',
    )
    expect(clone.tryLedger('doctor').stdout.match(/^broken.*$/gm)).toEqual([
      'broken   installation: this repository uses ledger-git, but this clone was never set up',
    ])
    expect(clone.tryLedger('status').stdout).toMatch(/^next: {4}ledger-git install$/m)
    clone.ledger('install')
    expect(clone.tryLedger(...words).stderr).toBe('')
  },
)

test('event add warns that this clone is set up for another ledger.root', () => {
  const repo = ledgerRepo()
  const add = () => repo.tryLedger('event', 'add', '--agent', 'ada', '--now', 'x').stderr
  repo.write('.ledger-git.yaml', 'ledger:\n  root: notes\n')
  expect(add()).toBe(
    'ledger-git: this clone is set up for another ledger.root, so no commit will include the event; next: ledger-git install\n',
  )
  repo.ledger('install')
  expect(add()).toBe('')
})

test.skipIf(needsHookFiles('a worktree without hooks'))(
  'event add warns that no hook will include the event in a commit',
  () => {
    const repo = ledgerRepo()
    repo.git('config', 'core.hooksPath', '.husky/_')
    repo.write('src/a.txt', '')
    const add = (place: Repo) => place.tryLedger('event', 'add', '--agent', 'ada', '--now', 'x')
    const missing = join(repo.folder, '.husky/_')
    expect(add(repo.sandbox.at(join(repo.folder, 'src')))).toMatchObject({
      status: 0,
      stderr: `ledger-git: git runs no hook here (there is no folder ${missing}), so no commit will include the event; next: ledger-git doctor\n`,
    })
    repo.write('.husky/_/h', '')
    const uncalled =
      'ledger-git: no pre-commit hook calls ledger-git here, so no commit will include the event; next: ledger-git doctor\n'
    expect(add(repo).stderr).toBe(uncalled)
    repo.write('.husky/pre-commit', '# >>> ledger-git v1 >>>\n')
    expect(add(repo).stderr).toBe('')
    repo.git('config', 'core.hooksPath', '/dev/null') // as people switch hooks off
    expect(add(repo).stderr).toContain('there is no folder /dev/null')
    repo.git('config', '--unset', 'core.hooksPath')
    expect(add(repo).stderr).toBe('')
    repo.write('.git/hooks/pre-commit', 'call_lefthook run "pre-commit" "$@"\n') // as lefthook rewrites it
    expect(add(repo).stderr).toBe(uncalled)
    repo.write('all-hooks/pre-commit', 'exec "$(git rev-parse --git-dir)/hooks/${0##*/}" "$@"\n')
    repo.git('config', 'core.hooksPath', 'all-hooks')
    expect(add(repo).stderr).toBe('')
    repo.git('config', '--unset', 'core.hooksPath')
    repo.write('lefthook.yml', 'pre-commit: { jobs: [{ run: .git/ledger-git/hook pre-commit }] }\n')
    expect(add(repo).stderr).toBe('')
  },
)

test.each(sampleOf(['status', 'check', 'doctor', 'install', 'event add --now x'], 5))(
  '%s in the git folder says where to go',
  (words) => {
    const repo = ledgerRepo()
    const inside = repo.sandbox.at(join(repo.folder, '.git'))
    const said = inside.tryLedger(...words.split(' '))
    expect(said.status).toBe(3)
    expect(said.stderr).toContain(`${repo.folder}/.git is the git folder of a repository`)
    expect(afterNext(inside, said, words)).toMatchObject({ status: 0 })
  },
)

longTest('in an empty bare repository, says what is missing and how to get it', () => {
  const bare = new Sandbox().init('bare.git', '--bare')
  const show = bare.tryLedger('show')
  expect(show).toMatchObject({
    status: 2,
    stderr:
      'ledger-git: there is no commit on main yet, so HEAD names none\n  next: push a commit to it\n',
  })
  const status = bare.tryLedger('status')
  expect(status.stderr).toContain('this is a bare repository')
  expect(afterNext(bare, status, 'status')).toMatchObject({ status: 0 })
  bare.ledger('install')
  const { findings } = JSON.parse(bare.ledger('doctor', '--json')) as {
    findings: { status: string }[]
  }
  expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([])
})

longTest(
  'in a bare repository whose HEAD names a missing branch, names the command that helps',
  () => {
    const origin = ledgerRepo()
    origin.git('init', '-q', '--bare', '-b', 'trunk', '../bare.git')
    origin.git('push', '-q', '../bare.git', 'main')
    const bare = origin.sandbox.at(join(origin.sandbox.folder, 'bare.git'))
    const show = bare.tryLedger('show')
    expect(show.stderr).toContain('next: git symbolic-ref HEAD refs/heads/main')
    expect(afterNext(bare, show, 'show')).toMatchObject({ status: 0 })
  },
)

test.each(['agent-hook claude UserPromptSubmit', 'statusline'])(
  '%s in a removed folder says nothing and does not fail',
  (command) => {
    const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    const words = ['-c', gone, 'sh', process.execPath, ENTRY, ...command.split(' ')]
    // In a separate process, because the server that stands in for Node could not change to the folder.
    const env = { LEDGER_TEST_OWN_PROCESS: '1' }
    const input = '{"session_id":"session-a"}'
    const ran = new Sandbox().init().run('sh', words, { input, env })
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    // The shell may also complain about the folder.
    expect(ran.stderr.replace(/^sh: .*\n/gm, '')).toBe('')
  },
)
