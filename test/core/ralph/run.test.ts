import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextHandoff } from '../../../src/core/context/handoff-document.ts'
import {
  readContextHandoff,
  renderContextHandoff,
} from '../../../src/core/context/handoff-document.ts'
import { lastWords, promiseIn } from '../../../src/core/ralph/promise.ts'
import { readPoint } from '../../../src/core/ralph/read-point.ts'
import { resumeLines } from '../../../src/core/ralph/resume.ts'
import type { Outcome } from '../../../src/core/ralph/run.ts'
import { afterIteration, newRun } from '../../../src/core/ralph/run.ts'
import type { WorkMark } from '../../../src/core/ralph/work-mark.ts'
import { changedWork } from '../../../src/core/ralph/work-mark.ts'
import { runs } from '../../support/long.ts'
import { POINT } from './points.ts'
import { EMPTY } from '../context/empty-handoff.ts'

describe('a promise', () => {
  test.each([
    ['<promise>COMPLETE</promise>', 'COMPLETE'],
    ['All tests pass.\n\n<promise>COMPLETE</promise>\n', 'COMPLETE'],
    ['All tests pass. <promise>COMPLETE</promise>', 'COMPLETE'],
    ['**<promise> ALL\u0020 DONE </promise>**', 'ALL DONE'],
    ['<promise>COMPLETE</promise>\n\nA summary follows.', 'COMPLETE'],
    ['<promise>A</promise>\n<promise>B</promise>', 'B'],
    ['I will print <promise>COMPLETE</promise> when all tests pass.', undefined],
    ['Not yet: <promise>COMPLETE</promise> comes later.\nNext: the form.', undefined],
    ['<promise></promise>', undefined],
    ['<promise>COMPLETE', undefined],
    ['', undefined],
  ])('%j', (text, promise) => {
    expect(promiseIn(text)).toBe(promise)
  })

  test('finds only the wanted promise', () => {
    expect(promiseIn('<promise>COMPLETE</promise>', 'DONE')).toBeUndefined()
    expect(promiseIn('<promise>ALL DONE</promise>', ' ALL  DONE ')).toBe('ALL DONE')
  })
})

describe('the last words of', () => {
  const assistant = (text: string) =>
    JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
  const tool = JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', content: '<promise>COMPLETE</promise>' }] },
  })
  test.each([
    ['plain text', 'one\ntwo\n', 'one\ntwo\n'],
    ['--output-format json', JSON.stringify({ type: 'result', result: 'done' }), 'done'],
    [
      '--output-format stream-json',
      [assistant('first'), tool, '{"type":"result","result":"last"}', ''].join('\n'),
      'last',
    ],
    ['a truncated stream', [assistant('first'), assistant('then'), tool].join('\n'), 'then'],
    ['a list of records', `[${assistant('first')},${tool}]`, 'first'],
    [
      'codex exec --json',
      '{"type":"item.completed","item":{"type":"agent_message","text":"done"}}\n' +
        '{"type":"turn.completed","usage":{}}\n',
      'done',
    ],
    ['gemini --output-format json', '{"response":"done","stats":{}}', 'done'],
    ['records among warnings', `warning: old node\n${assistant('a')}\n${assistant('b')}\n`, 'b'],
    ['text with JSON in it', 'see:\n{"type":"x"}\n', 'see:\n{"type":"x"}\n'],
    ['an empty output', '', ''],
  ])('%s', (_, output, words) => {
    expect(lastWords(output)).toBe(words)
  })
})

