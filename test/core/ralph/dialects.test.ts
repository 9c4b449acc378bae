import * as fc from 'fast-check'
import { parseTree } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { clearEdits, DIALECTS, findLoops, resumeEdits } from '../../../src/core/ralph/dialects.ts'
import type { Edit, Handover } from '../../../src/core/ralph/loop.ts'
import { hasResume } from '../../../src/core/ralph/resume-block.ts'
import { resumeLines } from '../../../src/core/ralph/resume.ts'
import { anyText } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { anyPoint, HANDOVER, POINT } from './points.ts'

type Files = Readonly<Record<string, string>>

const reading = (files: Files) => (path: string) =>
  Object.hasOwn(files, path) ? files[path] : undefined

function edited(files: Files, edits: readonly Edit[]): Files {
  const after: Record<string, string> = { ...files }
  for (const { path, text } of edits) {
    if (text === undefined) delete after[path]
    else after[path] = text
  }
  return after
}
const resumed = (files: Files, handover = HANDOVER, wanted: 'all' | 'at work' = 'all') =>
  edited(
    files,
    resumeEdits(reading(files), handover, (loop) => wanted === 'all' || loop.isAtWork),
  )
const cleared = (files: Files) => edited(files, clearEdits(reading(files)))

const STATE = '.claude/ralph-state.json'
const PLUGIN = '.claude/ralph-loop.local.md'
const plugin = (fields: string, body = 'Build it.\n') => `---\n${fields}---\n${body}`
const NUMBERS = 'active: true\niteration: 4\nmax_iterations: 30\ncompletion_promise: "DONE"\n'
const story = (id: string, more: object) => ({ id, title: `Title ${id}`, notes: '', ...more })
const prd = (...userStories: object[]) =>
  `${JSON.stringify({ project: 'App', userStories }, undefined, 2)}\n`

const LOOPS: Readonly<Record<string, Files>> = {
  'ralph-state': {
    [STATE]:
      '{\n  "iteration": 3,\n  "max_iterations": 20,\n  "currentIssue": "ANV-1",\n  "n": 1.50\n}\n',
    'PROMPT.md': '# Task: Sign in\n\nBuild it.\n',
  },
  'ralph-loop-plugin': {
    [PLUGIN]: plugin(`${NUMBERS}session_id: abc\n`, '\n# Sign in\n\n---\nx\n'),
  },
  prd: {
    'scripts/ralph/prd.json': prd(
      story('US-1', { priority: 1, passes: true }),
      story('US-3', { priority: 3, passes: false }),
      story('US-2', { priority: 2, passes: false, notes: 'use caf\u00e9 "x" \\' }),
    ),
    'scripts/ralph/progress.txt': '# Ralph Progress Log\n---\n',
  },
  'fix-plan': {
    '.ralph/PROMPT.md': '# Ralph\n',
    '.ralph/fix_plan.md': '# Plan\n\n- [x] HIGH: one\n- [ ] HIGH: two\n- [ ] LOW: three\n',
    '.ralph/status.json': '{"loop_count": 2}',
    '.ralph/.claude_session_id': '0f-1',
  },
}

test.each([
  ['ralph-state', { iteration: 3, maxIterations: 20, task: 'Sign in', isOneSession: false }],
  [
    'ralph-loop-plugin',
    { iteration: 4, maxIterations: 30, task: 'Sign in', session: 'abc', isOneSession: true },
  ],
  ['prd', { task: 'US-2 Title US-2', file: 'scripts/ralph/prd.json' }],
  ['fix-plan', { iteration: 2, task: 'HIGH: two' }],
])('finds %s', (name, expected) => {
  expect(findLoops(reading(LOOPS[name] ?? {}))).toEqual([
    expect.objectContaining({ dialect: name, ...expected }),
  ])
})

test.each([
  ['ralph-state', { [STATE]: '{"iteration": 3}', 'PROMPT.md': 'Sign in.\n' }],
  ['ralph-loop-plugin', { [PLUGIN]: plugin(NUMBERS, 'Sign in.\n') }],
  ['fix-plan', { '.ralph/PROMPT.md': 'Sign in.\n' }],
])('the task of %s stays the same with the block in its prompt', (_, files) => {
  const about = (now: Files) => findLoops(reading(now)).map((loop) => 'task' in loop && loop.task)
  expect(about(files)).toEqual(['Sign in.'])
  const later = { ...HANDOVER, point: { ...POINT, item: undefined } }
  expect(about(resumed(files, later))).toEqual(['Sign in.'])
})

