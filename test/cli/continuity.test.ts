/** `continuity`: the active ledger by command, on real repositories. */

import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ActiveLedger } from '../../src/core/active-ledger/active-ledger.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo, ROOT } from '../support/git-repo.ts'
import { crash } from '../robust/crash.ts'
import { FULL } from '../core/active-ledger/ledgers.ts'
import { json } from './words.ts'
import { sampleOf } from '../support/long.ts'

builtFrom(
  () => import('../../src/cli/continuity/continuity.ts'),
  () => import('../../src/entry/continuity.ts'),
)

const FILE = 'conductor/sessions/active/LEDGER.md'
const ARCHIVE = 'conductor/sessions/archive'

interface Answer {
  readonly path: string
  readonly created: boolean
  readonly archived: string | null
  readonly ledger: ActiveLedger
}

const say = (repo: Repo, ...words: string[]) => json<Answer>(repo, 'continuity', ...words)
const archives = (repo: Repo) =>
  repo.exists(ARCHIVE)
    ? readdirSync(join(repo.folder, ARCHIVE))
        .filter((name) => !name.startsWith('.'))
        .sort()
    : []
const now = () => new Date().toISOString().replace(/\.\d+/, '')
const fresh = () => FULL.replace('2025-12-27T10:30:00Z', now())

test('follows a track from start to end in the documented format', () => {
  const repo = ledgerRepo()
  expect(say(repo, 'load')).toMatchObject({
    path: FILE,
    created: true,
    archived: null,
    ledger: { session_id: 'manual', platform: 'manual', bound_track: null, branch: 'main' },
  })
  expect(repo.status()).toBe('')
  expect(say(repo, 'load', '--track', 'auth_20251227').ledger).toMatchObject({
    bound_track: 'auth_20251227',
    bound_bead: null,
  })
  expect(say(repo, 'bind', '--bead', 'my-workflow:3-xyz').ledger).toMatchObject({
    bound_track: 'auth_20251227',
    bound_bead: 'my-workflow:3-xyz',
  })
  expect(repo.read(FILE)).toContain(
    '## Active Task\n\nbead: my-workflow:3-xyz\ntrack: auth_20251227\n',
  )
  expect(say(repo, 'mode', 'SA').ledger.mode).toBe('SA')
  expect(say(repo, 'tdd', 'GREEN').ledger.tdd_phase).toBe('GREEN')
  expect(say(repo, 'tdd', 'none').ledger.tdd_phase).toBeNull()
  expect(say(repo, 'tdd', 'off').ledger.tdd_phase).toBe('off')
  const saved = say(
    repo,
    'save',
    '--goal',
    'JWT',
    '--now',
    'refresh tokens',
    '--done',
    '-v works',
    '--next',
    'logout',
    '--decision',
    'RS256 over HS256=key rotation',
    '--question',
    'Sliding window?',
    '--modified',
    'src/jwt.ts',
    '--read',
    'docs/security.md',
    '--test',
    'npm test',
    '--title',
    'Auth',
    '--checkpoint',
    'phase=5,status=validated',
    '--reason',
    'lunch',
  )
  expect(saved.ledger).toMatchObject({
    goal: 'JWT',
    now: ['refresh tokens'],
    done: ['-v works'],
    next: ['logout'],
    modified: ['src/jwt.ts'],
    read: ['docs/security.md'],
    test: 'npm test',
    open_questions: ['Sliding window?'],
    decisions: [
      {
        decision: 'RS256 over HS256',
        reasoning: 'key rotation',
        when: expect.stringMatching(/^\d\d:\d\d$/) as string,
      },
    ],
  })
  expect(repo.read(FILE)).toContain('# Auth\n')
  expect(repo.read(FILE)).toContain('- Phase 5: VALIDATED\n')
  expect(say(repo, 'unbind', '--bead').ledger).toMatchObject({
    bound_track: 'auth_20251227',
    bound_bead: null,
  })
  const done = json(repo, 'continuity', 'handoff', 'track-complete')
  expect(done).toMatchObject({
    removed: true,
    archived: expect.stringMatching(/-track-complete-[0-9a-f]{4}\.md$/) as string,
  })
  expect(repo.exists(FILE)).toBe(false)
  const event = repo.read(done['event'] as string)
  for (const line of [
    'type: handoff',
    'reason: track-complete',
    'stream: auth_20251227',
    'goal: JWT',
    '  RS256 over HS256: key rotation',
    'next: []',
  ]) {
    expect(event).toContain(line)
  }
  expect(repo.read(done['archived'] as string)).toMatch(
    /trigger: track-complete\nstatus: complete\n---/,
  )
  expect(repo.status()).toBe(`?? ${done['event'] as string}`)
})