describe('a run', () => {
  const anyOutcome: fc.Arbitrary<Outcome> = fc.record({
    promise: fc.option(fc.constant('DONE'), { nil: undefined }),
    isMissing: fc.boolean(),
    isInterrupted: fc.boolean(),
    hasChanged: fc.boolean(),
  })
  const GOES_ON: Outcome = {
    promise: undefined,
    isMissing: false,
    isInterrupted: false,
    hasChanged: true,
  }
  const play = (outcomes: readonly Outcome[], max?: number) => {
    let state = newRun(max)
    for (const outcome of outcomes) {
      const after = afterIteration(state, outcome)
      state = after.state
      if (after.ending !== undefined) return { done: state.done, ending: after.ending }
    }
    return { done: state.done, ending: undefined }
  }

  test.each([
    [{ promise: 'DONE' }, 'promise'],
    [{ isInterrupted: true }, 'interrupted'],
    [{ isMissing: true }, 'missing'],
    [{}, undefined],
  ] as const)('%j', (about, ending) => {
    expect(play([{ ...GOES_ON, ...about }]).ending).toBe(ending)
  })

  test('ends exactly at its maximum', () => {
    const many = Array.from({ length: 9 }, () => GOES_ON)
    expect(play(many, 3)).toEqual({ done: 3, ending: 'maximum' })
    expect(play(many)).toEqual({ done: 9, ending: undefined })
    fc.assert(
      fc.property(fc.array(anyOutcome), fc.integer({ min: 1, max: 4 }), (outcomes, max) => {
        expect(play(outcomes, max).done).toBeLessThanOrEqual(max)
      }),
      runs(400),
    )
  })

  test('ends after two iterations in a row without changes', () => {
    const idle = { ...GOES_ON, hasChanged: false }
    expect(play([idle, GOES_ON, idle, idle, GOES_ON])).toEqual({ done: 4, ending: 'no-change' })
    expect(play([idle, GOES_ON, idle, GOES_ON])).toEqual({ done: 4, ending: undefined })
  })
})

describe('what was changed', () => {
  const paths = ['a', 'b', 'c'] as const
  type Tree = Readonly<Partial<Record<string, string>>>
  const anyTree: fc.Arbitrary<Tree> = fc.dictionary(
    fc.constantFrom(...paths),
    fc.constantFrom('1', '2', '3'),
  )
  const versionOf = (tree: Tree, path: string) => tree[path]
  const mark = (name: string, head: Tree, work: Tree): WorkMark => ({
    head: name,
    differing: new Map(
      paths
        .filter((path) => versionOf(head, path) !== versionOf(work, path))
        .map((path) => [path, versionOf(work, path)]),
    ),
  })

  test('is what differs between the two worktrees, whatever was committed', () => {
    fc.assert(
      fc.property(anyTree, anyTree, anyTree, anyTree, (head, work, newHead, newWork) => {
        const committed = paths
          .map((path) => ({ path, before: versionOf(head, path), after: versionOf(newHead, path) }))
          .filter(({ before, after }) => before !== after)
        const changed = changedWork(mark('1', head, work), mark('2', newHead, newWork), committed)
        expect(changed.toSorted()).toEqual(
          paths.filter((path) => versionOf(work, path) !== versionOf(newWork, path)),
        )
      }),
      runs(1000),
    )
  })
})

const HANDOFF: ContextHandoff = {
  ...EMPTY,
  session: 'abc',
  branch: 'main',
  issue: 'ANV-1',
  level: 'L2',
  percent: 87,
  reason: 'L2',
  now: POINT.summary,
  current: { item: POINT.item ?? '', progress: POINT.progress },
  files: POINT.files,
}

describe('the resume point, read from the document', () => {
  const read = (handoff: ContextHandoff) => {
    const found = readContextHandoff(renderContextHandoff(handoff))
    if (found === undefined) throw new Error('no document')
    return readPoint(found, POINT.handoffFile, POINT.timestamp)
  }
  test('reads all of it', () => {
    expect(read(HANDOFF)).toEqual(POINT)
  })
  test('reads progress counted in to-dos', () => {
    const progress = '1 of 4 to-dos done'
    const point = read({ ...HANDOFF, current: { item: 'Wire the form', progress } })
    expect(point).toMatchObject({ item: 'Wire the form', progress })
    expect(resumeLines(point)).toContain('- **Item**: Wire the form (1 of 4 to-dos complete)')
  })
  test('leaves unknown what the document does not say', () => {
    const least = {
      ...HANDOFF,
      level: 'unknown',
      percent: undefined,
      now: undefined,
      current: undefined,
      files: [{ path: 'a (b)', lines: undefined }],
    } as const
    expect(read(least)).toEqual({
      ...POINT,
      level: 'unknown',
      percent: undefined,
      summary: undefined,
      files: [{ path: 'a (b)', lines: undefined }],
      item: undefined,
      progress: undefined,
    })
    expect(read({ ...least, next: ['Run the tests'] }).summary).toBe('Run the tests')
  })
})
