import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSessionState, renderSessionState } from '../../../src/core/session/session-file.ts'
import { isSessionId } from '../../../src/core/session/session-state.ts'
import { anyState, AT, fresh, FULL } from './sessions.ts'

const record = (about: Record<string, unknown> = {}) => ({
  ...(JSON.parse(renderSessionState(FULL)) as Record<string, unknown>),
  ...about,
})
const parse = (value: unknown) => parseSessionState(JSON.stringify(value))
const problem = (value: unknown) => {
  const { reason, ...rest } = parse(value).problem ?? { reason: 'none' }
  return [reason, ...Object.values(rest)].join(' ')
}

describe('what is written is read back', () => {
  test('for a state with a value in every field', () => {
    expect(parseSessionState(renderSessionState(FULL))).toEqual({ state: FULL })
    // The generators below rely on it: no field of `FULL` has its initial value.
    const missing = Object.keys(fresh()).filter(
      (key) => JSON.stringify(FULL[key as 'id']) === JSON.stringify(fresh()[key as 'id']),
    )
    expect(missing.toSorted()).toEqual([
      'agent',
      'base',
      'id',
      'lastSignOfLife',
      'owner',
      'startedAt',
      'unknown',
      'worktree',
    ])
  })

  test('for any state, and the same state gives the same text', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const text = renderSessionState(state)
        const read = parseSessionState(text)
        expect(read).toEqual({ state })
        expect(read.state && renderSessionState(read.state)).toBe(text)
      }),
    )
  })

  test('the text has its version first and ends with a line break', () => {
    expect(renderSessionState(fresh())).toMatch(/^\{\n {2}"version": 1,\n[^]*\}\n$/)
  })
})

describe('other releases', () => {
  test('keeps fields that a newer release added, including nested ones', () => {
    const given = record({
      later: { deep: [1] },
      transcript: { path: '/t', offset: 1, encoding: 'x' },
      unknown: 5,
    })
    const { state } = parse(given)
    expect(state && JSON.parse(renderSessionState(state))).toEqual(given)
  })

  test('gives fields that an older release lacks their initial value', () => {
    const { version, id, agent, phase, worktree, startedAt, lastSignOfLife } = record({
      phase: 'active',
    }) as Record<string, unknown>
    const little = { version, id, agent, phase, worktree, startedAt, lastSignOfLife, base: null }
    expect(parse(little)).toEqual({
      state: fresh({ base: undefined, owner: undefined, turn: 0 }),
    })
  })

  test.each([
    [{ version: 2 }, 'newer-version'],
    [{ version: 2, id: 7, phase: 'sleeping' }, 'newer-version'],
    [{ version: 0 }, 'no-version'],
    [{ version: 1.5 }, 'no-version'],
    [{ version: '1' }, 'no-version'],
    [{ version: undefined }, 'no-version'],
  ])('reports the version of %o: %s', (about, expected) => {
    expect(problem(record(about))).toBe(expected)
  })
})

describe('a text that is not a state is reported, and never throws', () => {
  test.each([
    ['', 'not-json'],
    ['{"version":1', 'not-json'],
    ['\0\0\0', 'not-json'],
    ['[]', 'not-an-object'],
    ['null', 'not-an-object'],
    ['"state"', 'not-an-object'],
    ['{}', 'no-version'],
  ])('%j', (text, reason) => {
    expect(parseSessionState(text)).toEqual({ problem: { reason } })
  })

  test.each([
    { id: '../x' },
    { id: 7 },
    { agent: undefined },
    { agent: null },
    { phase: 'ACTIVE' },
    { phase: 'timed_out' },
    { worktree: '/work' },
    { worktree: { path: '/work' } },
    { worktree: { path: 1, name: '' } },
    { base: 'HEAD' },
    { base: 'a'.repeat(41) },
    { startedAt: 'now' },
    { endedAt: 5 },
    { lastSignOfLife: '2026-13-01' },
    { owner: { pid: 0, startTime: '' } },
    { owner: { pid: 1 } },
    { turn: -1 },
    { turn: '3' },
    { pendingCheckpoint: 'ABCDEF012345' },
    { awaiting: {} },
    { awaiting: [{ commit: 'a'.repeat(40), checkpoint: 'x' }] },
    { commits: [{ commit: 'x', checkpoint: '1'.repeat(12) }] },
    { filesTouched: ['a', 1] },
    { hasMoreFiles: 'yes' },
    { dirtyBefore: 'a' },
    { transcript: { path: '/t', offset: 1.5 } },
    { transcript: { offset: 1 } },
    { tasks: [{ toolUseId: 1 }] },
    { tasks: [{ toolUseId: 'a', transcriptPath: 1 }] },
    { firstPrompt: ['x'] },
    { prompts: 'x' },
    { steps: 2 ** 53 },
    { lastCheckpoint: '' },
    { isCondensed: 1 },
    { todos: [{ text: 'a', status: 'later' }] },
    { todos: [{ status: 'pending' }] },
    { todos: [{ text: 'a', status: 'pending', id: 1 }] },
    { lastMessage: {} },
    { questions: [null] },
    { endEvent: true },
  ])('reports the field of %o', (about) => {
    expect(problem(record(about))).toBe(`bad-field ${Object.keys(about)[0]}`)
  })

  test('rejects a deeply nested file', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const known = JSON.stringify(record()).slice(0, -1)
    const { state, problem: said } = parseSessionState(`${known},"deep":${deep}}`)
    expect(said?.reason).toMatch(/^(?:bad-field|not-json)$/)
    expect(state).toBeUndefined()
  })

  test('handles any text, a text truncated anywhere, and any value in any field', () => {
    const text = renderSessionState(FULL)
    const anyField = fc.constantFrom(...Object.keys(record()))
    fc.assert(
      fc.property(fc.string(), fc.nat(text.length - 3), anyField, fc.jsonValue(), (...given) => {
        const [any, length, field, value] = given
        expect(parseSessionState(any).state).toBeUndefined()
        expect(parseSessionState(text.slice(0, length)).problem?.reason).toBe('not-json')
        const { state } = parse(record({ [field]: value }))
        if (state !== undefined) expect(() => renderSessionState(state)).not.toThrow()
      }),
    )
  })
})

describe('isSessionId', () => {
  test.each([
    '0379d65b-1c2d-4e3f-8a9b-0c1d2e3f4a5b',
    's',
    '_x',
    '2026-01-10T12-00-00.5_toast',
    'a.lock.b',
    'a'.repeat(128),
    'a.b',
  ])('accepts %s', (id) => expect(isSessionId(id)).toBe(true))

  test.each([
    '',
    '.',
    '..',
    '.hidden',
    '-option',
    'a/b',
    'a\\b',
    'a..b',
    'a\0',
    'a\n',
    'a b',
    '\u202eabc',
    'é',
    '~',
    'a*',
    'a:b',
    'a@{b}',
    'a.',
    'a.lock',
    'a'.repeat(129),
  ])('rejects %j', (id) => expect(isSessionId(id)).toBe(false))

  test('never accepts a path out of the folder', () => {
    const anyId = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'./\\-a\0\n '), maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    fc.assert(
      fc.property(anyId, (id) => {
        if (!isSessionId(id)) return
        expect(id).toMatch(/^\w(?:[\w.-]*[\w-])?$/)
        expect(new URL(`file:///sessions/${encodeURIComponent(id)}.json`).pathname).toMatch(
          /^\/sessions\/[^/]+\.json$/,
        )
      }),
    )
    expect(parse(record({ startedAt: AT })).state).toBeDefined()
  })
})