test('every dialect has a test', () => {
  expect(Object.keys(LOOPS)).toHaveLength(DIALECTS.length)
})

describe('at a checkpoint', () => {
  test('the state says what waits, and every other byte stays', () => {
    const after = resumed(LOOPS['ralph-state'] ?? {})
    expect(after[STATE]).toMatchInlineSnapshot(`
      "{
        "iteration": 3,
        "max_iterations": 20,
        "currentIssue": "ANV-1",
        "n": 1.50,
        "context_checkpoint": {
          "active": true,
          "level": "L2",
          "percent_at_checkpoint": 87,
          "timestamp": "2026-01-07T11:45:00Z",
          "handoff_file": ".claude/handoffs/2026-01-07-1145.md",
          "resume_summary": "Implementing OAuth callback handler",
          "files_in_progress": [
            {
              "path": "src/auth/oauth.ts",
              "lines": "45-120"
            }
          ],
          "current_todo_item": "Implement OAuth callback",
          "progress_on_item": "70%"
        }
      }
      "
    `)
    expect(hasResume(after['PROMPT.md'] ?? '')).toBe(true)
  })

  test('adds to the text of the plugin, and keeps its numbers', () => {
    const files = LOOPS['ralph-loop-plugin'] ?? {}
    const after = resumed(files)[PLUGIN] ?? ''
    expect(after.startsWith(files[PLUGIN] ?? '-')).toBe(true)
    expect(after).toContain('DO NOT restart')
  })

  test('adds to the log and to the next story, and leaves passes alone', () => {
    const files = LOOPS['prd'] ?? {}
    const after = resumed(files)
    const log = after['scripts/ralph/progress.txt'] ?? ''
    expect(log.startsWith(files['scripts/ralph/progress.txt'] ?? '-')).toBe(true)
    expect(log).toMatchInlineSnapshot(`
      "# Ralph Progress Log
      ---

      ## 2026-01-07 11:45 - US-2 Title US-2
      - Previous session hit 87% context (L2 threshold). Do not restart from scratch; file: src/auth/oauth.ts (lines 45-120); item: Implement OAuth callback (70% complete); now: Implementing OAuth callback handler; handoff: .claude/handoffs/2026-01-07-1145.md.
      ---
      "
    `)
    const before = JSON.parse(files['scripts/ralph/prd.json'] ?? '') as never
    const stories = JSON.parse(after['scripts/ralph/prd.json'] ?? '') as {
      userStories: { notes: string }[]
    }
    expect(stories.userStories.map(({ notes }) => hasResume(notes))).toEqual([false, false, true])
    expect(stories.userStories[2]?.notes).toContain('.claude/handoffs/2026-01-07-1145.md')
    for (const one of stories.userStories) one.notes = expect.any(String) as string
    expect(before).toEqual(stories)
  })

  test('moves the note to the next story when a story has passed', () => {
    const path = 'scripts/ralph/prd.json'
    const once = resumed(LOOPS['prd'] ?? {})
    const passed = (once[path] ?? '').replace(
      /"passes": false(?![^]*"passes": false)/,
      '"passes": true',
    )
    const later = { ...HANDOVER, point: { ...POINT, handoffFile: '.claude/handoffs/later.md' } }
    const { userStories } = JSON.parse(resumed({ ...once, [path]: passed }, later)[path] ?? '') as {
      userStories: { notes: string }[]
    }
    expect(userStories.map(({ notes }) => hasResume(notes))).toEqual([false, true, false])
  })

  test('removes the stored session, so that the next iteration starts empty', () => {
    const after = resumed(LOOPS['fix-plan'] ?? {})
    expect(Object.keys(after)).not.toContain('.ralph/.claude_session_id')
    expect(after['.ralph/fix_plan.md']).toBe(LOOPS['fix-plan']?.['.ralph/fix_plan.md'])
    expect(after['.ralph/PROMPT.md']).toContain(resumeLines(POINT).join('\n'))
  })

  test('leaves the loop of another session alone', () => {
    const files = LOOPS['ralph-loop-plugin'] ?? {}
    expect(resumed(files, { ...HANDOVER, session: 'other' })).toEqual(files)
    expect(resumed(files, { ...HANDOVER, session: undefined })).toEqual(files)
    const older = { [PLUGIN]: plugin(NUMBERS) }
    expect(resumed(older, { ...HANDOVER, session: undefined })).not.toEqual(older)
  })
})

