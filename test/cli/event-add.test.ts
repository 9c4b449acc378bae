/** `event add`: the ledger says exactly what the command line said, to the character. */

import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { json, refusal } from './words.ts'
import { longTest } from '../support/long.ts'

interface Shown {
  readonly now: string | null
  readonly next: string[] | null
  readonly this_session: string[]
  readonly decisions: Record<string, unknown>
  readonly open_questions: string[]
  readonly resolved_questions: string[]
  readonly checkpoints: object[]
  readonly ts: string
}

/** Adds an event and reads it back through the command line. */
function added(repo: Repo, ...words: string[]): Shown {
  return json(repo, 'event', 'show', repo.event(...words)) as unknown as Shown
}

const ODD = [
  '-x is a flag',
  '--now',
  '--',
  'line one\nline two',
  'tab\tand "double" and \'single\' quotes',
  'ünïcödé 猫 👩‍👩‍👧 ‮rtl',
  '# not a heading',
  '- not: a list',
  '@at `tick` %percent !bang &and *star',
  'null',
  'true',
  '2026-01-01',
  '1.10',
  '---',
  '<!-- comment -->',
  '{{ $HOME }} $(touch pwned)',
]

test('keeps odd values unchanged in every field', () => {
  const repo = ledgerRepo()
  const each = (option: string) => ODD.map((text) => `--${option}=${text}`)
  const lists = ['done', 'next', 'question', 'resolve'].flatMap(each)
  const decisions = ODD.map((text, i) => `--decision=key ${i}=${text}`)
  expect(added(repo, ...lists, ...decisions)).toMatchObject({
    this_session: ODD,
    next: ODD,
    open_questions: ODD,
    resolved_questions: ODD,
    decisions: Object.fromEntries(ODD.map((text, i) => [`key ${i}`, text])),
  })
  for (const text of ODD.slice(0, 5)) expect(added(repo, `--now=${text}`).now).toBe(text)
  expect(repo.tryLedger('event', 'validate').status).toBe(0)
  expect(repo.exists('pwned')).toBe(false)
})

test('accepts a value after a space that begins with a dash', () => {
  const repo = ledgerRepo()
  expect(added(repo, '--now', '-v is verbose').now).toBe('-v is verbose')
  expect(added(repo, '--done', '--force was removed').this_session).toEqual(['--force was removed'])
  expect(added(repo, '--decision', '--flag=x').decisions).toEqual({ '--flag': 'x' })
  const flags = ['-v=1 is read as a flag', '-h=x', '--json=5 is broken', '--no-json=x is refused']
  expect(added(repo, ...flags.flatMap((text) => ['--done', text])).this_session).toEqual(flags)
  // After the command, the parser reports another mistake first.
  const mistyped = repo.tryLedger('event', 'add', '--now', '-v=1 is a flag', '--doen', 'x')
  expect(mistyped.stderr).toContain(': Unknown argument: --doen; did you mean --done?')
  const stated = repo.tryLedger('event', 'add', '--now', '--stage=yes')
  expect(stated.stderr).toContain(': --stage takes no value')
})