test("a switch archives first, a stale ledger is replaced, and the file's mtime does not matter", () => {
  const repo = ledgerRepo()
  repo.write(FILE, fresh())
  utimesSync(join(repo.folder, FILE), 1, 1)
  const switched = say(repo, 'bind', '--track', 'billing')
  expect(switched.archived).toMatch(/-track-switch-/)
  expect(repo.read(switched.archived ?? '')).toContain('- Completed item 1')
  expect(switched.ledger).toMatchObject({
    bound_track: 'billing',
    bound_bead: null,
    mode: 'SA',
    done: [],
  })
  repo.write(FILE, FULL)
  const loaded = say(repo, 'load')
  expect(loaded.archived).toMatch(/-stale-/)
  expect(loaded.ledger).toMatchObject({ goal: null, session_id: 'manual', mode: null })
  expect(repo.read(loaded.archived ?? '')).toMatch(/status: interrupted\n/)
  expect(archives(repo)).toHaveLength(2)
})

test('records unreported work before a track switch clears it, and nothing twice', () => {
  const repo = ledgerRepo()
  say(repo, 'load', '--track', 'auth')
  say(repo, 'save', '--decision', 'RS256=key rotation', '--question', 'Which lifetime?')
  say(repo, 'save', '--done', 'JWT', '--next', 'Cookies')
  const ran = repo.tryLedger('continuity', 'load', '--track', 'billing')
  const [, told = ''] = /told first: (.*)\n/.exec(ran.stderr) ?? []
  const event = repo.read(told)
  for (const line of [
    'type: handoff',
    'reason: track-switch',
    'stream: auth',
    '  - JWT',
    '  - Cookies',
    '  RS256: key rotation',
    '  - "Which lifetime?"',
  ]) {
    expect(event).toContain(line)
  }
  expect(archives(repo)).toHaveLength(1)
  // Handed off and bound again, so nothing is new.
  say(repo, 'save', '--done', 'Invoices')
  repo.ledger('continuity', 'handoff')
  say(repo, 'bind', '--track', 'billing')
  const before = repo.status()
  expect(repo.tryLedger('continuity', 'bind', '--track', 'mail').stderr).not.toContain('told')
  expect(repo.status()).toBe(before)
  expect(json<{ now: unknown[] }>(repo, 'show')).toMatchObject({
    decisions: { RS256: { value: 'key rotation' } },
  })
})

test('repeated saves leave the file as one save does', () => {
  const repo = ledgerRepo()
  repo.write(
    FILE,
    fresh()
      .replace('retries: 0', 'retries: 0 # kept')
      .replace('## Goal\n', '<!-- kept -->\n\n## Goal\n'),
  )
  const words = [
    'save',
    '--now',
    'Current work item',
    '--done',
    'x',
    '--modified',
    'a.ts',
    '--decision',
    'A=b',
  ]
  say(repo, ...words)
  const plain = () => repo.read(FILE).replace(/^updated: .*$/m, '')
  const before = plain()
  for (let i = 0; i < 5; i++) say(repo, ...words)
  expect(plain()).toBe(before)
  expect(before).toContain('  retries: 0 # kept\n')
  expect(before).toContain('<!-- kept -->')
})