/** Loops that are finished. */
const OVER: readonly (readonly [string, Files])[] = [
  ['a finished run', { [STATE]: '{"active": false, "iteration": 3}', 'PROMPT.md': 'x\n' }],
  ['a plugin that is switched off', { [PLUGIN]: plugin(NUMBERS.replace('true', 'false')) }],
  [
    'stories that have all passed',
    { 'prd.json': prd(story('US-1', { passes: true })), 'progress.txt': 'x\n' },
  ],
  [
    'a plan without open boxes',
    { '.ralph/PROMPT.md': '# Ralph\n', '.ralph/fix_plan.md': '- [x] one\n' },
  ],
]

describe('a checkpoint that was not requested for the loop', () => {
  test.each(Object.entries(LOOPS))('tells an active %s the same as a requested one', (_, files) => {
    expect(resumed(files, HANDOVER, 'at work')).toEqual(resumed(files))
    expect(resumed(files)).not.toEqual(files)
  })

  test.each(OVER)('leaves %s alone', (_, files) => {
    expect(resumed(files, HANDOVER, 'at work')).toEqual(files)
    expect(resumed(files)).not.toEqual(files)
  })
})

test('a loop of our own may use another prompt file', () => {
  const files: Files = { ...LOOPS['ralph-state'], 'tasks/a.md': '# Task: Sign out\n' }
  const after = resumed(files, { ...HANDOVER, prompt: 'tasks/a.md' })
  expect(hasResume(after['tasks/a.md'] ?? '')).toBe(true)
  expect(after['PROMPT.md']).toBe(files['PROMPT.md'])
})

/** As found in public repositories: files of other programs with the same names. */
const FOREIGN: readonly (readonly [string, Files])[] = [
  ['counts in iterations', { [STATE]: '{\n  "iterations": 1,\n  "last_check": "2026"\n}' }],
  ['has a list of iterations', { [STATE]: '{"iteration": 40, "iterations": [], "child_pid": 1}' }],
  ['counts nothing', { [STATE]: '{"sessionId": "x", "currentState": "committing"}' }],
  ['uses our name for something else', { [STATE]: '{"iteration": 1, "context_history": "long"}' }],
  ['has a key twice', { [STATE]: '{"iteration": 1, "iteration": 2}' }],
  ['has comments', { [STATE]: '{"iteration": 1 // one\n}' }],
  ['is empty', { [STATE]: '', [PLUGIN]: '', 'prd.json': '' }],
  ['is not an object', { [STATE]: '[1]', 'prd.json': '[]', 'progress.txt': 'x\n' }],
  [
    'has its prompt in the front matter',
    { [PLUGIN]: plugin(`${NUMBERS}original_prompt: |\n  x\n`) },
  ],
  ['has an odd number', { [PLUGIN]: plugin(NUMBERS.replace('30', 'thirty')) }],
  ['has no front matter', { [PLUGIN]: 'Build it.\n' }],
  ['has a front matter without end', { [PLUGIN]: `---\n${NUMBERS}` }],
  ['has no stories', { 'prd.json': '{"project": "x"}', 'progress.txt': 'x\n' }],
]

test.each(FOREIGN)('leaves a file alone that %s, and says why', (_, files) => {
  const found = findLoops(reading({ 'PROMPT.md': 'x', ...files }))
  expect(found.length).toBeGreaterThan(0)
  for (const loop of found) expect(loop).toHaveProperty('why', expect.stringMatching(/./))
  const all = { 'PROMPT.md': 'x', ...files }
  expect(resumed(all)).toEqual(all)
  expect(cleared(all)).toEqual(all)
})

