import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/core/fleet/fleet.ts'
import { cellWidth } from '../../src/cli/fleet/cell-width.ts'
import { newRecord, observe } from '../../src/core/context/record.ts'
import { renderContextRecord } from '../../src/core/context/context-file.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { hasScript, notRunUnless } from '../support/not-run.ts'

builtFrom(
  () => import('../../src/cli/fleet/fleet.ts'),
  () => import('../../src/compose/fleet.ts'),
)

const fleetOf = (repo: Repo, ...words: string[]): Fleet =>
  JSON.parse(repo.ledger('fleet', '--json', ...words)) as Fleet

function addWorktree(repo: Repo, name: string, ...words: string[]): Repo {
  const folder = join(repo.sandbox.folder, name)
  const args = words.length === 0 ? ['-b', name, folder] : [folder, ...words]
  repo.git('worktree', 'add', '-q', ...args)
  return repo.sandbox.at(folder)
}

const find = (fleet: Fleet, folder: string) =>
  fleet.worktrees.find(({ path }) => path.endsWith(`/${folder}`))

const unsafe = (text: string) =>
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(text)

longTest('many questions are all counted, and the named command shows the rest', () => {
  const repo = ledgerRepo()
  const asked = (from: number, ts: string) => {
    const questions = Array.from({ length: 60 }, (_, i) => ['--question', `Question ${from + i}?`])
    repo.event('--agent', 'lead', ...ts.split(' '), ...questions.flat())
  }
  asked(100, '--ts 2026-01-01T00:00:00Z')
  asked(200, '--now Ask')
  const page = repo.ledger('fleet')
  expect(page).toContain('60 to look at\n')
  expect(page).toContain('and 52 more: ledger-git fleet --json')
  expect(page).toContain('\n60 open questions\n')
  expect(page).toContain('and 57 more: ledger-git fleet --json')
  const { attention, open_questions } = fleetOf(repo)
  expect([attention.length, open_questions.length]).toEqual([60, 120])
  expect(repo.ledger('status')).toContain('and 57 more')
})

