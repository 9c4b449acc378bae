/**
 * Claude Code in a team of agents, and woken by its own background tasks: whose words are whose.
 */

import { describe, expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { agent, call, entriesOf, user } from '../report/endings.ts'

const from = (name: string, body: string, more = '') =>
  `<teammate-message teammate_id="${name}"${more}>\n${body}\n</teammate-message>`
const json = (type: string, more: object = {}) => JSON.stringify({ type, taskId: '3', ...more })

const words = (entries: readonly TranscriptEntry[]) =>
  entries.flatMap((entry) =>
    entry.kind === 'prompt' || entry.kind === 'assistant' ? [`${entry.kind}: ${entry.text}`] : [],
  )
const told = (entries: readonly TranscriptEntry[], lastMessage?: string) =>
  summarizeTurn({
    entries,
    untold: entries,
    todos: undefined,
    commits: [],
    files: [],
    tops: [],
    lastMessage,
    questions: [],
    firstPrompt: undefined,
    ledgerHasGoal: false,
  })

const REPORT = `The four unused imports are gone. ${'Each file was checked with the linter. '.repeat(6)}`

describe('a member of a team', () => {
  test.each([
    ['a message from the lead', from('team-lead', 'Fix the imports.'), 'Fix the imports.'],
    [
      'a message from the lead with a summary',
      from('team-lead', 'Fix the imports.', ' summary="Imports <now>"'),
      'Fix the imports.',
    ],
    [
      'a task that the lead assigns',
      from('team-lead', json('task_assignment', { subject: 'Fix it', description: 'All of it.' })),
      'Fix it\n\nAll of it.',
    ],
    [
      'several messages at once',
      [from('team-lead', 'Fix it.'), from('docs', 'Done.'), from('team-lead', 'Then stop.')].join(
        '\n\n',
      ),
      'Fix it.\n\nThen stop.',
    ],
  ])('takes as request: %s', (_, text, asked) => {
    expect(words(entriesOf(user(text)))).toEqual([`prompt: ${asked}`])
  })

  test.each([
    ['another member', from('docs', 'The pages are done.')],
    ['a task from another member', from('docs', json('task_assignment', { subject: 'Fix it' }))],
    ['a shutdown request', from('team-lead', json('shutdown_request', { reason: 'Done.' }))],
    ['damaged JSON', from('team-lead', '{"type":"task_assignment","subject":')],
  ])('takes no request from %s', (_, text) => {
    expect(words(entriesOf(user(text)))).toEqual([])
  })

  test('takes the message to the lead as the report, even if more text follows', () => {
    const send = { type: 'message', recipient: 'team-lead', content: REPORT }
    const entries = entriesOf(
      user(from('team-lead', 'Fix the unused imports.')),
      ...call('Edit', { file_path: 'a.ts' }, { content: 'ok' }),
      ...call('SendMessage', send, { content: 'sent' }),
      agent('Waiting for what is next.'),
    )
    expect(told(entries, 'Waiting for what is next.')).toMatchObject({
      goal: 'Fix the unused imports.',
      now: expect.stringMatching(/^The four unused imports are gone/),
    })
    const newer = { to: 'team-lead', message: REPORT }
    expect(words(entriesOf(...call('SendMessage', newer, { content: 'sent' })))).toEqual([
      `assistant: ${REPORT.trim()}`,
    ])
  })

  test('omits the announcement of a report from the report', () => {
    const send = { type: 'message', recipient: 'team-lead', content: REPORT }
    const lines = [
      agent('Let me tell the lead.'),
      ...call('SendMessage', send, { content: 'sent' }),
    ]
    const inOne = lines.map((line) => line.replace('"message":{', '"message":{"id":"msg_1",'))
    expect(words(entriesOf(...inOne)).at(-1)).toBe(`assistant: ${REPORT.trim()}`)
  })

  test('does not take a message to another member as a report', () => {
    const send = { type: 'message', recipient: 'docs', content: REPORT }
    expect(words(entriesOf(...call('SendMessage', send, { content: 'sent' })))).toEqual([])
  })
})

describe('woken by a background task', () => {
  const woken = user('<task-notification>\n<task-id>b1</task-id>\n</task-notification>')
  const late = 'That was the server of before. Shall I commit it?'

  test('adds a few words to the report before them', () => {
    const entries = entriesOf(user('Fix the imports'), agent(REPORT), woken, agent(late))
    expect(told(entries, late)).toMatchObject({
      now: expect.stringMatching(/^The four unused imports are gone/),
      openQuestions: [expect.stringContaining('Shall I commit it?')],
    })
  })

  test('adds them to that report even if the user has asked for more since', () => {
    const entries = entriesOf(
      user('Fix the imports'),
      ...call('Edit', { file_path: 'a.ts' }, { content: 'ok' }),
      agent(REPORT),
      woken,
      agent(late),
      user('yes'),
      ...call('Bash', { command: 'git commit -m x && git push' }, { content: 'ok' }),
      agent('Pushed.'),
    )
    expect(told(entries, 'Pushed.')?.now).toContain('The four unused imports are gone')
  })

  test('keeps a new report separate from the text before it', () => {
    const entries = entriesOf(user('Fix it'), agent('Waiting for the build.'), woken, agent(REPORT))
    expect(words(entries).at(-1)).toBe(`assistant: ${REPORT.trim()}`)
  })

  test('keeps a message separate from the report if another call came in between', () => {
    const read = call('Read', { file_path: 'a.ts' }, { content: 'x' })
    const entries = entriesOf(user('Fix it'), agent(REPORT), woken, ...read, agent(late))
    expect(words(entries).at(-1)).toBe(`assistant: ${late}`)
  })
})