test('finds nothing without a loop', () => {
  const files = { 'PROMPT.md': 'x', 'progress.txt': 'x' }
  expect(findLoops(reading(files))).toEqual([])
  expect(resumed(files)).toEqual(files)
})

const anyJson = fc.oneof(
  fc.json({ maxDepth: 2, stringUnit: 'binary' }),
  fc.constantFrom('1.50', '1e400', '"\\u00e9"', '{"iteration": 9}', '"<promise>"', '-0'),
)
const KEYS = ['a', 'é', 'context', 'completion_promise', 'passes', 'notes2'] as const
const anyMembers = fc.dictionary(fc.constantFrom(...KEYS), anyJson, { maxKeys: 3 })
const anyLayout = fc.constantFrom(
  ['', '', ''],
  ['\n  ', ' ', '\n'],
  ['\r\n\t', '\t', '\r\n'],
  [' ', '', ' '],
  ['\n', '', ''],
)

/** The source of an object, its own members in any order among foreign ones. */
const anyObject = (own: Readonly<Record<string, string>>) =>
  fc.tuple(anyMembers, anyLayout).chain(([foreign, [before = '', between = '', end = '']]) =>
    fc
      .shuffledSubarray(Object.entries({ ...foreign, ...own }), {
        minLength: Object.keys({ ...foreign, ...own }).length,
      })
      .map(
        (members) =>
          `{${members
            .map(([key, value]) => `${before}${JSON.stringify(key)}:${between}${value}`)
            .join(',')}${end}}`,
      ),
  )

const anyFiles: fc.Arbitrary<Files> = fc.record(
  {
    [STATE]: anyObject({ iteration: '7' }),
    'PROMPT.md': anyText,
    [PLUGIN]: anyText.map((body) => plugin(NUMBERS, body)),
    'prd.json': anyText.chain((notes) =>
      anyObject({
        userStories: `[${JSON.stringify(story('US-1', { passes: false, notes }))}]`,
      }),
    ),
    'progress.txt': anyText,
    '.ralph/PROMPT.md': anyText,
  },
  { requiredKeys: [] },
)

/** The source of each member except ours, in the order of the file. */
function foreignMembers(text: string): string[] {
  return (parseTree(text)?.children ?? []).flatMap(({ offset, length, children: [name] = [] }) =>
    name?.value === 'context_checkpoint' ? [] : [text.slice(offset, offset + length)],
  )
}

describe('for any files', () => {
  const law = (check: (files: Files, handover: Handover) => void) =>
    fc.assert(
      fc.property(anyFiles, anyPoint, (files, point) => void check(files, { ...HANDOVER, point })),
      runs(1000),
    )

  test('applying or clearing twice changes nothing more', () => {
    law((files, handover) => {
      const once = resumed(files, handover)
      expect(resumed(once, handover)).toEqual(once)
      expect(cleared(cleared(once))).toEqual(cleared(once))
    })
  })

  test('clearing restores every text, except that the log has grown and the state records the checkpoint', () => {
    law((files, handover) => {
      const { [STATE]: state, 'progress.txt': log, ...after } = cleared(resumed(files, handover))
      const { [STATE]: stateBefore, 'progress.txt': logBefore, ...before } = files
      expect(after).toEqual(before)
      expect(log?.startsWith(logBefore ?? '')).toBe(logBefore === undefined ? undefined : true)
      expect(state === undefined).toBe(stateBefore === undefined)
      if (state === undefined || stateBefore === undefined) return
      expect(JSON.parse(state)).toMatchObject({ context_checkpoint: { active: false } })
      expect(foreignMembers(state)).toEqual(foreignMembers(stateBefore))
    })
  })

  test('nothing that is written ends a loop', () => {
    law((files, handover) => {
      const count = (all: Files) =>
        Object.values(all)
          .join('\n')
          .split(/<\s*\/?\s*promise/i).length
      expect(count(resumed(files, handover))).toBe(count(files))
    })
  })

  test('creates no file', () => {
    law((files, handover) => {
      expect(Object.keys(resumed(files, handover)).toSorted()).toEqual(
        Object.keys(files).toSorted(),
      )
    })
  })
})
