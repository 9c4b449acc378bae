import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  Checkpoint,
  CheckpointFile,
  CheckpointSession,
} from '../../../src/core/checkpoint/checkpoint.ts'
import {
  CHECKPOINTS_REF,
  checkpointFiles,
  checkpointFolder,
  checkpointOfFolder,
  MAX_TRANSCRIPT,
  parsePrompts,
  taskFolder,
} from '../../../src/core/checkpoint/checkpoint.ts'
import { joinSessions, readFolder } from '../../../src/core/checkpoint/checkpoint-folder.ts'
import { checkpoint as idOf } from '../session/sessions.ts'
import { runs } from '../../support/long.ts'

const ID = idOf('a')

function part(about: Partial<CheckpointSession> = {}): CheckpointSession {
  return {
    session: 's1',
    agent: 'claude-code',
    addedAt: '2026-01-10T12:00:00Z',
    condensedAt: '2026-01-10T12:00:00Z',
    branch: 'main',
    turn: 2,
    steps: 1,
    commits: ['c1'],
    files: ['src/a.ts'],
    transcript: '{"a":1}\n{"b":2}\n',
    transcriptOffset: 40,
    isCut: false,
    prompts: ['Fix the parser'],
    context: '# What\n',
    tasks: [{ toolUseId: 'toolu_01', transcript: '{"t":1}\n' }],
    ...about,
  }
}
const made = (...sessions: CheckpointSession[]): Checkpoint => ({ id: ID, sessions })
const joinCheckpoints = (a: Checkpoint, b: Checkpoint): Checkpoint =>
  made(...joinSessions(a.sessions, b.sessions))
function readCheckpoint(files: readonly CheckpointFile[]) {
  const stored = files.map(({ path, text }) => ({ mode: '100644', name: path, oid: '', text }))
  const { sessions, isWhole } = readFolder(stored)
  return { ...made(...sessions), isWhole }
}
const textOf = (files: readonly CheckpointFile[], path: string) =>
  files.find((file) => file.path === path)?.text
const json = (files: readonly CheckpointFile[], path: string) =>
  JSON.parse(textOf(files, path) ?? 'null') as Record<string, unknown>

describe('the folder', () => {
  test('is named by the id, on a branch whose name does not change', () => {
    expect(CHECKPOINTS_REF).toBe('refs/heads/ledger/checkpoints/v1')
    expect(checkpointFolder('0123456789ab' as typeof ID)).toBe('01/23456789ab')
    expect(checkpointOfFolder('01/23456789ab')).toBe('0123456789ab')
    for (const other of ['01/23456789abc', '012/3456789ab', '01/23456789AB', 'x', '../23456789ab'])
      expect(checkpointOfFolder(other)).toBeUndefined()
  })

  test('has a folder for each session, in the order in which the sessions came', () => {
    const late = part({ session: 's0', addedAt: '2026-01-10T12:00:00.5Z', tasks: [] })
    const files = checkpointFiles(made(late, part()))
    expect(files.map(({ path }) => path)).toEqual([
      '0/context.md',
      '0/metadata.json',
      '0/prompts.txt',
      '0/tasks/toolu_01/transcript.jsonl',
      '0/transcript.jsonl',
      '1/context.md',
      '1/metadata.json',
      '1/prompts.txt',
      '1/transcript.jsonl',
      'metadata.json',
    ])
    expect(json(files, 'metadata.json')).toEqual({
      version: 1,
      checkpoint: ID,
      commits: ['c1'],
      files: ['src/a.ts'],
      sessions: [
        { folder: '0', session: 's1', agent: 'claude-code', condensedAt: part().condensedAt },
        { folder: '1', session: 's0', agent: 'claude-code', condensedAt: part().condensedAt },
      ],
    })
    expect(json(files, '0/metadata.json')).toMatchObject({ session: 's1', turn: 2, steps: 1 })
  })

  test('has no empty files, and uses .jsonl only for JSON lines', () => {
    const paths = (about: Partial<CheckpointSession>) =>
      checkpointFiles(made(part({ prompts: [], context: '', tasks: [], ...about }))).map(
        ({ path }) => path,
      )
    expect(paths({ transcript: '' })).toEqual(['0/metadata.json', 'metadata.json'])
    expect(paths({ transcript: '{\n  "a": 1\n}\n' })).toContain('0/transcript.txt')
    expect(paths({ transcript: '\n{"a":{}}\r\n' })).toContain('0/transcript.jsonl')
  })

  test.each([
    ['toolu_01AbC-x.y', 'tasks/toolu_01AbC-x.y'],
    ['../../x', /^tasks\/id-[0-9a-f]{16}$/],
    ['a/b', /^tasks\/id-[0-9a-f]{16}$/],
    ['', /^tasks\/id-[0-9a-f]{16}$/],
    ['.git', /^tasks\/id-[0-9a-f]{16}$/],
    ['x'.repeat(129), /^tasks\/id-[0-9a-f]{16}$/],
  ])('puts a subagent %j into a safe folder', (id, expected) => {
    if (typeof expected === 'string') expect(taskFolder(id)).toBe(expected)
    else expect(taskFolder(id)).toMatch(expected)
  })
})