describe('a failure', () => {
  test.each([
    [
      'a mode that is already set',
      (repo: Repo) => say(repo, 'mode', 'SA'),
      ['mode', 'MA'],
      1,
      /mode is SA until the work is handed off/,
    ],
    [
      'not UTF-8',
      (repo: Repo) => repo.write(FILE, Buffer.from([0xff, 0x0a])),
      ['save', '--now', 'x'],
      3,
      /is not valid UTF-8: it is left unchanged/,
    ],
    [
      'a link',
      (repo: Repo) => {
        mkdirSync(join(repo.folder, 'conductor/sessions/active'), { recursive: true })
        repo.run('ln', ['-s', '../../../README.md', FILE])
      },
      ['load'],
      3,
      /is not a regular file/,
    ],
    [
      'a folder that is a link',
      (repo: Repo) => {
        repo.run('sh', ['-c', 'mkdir -p conductor ../out && ln -s ../../out conductor/sessions'])
      },
      ['load'],
      3,
      /conductor\/sessions is a symbolic link/,
    ],
    [
      'switched off',
      (repo: Repo) => repo.write('.ledger-git.yaml', 'active_ledger: off\n'),
      ['save', '--now', 'x'],
      1,
      /switched off/,
    ],
    [
      'broken settings',
      (repo: Repo) => repo.write('.ledger-git.yaml', 'mod: x\n'),
      ['save', '--now', 'x'],
      2,
      /unknown key/,
    ],
  ] as const)(
    '%s: exits with 0 unless --strict is given, and changes nothing',
    (_, breakIt, words, status, message) => {
      const repo = ledgerRepo()
      breakIt(repo)
      const before = repo.run('sh', [
        '-c',
        'cat README.md; cat conductor/sessions/active/LEDGER.md',
      ]).stdout
      const ran = repo.tryLedger('continuity', ...words, '--json')
      expect(ran).toMatchObject({ status: 0, stderr: expect.stringMatching(message) as string })
      expect(JSON.parse(ran.stdout)).toMatchObject({
        error: { message: expect.stringMatching(message) as string },
      })
      expect(repo.tryLedger('continuity', ...words, '--strict')).toMatchObject({
        status,
        stdout: '',
      })
      expect(
        repo.run('sh', ['-c', 'cat README.md; cat conductor/sessions/active/LEDGER.md']).stdout,
      ).toBe(before)
    },
  )

  test('is a usage error with status 2 for wrong arguments', () => {
    const repo = ledgerRepo()
    for (const words of [
      ['mode', 'XX'],
      ['gate', 'desing', 'pass'],
      ['bind'],
      ['bind', '--track', 'a b'],
      ['save', '--decision', 'x'],
      ['handoff', 'soon'],
      ['save', '--nwo', 'x'],
    ]) {
      expect(repo.tryLedger('continuity', ...words).status).toBe(2)
    }
    expect(repo.exists('conductor')).toBe(false)
  })

  test('outside a repository exits with 0, or with 3 for --strict and gates', () => {
    const { sandbox } = ledgerRepo()
    const outside = sandbox.at(join(sandbox.folder, 'home'))
    expect(outside.tryLedger('continuity', 'load')).toMatchObject({ status: 0, stdout: '' })
    expect(outside.tryLedger('continuity', 'load', '--strict').status).toBe(3)
    expect(outside.tryLedger('continuity', 'gate', 'design', 'pass').status).toBe(3)
  })
})