describe('a fleet', () => {
  test('looks the same from every worktree: agents, work, pending events, differences, merge results', () => {
    const repo = ledgerRepo()
    const old = ['--agent', 'lead', '--ts', '2026-01-01T00:00:00Z']
    repo.event(...old, '--now', 'Plan', '--decision', 'db=sqlite', '--question', 'Which licence?')
    repo.commit('plan')
    const one = addWorktree(repo, 'one')
    const two = addWorktree(repo, 'two')
    one.event('--agent', 'toast', '--now', 'Review', '--decision', 'db=postgres')
    one.commit('one')
    two.event('--agent', 'crisp', '--now', 'Write', '--decision', 'db=mysql', '--next', 'Tag')
    repo.commit('more', { x: '1' })
    const payload = { session_id: 's-1', hook_event_name: 'UserPromptSubmit', cwd: two.folder }
    const input = JSON.stringify({ ...payload, prompt: 'Do it' })
    const args = ['agent-hook', 'claude', 'UserPromptSubmit']
    expect(two.run(process.execPath, [CLI, ...args], { input }).status).toBe(0)
    keepContext(repo, 's-1', 90_000)

    const fleet = fleetOf(one)
    expect({ ...fleetOf(two), generated_at: '' }).toEqual({ ...fleet, generated_at: '' })
    expect(fleet.main_branch).toBe('main')
    expect(find(fleet, 'repo')).toMatchObject({ main: true, fresh: true, pending: 0, ahead: 0 })
    expect(find(fleet, 'one')).toMatchObject({
      branch: 'one',
      head: one.git('rev-parse', 'HEAD'),
      main: false,
      fresh: true,
      pending: 0,
      ahead: 1,
      behind: 1,
      agents: [{ agent: 'toast', session: null, phase: 'unknown', now: 'Review' }],
    })
    expect(find(fleet, 'two')).toMatchObject({ pending: 1, ahead: 0, behind: 1 })
    expect(find(fleet, 'two')?.agents).toMatchObject([
      { agent: 'claude', session: 's-1', phase: 'active', context: { percent: 90, level: 'L2' } },
      { agent: 'crisp', session: null, phase: 'unknown', now: 'Write' },
    ])
    expect(fleet.decisions_differ).toMatchObject([
      {
        key: 'db',
        both_sides: true,
        values: [
          { value: 'mysql', agent: 'crisp', branch: 'two', held_on: ['two'] },
          { value: 'postgres', agent: 'toast', branch: 'one', held_on: ['one'] },
          { value: 'sqlite', agent: 'lead', branch: 'main', held_on: ['main'] },
        ],
      },
    ])
    expect(fleet.open_questions).toMatchObject([{ text: 'Which licence?', agent: 'lead' }])
    expect(fleet.attention.map(({ kind }) => kind)).toEqual(['context', 'question'])
    expect(fleet.timeline.map(({ agent, pending }) => [agent, pending])).toEqual([
      ['crisp', true],
      ['toast', false],
      ['lead', false],
    ])
    // The lines of `preview`, for every branch.
    const preview = repo.ledger('preview', 'one').split('\n')
    const branch = fleet.branches.find(({ name }) => name === 'one')
    expect(branch?.would_change).toEqual(preview)
    expect(preview.length).toBeGreaterThan(1)
    expect(fleet.branches.find(({ name }) => name === 'main')?.would_change).toEqual([])
  })

  longTest(
    'shows the same merge result as preview, after an archive on one side and work on both',
    () => {
      const repo = ledgerRepo()
      const aged = (agent: string, day: string, ...words: string[]) =>
        repo.event('--agent', agent, '--ts', `2025-01-${day}T00:00:00Z`, ...words)
      aged('a', '01', '--done', 'first', '--decision', 'k=1')
      aged('b', '02', '--done', 'second', '--question', 'Why?')
      repo.commit('old')
      repo.git('branch', 'topic')
      repo.ledger('archive', '--no-confirm', '--commit')
      repo.event('--agent', 'c', '--decision', 'k=2', '--done', 'third')
      repo.commit('main goes on')
      const topic = addWorktree(repo, 'topic', 'topic')
      topic.event('--agent', 'd', '--resolve', 'Why?', '--decision', 'k=3', '--done', 'fourth')
      topic.commit('topic goes on')
      const branch = fleetOf(repo).branches.find(({ name }) => name === 'topic')
      const previewed = repo.ledger('preview', 'topic').split('\n')
      // What both sides decided is in the fleet's own list of decisions.
      expect(previewed.at(-1)).toMatch(/^both sides decided k: 3 /)
      expect(branch?.would_change).toEqual(previewed.slice(0, -1))
      expect(branch?.would_change?.join('\n')).toContain('~ decisions k: 2 → 3')
      topic.git('merge', '-q', '-m', 'merge', 'main')
      expect(fleetOf(repo).branches.find(({ name }) => name === 'topic')?.would_change).toEqual(
        repo.ledger('preview', 'topic').split('\n'),
      )
    },
  )
})

