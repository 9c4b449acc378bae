/** No branch can make a command run: not through a hook, not without --run, not through an agent's yes. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerOnTerminal } from '../support/answer-on-terminal.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, ENTRY, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { HANDOFF } from '../support/handoffs.ts'
import { hasScript, notRunUnless } from '../support/not-run.ts'
import { refusal } from './words.ts'
import { longTest } from '../support/long.ts'

const AUTH = `${ROOT}/auth/current.md`

function hostile(command: string): string {
  return HANDOFF.replace('feature/session-auth # ours', 'main')
    .replace('"uv run pytest -v"', () => JSON.stringify(command))
    .replace('npm test -- --grep session', command)
}

function hostileRepo(command = 'touch ran'): Repo {
  const repo = ledgerRepo()
  repo.commit('handoff', { [AUTH]: hostile(command), '.gitignore': 'ran*\n' })
  return repo
}

const RESUME = ['handoff', 'resume', 'auth', '--run']

test('no hook and no command without --run runs it', () => {
  const repo = hostileRepo()
  repo.git('switch', '-q', '-c', 'side')
  repo.commit('side', { [AUTH]: hostile('touch ran; true') })
  repo.git('switch', '-q', 'main')
  repo.commit('main', {
    [AUTH]: hostile('touch ran').replace('### Next\n', '### Next\n- [ ] more\n'),
  })
  repo.tryGit('merge', '-q', '--no-edit', 'side')
  repo.tryGit('rebase', 'main')
  for (const words of [
    'resume',
    'show',
    'list',
    'check',
    'update --now x',
    'phase start 2',
    'complete',
  ]) {
    repo.tryLedger('handoff', ...words.split(' '))
  }
  for (const event of ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd']) {
    const input = JSON.stringify({
      session_id: 's1',
      cwd: repo.folder,
      prompt: 'go on',
      source: 'clear',
    })
    repo.run(process.execPath, [ENTRY, 'agent-hook', 'claude', event], { input })
  }
  expect(repo.exists('ran')).toBe(false)
})

test('without a terminal nothing runs, and the command is shown', () => {
  const repo = hostileRepo('touch ran \u202e\u001b[8m')
  const ran = repo.run('setsid', ['-w', process.execPath, CLI, ...RESUME])
  expect(ran.status).toBe(1)
  expect(ran.stderr).toContain('  touch ran \\u202e\\u001b[8m\n')
  expect(ran.stderr).toContain(repo.folder)
  const env = { CLAUDECODE: '1' }
  for (const words of [
    [...RESUME, '--yes'],
    ['handoff', 'phase', 'pass', '2', '--run', '', '--yes'],
  ]) {
    const agent = repo.run(process.execPath, [CLI, ...words], { env })
    expect(refusal(agent).status).toBe(1)
    expect(agent.stderr).toContain('--yes counts from a person only')
  }
  expect(repo.exists('ran')).toBe(false)
})

test('a yes counts for one text in one folder', () => {
  const repo = hostileRepo('touch ran')
  const resume = (at: Repo, ...more: string[]) =>
    at.run('setsid', ['-w', process.execPath, CLI, ...RESUME, ...more]).status
  expect(resume(repo)).toBe(1)
  expect([resume(repo, '--yes'), repo.exists('ran')]).toEqual([0, true])
  expect(resume(repo)).toBe(0)
  repo.commit('changed', { [AUTH]: hostile('touch ran2') })
  expect([resume(repo), repo.exists('ran2')]).toEqual([1, false])
  repo.commit('as before', { [AUTH]: hostile('touch ran') })
  expect(resume(repo)).toBe(0)
  // Uninstall removes the consent, so it is needed again.
  repo.ledger('uninstall')
  expect([resume(repo), repo.exists('.git/ledger-git')]).toEqual([1, false])
  repo.ledger('install')
  const folder = join(repo.sandbox.folder, 'linked')
  repo.git('worktree', 'add', '-q', '-b', 'side', folder)
  const linked = repo.sandbox.at(folder)
  expect([resume(linked), linked.exists('ran')]).toEqual([1, false])
})

longTest('LEDGER_GIT_RUN_TESTS=1 runs it, and exits with 1 unless it ends as recorded', () => {
  const repo = hostileRepo('echo out; touch ran; exit 3')
  const env = { LEDGER_GIT_RUN_TESTS: '1' }
  const ran = repo.run(process.execPath, [CLI, ...RESUME, '--json'], { env })
  expect(ran.status).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    run: { exit_code: 3, expected: 0, matches: false },
  })
  expect(ran.stderr).toContain('out\n')
  const phase = repo.run(process.execPath, [CLI, 'handoff', 'phase', 'pass', '2', '--run', ''], {
    env,
  })
  expect(phase.status).toBe(1)
  expect(phase.stdout).toContain('✗ FAILED (echo out; touch ran; exit 3 ended with 3')
  // The recorded exit code is now the new one.
  expect(repo.run(process.execPath, [CLI, ...RESUME], { env }).status).toBe(0)
})

test('exits with 1 if there is no command to run', () => {
  const repo = ledgerRepo()
  repo.ledger('handoff', 'create', 'auth')
  expect(refusal({ ...repo.tryLedger(...RESUME), stdout: '' }).status).toBe(1)
})

describe.skipIf(notRunUnless(hasScript(), 'consent on a terminal', 'there is no script(1) here'))(
  'on a terminal',
  () => {
    const command = `'${process.execPath}' '${CLI}' ${RESUME.join(' ')} </dev/null`
    const typeAt = (repo: Repo, keys: string) => answerOnTerminal(repo, command, keys)

    longTest('the whole text is shown, and runs only after a yes', async () => {
      const repo = hostileRepo(`touch ran # ${'x'.repeat(300)}`)
      const no = await typeAt(repo, 'n\n')
      expect([no.status, repo.status()]).toEqual([1, ''])
      expect(no.out.replace(/\r?\n {2}/g, '')).toContain(`touch ran # ${'x'.repeat(300)}`)
      expect(no.out).toContain(`runs in ${repo.folder}`)
      const yes = await typeAt(repo, 'y\n')
      expect([yes.status, repo.exists('ran')]).toEqual([0, true])
      const again = await typeAt(repo, 'n\n')
      expect([again.status, again.out.includes('[y/N]')]).toEqual([0, false])
    })
  },
)