describe('lists and pairs', () => {
  test('collects repeated options into lists, and does not split at commas or spaces', () => {
    const event = added(
      ledgerRepo(),
      '--done',
      'a, b',
      '--done',
      'c d',
      '--next',
      '1',
      '--next',
      '2',
    )
    expect(event).toMatchObject({ this_session: ['a, b', 'c d'], next: ['1', '2'] })
  })

  test('--next "" clears the list and makes an event of its own', () => {
    const repo = ledgerRepo()
    repo.event('--next', 'something')
    expect(json(repo, 'show')['next']).toMatchObject([{ text: 'something' }])
    expect(added(repo, '--next', '').next).toEqual([])
    expect(json(repo, 'show')['next']).toEqual([])
  })

  test('refuses a single-value option given twice, and writes nothing', () => {
    const repo = ledgerRepo()
    const ran = repo.tryLedger('event', 'add', '--now', 'x', '--now', 'y')
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('--now is given 2 times')
    expect(repo.status()).toBe('')
  })

  test('keeps a decision as a string after the first =, and removes it if nothing follows', () => {
    const repo = ledgerRepo()
    const event = added(repo, '--decision', 'a=b=c', '--decision', 'n=1.10', '--decision', 'k=x')
    expect(event.decisions).toEqual({ a: 'b=c', n: '1.10', k: 'x' })
    expect(added(repo, '--decision', 'k=').decisions).toEqual({ k: null })
    expect(Object.keys(json<{ decisions: object }>(repo, 'show').decisions)).toEqual(['a', 'n'])
    expect(repo.ledger('synthesize', '--stdout')).toContain('- **n:** 1.10\n')
  })

  test("stores a checkpoint's phase, status and time", () => {
    const words = ['--checkpoint', 'phase=5,status=validated,updated=2026-01-01T00:00:00Z']
    expect(added(ledgerRepo(), ...words).checkpoints).toEqual([
      { phase: '5', status: 'validated', updated: '2026-01-01T00:00:00Z' },
    ])
  })

  test('refuses what cannot be stored, and writes nothing', () => {
    const repo = ledgerRepo()
    const cases: [string[], RegExp][] = [
      [['--decision', 'nothing'], /key=value/],
      [['--decision', '=x'], /key=value/],
      [['--checkpoint', 'phase=5,color=red'], /color=red/],
      [['--checkpoint', '5'], /phase=/],
      [['--checkpoint', 'phase=5,updated=yesterday'], /yesterday/],
      [['--ts', 'yesterday', '--now', 'x'], /yesterday/],
      [['--ts', '2026-02-30T00:00:00Z', '--now', 'x'], /2026-02-30/],
      [['--ts', '', '--now', 'x'], /--ts/],
      [['--now'], /now/],
      [['--done'], /done/],
      [[], /must say something/],
      [['--agent', 'toast'], /must say something/],
      [['--type', 'handoff'], /must say something/],
      [['--reason', 'clear', '--done', ' '], /must say something/],
    ]
    for (const [words, said] of cases) {
      const ran = repo.tryLedger('event', 'add', ...words)
      expect
        .soft({ words, status: ran.status, stdout: ran.stdout })
        .toEqual({ words, status: 2, stdout: '' })
      expect.soft(ran.stderr, words.join(' ')).toMatch(said)
    }
    expect(repo.status()).toBe('')
  })
})