describe('odd places', () => {
  test('gone, locked, detached and stale worktrees are shown as such, beside the others', () => {
    const repo = ledgerRepo()
    repo.event('--agent', 'lead', '--now', 'Plan')
    repo.commit('plan')
    addWorktree(repo, 'gone')
    rmSync(join(repo.sandbox.folder, 'gone'), { recursive: true })
    addWorktree(repo, 'locked')
    repo.git('worktree', 'lock', '--reason', 'on a stick', join(repo.sandbox.folder, 'locked'))
    const detached = addWorktree(repo, 'detached', '--detach')
    detached.event('--agent', 'crisp', '--now', 'Bisect')
    const stale = addWorktree(repo, 'stale')
    stale.write(`${EVENTS}/../current.md`, 'by hand')
    const fleet = fleetOf(repo)
    expect(find(fleet, 'gone')).toMatchObject({
      note: 'its folder is gone',
      fresh: null,
      pending: null,
    })
    expect(find(fleet, 'locked')).toMatchObject({ note: 'locked: on a stick', fresh: true })
    expect(find(fleet, 'detached')).toMatchObject({
      branch: null,
      note: 'detached HEAD',
      pending: 1,
      agents: [{ agent: 'crisp', now: 'Bisect' }],
    })
    expect(find(fleet, 'stale')).toMatchObject({ fresh: false })
    expect(fleet.attention).toMatchObject([
      { kind: 'stale', subject: 'stale' },
      { kind: 'left_behind', subject: 'gone', command: 'git worktree repair FOLDER' },
    ])
    expect(fleet.errors).toEqual([])
    const [, prune = ''] = fleet.attention[1]?.message.split('if it was deleted: ') ?? []
    expect(repo.run('sh', ['-c', prune]).status).toBe(0)
    stale.ledger('resolve')
    expect(fleetOf(repo).attention).toEqual([])
  })

  test('shows repositories without a commit, without a worktree and without a ledger', () => {
    const sandbox = new Sandbox()
    const fresh = sandbox.init('fresh')
    expect(fleetOf(fresh)).toMatchObject({
      worktrees: [{ branch: 'main', head: null, note: 'no commit yet', agents: [] }],
      branches: [],
      errors: [],
    })
    const added = fresh.event('--agent', 'toast', '--now', 'Begin')
    expect(fleetOf(fresh)).toMatchObject({
      worktrees: [{ head: null, pending: 1, agents: [{ agent: 'toast', now: 'Begin' }] }],
      errors: [],
    })
    rmSync(join(fresh.folder, added))
    fresh.commit('first')
    expect(fleetOf(fresh)).toMatchObject({ worktrees: [{ fresh: true, pending: 0, note: null }] })
    fresh.git('clone', '-q', '--bare', '.', '../hub.git')
    const hub = sandbox.at(join(sandbox.folder, 'hub.git'))
    expect(fleetOf(hub)).toMatchObject({ worktrees: [], branches: [{ name: 'main' }] })
    const work = addWorktree(hub, 'work')
    expect(fleetOf(work).worktrees).toMatchObject([{ branch: 'work', main: false }])
  })

  longTest(
    'calls a worktree fresh or stale as check does, even just installed or with a staged archive',
    () => {
      const repo = new Sandbox().init()
      repo.commit('first')
      repo.ledger('install')
      const same = (pending: number) => {
        const { fresh } = JSON.parse(repo.ledger('check', '--json')) as { fresh: boolean }
        expect({ fresh, worktrees: fleetOf(repo).worktrees }).toMatchObject({
          fresh: true,
          worktrees: [{ fresh: true, pending }],
        })
      }
      same(0)
      repo.event('--agent', 'toast', '--now', 'Old', '--ts', '2026-01-01T00:00:00Z')
      same(1)
      repo.ledger('synthesize', '--no-confirm')
      same(1)
      repo.git('add', '.')
      repo.commit('ledger')
      repo.ledger('archive', '--no-confirm')
      // The archive's snapshot is nobody's event; an event of an agent with that name is that agent's.
      same(0)
      repo.event('--agent', 'ledger-git', '--now', 'New')
      same(1)
      repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
      expect(repo.tryLedger('check').status).toBe(1)
      expect(fleetOf(repo).worktrees).toMatchObject([{ fresh: false, pending: 1 }])
    },
  )

  longTest(
    'a commit that cannot be read is reported with its branch, and everything else is shown',
    () => {
      const repo = ledgerRepo()
      repo.event('--agent', 'lead', '--now', 'Plan')
      repo.commit('plan')
      const broken = addWorktree(repo, 'broken')
      const path = broken.event('--agent', 'toast', '--now', 'Review')
      broken.commit('one')
      const oid = broken.git('rev-parse', `HEAD:${path}`)
      rmSync(join(repo.folder, '.git/objects', oid.slice(0, 2), oid.slice(2)))
      const fleet = fleetOf(repo)
      expect(find(fleet, 'broken')).toMatchObject({ branch: 'broken', fresh: null, agents: [] })
      expect(find(fleet, 'repo')?.agents).toMatchObject([{ agent: 'lead', now: 'Plan' }])
      expect(fleet.errors).toContainEqual({
        part: 'branches',
        subject: 'broken',
        message: `object ${oid} is missing`,
      })
      expect(fleet.attention[0]).toMatchObject({ kind: 'broken', subject: 'broken' })
    },
  )

  test('counts merged branches, and shows them on request', () => {
    const repo = ledgerRepo()
    repo.git('branch', 'merged')
    repo.git('switch', '-q', '-c', 'topic')
    repo.commit('topic')
    repo.git('switch', '-q', 'main')
    const names = (...words: string[]) => fleetOf(repo, ...words).branches.map(({ name }) => name)
    expect(names()).toEqual(['main', 'topic'])
    expect(fleetOf(repo).more.branches).toBe(1)
    expect(names('--all-branches')).toEqual(['main', 'merged', 'topic'])
  })
})

