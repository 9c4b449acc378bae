/** A session's work becomes a meaningful event: first the laws, then what agents really write. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemKey } from '../../../src/core/event/item-text.ts'
import type { ToolUse, TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import type { Todo, TodoChange } from '../../../src/core/session/todos.ts'
import { applyTodos } from '../../../src/core/session/todos.ts'
import type { SessionWork } from '../../../src/core/turn/session-work.ts'
import type { TurnSummary } from '../../../src/core/report/turn-summary.ts'
import { SUMMARY_LIMITS } from '../../../src/core/message/items.ts'
import { promptLine } from '../../../src/core/prompt/prompt-line.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { countWords } from '../../../src/core/text/markdown-to-text.ts'
import { anyText } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { call, entriesOf, NO_WORK } from './endings.ts'

const summary = (work: Partial<SessionWork>) => summarizeTurn({ ...NO_WORK, ...work })
const says = (text: string): TranscriptEntry => ({ kind: 'assistant', text })
const asks = (text: string): TranscriptEntry => ({ kind: 'prompt', text })
const todo = (text: string, status: Todo['status'], id?: string): Todo => ({ id, text, status })
const tool = (fields: Partial<ToolUse>) => ({
  kind: 'tool' as const,
  tool: { name: 'x', files: [], mayWrite: false, todos: undefined, ...fields },
})
const ran = (command: string, output: string): TranscriptEntry => ({
  ...tool({ command }),
  ran: { command, output },
})
const reports = (report: string): TranscriptEntry => ({ ...tool({}), label: 'Task: Look', report })
const commit = (subject: string, oid = '1f0c2b3a4d5e6f708192a3b4c5d6e7f809101112') => ({
  oid,
  subject,
})

function textsOf(fields: TurnSummary | undefined): string[] {
  const { goal, now, thisSession = [], next, openQuestions = [] } = fields ?? {}
  return [goal, now]
    .filter((text) => text !== undefined)
    .concat(thisSession, next ?? [], openQuestions)
}

const anyMarkdown = fc.oneof(
  anyText,
  fc
    .array(
      fc.oneof(
        anyText,
        fc.constantFrom(
          'Done.',
          'Shall I?',
          'Next steps:',
          '- a',
          '- [x] b',
          '## c',
          '```',
          '```ts',
          '| a | b |',
          '| --- | --- |',
          '',
          'Let me look:',
          'x'.repeat(400),
          '**d:** e',
          '1. f?',
        ),
      ),
      { maxLength: 8 },
    )
    .map((lines) => lines.join('\n')),
)
const anyWork: fc.Arbitrary<SessionWork> = fc
  .record({
    entries: fc.array(
      fc.oneof(
        anyMarkdown.map(says),
        anyMarkdown.map(asks),
        fc.constantFrom(tool({}), tool({ files: ['/a/b.ts', '/c/d.ts'] })),
      ),
      {
        maxLength: 4,
      },
    ),
    todos: fc.option(
      fc.array(
        fc.record({
          id: fc.constant(undefined),
          text: fc
            .oneof(fc.constantFrom('a', '- [x] a', 'b'), anyMarkdown)
            .filter((t) => t.trim() !== ''),
          status: fc.constantFrom<Todo['status']>('pending', 'in_progress', 'completed'),
        }),
        { maxLength: 30 },
      ),
      { nil: undefined },
    ),
    commits: fc.array(
      fc.record({ oid: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)), subject: anyText }),
      { maxLength: 25 },
    ),
    files: fc.array(fc.oneof(fc.constantFrom('a.ts', 'b c.ts'), anyText), { maxLength: 30 }),
    tops: fc.subarray(['/a', '/c']),
    lastMessage: fc.option(anyMarkdown, { nil: undefined }),
    questions: fc.array(anyText, { maxLength: 7 }),
    firstPrompt: fc.option(anyMarkdown, { nil: undefined }),
    ledgerHasGoal: fc.boolean(),
  })
  .map((work) => ({ ...work, untold: work.entries }))
const law = (check: (work: SessionWork) => void) =>
  fc.assert(
    fc.property(anyWork, (work) => check(work)),
    runs(1000),
  )
/** No prompt is longer than two words: nobody asked for anything. */
const isTalk = ({ entries, firstPrompt }: SessionWork) => {
  const prompts = entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))
  const asked = firstPrompt === undefined ? prompts : [firstPrompt, ...prompts]
  return asked.length > 0 && asked.every((text) => countWords(promptLine(text, 300)) < 3)
}
const hasWords = (text: string | undefined) => /[\p{L}\p{N}]/u.test(text ?? '')