describe('bounds', () => {
  test('keeps the newest whole lines of a transcript, and records where they begin', () => {
    const line = `{"text":"${'ü'.repeat(500)}"}\n`
    const count = Math.ceil(MAX_TRANSCRIPT / Buffer.byteLength(line)) + 10
    const files = checkpointFiles(made(part({ transcript: line.repeat(count) })))
    const kept = textOf(files, '0/transcript.jsonl') ?? ''
    const size = Buffer.byteLength(kept)
    expect(size).toBeLessThanOrEqual(MAX_TRANSCRIPT)
    expect(size).toBeGreaterThan(MAX_TRANSCRIPT - Buffer.byteLength(line))
    expect(kept.startsWith(line) && kept.endsWith(line)).toBe(true)
    expect(json(files, '0/metadata.json')['transcript']).toEqual({
      file: 'transcript.jsonl',
      offset: 40 + Buffer.byteLength(line) * count - size,
      isCut: true,
    })
  })

  test('keeps a transcript of exactly the limit, and drops a single longer line', () => {
    const exact = `{"a":"${'x'.repeat(MAX_TRANSCRIPT - 9)}"}\n`
    expect(exact).toHaveLength(MAX_TRANSCRIPT)
    for (const older of ['', '{"b":1}\n', '\n']) {
      const files = checkpointFiles(made(part({ transcript: older + exact })))
      expect(textOf(files, '0/transcript.jsonl') === exact).toBe(true) // avoids a diff of megabytes
    }
    const endless = checkpointFiles(made(part({ transcript: 'x'.repeat(MAX_TRANSCRIPT + 1) })))
    expect(endless.map(({ path }) => path)).not.toContain('0/transcript.txt')
    expect(json(endless, '0/metadata.json')['transcript']).toMatchObject({ isCut: true })
  })

  test('limits prompts, context and tasks', () => {
    const many = part({
      prompts: Array.from({ length: 300 }, (_, i) => `${i} ${'x'.repeat(20_000)}`),
      context: 'y'.repeat(70_000),
      tasks: Array.from({ length: 150 }, (_, i) => ({
        toolUseId: `t${i}`,
        transcript: `{"a":"${'z'.repeat(20)}"}\n`,
      })),
    })
    const files = checkpointFiles(made(many))
    const prompts = parsePrompts(textOf(files, '0/prompts.txt') ?? '')
    expect(prompts).toHaveLength(200)
    expect(prompts.at(-1)).toMatch(/^299 x+…$/)
    expect(prompts[0]).toHaveLength(16_000)
    expect(textOf(files, '0/context.md')).toHaveLength(64_000)
    expect(files.filter(({ path }) => path.startsWith('0/tasks/'))).toHaveLength(100)
  })
})

const anyTime = fc.constantFrom(
  '2026-01-10T12:00:00Z',
  '2026-01-10T12:00:00.5Z',
  '2026-01-10T14:00:00+02:00',
  'no time',
)
const anyPart: fc.Arbitrary<CheckpointSession> = fc
  .record({
    session: fc.constantFrom('s1', 's2', 's3'),
    addedAt: anyTime,
    condensedAt: anyTime,
    branch: fc.constantFrom(undefined, 'main'),
    turn: fc.nat(2),
    commits: fc.subarray(['c1', 'c2']),
    files: fc.subarray(['a', 'b']),
    transcript: fc.constantFrom('', '{"a":1}\n', '{"b":1}\n', '{"a":1}\n{"b":2}\n', 'text\n'),
    transcriptOffset: fc.nat(2),
    isCut: fc.boolean(),
    prompts: fc.array(fc.constantFrom('', 'x', '---', '\\---', 'a\n---\n\nb', '\n', '\n\n---'), {
      maxLength: 3,
    }),
    context: fc.constantFrom('', 'one\n', 'two'),
    tasks: fc
      .uniqueArray(
        fc.record({
          toolUseId: fc.constantFrom('t1', '../t2'),
          transcript: fc.constantFrom('', '1\n', '2\n', '2\n3\n'),
        }),
        { selector: ({ toolUseId }) => toolUseId },
      )
      .map((tasks) => tasks.toSorted((a, b) => (a.toolUseId < b.toolUseId ? -1 : 1))),
  })
  .map((about) => part(about))
const anyCheckpoint = fc
  .uniqueArray(anyPart, { selector: ({ session }) => session, maxLength: 3 })
  .map((sessions) => joinCheckpoints(made(...sessions), made()))

