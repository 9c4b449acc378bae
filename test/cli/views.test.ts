/** The reading commands: show, event list/show/validate/retract, log, why, diff, preview, resolve. */

import { describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/core/fleet/fleet.ts'
import type { Repo } from '../support/git-repo.ts'
import { copyOf, CURRENT, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { json, refusal, writeEvent } from './words.ts'
import { builtFrom } from '../support/built-from.ts'
import { longTest } from '../support/long.ts'

builtFrom(() => import('../../src/entry/main.ts'))

/** Three committed events of two agents on two branches. */
function teamRepo(): Repo {
  return copyOf('two agents, two branches', makeTeam)
}

function makeTeam(): Repo {
  const repo = ledgerRepo()
  const at = (day: number) => ['--ts', `2026-01-0${day}T00:00:00Z`]
  const toast = ['--agent', 'toast', '--branch', 'main']
  const crisp = ['--agent', 'crisp', '--branch', 'side']
  repo.event(
    ...at(1),
    ...toast,
    '--now',
    'first',
    '--decision',
    'db=sqlite',
    '--question',
    'Which port?',
  )
  repo.event(
    ...at(2),
    ...crisp,
    '--now',
    'second',
    '--done',
    'a thing',
    '--next',
    'rest',
    '--type',
    'handoff',
  )
  const checkpoint = ['--checkpoint', 'phase=5,status=validated,updated=2026-01-03T00:00:00Z']
  repo.event(...at(3), ...toast, '--goal', 'ship', '--decision', 'db=postgres', ...checkpoint)
  repo.commit('feat: three events')
  return repo
}

function eventOf(repo: Repo, agent: string): string {
  const paths = repo.git('ls-files', EVENTS).split('\n')
  return paths.find((path) => path.includes(agent)) ?? ''
}

describe('show', () => {
  test('--json has the documented shape', () => {
    const repo = teamRepo()
    const by = (ts: string, agent: string, branch: string) => ({ ts, agent, branch })
    const toast3 = by('2026-01-03T00:00:00Z', 'toast', 'main')
    const crisp2 = by('2026-01-02T00:00:00Z', 'crisp', 'side')
    expect(json(repo, 'show')).toEqual({
      format: 1,
      title: null,
      goal: { value: 'ship', ...toast3 },
      test: null,
      now: { value: 'second', ...crisp2 },
      this_session: [{ text: 'a thing', ...crisp2 }],
      next: [{ text: 'rest', ...crisp2, stream: null, resting: false }],
      decisions: { db: { value: 'postgres', ...toast3 } },
      checkpoints: [
        { phase: '5', status: 'validated', updated: '2026-01-03T00:00:00Z', agent: 'toast' },
      ],
      open_questions: [{ text: 'Which port?', ts: '2026-01-01T00:00:00Z', agent: 'toast' }],
      agents: expect.arrayContaining([
        { ...toast3, ts: '2026-01-01T00:00:00Z', stream: null, now: 'first', resting: false },
        { ...crisp2, stream: null, now: 'second', resting: false },
      ]),
      meta: {
        event_count: 3,
        latest_ts: '2026-01-03T00:00:00Z',
        events_tree: repo.git('rev-parse', `HEAD:${EVENTS}`),
        skipped: [],
      },
    })
  })

  longTest('filters by agent, branch and time; --rev shows a commit', () => {
    const repo = teamRepo()
    const now = (...words: string[]) =>
      json<{ now: { value: string } | null }>(repo, 'show', ...words).now?.value
    expect(now('--agent', 'toast')).toBe('first')
    expect(now('--branch', 'side')).toBe('second')
    expect(now('--since', '2026-01-03')).toBeUndefined()
    expect(now('--since', '1h')).toBeUndefined()
    repo.event('--now', 'pending')
    expect(now()).toBe('pending')
    expect(now('--rev', 'HEAD')).toBe('second')
    expect(now('--rev', 'HEAD~1')).toBeUndefined()
  })

  test('says how to add an event if there is none', () => {
    const repo = ledgerRepo()
    const next = 'no events here; next: ledger-git event add --now "what is being done"\n'
    const list = ['event', 'list']
    for (const command of [['show'], ['log'], list]) {
      expect(repo.tryLedger(...command)).toMatchObject({ status: 0, stderr: next })
      expect(repo.tryLedger(...command, '--json').stderr).toBe('')
      expect(repo.tryLedger(...command, '--rev', 'HEAD').stderr).toBe('')
    }
    repo.write(`${EVENTS}/2026-01-11T13-05-00Z_other.md`, 'no event')
    const unread = 'no event here can be read; next: ledger-git event validate\n'
    expect(repo.tryLedger('show').stderr).toBe(unread)
    repo.event('--now', 'x')
    expect(repo.tryLedger('show').stderr).toBe('')
    const none = 'no event matches these options; next: ledger-git event list\n'
    for (const command of [['show'], ['log']]) {
      expect(repo.tryLedger(...command, '--agent', 'nobody').stderr).toBe(none)
      expect(repo.tryLedger(...command, '--agent', 'nobody', '--json').stderr).toBe('')
    }
    // It also names the file that cannot be read.
    expect(repo.tryLedger(...list, '--agent', 'nobody').stderr).toContain(none)
  })

  test('shows what archived events said, and reports nothing missing', () => {
    const repo = ledgerRepo()
    repo.event('--agent', 'toast', '--decision', 'a=b')
    repo.commit('an event')
    repo.ledger('archive', '--retention', '0s', '--no-confirm', '--commit')
    for (const words of [[], ['--agent', 'toast']]) {
      const ran = repo.tryLedger('show', ...words)
      expect(ran).toMatchObject({ status: 0, stderr: '' })
      expect(ran.stdout).toContain('- **a:** b')
    }
    const none = 'no event matches these options; next: ledger-git event list\n'
    expect(repo.tryLedger('show', '--agent', 'nobody').stderr).toBe(none)
  })

  test('shows an emptied next list as (none)', () => {
    const repo = ledgerRepo()
    repo.event('--next', '')
    expect(repo.ledger('log')).toMatch(/\n {4}next: \(none\)$/)
    expect(repo.ledger('log', '--oneline')).toContain('next: (none)')
    expect(json<Fleet>(repo, 'fleet').timeline).toMatchObject([{ summary: 'next: (none)' }])
  })

  test('filters by --stream and --type, and shows lanes at rest with --all', () => {
    const repo = ledgerRepo()
    const add = (day: string, agent: string, ...words: string[]) =>
      repo.event('--ts', `2026-${day}T00:00:00Z`, '--agent', agent, '--branch', 'main', ...words)
    add('01-01', 'old', '--next', 'left for good', '--stream', 'parser', '--type', 'handoff')
    for (const agent of ['a', 'b', 'c', 'd', 'e']) add('03-01', agent, '--next', `${agent} 1`)
    const show = (...words: string[]) => repo.ledger('show', ...words)
    expect(show()).toContain('and 1 more from 1 earlier stream: ledger-git show --all')
    expect(show()).not.toContain('left for good')
    expect(show('--all')).toContain('- [ ] left for good (resting)')
    const rests = json<{ next: { stream: string | null; resting: boolean }[] }>(repo, 'show')
    expect(rests.next[0]).toMatchObject({ stream: 'parser', resting: true })
    for (const filter of [
      ['--stream', 'parser'],
      ['--type', 'handoff'],
    ]) {
      expect(json(repo, 'show', ...filter)).toMatchObject({ next: [{ text: 'left for good' }] })
      expect(json(repo, 'log', ...filter)).toMatchObject([{ agent: 'old', stream: 'parser' }])
      const { events } = json<{ events: object[] }>(repo, 'event', 'list', ...filter)
      expect(events).toMatchObject([{ agent: 'old', stream: 'parser' }])
    }
  })

  test('without --json, prints for people, without note and footer', () => {
    const text = teamRepo().ledger('show')
    expect(text).toMatch(/^# Work Stream: ledger\n/)
    expect(text).toContain('[->] second\n')
    expect(text).not.toMatch(/_synthesized|generated from events/)
  })
})

describe('events', () => {
  test('list prints the oldest first, filtered, as data', () => {
    const repo = teamRepo()
    const list = (...words: string[]) =>
      json<{ events: { ts: string }[] }>(repo, 'event', 'list', ...words).events.map(({ ts }) =>
        ts.slice(8, 10),
      )
    expect(list()).toEqual(['01', '02', '03'])
    expect(list('--agent', 'toast')).toEqual(['01', '03'])
    expect(list('--type', 'handoff')).toEqual(['02'])
    expect(list('--branch', 'main', '--since', '2026-01-02T12:00:00Z')).toEqual(['03'])
    expect(list('--rev', 'HEAD~1')).toEqual([])
    expect(repo.ledger('event', 'list').split('\n')).toHaveLength(3)
  })

  test('show takes a path, a name or its beginning, and exits with 1 if there is none or several', () => {
    const repo = teamRepo()
    const path = eventOf(repo, 'crisp')
    const facts = repo.ledger('event', 'show', path)
    expect(facts).toContain('now: second')
    expect(repo.ledger('event', 'show', path.slice(EVENTS.length + 1))).toBe(facts)
    expect(repo.ledger('event', 'show', '2026-01-02')).toBe(facts)
    for (const word of ['2026', 'nonesuch.md']) {
      const ran = repo.tryLedger('event', 'show', word)
      expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
      expect(ran.stderr).toMatch(/next: ledger-git event list/)
    }
  })

  test("retract keeps the event's file but no longer counts it", () => {
    const repo = teamRepo()
    const secret = eventOf(repo, 'crisp')
    repo.ledger('event', 'retract', secret, '--reason', 'a secret')
    expect(repo.exists(secret)).toBe(true)
    expect(json(repo, 'show')).toMatchObject({ now: { value: 'first' }, this_session: [] })
    expect(json<{ events: object[] }>(repo, 'event', 'list').events[1]).toMatchObject({
      retracted: true,
    })
    expect(refusal(repo.tryLedger('event', 'retract', 'nonesuch.md')).status).toBe(1)
  })

  test('validate names file and problem with status 1, also for a file outside events/', () => {
    const repo = teamRepo()
    expect(repo.tryLedger('event', 'validate')).toMatchObject({ status: 0, stdout: '' })
    repo.write('draft.md', 'no front matter\n')
    const draft = repo.tryLedger('event', 'validate', 'draft.md')
    expect(draft.status).toBe(1)
    expect(draft.stdout).toMatch(/^draft\.md.*front matter/)
    expect(refusal(repo.tryLedger('event', 'validate', 'gone.md')).status).toBe(1)
    repo.write(`${EVENTS}/bad.md`, 'no front matter\n')
    const { status, stdout } = repo.tryLedger('event', 'validate', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      checked: 4,
      problems: [{ file: 'bad.md' }],
    })
  })

  longTest('a retracted unreadable file is no longer reported by any command', () => {
    const repo = teamRepo()
    repo.commit('bad', { [`${EVENTS}/bad.md`]: 'no front matter\n' })
    type Doctor = { findings: { name: string; status: string }[] }
    const looks = () => [
      repo.tryLedger('event', 'validate').status,
      repo.tryLedger('event', 'list').status,
      json<{ skipped: number }>(repo, 'status').skipped,
      (JSON.parse(repo.tryLedger('doctor', '--json').stdout) as Doctor).findings.filter(
        ({ name, status }) => name === 'events' && status !== 'ok',
      ).length,
      json<{ attention: { kind: string }[] }>(repo, 'fleet').attention.filter(
        ({ kind }) => kind === 'broken',
      ).length,
    ]
    expect(looks()).toEqual([1, 1, 1, 1, 1])
    repo.ledger('event', 'retract', 'bad.md')
    expect(looks()).toEqual([0, 0, 0, 0, 0])
  })
})

describe('history', () => {
  test('log prints the newest first, limited, as data', () => {
    const repo = teamRepo()
    const log = (...words: string[]) =>
      json<{ ts: string; facts: string[] }[]>(repo, 'log', ...words)
    expect(log().map(({ ts }) => ts.slice(8, 10))).toEqual(['03', '02', '01'])
    expect(log('-n', '1')).toHaveLength(1)
    expect(log('-n', '0')).toEqual([])
    expect(log('--type', 'handoff')[0]?.facts).toEqual([
      'now: second',
      'done: a thing',
      'next: rest',
    ])
    expect(repo.ledger('log', '--agent', 'crisp')).toMatch(/^2026-01-02 {2}crisp on side/)
    const short = repo.ledger('log', '--agent', 'crisp', '--oneline')
    expect(short).toBe('2026-01-02  crisp on side  now: second (+2)')
  })

  test('why shows the events and commits that set a decision or asked a question', () => {
    const repo = teamRepo()
    const head = repo.git('rev-parse', 'HEAD')
    expect(json(repo, 'why', 'db')).toMatchObject([{ holds: false }, { holds: true }])
    expect(repo.ledger('why', 'db')).toMatch(/decided: postgres {2}\(holds now\)$/m)
    expect(json(repo, 'why', 'Which port?')).toMatchObject([{ holds: true }])
    repo.event('--decision', 'db=', '--resolve', 'Which port?')
    expect(json(repo, 'why', 'db')).toMatchObject([
      { what: 'decided: sqlite', commit: head, agent: 'toast' },
      { what: 'decided: postgres', commit: head, holds: false },
      { what: 'decision removed', commit: null, holds: true },
    ])
    expect(json(repo, 'why', 'Which  port')).toMatchObject([
      { what: 'asked: Which port?', holds: false },
      { what: 'resolved: Which port?', holds: true },
    ])
    for (const words of ['which port', 'WHICH PORT?', 'Port', 'Which por'])
      expect(json(repo, 'why', words), words).toHaveLength(2)
    for (const words of ['DB', 'PO', '?!'])
      expect(refusal(repo.tryLedger('why', words)).status, words).toBe(1)
    expect(repo.ledger('why', 'db')).toContain(`${head.slice(0, 9)} feat: three events`)
    const unknown = repo.tryLedger('why', 'nonesuch')
    expect(refusal(unknown)).toEqual({ status: 1, stdout: '' })
  })

  test('diff shows what changed in meaning', () => {
    const repo = teamRepo()
    expect(repo.ledger('diff', 'HEAD', 'HEAD')).toBe('')
    repo.event('--decision', 'db=oracle', '--done', 'more')
    const lines = repo.ledger('diff', 'HEAD').split('\n')
    expect(lines).toContainEqual(
      expect.stringMatching(/^~ decisions db: postgres → oracle {2}\(\S+ on main, \d+ s ago\)$/),
    )
    expect(lines.some((line) => /^\+ this_session.*more/.test(line))).toBe(true)
    for (const words of ['HEAD~1..HEAD', 'HEAD~1..'])
      expect(json(repo, 'diff', words)).toEqual(json(repo, 'diff', 'HEAD~1', 'HEAD'))
    expect(json(repo, 'diff', 'HEAD~1', 'HEAD')).toContainEqual(
      expect.objectContaining({ section: 'decisions', key: 'db', change: 'added', to: 'postgres' }),
    )
  })

  longTest('preview shows what a merge would change, and writes nothing', () => {
    const repo = teamRepo()
    repo.git('switch', '-q', '-c', 'feature')
    repo.event('--done', 'on the feature')
    repo.commit('feature')
    repo.git('switch', '-q', 'main')
    repo.event('--done', 'on main')
    repo.commit('main')
    const before = [repo.status(), repo.git('rev-parse', 'HEAD')]
    expect(repo.ledger('preview', 'feature')).toMatch(/^\+ this_session.*on the feature$/m)
    const { ledger } = json<{ ledger: object }>(repo, 'preview', 'feature')
    expect([repo.status(), repo.git('rev-parse', 'HEAD')]).toEqual(before)
    repo.git('merge', '-q', '--no-edit', 'feature')
    expect(ledger).toEqual(json(repo, 'show'))
    expect(repo.ledger('preview', 'feature')).toBe('no change in the ledger')
  })
})

test('preview, merge and resolve name a decision made on both sides, by whom, and which holds', () => {
  const repo = teamRepo()
  repo.git('switch', '-q', '-c', 'feature')
  repo.event('--agent', 'nux', '--decision', 'store=sqlite')
  repo.commit('feature')
  repo.git('switch', '-q', 'main')
  repo.event('--agent', 'toast', '--decision', 'store=postgres')
  repo.commit('main')
  const said =
    'both sides decided store: postgres (toast on main) holds, sqlite (nux on feature) gives way'
  expect(repo.ledger('preview', 'feature')).toContain(said)
  expect(json(repo, 'preview', 'feature')['decisions_differ']).toMatchObject([
    {
      key: 'store',
      values: [
        { value: 'postgres', agent: 'toast', branch: 'main', holds: true },
        { value: 'sqlite', agent: 'nux', branch: 'feature', holds: false },
      ],
    },
  ])
  // Broken settings on the other side do not matter.
  repo.git('switch', '-q', 'feature')
  repo.write('.ledger-git.yaml', 'ledger: {root: [}\n')
  repo.git('add', '.ledger-git.yaml')
  repo.git('commit', '-q', '-n', '-m', 'broken')
  repo.git('switch', '-q', 'main')
  expect(repo.ledger('preview', 'feature')).toContain(said)
  repo.git('tag', 'MERGE_HEAD', 'feature') // not a merge, and not one of git's own refs
  expect(repo.tryLedger('resolve').stderr).not.toContain('both sides')
  const merged = repo.tryGit('merge', '-q', '--no-commit', 'refs/heads/feature')
  expect(merged.stderr).toContain(`ledger-git: ${said}\n`)
  repo.git('rm', '-q', '-f', '.ledger-git.yaml')
  expect(repo.tryLedger('resolve')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(said),
  })
  repo.git('commit', '-q', '-m', 'merged')
  expect(repo.tryLedger('resolve').stderr).not.toContain('both sides')
})

test('resolve regenerates and stages a conflicted or stale current.md; --commit commits it', () => {
  const repo = teamRepo()
  expect(json(repo, 'resolve')).toEqual({
    path: CURRENT,
    staged: false,
    commit: null,
    handoffs: [],
  })
  const fresh = repo.read(CURRENT)
  repo.write(CURRENT, `<<<<<<< ours\n${fresh}=======\n${fresh}>>>>>>> theirs\n`)
  repo.git('add', CURRENT)
  expect(json(repo, 'resolve')).toMatchObject({ staged: true, commit: null, handoffs: [] })
  expect(repo.read(CURRENT)).toBe(fresh)
  expect(repo.git('diff', '--cached', '--name-only')).toBe('')

  writeEvent(repo, 'late.md', 'now: late', '2026-02-01T00:00:00Z')
  repo.git('add', EVENTS)
  repo.run('git', ['commit', '-q', '-m', 'stale'], { env: { LEDGER_GIT: '0' } })
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(1)
  const { commit } = json<{ commit: string }>(repo, 'resolve', '--commit')
  expect(repo.git('rev-parse', 'HEAD')).toBe(commit)
  expect(repo.changed()).toEqual([CURRENT])
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
})