describe('--stdin', () => {
  const add = (repo: Repo, input: string) =>
    repo.tryLedgerWith({ input }, 'event', 'add', '--stdin')

  test('stores a YAML body in our form with its values unchanged', () => {
    const repo = ledgerRepo()
    const body = '# why\nnow: "fix: it"\nmine: {kept: true}\ndecisions:\n  port: 8080\n'
    const { stdout } = add(repo, body)
    expect(repo.read(stdout.trim())).toMatch(
      /^---\nts: [^]*\n---\n\n```ledger\nnow: "fix: it"\nmine:\n {2}kept: true\n/,
    )
    expect(json(repo, 'show')).toMatchObject({ decisions: { port: { value: 8080 } } })
  })

  test('what the body says about the event counts where no option sets it', () => {
    const repo = ledgerRepo()
    const input =
      'now: x\nts: 2026-01-10T01:00:00+01:00\nagent: toast two\nbranch: other\ntype: handoff\nstream: s1\n'
    const said = { ts: '2026-01-10T00:00:00Z', agent: 'toast two', branch: 'other' }
    const added = (...options: string[]) => {
      const ran = repo.tryLedgerWith({ input }, 'event', 'add', '--stdin', '--json', ...options)
      const { file } = JSON.parse(ran.stdout) as { file: string }
      return { ...json(repo, 'event', 'show', file), problems: json(repo, 'event', 'validate') }
    }
    const problems = { valid: true, warnings: [] }
    expect(added()).toMatchObject({ ...said, type: 'handoff', stream: 's1', problems })
    const options = ['--type', 'note', '--stream', 's 2', '--agent', 'crisp']
    const expected = { ...said, agent: 'crisp', type: 'note', stream: 's 2', problems }
    expect(added(...options)).toMatchObject(expected)
    const bad = { input: 'now: x\nts: yesterday\n' }
    const ran = repo.tryLedgerWith(bad, 'event', 'add', '--stdin')
    expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('ts yesterday is not an ISO 8601 time')
  })

  longTest('refuses a body that is not a YAML map, and writes nothing', () => {
    const repo = ledgerRepo()
    for (const input of ['- a\n- b\n', 'now: [\n', 'I fixed it.\n', '', 'now: x\n---\nnow: y\n']) {
      const ran = add(repo, input)
      expect.soft({ input, ...refusal(ran) }).toEqual({ input, status: 2, stdout: '' })
      expect.soft(ran.stderr).toMatch(/YAML map/)
    }
    expect(repo.status()).toBe('')
  })

  test('reports broken YAML with line and reason', () => {
    const repo = ledgerRepo()
    for (const [input, said] of [
      ['now: x\ndecisions:\n  a: [1\nnext:\n  - y\n', /\(line [345]: .*\)/],
      ['now: "x\n', /\(line \d: .*quote.*\)/],
      ['now: x\n---\nnow: y\n', /\(line 2: .*multiple documents.*\)/],
      ['now: a: b\n', /\(line 1: .*\)/],
    ] as const) {
      const ran = add(repo, input)
      expect.soft(refusal(ran)).toEqual({ status: 2, stdout: '' })
      expect.soft(ran.stderr, input).toMatch(said)
    }
    expect(repo.status()).toBe('')
  })

  longTest('refuses a body that says nothing, in whatever form', () => {
    const repo = ledgerRepo()
    for (const input of [
      'nwo: typo\n',
      'now:\n',
      'now: ""\ngoal: " "\n',
      'this_session: []\n',
      'decisions: {}\n',
      'mine: {kept: true}\n',
      '{}\n',
      'agent: toast\nbranch: main\n',
      'type: handoff\nreason: clear\n',
    ]) {
      const ran = add(repo, input)
      expect.soft({ input, ...refusal(ran) }).toEqual({ input, status: 2, stdout: '' })
      expect.soft(ran.stderr).toContain('an event must say something')
    }
    expect(add(repo, 'now:\n').stderr).toContain('an event must say something (now is empty)')
    expect(add(repo, 'goal:\nnwo: typo\n').stderr).toContain('(found: nwo; did you mean now?)')
    const input = 'nwo: typo\n'
    for (const head of [[], ['--type', 'handoff'], ['--reason', 'clear']]) {
      const ran = repo.tryLedgerWith({ input }, 'event', 'add', '--stdin', ...head)
      expect.soft({ head, ...refusal(ran) }).toEqual({ head, status: 2, stdout: '' })
      expect.soft(ran.stderr).toContain('(found: nwo; did you mean now?)')
    }
    expect(repo.status()).toBe('')
  })

  longTest('accepts clearing, retracting and superseding as content', () => {
    const repo = ledgerRepo()
    for (const input of [
      'next: []\n',
      'decisions: {a: null}\n',
      'retracts: [x.md]\n',
      'type: session_end\nsupersedes: [toast]\n',
    ]) {
      expect.soft(add(repo, input), input).toMatchObject({ status: 0, stderr: '' })
    }
  })

  test('accepts new keys with a custom type, but no mistyped known key', () => {
    const repo = ledgerRepo()
    const add = (input: string, ...head: string[]) =>
      repo.tryLedgerWith({ input }, 'event', 'add', '--stdin', ...head).status
    expect(add('target: production\n', '--type', 'deploy')).toBe(0)
    expect(add('target: production\n')).toBe(2)
    expect(add('decsions: {a: b}\n', '--type', 'deploy')).toBe(2)
  })

  test('refuses bytes that are not UTF-8 instead of replacing them', () => {
    const repo = ledgerRepo()
    const input = Buffer.from('goal: x\nnow: caf\u00e9\n', 'latin1')
    const ran = repo.run(process.execPath, [CLI, 'event', 'add', '--stdin'], { input })
    expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
    expect(ran.stderr).toMatch(/not UTF-8 \(line 2\)\n {2}next: .*iconv/)
    expect(repo.status()).toBe('')
    expect(add(repo, '\ufeffnow: caf\u00e9 \ufffd\n')).toMatchObject({ status: 0 })
  })

  test('excludes options that make up a body', () => {
    const ran = ledgerRepo().tryLedger('event', 'add', '--stdin', '--now', 'x')
    expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
    expect(ran.stderr).toMatch(/--stdin/)
  })
})

describe('times', () => {
  test('--ts is stored as given, and the file name has the instant in UTC', () => {
    const repo = ledgerRepo()
    for (const [ts, instant] of [
      ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
      ['2026-01-31T09:00:00.5+02:00', '2026-01-31T07:00:00.500Z'],
      ['2026-01-31', '2026-01-31T00:00:00Z'],
      ['20260131T090000Z', '2026-01-31T09:00:00Z'],
    ] as const) {
      const path = repo.event('--now', ts, '--ts', ts)
      expect.soft(repo.read(path).split('\n')[1]?.replaceAll('"', '')).toBe(`ts: ${ts}`)
      expect.soft(json(repo, 'event', 'show', path)['ts']).toBe(instant)
      expect
        .soft(path.slice(EVENTS.length + 1))
        .toMatch(new RegExp(`^${instant.replaceAll(':', '-')}_Ada_[0-9a-f]{8}\\.md$`))
    }
  })
})

test('writes the same event once, and says that it already exists', () => {
  const repo = ledgerRepo()
  const words = ['event', 'add', '--now', 'x', '--ts', '2026-01-01T00:00:00Z']
  const first = repo.tryLedger(...words)
  const second = repo.tryLedger(...words)
  expect(second).toMatchObject({ status: 0, stdout: first.stdout })
  expect(second.stderr).toMatch(/already exists/)
  expect(repo.status().split('\n')).toHaveLength(1)
})

test('--stream names the handoff, independently of the branch', () => {
  const repo = ledgerRepo()
  const file = repo.ledger('event', 'add', '--now', 'x', '--stream', 'parser').trim()
  expect(repo.read(file)).toMatch(/^branch: main$[^]*^```ledger\nstream: parser\nnow: x$/m)
  const name = file.slice(file.lastIndexOf('/') + 1)
  expect(json(repo, 'event', 'show', name)).toMatchObject({ branch: 'main', stream: 'parser' })
})

test('--json has the documented shape, the event is pending, and current.md is unchanged', () => {
  const repo = ledgerRepo()
  const before = repo.read(CURRENT)
  const result = json(repo, 'event', 'add', '--now', 'x', '--branch', 'other', '--type', 'handoff')
  expect(result).toEqual({
    path: expect.stringMatching(/^thoughts\/shared\/handoffs\/events\/.*_Ada_[0-9a-f]{8}\.md$/),
    file: expect.stringMatching(/_Ada_[0-9a-f]{8}\.md$/),
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    agent: 'Ada',
    branch: 'other',
    type: 'handoff',
    commit: null,
  })
  expect(repo.read(CURRENT)).toBe(before)
  expect(repo.git('diff', '--cached', '--name-only')).toBe('')
})

test('warns about an event that git ignores, and --commit fails', () => {
  const repo = ledgerRepo()
  repo.write('.gitignore', 'thoughts/\n')
  const [head, said] = [
    repo.git('rev-parse', 'HEAD'),
    /git ignores the event, so no commit takes it/,
  ]
  const left = repo.tryLedger('event', 'add', '--now', 'left')
  expect(left).toMatchObject({ status: 0, stdout: expect.stringMatching(/\.md\n$/) as string })
  expect(left.stderr).toMatch(said)
  const own = repo.tryLedger('event', 'add', '--now', 'own', '--commit')
  expect(own).toMatchObject({ status: 1, stdout: expect.stringMatching(/\.md\n$/) as string })
  expect(own.stderr).toMatch(said)
  expect(own.stderr).not.toMatch(/your next commit/)
  expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  // Staged anyway, as by `git add -f`.
  const staged = repo.tryLedger('event', 'add', '--now', 'staged', '--stage')
  expect(staged).toMatchObject({ status: 0, stderr: '' })
})