describe('what is written is read back', () => {
  test('for any checkpoint', () => {
    fc.assert(
      fc.property(anyCheckpoint, (checkpoint) => {
        const files = checkpointFiles(checkpoint)
        const read = readCheckpoint(files)
        expect(read).toEqual({ ...checkpoint, isWhole: true })
        expect(checkpointFiles(read)).toEqual(files)
      }),
    )
  })

  test('for prompts with any content', () => {
    const anyPrompt = fc.string({ unit: fc.constantFrom('-', '-', '\\', '\n', 'x'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(anyPrompt, { maxLength: 4 }), (prompts) => {
        const text = textOf(checkpointFiles(made(part({ prompts }))), '0/prompts.txt') ?? ''
        expect(parsePrompts(text)).toEqual(prompts)
      }),
      runs(2000),
    )
  })

  test('damage loses one session, and a newer format version loses none', () => {
    const files = checkpointFiles(made(part(), part({ session: 's2' })))
    const damaged = (path: string, text: string) =>
      readCheckpoint(files.map((file) => (file.path === path ? { path, text } : file)))
    expect(damaged('metadata.json', '{')).toEqual(readCheckpoint(files))
    for (const text of ['', '{', '[]', '{"session":1}', '{"session":"s1","agent":"x"}'])
      expect(damaged('0/metadata.json', text)).toMatchObject({
        isWhole: false,
        sessions: [{ session: 's2' }],
      })
    expect(damaged('0/metadata.json', '{"version":2}')).toMatchObject({ isWhole: false })
    const newer = damaged('metadata.json', '{"version":2}')
    expect(newer.isWhole).toBe(false)
    expect(newer.sessions).toHaveLength(2)
    expect(readCheckpoint([])).toEqual({ ...made(), isWhole: true })
  })
})

describe('two versions of a checkpoint join', () => {
  const law = (check: (a: Checkpoint, b: Checkpoint, c: Checkpoint) => void) =>
    fc.assert(
      fc.property(anyCheckpoint, anyCheckpoint, anyCheckpoint, (a, b, c) => void check(a, b, c)),
      runs(1000),
    )

  test('commutative', () => {
    law((a, b) => expect(joinCheckpoints(a, b)).toEqual(joinCheckpoints(b, a)))
  })

  test('associative', () => {
    law((a, b, c) =>
      expect(joinCheckpoints(joinCheckpoints(a, b), c)).toEqual(
        joinCheckpoints(a, joinCheckpoints(b, c)),
      ),
    )
  })

  test('idempotent', () => {
    law((a, b) => {
      const joined = joinCheckpoints(a, b)
      expect(joinCheckpoints(a, a)).toEqual(a)
      expect(joinCheckpoints(joined, b)).toEqual(joined)
    })
  })

  test('keeps every session once, and all commits, files and subagents', () => {
    law((a, b) => {
      const { sessions } = joinCheckpoints(a, b)
      const names = sessions.map(({ session }) => session)
      expect(new Set(names).size).toBe(names.length)
      for (const one of [...a.sessions, ...b.sessions]) {
        const joined = sessions.find(({ session }) => session === one.session)
        expect(joined?.commits).toEqual(expect.arrayContaining([...one.commits]))
        expect(joined?.files).toEqual(expect.arrayContaining([...one.files]))
        const tasks = joined?.tasks.map(({ toolUseId }) => toolUseId)
        expect(tasks).toEqual(expect.arrayContaining(one.tasks.map(({ toolUseId }) => toolUseId)))
      }
    })
  })

  test('prefers the text that was written later, at the place where the session came first', () => {
    const early = part({ transcript: '{"long":"transcript"}\n', prompts: ['early'] })
    const late = part({ addedAt: '2026-01-11T00:00:00Z', condensedAt: '2026-01-10T13:00:00+00:30' })
    expect(joinCheckpoints(made(early), made(late)).sessions).toEqual([
      { ...late, addedAt: early.addedAt },
    ])
  })

  test('of two texts written at the same time, prefers the longer one', () => {
    const short = part({ transcript: '{"z":1}\n' })
    const long = part({ transcript: '{"a":1}\n{"b":2}\n' })
    for (const joined of [
      joinCheckpoints(made(short), made(long)),
      joinCheckpoints(made(long), made(short)),
    ])
      expect(joined).toEqual(made(long))
  })

  test.each([{ branch: 'topic' }, { turn: 9 }, { steps: 9 }, { agent: 'codex' }, { isCut: true }])(
    'both sides make the same choice if only %o differs',
    (about) => {
      const [a, b] = [made(part()), made(part(about))]
      expect(joinCheckpoints(a, b)).toEqual(joinCheckpoints(b, a))
    },
  )
})