describe('laws', () => {
  test('an event that reports any work contains text', () => {
    law((work) => {
      const happened =
        work.commits.length > 0 ||
        work.files.some(hasWords) ||
        (work.todos ?? []).some(({ text }) => hasWords(text)) ||
        (!isTalk(work) &&
          (hasWords(work.lastMessage) ||
            work.entries.some((entry) => entry.kind === 'assistant' && hasWords(entry.text))))
      if (happened) expect(textsOf(summarizeTurn(work)).some((text) => text !== '')).toBe(true)
    })
  })

  test('a message that is only the start of code or of a table still yields text', () => {
    for (const lastMessage of ['```ts', '``` # heading', '~~~ts', '| a |\n| --- |']) {
      expect(hasWords(summary({ lastMessage })?.now), lastMessage).toBe(true)
    }
    expect(summary({ lastMessage: '```ts\n## c' })?.now).toBe('c')
  })

  test('reports a command that an error stopped before any work, but no small talk', () => {
    const failed: TranscriptEntry = { kind: 'failure', text: 'You have hit your limit' }
    expect(summary({ entries: [asks('/pm:review'), failed] })?.now).toBe(
      'stopped by an error: You have hit your limit; asked for: /pm:review',
    )
    for (const prompt of ['hi', '/model', '/cost']) {
      expect(summary({ entries: [asks(prompt), failed] }), prompt).toBeUndefined()
    }
    expect(summary({ entries: [asks('/pm:review')] })).toBeUndefined()
  })

  test('makes no event of a greeting and its answer, but makes one of an answered question', () => {
    const greeted = [asks('hi'), says('Hello! How can I help you today?')]
    expect(summary({ entries: greeted })).toBeUndefined()
    const pasted = [asks(`${'QUJD'.repeat(99)}\nwhat does it say?`), says('It says ABC.')]
    expect(summary({ entries: pasted })?.now).toBe('It says ABC.')
    const thanked = [
      ...greeted,
      asks('thanks'),
      says('Hm! I can read and change the code of this repository.'),
    ]
    for (const entries of [thanked, [...thanked, asks('history'), says('None.')]]) {
      expect(summary({ entries, untold: entries })).toBeUndefined()
    }
    expect(summary({ entries: [asks('.'), says('I am ready to help.')] })).toBeUndefined()
    const resumed = asks("let's start where we left off")
    expect(summary({ entries: [resumed, says('I have no context of it.')] })).toBeUndefined()
    expect(summary({ entries: [asks('whoami'), tool({ command: 'whoami' }), says('ada')] })).toBe(
      undefined,
    )
    const summed = asks('Please write a short summary of this conversation.\n\nOnly the summary.')
    expect(summary({ entries: [summed, says('They spoke of a parser.')] })).toBeUndefined()
    expect(summary({ entries: [...greeted, tool({ files: ['a.ts'] })] })).toBeDefined()
    expect(summary({ entries: greeted, todos: [todo('a', 'in_progress')] })?.now).toContain('a')
    expect(summary({ entries: [asks('why is it slow?'), says('The cache.')] })?.now).toBe(
      '“why is it slow?”: The cache.',
    )
  })

  test('makes no event when nothing happened, unless somebody asked for work', () => {
    expect(summary({})).toBeUndefined()
    expect(
      summary({ entries: [asks('hi'), asks('yes please')], ledgerHasGoal: false }),
    ).toBeUndefined()
    expect(summary({ entries: [asks('Fix it, please, now')] })).toEqual({
      now: 'no reply yet to: Fix it, please, now',
    })
    expect(summary({ entries: [says(' \n'), tool({}), says('---')], todos: [] })).toBeUndefined()
    expect(summary({ lastMessage: '', files: [' '], questions: [''] })).toBeUndefined()
  })

  test('every text is one short line, without control characters and without leading Markdown marks', () => {
    law((work) => {
      const told = summarizeTurn(work)
      for (const text of textsOf(told)) {
        const place = told?.thisSession?.indexOf(text) ?? -1
        const kind = ({ [-1]: 'now', 0: 'lastTurn' } as const)[place] ?? 'turn'
        expect(text.length).toBeLessThanOrEqual(SUMMARY_LIMITS[kind])
        expect(text.trim()).toBe(text)
        expect(text).not.toBe('')
        // oxlint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
        expect(text.isWellFormed()).toBe(true)
        if (hasWords(text)) expect(text).not.toMatch(/^(?:#{1,6} |[-*+] |\[[ xX]\] |> ?\w)/)
      }
    })
  })

  test('keeps a list number or a ticked box that is the only word, without the marks before it', () => {
    const questions = ['>1.\n:', '- > [x] :', '# 1. a']
    expect(summary({ questions })?.openQuestions).toEqual(['1. :', 'x :', 'a'])
  })

  test('lists are limited and free of duplicates, and next contains nothing done or in progress', () => {
    law((work) => {
      const { now, thisSession = [], next, openQuestions = [] } = summarizeTurn(work) ?? {}
      for (const [list, max] of [
        [thisSession, SUMMARY_LIMITS.thisSession],
        [next ?? [], SUMMARY_LIMITS.next],
        [openQuestions, SUMMARY_LIMITS.questions],
      ] as const) {
        expect(list.length).toBeLessThanOrEqual(max)
        expect(new Set(list.map(itemKey)).size).toBe(list.length)
      }
      const done = new Set([...thisSession, now ?? ''].map(itemKey))
      expect((next ?? []).filter((text) => done.has(itemKey(text)))).toEqual([])
    })
  })

  test('the same work gives the same fields, and the input is not changed', () => {
    law((work) => {
      const copy = structuredClone(work)
      expect(summarizeTurn(work)).toEqual(summarizeTurn(copy))
      expect(work).toEqual(copy)
    })
  })
})

describe('where the fields come from', () => {
  const todos = [
    todo('Parse offsets', 'completed'),
    todo('Parse **fractions**', 'in_progress'),
    todo('Write docs', 'pending'),
    todo('Release', 'in_progress'),
  ]

  test('to-dos in progress become now, completed ones this_session, and the rest next', () => {
    expect(summary({ todos, lastMessage: 'Half way. Shall I go on with leap seconds?' })).toEqual({
      now: 'Half way. (in progress on its list: Parse fractions)',
      thisSession: ['Parse offsets'],
      next: ['Release', 'Write docs'],
      openQuestions: ['Half way. Shall I go on with leap seconds?'],
    })
  })

  test('prefers the last message to a to-do that only announces a report', () => {
    const now = (task: string) =>
      summary({ todos: [todo(task, 'in_progress')], lastMessage: 'The spec is written.' })?.now
    expect(now('Summarize the results for the user')).toBe('The spec is written.')
    expect(now('Reproduce the fault')).toContain('in progress on its list')
    const entries = [asks('Write the spec'), tool({ files: ['spec.md'] })]
    expect(summary({ entries, todos: [todo('Report the results', 'in_progress')] })?.now).toContain(
      'Report the results',
    )
  })

  test('prefers the to-dos of the hooks to those of the transcript', () => {
    const entries = [tool({ todos: { kind: 'list', todos: [todo('old', 'pending')] } })]
    expect(summary({ entries })).toEqual({ next: ['old'] })
    expect(summary({ entries, todos: [todo('new', 'in_progress')] })).toEqual({ now: 'new' })
  })

  test('shows commits with their ids, and omits a to-do with the same words', () => {
    const work = {
      todos: [todo('feat: offsets', 'completed'), todo('Run tests', 'completed')],
      commits: [commit('feat: offsets'), commit('')],
      lastMessage: 'Offsets are parsed now. All tests pass.',
    }
    expect(summary(work)).toEqual({
      now: 'Offsets are parsed now. All tests pass.',
      thisSession: ['Run tests', 'feat: offsets (1f0c2b3)', 'commit 1f0c2b3'],
      next: [],
    })
  })

  test('keeps a to-do in progress out of next, unless now is a recap', () => {
    const list = [todo('Write docs', 'pending'), todo('Write docs', 'in_progress')]
    expect(summary({ todos: list })).toEqual({ now: 'Write docs' })
    const entries: TranscriptEntry[] = [{ kind: 'recap', text: 'Half of it is there.' }]
    expect(summary({ todos: list, entries })).toEqual({
      now: 'Half of it is there.',
      next: ['Write docs'],
    })
  })

  test('reports a commit alone, or files alone, as both now and done', () => {
    expect(summary({ commits: [commit('fix: a')] })).toEqual({
      now: 'fix: a (1f0c2b3)',
      thisSession: ['fix: a (1f0c2b3)'],
    })
    expect(summary({ files: ['src/a.ts', 'src/a.ts'] })).toEqual({
      now: 'Changed src/a.ts',
      thisSession: ['Changed src/a.ts'],
    })
  })

  test('marks files as not committed if git was asked', () => {
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts']
    const lines = (...uncommitted: string[]) =>
      summary({ files, uncommitted: new Set(uncommitted) })?.thisSession
    expect(lines('src/b.ts', 'other.ts')).toEqual([
      'Changed src/a.ts, src/c.ts',
      'Changed, not committed: src/b.ts',
    ])
    expect(lines(...files)).toEqual(['Changed, not committed: src/a.ts, src/b.ts, src/c.ts'])
    expect(lines()).toEqual(['Changed src/a.ts, src/b.ts, src/c.ts'])
  })

  test('counts the files and the items that it leaves out', () => {
    const files = Array.from({ length: 40 }, (_, i) => `src/modules/module-${i}/index.ts`)
    expect(summary({ files })?.thisSession?.[0]).toMatch(
      /^Changed src\/modules\/module-39\/index\.ts, .* and \d+ more files$/,
    )
    const path = '/home/ada/shop/src/modules/module-3/index.ts'
    const edit = entriesOf(call('Edit', { file_path: path }, { content: 'updated' }))
    const touched = summary({ files, tops: ['/home/ada/shop'], untold: edit, entries: edit })
    expect(touched?.thisSession?.[0]).toMatch(
      /^Changed src\/modules\/module-3\/index\.ts, src\/modules\/module-39/,
    )
    expect(summary({ files: files.slice(0, 2) })?.thisSession?.[0]).toMatch(
      /^Changed src\/modules\/module-0\/.*module-1\/index.ts$/,
    )
    const commits = Array.from({ length: 30 }, (_, i) => commit(`fix: number ${i}`))
    const { thisSession = [] } = summary({ commits }) ?? {}
    expect([thisSession.length, thisSession[0], thisSession.at(-1)]).toEqual([
      19,
      '12 more things before these',
      'fix: number 29 (1f0c2b3)',
    ])
    // One extra item is shown itself.
    expect(summary({ commits: commits.slice(-19) })?.thisSession?.[0]).toBe(
      'fix: number 11 (1f0c2b3)',
    )
    const pending = Array.from({ length: 12 }, (_, i) => todo(`Do ${i}`, 'pending'))
    expect(summary({ todos: pending })?.next?.at(-1)).toBe('and 3 more')
  })

  test('fills this_session up to its limit and no further', () => {
    const parts = Array.from({ length: 40 }, (_, i) => `Part ${i} of it is read anew.`).join(' ')
    const entries = Array.from({ length: 8 }, (_, i) => [
      asks(`Fix the date of footer ${i}, please`),
      tool({ files: [`/z/${i}.ts`] }),
      says(`Footer ${i} has its date. ${parts}`),
    ]).flat()
    const shares = [0, 1, 2].map((i) =>
      ran(`gh pr create -t ${i}`, `https://example.invalid/a/b/pull/${i}`),
    )
    entries.push(...shares, ran('git push', '   1f0c2b3..9a8b7c6  main -> main'))
    entries.unshift(asks('Who reads the footers?'), says('Nobody does.'))
    entries.push(tool({ removed: ['b.ts'] }))
    entries.push(ran('npm test', '977 passed'), says(`All have their date. ${parts}`))
    entries.push({ kind: 'summary', text: '8. Current Work:\nThe footers of the shop are read.' })
    entries.push(...[0, 1, 2].map((i) => reports(`Shop ${i} has its own footers.`)))
    const todos = Array.from({ length: 9 }, (_, i) => todo(`Do ${i}`, 'completed'))
    const commits = Array.from({ length: 30 }, (_, i) => commit(`fix: number ${i}`))
    const files = ['a.ts', 'b.ts', 'c.ts']
    const few = [...entries.slice(0, 4), ...entries.slice(-11)]
    const all = { commits, files, uncommitted: new Set(['c.ts']) }
    // Also a list from before the last request.
    const open = Array.from({ length: 9 }, (_, i) => todo(`Do what nobody did ${i}`, 'pending'))
    const old = [...todos, ...open]
    const list = tool({ todos: { kind: 'list', todos: old } })
    const first = [...entries.slice(0, 1), list, ...entries.slice(1)]
    const long = summary({ ...all, entries: first, untold: first, todos: old })?.thisSession
    expect(long).toHaveLength(SUMMARY_LIMITS.thisSession)
    // As many of its items as fit.
    const left = long?.find((line) => line.startsWith('Not ticked')) ?? ''
    const [, shown = ''] = /: (.*) and \d more$/.exec(left) ?? []
    expect(left.length).toBeLessThanOrEqual(SUMMARY_LIMITS.item)
    expect(left.length + (shown.split('; ').at(-1)?.length ?? 0)).toBeGreaterThan(
      SUMMARY_LIMITS.item - 15,
    )
    // When the first request is one of the newest.
    const short = summary({ ...all, entries: few, untold: few })?.thisSession
    expect(short).toHaveLength(SUMMARY_LIMITS.thisSession - 1)
  })

  test('does not report completed to-dos again that an earlier event reported', () => {
    const listAt = (at: string, ...todos: Todo[]): TranscriptEntry => ({
      ...tool({ todos: { kind: 'list', todos } }),
      at: parseInstant(at)?.instant,
    })
    const [before, after] = [
      listAt('2026-01-01T10:00:00Z', todo('Read it', 'completed'), todo('Write it', 'pending')),
      listAt('2026-01-01T11:00:00Z', todo('Read it', 'completed'), todo('Write it', 'completed')),
    ]
    const entries = [asks('Make it'), before, after, says('It is made.')]
    const told = (untold: readonly TranscriptEntry[]) => summary({ entries, untold })?.thisSession
    expect(told(entries.slice(2))).toEqual(['Write it'])
    expect(told(entries)).toEqual(['Read it', 'Write it'])
    expect(told([])).toBeUndefined()
    expect(summary({ entries, untold: entries.slice(2) })?.next).toEqual([])
  })

  test('prefers the last message of the hook to that of the transcript', () => {
    const entries = [says('One is done.'), tool({}), says('Two are done.')]
    expect(summary({ entries })?.now).toBe('Two are done.')
    expect(summary({ entries, lastMessage: 'Three are done.' })?.now).toBe('Three are done.')
    expect(summary({ entries, lastMessage: ' ' })?.now).toBe('Two are done.')
  })

  test('sets a goal only if none is set, only from the first requests, and never from `yes`', () => {
    const message = { lastMessage: 'It is fixed now.' }
    const goal = (work: Partial<SessionWork>) =>
      summary({ ...message, ledgerHasGoal: false, ...work })?.goal
    const entries = [
      asks('The cart ignores discounts, please fix it.\nSee #12.'),
      asks('and test it too'),
    ]
    expect(goal({ entries })).toBe('The cart ignores discounts, please fix it. See #12.')
    expect(goal({ entries, firstPrompt: 'Ship the new cart' })).toBe(
      'Ship the new cart; then: The cart ignores discounts, please fix it. See #12.',
    )
    const resumed = [asks('Fix the old cart'), asks('/plan-page'), asks('the page of the prices')]
    expect(goal({ entries: resumed, firstPrompt: 'the page of the prices' })).toBe(
      '/plan-page: the page of the prices',
    )
    expect(goal({ entries, ledgerHasGoal: true })).toBeUndefined()
    expect(goal({ entries: [{ kind: 'summary', text: '…' }, ...entries] })).toBeUndefined()
    expect(goal({ entries: [asks('yes please')] })).toBeUndefined()
    expect(goal({ entries: [asks('Explain these two:\n- a\n- b')] })).toBe('Explain these two: a b')
    expect(goal({ entries: [asks('why does it fail?')] })).toBe('why does it fail?')
    const says = 'Think about how users could take their orders along'
    for (const prompt of ['Implement the plan', 'Implement it, please.', 'yes, add the button']) {
      const turns = [asks(says), tool({}), asks(prompt), tool({ files: ['a.ts'] })]
      expect(goal({ entries: turns }), prompt).toBe(says)
    }
    for (const prompt of ['Fix the list view', 'Fix the dates.\n\nThe next step fails on them.']) {
      const turns = [asks(says), tool({}), asks(prompt), tool({ files: ['a.ts'] })]
      expect(goal({ entries: turns })).toBe(`${says}; then: ${prompt.replace('\n\n', ' ')}`)
    }
  })
})

test('takes no prompt as a task that was answered with a few words alone', () => {
  const goal = (...entries: TranscriptEntry[]) => {
    const work = [asks('Think about the orders of the users'), tool({ files: ['a.ts'] })]
    return summary({ ledgerHasGoal: false, entries: [...work, says('All in.'), ...entries] })?.goal
  }
  const first = 'Think about the orders of the users'
  const remark = asks('mate, the page reads as if a robot wrote it')
  const both = `${first}; then: mate, the page reads as if a robot wrote it`
  expect(goal(remark, says('Fair. Good night.'))).toBe(first)
  expect(goal(remark, says('All of its headings are new now.'))).toBe(both)
  expect(goal(remark, tool({ command: 'sh new.sh' }), says('Better now?'))).toBe(both)
  expect(goal(remark)).toBe(both)
})

test('joins a clarification to the request that it is about', () => {
  const change = tool({ files: ['a.ts'] })
  const entries = [
    asks('Fix the dates of all footers'),
    change,
    asks('Make the pages friendlier'),
    says('Which ones?'),
    asks('I mean the pages of the whole shop'),
    change,
    change,
  ]
  expect(summary({ ledgerHasGoal: false, entries })?.goal).toBe(
    'Fix the dates of all footers; then: Make the pages friendlier. I mean the pages of the whole shop',
  )
  const meant = asks('I meant to ask whether the pages of the shop are cached')
  expect(summary({ ledgerHasGoal: false, entries: [...entries, meant] })?.goal).toMatch(
    /; then: I meant to ask whether/,
  )
})

describe('to-dos, change by change', () => {
  const anyChange: fc.Arbitrary<TodoChange> = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      todo: fc.record({
        id: fc.constantFrom(undefined, '1', '2'),
        text: fc.constantFrom('a', 'b'),
        status: fc.constant('pending' as const),
      }),
    }),
    fc.record({
      kind: fc.constant('set' as const),
      id: fc.constantFrom('1', '2'),
      text: fc.constantFrom(undefined, 'c'),
      status: fc.constantFrom(
        undefined,
        'in_progress' as const,
        'completed' as const,
        'dropped' as const,
      ),
    }),
  )

  test('a change that is applied twice counts once', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 8 }), anyChange, (changes, last) => {
        const before = changes.reduce<readonly Todo[]>(applyTodos, [])
        const once = applyTodos(before, last)
        expect(applyTodos(once, last)).toEqual(once)
        const ids = once.flatMap(({ id }) => id ?? [])
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  test('a task that is added again keeps its status; a reused number is a different task', () => {
    const add = (text: string): TodoChange => ({ kind: 'add', todo: todo(text, 'pending', '1') })
    const done = [todo('a', 'completed', '1'), todo('b', 'pending', '2')]
    expect(applyTodos(done, add('a'))).toEqual(done)
    expect(applyTodos(done, add('c'))).toEqual([todo('c', 'pending', '1'), done[1]])
  })

  test('a task added before recording began appears as soon as it is named', () => {
    expect(applyTodos([], { kind: 'set', id: '3', text: undefined, status: 'completed' })).toEqual(
      [],
    )
    expect(applyTodos([], { kind: 'set', id: '3', text: 'a', status: undefined })).toEqual([
      todo('a', 'pending', '3'),
    ])
  })
})