test('adds the fields of every ledger to a file without front matter', () => {
  const repo = ledgerRepo()
  repo.write(FILE, '# Session Ledger\n')
  const { ledger } = say(repo, 'save', '--now', 'x')
  expect(ledger).toMatchObject({ session_id: 'manual', platform: 'manual', now: ['x'] })
  expect(ledger.updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('warns that a commit may include the file if install has not run', () => {
  const repo = ledgerRepo()
  repo.git('clone', '-q', '.', '../clone')
  const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
  const warning =
    /does not ignore conductor\/sessions\/active\/LEDGER\.md.*\n {2}next: ledger-git install$/m
  expect(clone.tryLedger('continuity', 'save', '--now', 'private').stderr).toMatch(warning)
  clone.ledger('install')
  expect(clone.tryLedger('continuity', 'save', '--now', 'private').stderr).toBe('')
  expect(clone.git('status', '--porcelain', '--', 'conductor')).toBe('')
})

test('stores paths relative to the top folder, wherever they are typed', () => {
  const repo = ledgerRepo()
  repo.write('src/deep/a.ts', '')
  const words = [
    '--modified',
    'a.ts',
    '--modified',
    '../../../outside',
    '--read',
    '../../README.md',
  ]
  repo.sandbox.at(`${repo.folder}/src/deep`).ledger('continuity', 'save', ...words)
  expect(json(repo, 'continuity', 'status')).toMatchObject({
    ledger: { modified: ['src/deep/a.ts', '../../../outside'], read: ['README.md'] },
  })
})

test('does not write an equal archive again, and says so', () => {
  const repo = ledgerRepo()
  repo.ledger('continuity', 'save', '--now', 'x')
  const first = repo.tryLedger('continuity', 'handoff', 'pre-compact')
  const again = repo.tryLedger('continuity', 'handoff', 'pre-compact')
  expect(again.stdout).toBe(first.stdout)
  expect([first.stderr, again.stderr]).toEqual(['', expect.stringContaining('no new one was made')])
})

test('allows another mode after the ledger was archived', () => {
  const repo = ledgerRepo()
  say(repo, 'mode', 'SA')
  say(repo, 'mode', 'SA')
  repo.ledger('continuity', 'handoff')
  expect(say(repo, 'mode', 'MA').ledger).toMatchObject({ mode: 'MA', bound_track: null })
})

test('a switch by hand clears the same as a switch by binding', () => {
  const repo = ledgerRepo()
  for (const words of [
    ['bind', '--track', 'billing'],
    ['handoff', 'track-switch'],
  ]) {
    repo.write(FILE, `${fresh()}\n## My notes\n\nkeep me\n`)
    say(repo, 'save', '--next', 'x')
    repo.ledger('continuity', ...words)
    expect(say(repo, 'bind', '--track', 'billing').ledger).toMatchObject({
      bound_track: 'billing',
      bound_bead: null,
      mode: 'SA',
      goal: null,
      done: [],
      next: [],
      decisions: [],
      validation_history: [],
    })
    expect(repo.read(FILE)).toContain('## My notes\n\nkeep me\n')
  }
})

test('a gate exits with its status, and its third failure asks for a person', () => {
  const repo = ledgerRepo()
  repo.write(FILE, fresh())
  const gate = (...words: string[]) => repo.tryLedger('continuity', 'gate', ...words)
  expect(gate('spec', 'fail', '--full', '--notes', 'edge cases')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('warning: gate spec failed: edge cases') as string,
  })
  expect(gate('plan-execution', 'fail').status).toBe(0)
  const fail = () => gate('plan-execution', 'fail', '--full', '--notes', 'coverage 60 %')
  expect(fail()).toMatchObject({ status: 1, stderr: expect.stringContaining('fix it') as string })
  expect(fail().status).toBe(1)
  expect(fail()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('a person decides') as string,
  })
  expect(say(repo, 'heartbeat').ledger).toMatchObject({
    validation: { current_gate: 'plan-execution', retries: 2, last_failure: 'coverage 60 %' },
    open_questions: [
      'Unresolved question 1?',
      'Unresolved question 2?',
      'Gate plan-execution failed 3 times: coverage 60 %. How shall the work go on?',
    ],
  })
  expect(json(repo, 'continuity', 'gate', 'plan-execution', 'pass')).toMatchObject({
    halt: false,
    human: false,
    ledger: {
      validation: {
        gates_passed: ['plan-execution'],
        retries: 0,
        last_failure: null,
        current_gate: null,
      },
    },
  })
  expect(repo.read(FILE)).toMatch(
    /\| plan-execution \| ❌ FAIL \| \d\d:\d\d \| coverage 60 % \|\n\| plan-execution \| ✅ PASS \| \d\d:\d\d \| - \|\n/,
  )
})

test('status, search and load show the ledger as text, and LEDGER_AGENT names the session', () => {
  const repo = ledgerRepo()
  expect(json(repo, 'continuity', 'status')).toMatchObject({ exists: false, ledger: null })
  repo.write(FILE, FULL)
  expect(json(repo, 'continuity', 'status')).toMatchObject({
    exists: true,
    stale: true,
    session_stale: true,
    owner_alive: false,
  })
  expect(repo.ledger('continuity', 'status')).toContain('stale: the next load archives it')
  repo.write(FILE, fresh())
  expect(json(repo, 'continuity', 'status')).toMatchObject({ stale: false })
  repo.event('--now', 'an UPCOMING release')
  repo.write(`${ROOT}/auth/current.md`, '## Ledger\n\n### Next\n- [ ] Upcoming token work\n')
  repo.ledger('continuity', 'handoff')
  const { matches } = json<{ matches: { kind: string; path: string; line: number }[] }>(
    repo,
    'continuity',
    'search',
    'upcoming',
  )
  expect(new Set(matches.map(({ kind }) => kind))).toEqual(
    new Set(['ledger', 'archive', 'handoff', 'event']),
  )
  expect(repo.tryLedger('continuity', 'search', 'no such words')).toMatchObject({
    status: 0,
    stdout: '',
  })
  repo.sandbox.env['LEDGER_AGENT'] = 'toast'
  expect(repo.ledger('continuity', 'load')).toBe(repo.read(FILE).trimEnd())
  expect(say(repo, 'heartbeat').ledger).toMatchObject({ session_id: 'toast', platform: 'toast' })
})

test('archives are shared on request and kept as long as configured; tracked ones are never deleted', () => {
  const repo = ledgerRepo()
  const old = (trigger: string) => `${ARCHIVE}/2020-01-01-00-00-${trigger}-abcd.md`
  repo.write(old('manual'), 'old\n')
  repo.write(old('tracked'), 'old\n')
  repo.write(`${ARCHIVE}/notes.md`, 'mine\n')
  repo.git('add', '-f', old('tracked'))
  repo.write(FILE, fresh())
  repo.ledger('continuity', 'handoff')
  expect(repo.exists(old('manual'))).toBe(true)
  repo.write(
    '.ledger-git.yaml',
    'active_ledger.share: true\nactive_ledger.archive_retention: 30d\n',
  )
  repo.ledger('install')
  repo.ledger('continuity', 'handoff')
  expect(
    [old('manual'), old('tracked'), `${ARCHIVE}/notes.md`].map((path) => repo.exists(path)),
  ).toEqual([false, true, true])
  expect(repo.status()).toContain(`?? ${ARCHIVE}/`)
  expect(repo.status()).not.toContain('LEDGER.md')
})

describe('kill -9', () => {
  const CHANGING: [string[]][] = [
    [['continuity', 'handoff', 'track-complete']],
    [['continuity', 'save', '--now', 'New']],
    [['continuity', 'bind', '--track', 'billing']],
  ]
  test.each(sampleOf(CHANGING, 3))(
    '%j: leaves the ledger whole, and its text in the ledger or the archive',
    async (words) => {
      const make = () => {
        const repo = ledgerRepo()
        repo.write(FILE, fresh())
        return repo
      }
      const { effects } = await crash(make(), words, -1)
      const steps = new Set([
        0,
        Math.floor(effects / 3),
        Math.floor((2 * effects) / 3),
        effects - 1,
      ])
      for (const at of steps) {
        const repo = make()
        const { status } = await crash(repo, words, at)
        expect(status).not.toBe(0)
        const texts = [
          ...(repo.exists(FILE) ? [repo.read(FILE)] : []),
          ...archives(repo).map((name) => repo.read(`${ARCHIVE}/${name}`)),
        ]
        // A half-written archive does not have its name yet.
        for (const text of texts) expect(text).toMatch(/## Validation History[^]*\n$/)
        expect(texts.some((text) => text.includes('- Completed item 2\n'))).toBe(true)
        expect(say(repo, 'save', '--done', 'after').ledger.done).toContain('after')
      }
    },
  )
})

test('simultaneous saves lose nothing', async () => {
  const repo = ledgerRepo()
  repo.write(FILE, fresh())
  const { startLedger } = await import('../robust/crash.ts')
  const names = ['a', 'b', 'c', 'd']
  const ran = await Promise.all(
    names.map((name) => startLedger(repo, 'continuity', 'save', '--done', name, '--strict')),
  )
  const kept = say(repo, 'heartbeat').ledger.done
  for (const [i, { status }] of ran.entries())
    expect(kept.includes(names[i] ?? '')).toBe(status === 0)
  expect(ran.some(({ status }) => status === 0)).toBe(true)
  expect(readFileSync(join(repo.folder, FILE), 'utf8')).toMatch(/^---\nupdated: /)
})