test('prints at most 80 cells per line and no control characters, whatever events say', () => {
  const repo = ledgerRepo()
  const hostile = '\u001b[2J\u009b31m\u202e書く文档🎉 '.repeat(12)
  const words = ['--now', hostile, '--decision', `k\u001b[0m=${hostile}`, '--question', hostile]
  repo.event('--agent', `a\u001b]0;x\u0007`, '--ts', '2025-01-01T00:00:00Z', ...words)
  repo.commit('one')
  const tree = addWorktree(repo, 'tree')
  tree.event('--agent', 'crisp', '--now', 'ok', '--decision', `k\u001b[0m=2`)
  const lines = repo.ledger('fleet').split('\n')
  for (const line of lines) {
    expect(unsafe(line)).toBe(false)
    expect(cellWidth(line)).toBeLessThanOrEqual(80)
  }
  expect(lines).toContain('2 worktrees')
  expect(lines.some((line) => line.includes('書く'))).toBe(true)
})

describe('looking back', () => {
  test('an instant, an age or a commit shows what events said then, without sessions or git state', () => {
    const repo = ledgerRepo()
    const on = (day: string, ...words: string[]) =>
      repo.event('--agent', 'lead', '--ts', `2025-01-${day}T00:00:00Z`, ...words)
    on('01', '--now', 'First', '--decision', 'k=1', '--question', 'Why?')
    const then = repo.commit('first')
    on('03', '--now', 'Second', '--decision', 'k=2', '--resolve', 'Why?')
    repo.commit('second')
    const tree = addWorktree(repo, 'tree')
    tree.event('--agent', 'crisp', '--ts', '2025-01-02T00:00:00Z', '--decision', 'k=3')
    repo.ledger('archive', '--no-confirm', '--commit')
    const now = (at: string) => fleetOf(repo, '--at', at).worktrees[0]?.agents.map((one) => one.now)

    const fleet = fleetOf(repo, '--at', '2025-01-02T12:00:00Z')
    expect(fleet).toMatchObject({
      at: '2025-01-02T12:00:00Z',
      open_questions: [{ text: 'Why?' }],
      attention: [{ kind: 'question', since: '2025-01-01T00:00:00Z' }],
      decisions_differ: [{ key: 'k', both_sides: false, values: [{ value: '3' }, { value: '1' }] }],
      errors: [],
    })
    expect(fleet.worktrees[0]).toMatchObject({
      fresh: null,
      pending: null,
      ahead: null,
      head: null,
    })
    expect(fleet.timeline.map(({ agent }) => agent)).toEqual(['crisp', 'lead'])
    // All three events were older than that commit.
    expect(fleetOf(tree, '--at', then).timeline).toHaveLength(3)
    expect(now('2024-12-31')).toEqual([])
    expect(fleetOf(repo, '--at', '0h').open_questions).toEqual([])
    expect(repo.tryLedger('fleet', '--at', 'nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('nowhere'),
    })
  })
})

test('show --all-worktrees joins the events of all worktrees, pending ones too', () => {
  const repo = ledgerRepo()
  const tree = addWorktree(repo, 'tree')
  repo.event('--agent', 'lead', '--decision', 'a=1')
  tree.event('--agent', 'crisp', '--decision', 'b=2')
  tree.commit('one')
  for (const from of [repo, tree]) {
    const shown = JSON.parse(from.ledger('show', '--all-worktrees', '--json')) as Shown
    expect(Object.keys(shown.decisions).sort()).toEqual(['a', 'b'])
    expect(shown.meta.event_count).toBe(2)
  }
  const alone = JSON.parse(repo.ledger('show', '--json')) as Shown
  expect(Object.keys(alone.decisions)).toEqual(['a'])
})

interface Shown {
  readonly decisions: Record<string, unknown>
  readonly meta: { readonly event_count: number }
}

test('status begins with the agents here and what needs attention', () => {
  const repo = ledgerRepo()
  repo.event(
    '--agent',
    'lead',
    '--now',
    'Plan',
    '--ts',
    '2025-01-01T00:00:00Z',
    '--question',
    'Why?',
  )
  addWorktree(repo, 'tree').event('--agent', 'crisp', '--now', 'Elsewhere')
  const [first, second, third] = repo.ledger('status').split('\n')
  expect(first).toMatch(/^now: {5}lead: Plan \(\d+ d\)$/)
  expect(second).toBe('look at: question: lead on main: Why?')
  expect(third).toMatch(/^ledger:/)
  const report = JSON.parse(repo.ledger('status', '--json')) as Pick<Fleet, 'attention'>
  expect(report).toMatchObject({ agents: [{ agent: 'lead' }], attention: [{ kind: 'question' }] })
})

