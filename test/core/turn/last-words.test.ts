/** The agent's last message, if its program reports all texts of the turn as one. */

import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { questionsIn } from '../../../src/core/message/questions.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'

const prompt = (text: string): TranscriptEntry => ({ kind: 'prompt', text })
const agent = (text: string): TranscriptEntry => ({ kind: 'assistant', text })

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

describe('all texts of the turn', () => {
  test('the last one is where things stand, and only its questions are open', () => {
    expect(told(TURN, TEXTS.join('\n'), ASKED)).toMatchObject({
      now: 'The version is 0.4.0 now.',
      openQuestions: [expect.stringContaining('Is the deployment fine?')],
    })
  })

  test('words that do not end what was told are not its last', () => {
    expect(told(TURN, 'The release is out, and all is well.', [])?.now).toContain('release is out')
  })

  test('invisible signs that the log ends with are no words', () => {
    const signs = '\u202e\u200b'
    expect(told([agent(signs)], `It is out.\n${signs}`)?.now).toBe('It is out.')
  })

  test('a log that is behind does not take the place of what was told', () => {
    const behind = TURN.slice(0, 2)
    expect(told(behind, TEXTS.join('\n'), ASKED)?.now).toContain('I see three files.')
    const before = [agent(TEXTS[1]), prompt('Release it')]
    expect(told(before, TEXTS.join('\n'), ASKED)?.now).toContain('I see three files.')
  })
})

describe('words on both sides of a list that is ticked', () => {
  const long = `The tables are made. ${'Each has a key and a name of its own. '.repeat(8)}`
  const tool = { name: 'TodoWrite', files: [], mayWrite: false, command: undefined } as const
  const list = { ...tool, todos: { kind: 'list', todos: [] } } as const
  const ticks: TranscriptEntry = { kind: 'tool', tool: list } as unknown as TranscriptEntry
  const now = (...entries: TranscriptEntry[]) =>
    told([prompt('Describe the tables'), ...entries], 'They are as said above.')?.now

  test('are one message, where the first is no mere lead', () => {
    expect(now(agent(long), ticks, agent('They are as said above.'))).toMatch(
      /^The tables are made/,
    )
    expect(
      now(agent('All is done, let me tick it.'), ticks, agent('They are as said above.')),
    ).toBe('They are as said above.')
  })

  test('not where anything was done between them', () => {
    const other = { kind: 'tool', label: 'Read a.ts', tool: { ...tool, todos: undefined } }
    const read = other as unknown as TranscriptEntry
    expect(now(agent(long), ticks, read, agent('They are as said above.'))).not.toContain('key')
  })
})

test('an error behind the message of a turn is that of nothing that was asked', () => {
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

test('a message that is told alone stays as it is', () => {
  expect(told(TURN, TEXTS[1], ASKED)?.openQuestions).toHaveLength(ASKED.length)
})
