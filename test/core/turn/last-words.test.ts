/** The agent's last message, when its program reports all texts of the turn as one. */

import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { questionsIn } from '../../../src/core/message/questions.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'

const prompt = (text: string): TranscriptEntry => ({ kind: 'prompt', text })
const agent = (text: string) => ({ kind: 'assistant', text }) as const

function told(entries: readonly TranscriptEntry[], lastMessage: string, questions: string[] = []) {
  return summarizeTurn({
    entries,
    untold: entries,
    todos: undefined,
    commits: [],
    files: [],
    tops: [],
    lastMessage,
    questions,
    firstPrompt: undefined,
    ledgerHasGoal: true,
  })
}

const TEXTS = [
  'I see three files. Patch, minor or major?',
  'The version is 0.4.0 now. Is the deployment fine?',
] as const
const TURN = [prompt('Release it'), ...TEXTS.map(agent)]
const ASKED = questionsIn(TEXTS.join('\n'), 300)

describe('a last message that contains all texts of the turn', () => {
  test('takes now and the open questions from the last text only', () => {
    expect(told(TURN, TEXTS.join('\n'), ASKED)).toMatchObject({
      now: 'The version is 0.4.0 now.',
      openQuestions: [expect.stringContaining('Is the deployment fine?')],
    })
  })

  test('takes the message as it is when it does not end with the last text of the transcript', () => {
    expect(told(TURN, 'The release is out, and all is well.', [])?.now).toContain('release is out')
  })

  test('takes the words of the transcript for a message that is data', () => {
    const data = '{"findings": [], "overall_correctness": "patch is correct"}'
    expect(told([agent('Review: patch is correct.')], data)?.now).toBe('Review: patch is correct.')
    expect(told([prompt('Print it')], data)?.now).toContain('overall_correctness')
  })

  test('reports a plan that nobody has answered instead of the message before it', () => {
    const said = agent('I will check the standard first.')
    const plan = (outcome: 'open' | 'accepted'): TranscriptEntry => ({
      kind: 'plan',
      plan: { text: '# Cache the cart', outcome, said: undefined },
    })
    const lines = [prompt('Plan a cache'), said]
    expect(told([...lines, plan('open')], said.text)?.now).toBe(
      'waiting for a yes to the plan: Cache the cart',
    )
    expect(told([...lines, plan('accepted')], said.text)?.now).toContain('I will check')
  })

  test('ignores invisible characters at the end of the transcript', () => {
    const signs = '\u202e\u200b'
    expect(told([agent(signs)], `It is out.\n${signs}`)?.now).toBe('It is out.')
  })

  test('prefers the reported message to a transcript that lags behind', () => {
    const behind = TURN.slice(0, 2)
    expect(told(behind, TEXTS.join('\n'), ASKED)?.now).toContain('I see three files.')
    const before = [agent(TEXTS[1]), prompt('Release it')]
    expect(told(before, TEXTS.join('\n'), ASKED)?.now).toContain('I see three files.')
  })
})

describe('a greeting at the end', () => {
  const DONE = [prompt('Release it'), agent('The version is 0.4.0 now.')]
  const after = (...entries: TranscriptEntry[]) => {
    const last = entries.at(-1)
    const said = last?.kind === 'assistant' ? last.text : ''
    return told([...DONE, ...entries], said, questionsIn(said, 300))
  }

  test.each([
    ['hi', 'Hello! Do you need a hand with the code?'],
    ['Привет!', 'Привет! Чем могу помочь?'],
    ['Good morning, Claude', 'Good morning. Where shall I begin?'],
    ['안녕하세요', '안녕하세요! 어떤 작업을 할까요?'],
    ['こんにちは', 'こんにちは。今日は何をしますか？'],
  ])('is not where things stand, and its answer asks nothing: %s', (hello, answer) => {
    expect(after(prompt(hello), agent(answer))).toEqual({ now: 'The version is 0.4.0 now.' })
    expect(after(prompt(hello))).toEqual({ now: 'The version is 0.4.0 now.' })
  })

  test('counts if work, an error or a long answer followed it', () => {
    const failed: TranscriptEntry = { kind: 'failure', text: 'Not logged in' }
    expect(after(prompt('hi'), failed)?.now).toContain('Not logged in')
    const call: TranscriptEntry = {
      kind: 'tool',
      tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined },
      label: '`git push`',
    }
    const pushed = agent('Hello! The branch is pushed now.')
    expect(after(prompt('hi'), call, pushed)?.now).toContain('is pushed now')
    const long = agent(`Hello! ${'The tests of the parser still fail on Windows. '.repeat(5)}`)
    expect(after(prompt('hi'), long)?.now).toContain('on Windows')
    expect(after(prompt('hi there, tag it'), agent('Which tag?'))?.openQuestions).toHaveLength(1)
  })
})

describe('text before and after a to-do update', () => {
  const long = `The tables are made. ${'Each has a key and a name of its own. '.repeat(8)}`
  const tool = { name: 'TodoWrite', files: [], mayWrite: false, command: undefined } as const
  const list = { ...tool, todos: { kind: 'list', todos: [] } } as const
  const ticks: TranscriptEntry = { kind: 'tool', tool: list } as unknown as TranscriptEntry
  const now = (...entries: TranscriptEntry[]) =>
    told([prompt('Describe the tables'), ...entries], 'They are as said above.')?.now

  test('forms one message, unless the first part only introduces the second', () => {
    expect(now(agent(long), ticks, agent('They are as said above.'))).toMatch(
      /^The tables are made/,
    )
    expect(
      now(agent('All is done, let me tick it.'), ticks, agent('They are as said above.')),
    ).toBe('They are as said above.')
  })

  test('does not form one message if another tool was called in between', () => {
    const other = { kind: 'tool', label: 'Read a.ts', tool: { ...tool, todos: undefined } }
    const read = other as unknown as TranscriptEntry
    expect(now(agent(long), ticks, read, agent('They are as said above.'))).not.toContain('key')
  })
})

test('ignores an error after the last message, unless a call or a prompt came in between', () => {
  const failure: TranscriptEntry = { kind: 'failure', text: 'Limit reached' }
  const recap: TranscriptEntry = { kind: 'recap', text: 'The version is out.' }
  const later = (...entries: TranscriptEntry[]) => told([...TURN, ...entries], TEXTS[1])?.now
  expect(later(failure)).toBe('The version is 0.4.0 now.')
  expect(later(recap, failure)).toBe('The version is out.')
  const call: TranscriptEntry = {
    kind: 'tool',
    tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined },
    label: '`npm test`',
  }
  expect(later(call, failure)).toContain('stopped by an error: Limit reached')
  expect(later(prompt('Tag the release'), failure)).toContain('asked for: Tag the release')
})

test('takes the questions of a message that contains a single text', () => {
  expect(told(TURN, TEXTS[1], ASKED)?.openQuestions).toHaveLength(ASKED.length)
})
