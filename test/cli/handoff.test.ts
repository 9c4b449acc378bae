/** `handoff …` as typed, in real repositories. */

import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { BEFORE, HANDOFF, LOOSE } from '../support/handoffs.ts'
import { longTest } from '../support/long.ts'
import { json, refusal } from './words.ts'

const AUTH = `${ROOT}/auth/current.md`

/** A repository with a committed handoff of its branch. */
function handoffRepo(text = HANDOFF.replace('feature/session-auth # ours', 'main')): Repo {
  const repo = ledgerRepo()
  repo.commit('handoff', { [AUTH]: text })
  return repo
}

const pending = (repo: Repo) =>
  repo
    .git('ls-files', '-o', '--exclude-standard', EVENTS)
    .split('\n')
    .filter(Boolean)
    .map((path) => repo.read(path))

describe('create', () => {
  test('writes a complete handoff and its event', () => {
    const repo = ledgerRepo()
    const words = [
      '--goal',
      'Sessions',
      '--test',
      'npm test',
      '--next',
      'Login',
      '--next',
      '-v is first',
    ]
    const made = json(
      repo,
      'handoff',
      'create',
      'auth',
      ...words,
      '--phases',
      'Tests;Model',
      '--agent',
      'toast',
    )
    expect(made).toMatchObject({
      path: AUTH,
      name: 'auth',
      status: 'active',
      next: ['Login', '-v is first'],
    })
    expect(repo.read(AUTH)).toContain('\nbranch: main\nstatus: active\n')
    expect(repo.read(AUTH)).toContain('- Phase 2 (Model): ○ PENDING\n')
    const [event] = pending(repo)
    expect(event).toContain('type: handoff')
    expect(event).toContain('stream: auth')
    expect(event).toContain('goal: Sessions')
    expect(json(repo, 'handoff', 'check')).toMatchObject({
      handoffs: [{ name: 'auth', problems: [] }],
    })
  })

  test('refuses an existing name and an invalid one', () => {
    const repo = handoffRepo()
    const before = repo.read(AUTH)
    expect(refusal(repo.tryLedger('handoff', 'create', 'auth'))).toEqual({ status: 1, stdout: '' })
    for (const name of ['Auth Flow', 'events', 'archive', '../x', '-', 'a/b', 'x'.repeat(300)]) {
      expect.soft(refusal(repo.tryLedger('handoff', 'create', name)).status, name).toBe(2)
    }
    const accents = repo.tryLedger('handoff', 'create', 'Fähren über Nacht')
    expect(accents.stderr).toContain('for example fahren-uber-nacht')
    expect(repo.read(AUTH)).toBe(before)
    expect(repo.status()).toBe('')
  })

  test('--commit commits the file and the event, and nothing else', () => {
    const repo = ledgerRepo()
    repo.write('other.txt', 'x')
    repo.ledger('handoff', 'create', 'auth', '--goal', 'g', '--commit')
    expect(repo.changed()).toContain(AUTH)
    expect(repo.changed()).toHaveLength(3)
    expect(repo.status()).toBe('?? other.txt')
    expect(repo.tryLedger('check').status).toBe(0)
  })

  test('--commit without a possible commit leaves the file, and names the git add to run', () => {
    const repo = ledgerRepo()
    repo.git('checkout', '-q', '--detach')
    for (const words of [
      ['create', 'auth', '--goal', 'g'],
      ['update', 'auth', '--now', 'x', '--no-event'],
    ]) {
      const ran = repo.tryLedger('handoff', ...words, '--commit')
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain('the ledger was not committed: HEAD is detached')
      expect(ran.stderr).toContain(`next: git add ${AUTH} && git commit`)
      expect(ran.stderr).not.toContain('nothing is lost')
    }
    repo.git('add', AUTH)
    repo.commit('what was said')
    expect(repo.status()).toBe('')
    expect(repo.changed()).toContain(AUTH)
  })

  longTest('--commit of an ignored file writes it, and says that it is in no commit', () => {
    const repo = ledgerRepo()
    const path = `${ROOT}/private/current.md`
    repo.commit('ignore', { '.gitignore': `${ROOT}/private/\n` })
    const head = repo.git('rev-parse', 'HEAD')
    const ran = repo.tryLedger('handoff', 'create', 'private', '--goal', 'g', '--commit')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain(`${path} is written but not committed: git ignores it`)
    expect(ran.stderr).toContain(`git add -f ${path}`)
    expect(repo.tryLedger('handoff', 'update', '--now', 'x', '--no-event', '--commit').status).toBe(
      1,
    )
    expect(repo.read(path)).toContain('[->] x')
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
    repo.git('add', '-f', path)
    repo.ledger('handoff', 'update', '--now', 'y', '--commit')
    expect(repo.changed()).toContain(path)
  })
})