describe.skipIf(notRunUnless(hasScript(), 'fleet --watch', 'no script'))('--watch', () => {
  /** Runs it in a terminal until `then` is done: keys that it prints, or what it does to the process `$pid`. */
  function watch(repo: Repo, then: string, before = '', run = 'sh start') {
    repo.write(
      'start',
      `${before}echo $$ >pid\nexec '${process.execPath}' '${CLI}' fleet --watch\n`,
    )
    const drawn = 'until grep -q worktree typescript 2>/dev/null; do sleep 0.1; done'
    const typed = `{ ${drawn}; pid=$(cat pid); ${then}; sleep 1; }`
    const terminal = `timeout 60 script -qefc '${run}; echo left with $?' typescript`
    const { stdout } = repo.run('sh', ['-c', `${typed} | ${terminal}`])
    return { stdout, status: Number(/left with (\d+)/.exec(stdout)?.[1]) }
  }

  test('q leaves the second screen and restores the cursor', () => {
    const repo = ledgerRepo()
    repo.event('--agent', 'lead', '--now', 'Plan')
    const { stdout, status } = watch(repo, 'printf q')
    expect(status).toBe(0)
    expect(stdout.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true)
    expect(stdout).toContain('lead')
    expect(stdout.indexOf('\u001b[?25h\u001b[?1049l')).toBeGreaterThan(stdout.indexOf('lead'))
  })

  longTest.each([
    ['leaves the second screen until the shell wakes it', 'set -m; sh start; fg'],
    ['continues if no shell could wake it', 'sh start'],
  ])('Control-Z %s', (_, run) => {
    const repo = ledgerRepo()
    const { stdout, status } = watch(repo, String.raw`printf '\032'; sleep 2; printf q`, '', run)
    expect(status).toBe(0)
    const parts = stdout.split('\u001b[?1049')
    expect(parts.map((part) => part[0]).join('')).toMatch(/^.?hlh+l$/)
    expect(
      parts.filter((part) => part.startsWith('h') && part.includes('1 worktree')),
    ).toHaveLength(2)
  })

  longTest('cuts lines in a small terminal instead of wrapping them', () => {
    const repo = ledgerRepo()
    repo.event('--agent', 'a-long-name', '--now', 'something long to read '.repeat(5))
    const { stdout } = watch(repo, 'printf q', 'stty cols 24 rows 5; ')
    expect(stdout).toContain('\u001b[?7l')
    // oxlint-disable-next-line no-control-regex
    const rows = [...stdout.matchAll(/\u001b\[(\d+);1H/g)].map(([, row]) => Number(row))
    expect(Math.max(...rows)).toBeLessThanOrEqual(5)
  })

  longTest.each([
    ['Control-C', String.raw`printf '\003'`, 130],
    ['Control-D', String.raw`printf '\004'`, 130],
    ['SIGTERM', 'kill -TERM $pid', 143],
    ['SIGHUP', 'kill -HUP $pid', 129],
    ['SIGINT', 'kill -INT $pid', 130],
    ['a repository that goes', 'mv .git gone; sleep 3', 3],
  ])('%s leaves the second screen and restores the cursor', (_, then, wanted) => {
    const { stdout, status } = watch(ledgerRepo(), then)
    expect(status).toBe(wanted)
    expect(stdout).toContain('\u001b[?25h\u001b[?1049l')
  })

  longTest('prints once on a terminal that cannot move its cursor', () => {
    const { stdout, status } = watch(ledgerRepo(), ':', 'export TERM=dumb; ')
    expect(status).toBe(0)
    expect(stdout).toContain('worktree')
    expect(stdout).not.toContain('\u001b')
  })

  test('prints once without a terminal', () => {
    const repo = ledgerRepo()
    expect(repo.ledger('fleet', '--watch')).toBe(repo.ledger('fleet'))
  })
})

/** As the monitor stores it, with a window of 100,000 tokens that is compacted when it is full. */
function keepContext(repo: Repo, session: string, tokens: number): void {
  const record = {
    ...newRecord({ session, agent: 'claude-code', startedAt: '2026-01-01T00:00:00Z' }),
    window: 100_000,
    limit: 100_000,
  }
  const seen = observe(record, { at: 1, tokens, source: 'transcript' })
  repo.write(`.git/ledger-git/context/${session}.json`, renderContextRecord(seen))
}