describe('update', () => {
  test('prints what is done, now and next', () => {
    const repo = handoffRepo()
    const ran = repo.ledger(
      'handoff',
      'update',
      '--now',
      'Rate limits',
      '--done',
      'Middleware swap',
    )
    expect(ran.split('\n')).toEqual([
      `Continuity ledger updated: ${AUTH}`,
      'Current state:',
      '- Done: Session model created; Redis integration complete; Middleware swap',
      '- Now: Rate limits',
      '- Next: Logout endpoint and session invalidation; Remove JWT imports',
      'Ready for /clear - ledger will reload on resume.',
    ])
    const [event = ''] = pending(repo)
    expect(event).toMatch(
      /\nnow: Rate limits\nthis_session:\n {2}- Middleware swap\nnext:\n {2}- Logout/,
    )
    const lines = (text: string) => new Set(text.split('\n'))
    const gone = [...lines(repo.git('show', `HEAD:${AUTH}`))].filter(
      (line) => !lines(repo.read(AUTH)).has(line),
    )
    expect(gone.map((line) => line.slice(0, 12))).toEqual([
      '**Updated:**',
      '[->] Logout ',
      '- [ ] Middle',
    ])
  })

  test('applies all of its options', () => {
    const repo = handoffRepo()
    repo.write('context.md', 'New context\n')
    const options = {
      goal: 'G',
      test: 'T',
      title: 'Ti',
      next: 'N',
      decision: 'Storage=files',
      question: 'Q?',
      unconfirmed: 'U?',
      resolve: 'Does the rate limiter need sessions?',
      checkpoint: 'phase=3,status=failed',
      pattern: 'P',
      phase: '4',
      'total-phases': '7',
      retries: '1',
      'max-retries': '5',
      resolved: 'rate_limiter=no',
      unknown: 'load',
      'last-failure': 'broke',
      context: 'context.md',
    }
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    repo.ledger('handoff', 'update', 'auth', '--done-now', ...words)
    const shown = json(repo, 'handoff', 'show', 'auth')
    expect(shown).toMatchObject({
      goal: 'G',
      test: 'T',
      now: [],
      this_session: [
        'Session model created',
        'Redis integration complete',
        'Logout endpoint and session invalidation',
      ],
      next: ['Middleware swap', 'Remove JWT imports', 'N'],
      decisions: { 'Session tokens': 'UUID v4 (simpler)', Storage: 'files' },
      open_questions: ['Q?', 'UNCONFIRMED: U?'],
      unconfirmed: ['U?'],
      workflow: { pattern: 'P', phase: '4', total_phases: '7', retries: '1', max_retries: '5' },
      resolved: { rate_limiter: 'no' },
      unknowns: { load: 'UNKNOWN' },
      last_failure: 'broke',
      newer_events: 0,
    })
    expect(repo.read(AUTH)).toContain('- Phase 3 (Redis): ✗ FAILED (')
    expect(repo.read(AUTH)).toContain('## Context\n\nNew context\n')
    expect(repo.read(AUTH)).toContain('# Work Stream: Ti\n')
    const [event = ''] = pending(repo)
    for (const part of [
      'UNCONFIRMED: U?',
      'resolved_questions',
      'status: failed',
      'Storage: files',
    ]) {
      expect.soft(event).toContain(part)
    }
  })

  test('obeys --no-event and --commit, and records a change that no event field has', () => {
    const repo = handoffRepo()
    repo.ledger('handoff', 'update', '--now', 'a', '--no-event')
    expect(pending(repo)).toEqual([])
    repo.ledger('handoff', 'update', '--retries', '1')
    expect(pending(repo)[0]).toContain('handoff updated: retries')
    repo.git('add', AUTH)
    repo.ledger('handoff', 'update', '--now', 'b', '--commit')
    expect(repo.status(), 'what was staged before would take it back').toBe('')
    repo.ledger('handoff', 'update', '--now', 'c', '--no-event', '--commit')
    expect(repo.status()).toBe('')
    expect(repo.changed()).toEqual([AUTH])
  })

  test('exits with 2 for no option, a wrong number, an invalid pair, a missing file, or a checkpoint that is no phase', () => {
    const repo = handoffRepo()
    const wrong = [
      '',
      '--phase x',
      '--resolved x',
      '--decision x',
      '--context no.md',
      '--now a --now b',
      '--checkpoint status=validated',
      '--checkpoint phase=2,status=reviewed',
    ]
    for (const words of wrong) {
      const ran = repo.tryLedger('handoff', 'update', ...words.split(' ').filter(Boolean))
      expect.soft(refusal(ran).status, words).toBe(2)
    }
    expect(repo.status()).toBe('')
  })

  longTest('refuses --done-now if nothing is in hand', () => {
    const repo = handoffRepo()
    repo.ledger('handoff', 'update', '--done-now', '--no-event')
    const before = repo.read(AUTH)
    for (const more of [[], ['--no-event']]) {
      const ran = repo.tryLedger('handoff', 'update', '--done-now', ...more)
      expect(refusal(ran).status).toBe(2)
      expect(ran.stderr).toContain('nothing is in hand')
    }
    expect(repo.read(AUTH)).toBe(before)
    expect(pending(repo)).toEqual([])
    repo.ledger('handoff', 'update', '--done-now', '--now', 'next thing')
    repo.ledger('handoff', 'update', '--done-now')
    expect(pending(repo)).toHaveLength(2)
  })

  longTest('--last-failure is read back exactly as given', () => {
    const repo = handoffRepo()
    for (const text of ['```js is not closed', 'two\nlines', '~~~\nx\n~~~', 'plain']) {
      repo.ledger('handoff', 'update', '--no-event', '--last-failure', text)
      expect(json(repo, 'handoff', 'show')).toMatchObject({ last_failure: text })
    }
  })

  test('an event that cannot be written: the error says that the handoff was written', () => {
    const repo = handoffRepo()
    repo.run('rm', ['-r', EVENTS])
    repo.write(EVENTS, 'in the way')
    const ran = repo.tryLedger('handoff', 'update', '--done', 'ZZ')
    expect(refusal(ran).status).toBe(3)
    expect(ran.stderr).toContain(`${AUTH} was written, but its event was not: `)
    expect(repo.read(AUTH)).toContain('ZZ')
  })

  test('refuses a secret in any option, and writes nothing', () => {
    const repo = handoffRepo()
    const secret = ['ghp', `_${'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4f'}GhIj`].join('')
    repo.write('context.md', `line\nkey ${secret}\n`)
    const clean = repo.status()
    for (const words of [['--now'], ['--last-failure'], ['--resolved', 'k='], ['--unconfirmed']]) {
      const [option = '', lead = ''] = words
      const ran = repo.tryLedger('handoff', 'update', option, `${lead}${secret}`)
      expect.soft([ran.status, ran.stderr.includes(secret)]).toEqual([1, false])
    }
    const ran = repo.tryLedger('handoff', 'update', '--context', 'context.md')
    expect(ran.stderr).toContain('--context, line 2')
    expect(refusal(repo.tryLedger('handoff', 'create', 'x', '--task', secret)).status).toBe(1)
    expect(repo.status()).toBe(clean)
  })

  test('prints a hostile folder name without control characters', () => {
    const repo = ledgerRepo()
    const name = 'evil\u001b[31m\u0007'
    const text = HANDOFF.replace('feature/session-auth # ours', 'main')
    repo.write(`${ROOT}/${name}/current.md`, text)
    const commands = [
      ['update', '--now', 'x'],
      ['phase', 'start', '3'],
      ['show', 'evil'],
      ['resume', 'evil'],
      ['list'],
      ['check'],
      ['complete', 'evil'],
    ]
    for (const words of commands) {
      const { stdout, stderr } = repo.tryLedger('handoff', ...words)
      // oxlint-disable-next-line no-control-regex
      expect.soft(stdout + stderr, words.join(' ')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    }
  })

  test('reads a handoff that is not UTF-8, and never writes it', () => {
    const repo = ledgerRepo()
    const bytes = Buffer.concat([Buffer.from(HANDOFF), Buffer.from([0xff, 0x0a])])
    repo.write(AUTH, bytes)
    expect(json(repo, 'handoff', 'show', 'auth')).toMatchObject({ status: 'active' })
    const ran = repo.tryLedger('handoff', 'update', 'auth', '--now', 'x')
    expect([refusal(ran).status, repo.tryLedger('handoff', 'check', 'auth').status]).toEqual([1, 1])
    expect(pending(repo)).toEqual([])
  })
})

describe('without a name, chooses', () => {
  const named = (branch: string, updated: string, status = 'active') =>
    HANDOFF.replace('feature/session-auth # ours', branch)
      .replace('**Updated:** 2026-01-15T14:30:00Z', `**Updated:** ${updated}`)
      .replace('status: active', `status: ${status}`)
  const chosen = (repo: Repo) => {
    const ran = repo.tryLedger('handoff', 'show', '--json')
    return ran.status === 0 ? (JSON.parse(ran.stdout) as { name: string }).name : ran.stderr
  }

  test("the branch's active handoff that was updated last", () => {
    const repo = ledgerRepo()
    expect(chosen(repo)).toMatch(/no active handoff names the branch main\n {2}next: .*create/)
    repo.commit('handoffs', {
      [`${ROOT}/a/current.md`]: named('main', '2026-01-15'),
      [`${ROOT}/b/current.md`]: named('main', '2026-01-16 (later)'),
      [`${ROOT}/c/current.md`]: named('other', '2026-01-17'),
      [`${ROOT}/d/current.md`]: named('main', '2026-01-18', 'complete-merged'),
      [`${ROOT}/e/current.md`]: LOOSE,
      [`${ROOT}/f/current.md`]: BEFORE.replace(
        '**Goal:**',
        '**Branch:** `main` (clean)\n**Goal:**',
      ),
    })
    expect(chosen(repo)).toBe('b')
    repo.ledger('handoff', 'complete')
    expect(chosen(repo)).toBe('a')
    expect(json(repo, 'handoff', 'list')).toMatchObject({
      handoffs: [{ name: 'e' }, { name: 'c' }, { name: 'a' }, { name: 'f' }],
    })
    repo.ledger('handoff', 'complete', 'a')
    expect(chosen(repo)).toBe('f')
    expect(json<{ handoffs: unknown[] }>(repo, 'handoff', 'list', '--all').handoffs).toHaveLength(6)
  })

  test('none on a detached HEAD', () => {
    const repo = handoffRepo()
    repo.git('checkout', '-q', '--detach')
    expect(chosen(repo)).toContain('HEAD is detached, so no handoff belongs to its branch')
  })

  test('none if two are equally recent', () => {
    const repo = ledgerRepo()
    repo.commit('handoffs', {
      [`${ROOT}/alpha/current.md`]: named('main', '2026-01-15'),
      [`${ROOT}/alps/current.md`]: named('main', '2026-01-15'),
    })
    expect(chosen(repo)).toMatch(/several active.*\n {2}alpha\n {2}alps\n {2}next: /)
    expect(json(repo, 'handoff', 'show', 'alph')).toMatchObject({ name: 'alpha' })
    expect(refusal(repo.tryLedger('handoff', 'show', 'al')).status).toBe(1)
    expect(refusal(repo.tryLedger('handoff', 'show', 'x')).status).toBe(1)
  })
})

test('check names each problem with its line', () => {
  const repo = handoffRepo(
    HANDOFF.replace('**Updated:** 2026-01-15T14:30:00Z (after lunch)\n', '')
      .replace('[->] Logout', '[->] one\n[->] Logout')
      .replace('"test_count": 15,', '"test_count": ,'),
  )
  const ran = repo.tryLedger('handoff', 'check')
  expect(ran.status).toBe(1)
  expect(ran.stdout.split('\n').map((line) => line.replace(AUTH, ''))).toEqual([
    ':11: the Ledger has no **Updated:**',
    ':20: a second task is in progress: Now holds only one',
    expect.stringMatching(/^:66: Phase 2 \(Session Model\) has been in progress for \d+ d$/),
    ':71: Validation State is not a JSON object',
    '',
  ])
})

test.each([
  [
    'a code fence',
    '### Next\n',
    '### Next\n```text\n',
    ':27: a code fence or a comment is not closed',
  ],
  [
    'a comment',
    '## Ledger\n',
    '<!-- open\n## Ledger\n',
    ':11: a code fence or a comment is not closed',
  ],
])('check names %s that is not closed', (_, place, put, problem) => {
  const repo = handoffRepo(HANDOFF.replaceAll(/^(?:```.*|<!--.*)\n/gm, '').replace(place, put))
  expect(repo.tryLedger('handoff', 'update', '--next', 'x').status).toBe(1)
  const ran = repo.tryLedger('handoff', 'check')
  expect([ran.status, ran.stdout.replaceAll(AUTH, '')]).toEqual([
    1,
    expect.stringContaining(problem),
  ])
})

test('show and resume join newer events of the stream', () => {
  const repo = handoffRepo()
  const words = [
    '--done',
    'Middleware swap',
    '--resolve',
    'UNCONFIRMED: Does the rate limiter need sessions?',
  ]
  repo.event('--stream', 'auth', '--now', 'By an event', ...words, '--decision', 'Storage=files')
  repo.event('--stream', 'other', '--now', 'Not this')
  repo.event('--stream', 'auth', '--now', 'Too old', '--ts', '2026-01-01T00:00:00Z')
  const shown = json(repo, 'handoff', 'resume')
  expect(shown).toMatchObject({
    now: ['By an event'],
    next: ['Logout endpoint and session invalidation', 'Remove JWT imports'],
    decisions: { Storage: 'files' },
    open_questions: [],
    newer_events: 1,
    commits_since: 0,
    run: null,
  })
  expect(repo.ledger('handoff', 'show')).toContain('(1 newer event joined in)')
})

test('a change keeps what resume showed, in the file and in the ledger', () => {
  const repo = ledgerRepo()
  repo.ledger('handoff', 'create', 'auth', '--goal', 'G', '--next', 'n1')
  const words = ['--decision', 'e=1', '--question', 'UNCONFIRMED: why?']
  repo.event('--stream', 'auth', '--now', 'event now', '--next', 'event next', ...words)
  repo.event('--stream', 'auth', '--next', "bob's step", '--agent', 'bob')
  const shown = json(repo, 'handoff', 'resume')
  expect(shown).toMatchObject({ next: ['G', 'n1', 'event next', "bob's step"], newer_events: 2 })
  const listed = json(repo, 'handoff', 'list') as { handoffs: object[] }
  expect(listed.handoffs[0]).toMatchObject({ now: ['event now'] })

  repo.ledger('handoff', 'update', '--done', 'n1')
  expect(json(repo, 'handoff', 'resume')).toEqual({
    ...shown,
    updated: expect.any(String),
    this_session: ['Session started', 'n1'],
    next: ['G', 'event next', "bob's step"],
    newer_events: 0,
  })
  const ledger = json(repo, 'show') as { next: { text: string }[] }
  expect(ledger.next.map(({ text }) => text)).toEqual(["bob's step", 'G', 'event next'])

  repo.event('--stream', 'auth', '--next', 'last step', '--agent', 'bob')
  repo.ledger('handoff', 'update', '--done-now')
  expect(pending(repo).at(-1)).toContain('  - event now')
  repo.ledger('handoff', 'complete')
  const next = ['G', 'event next', "bob's step", 'last step']
  expect(json(repo, 'handoff', 'show', 'auth')).toMatchObject({ next, now: [] })
})

test('newer events are reported but not joined into an unclosed section, and nothing is written', () => {
  const repo = handoffRepo(HANDOFF.replace('### Next\n', '### Next\n~~~\n'))
  repo.event('--stream', 'auth', '--next', 'by an event')
  const ran = repo.tryLedger('handoff', 'resume', 'auth')
  expect(ran.status).toBe(0)
  expect(ran.stdout).toContain('Logout endpoint')
  expect(ran.stderr).toMatch(/1 newer event is not joined in: Next: a code fence .* is not closed/)
  const before = repo.read(AUTH)
  expect(refusal(repo.tryLedger('handoff', 'update', 'auth', '--goal', 'x')).status).toBe(1)
  expect(repo.read(AUTH)).toBe(before)
})

test('resume says where to continue', () => {
  const repo = handoffRepo()
  repo.commit('one')
  repo.commit('two')
  const lines = repo.ledger('handoff', 'resume').split('\n')
  expect(lines[0]).toMatch(/^auth: updated \d+ d ago, 2 commits since$/)
  const rest = [
    'Ask before you go on:',
    '  1. Does the rate limiter need sessions?',
    'Last validated: Phase 1 (Tests Written)',
  ]
  expect(lines).toEqual(
    expect.arrayContaining([
      ...rest,
      'Next phase: Phase 2 (Session Model)',
      'Last test: uv run pytest -v',
    ]),
  )
})

describe('phase', () => {
  test('starts, passes, fails and skips phases', () => {
    const repo = handoffRepo()
    repo.write('src/new.ts', 'x')
    const status = () =>
      json<{ phases: { status: string }[] }>(repo, 'handoff', 'show').phases.map(
        (phase) => phase.status,
      )
    expect(repo.ledger('handoff', 'phase', 'pass', '2', '--tests', '15/15')).toMatch(
      /^Phase 2 \(Session Model\): ✓ VALIDATED \(15\/15 tests passing, 20.*Z\)$/,
    )
    repo.ledger('handoff', 'phase', 'auth', 'start', 'Phase 3')
    expect(status()).toEqual(['validated', 'validated', 'in_progress'])
    repo.ledger('handoff', 'phase', 'fail', '3', '--note', 'no server')
    repo.ledger('handoff', 'phase', 'skip', '4')
    expect(status()).toEqual(['validated', 'validated', 'failed', 'skipped'])
    const shown = json<Record<string, Record<string, unknown>>>(repo, 'handoff', 'show')
    expect(shown['validation']).toMatchObject({
      test_count: 15,
      tests_passing: 15,
      files_modified: ['src/auth/session.py', 'src/new.ts'],
    })
    expect(repo.read(AUTH)).toContain('// in all')
    expect(pending(repo).filter((event) => event.includes('checkpoints:'))).toHaveLength(4)
  })

  test('--run decides the status, and a typed command needs no consent', () => {
    const repo = handoffRepo()
    const phase = (command: string) =>
      repo.tryLedger('handoff', 'phase', 'pass', '2', '--run', command, '--json')
    const failed = phase('echo out; pwd >ran.txt; exit 3')
    expect(failed.status).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'failed', exit_code: 3 })
    expect(repo.read('ran.txt').trim()).toBe(repo.folder)
    expect(JSON.parse(phase('true').stdout)).toMatchObject({ status: 'validated', exit_code: 0 })
    expect(json<Record<string, unknown>>(repo, 'handoff', 'show')['validation']).toMatchObject({
      last_test_command: 'true',
      last_test_exit_code: 0,
    })
  })

  test('--run runs nothing if the result cannot be recorded', () => {
    const repo = handoffRepo()
    const secret = ['ghp', `_${'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4f'}GhIj`].join('')
    const phase = (...words: string[]) =>
      repo.tryLedger('handoff', 'phase', 'auth', 'pass', ...words)
    expect(refusal(phase('2', '--run', `touch ran; : ${secret}`)).status).toBe(1)
    expect(refusal(phase('2', '--run', 'touch ran', '--note', secret)).status).toBe(1)
    const named = phase(`2 ${secret}`, '--run', 'touch ran')
    expect(refusal(named).status).toBe(1)
    expect(named.stderr).toMatch(/seems to hold a secret: PHASE/)
    repo.write(AUTH, Buffer.concat([Buffer.from(repo.read(AUTH)), Buffer.from([0xff, 0x0a])]))
    expect(refusal(phase('2', '--run', 'touch ran')).status).toBe(1)
    expect(repo.exists('ran')).toBe(false)
  })

  test('refuses senseless arguments with 2', () => {
    const repo = handoffRepo()
    for (const words of [
      'pass',
      'auth pass',
      'pass 2 --tests 3',
      'pass 2 --tests 4/3',
      'go 2',
      'start 2 --run true',
      'a b c d',
    ]) {
      expect
        .soft(refusal(repo.tryLedger('handoff', 'phase', ...words.split(' '))).status, words)
        .toBe(2)
    }
    for (const words of ['strat 2', 'auth strat 2']) {
      const mistyped = repo.tryLedger('handoff', 'phase', ...words.split(' '))
      expect.soft(mistyped.stderr, words).toContain('did you mean start?')
    }
    expect(repo.status()).toBe('')
  })
})

longTest('the shell completes names and steps', () => {
  const repo = handoffRepo()
  const complete = (...words: string[]) =>
    repo.run(process.execPath, [CLI, '--complete', ...words]).stdout
  expect(complete('handoff', 'show', 'a')).toBe('auth\t\n')
  expect(complete('handoff', 'phase', '')).toBe('start\t\npass\t\nfail\t\nskip\t\nauth\t\n')
  expect(complete('handoff', 'phase', 'auth', 'p')).toBe('pass\t\n')
  expect(complete('handoff', 'show', 'x')).not.toContain('auth')
  expect(complete('handoff', 'sh')).toContain('show')
})
