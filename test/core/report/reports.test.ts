/** What subagents and a compaction reported in a turn that the agent did not summarize. */

import { expect, test } from 'vitest'
import { reportLines } from '../../../src/core/report/reports.ts'
import { pendingIn } from '../../../src/core/message/summary-sections.ts'
import { agent, call, entriesOf, failure, user } from './endings.ts'

const ASKED = user('Find out why the count of the day is wrong')
const REPORT = `Perfect! Now let me write the report:

---

## The count

The key of the day is built from the local time, so it changes at another hour. ${'It does so on each machine. '.repeat(12)}`
const task = (description: string, text: string, status = 'completed') =>
  call(
    'Task',
    { description, prompt: 'Look.' },
    { content: `${text}\nagentId: a1b2 (for resuming)` },
    { status, agentId: 'a1b2' },
  )
const OPEN = call('Bash', { command: 'npm test' })
const told = (...lines: (string | string[])[]) => reportLines(entriesOf(ASKED, ...lines))

test('contains the report of a subagent without its introduction and the text the program adds', () => {
  const [line = '', ...others] = told(task('Look at the count', REPORT), OPEN)
  expect(line).toMatch(
    /^Report of “Look at the count”: The count: The key of the day is built from the local time, /,
  )
  expect(line).not.toMatch(/Perfect|agentId/)
  expect(others).toEqual([])
  expect(told(task('Look', 'The key is of the local time.'), failure('API Error: 500'))).toEqual([
    'Report of “Look”: The key is of the local time.',
  ])
})

test.each([
  [
    'from a subagent that was only started',
    [task('Look', 'Async agent launched.', 'async_launched'), OPEN],
  ],
  ['from a subagent that hit a limit', [task('Look', "You've hit your limit · resets 3pm"), OPEN]],
  ['that the agent summarized', [task('Look', REPORT), agent('It is the key. '.repeat(30)), OPEN]],
  [
    'that the agent acted on',
    [task('Look', REPORT), call('Edit', { file_path: '/a.ts' }, { content: 'ok' }), OPEN],
  ],
  ['in a turn that ended with words', [task('Look', REPORT), agent('It is the key.')]],
  ['from the turn before', [task('Look', REPORT), user('And now the week'), OPEN]],
])('omits a report %s', (_, lines) => {
  expect(told(...lines)).toEqual([])
})

test('keeps the newest of many reports and says how many came before', () => {
  const tasks = [1, 2, 3, 4].map((i) => task(`Look ${i}`, `The count of machine ${i} is right.`))
  expect(told(...tasks, OPEN)).toEqual([
    '2 more reports of subagents before these',
    'Report of “Look 3”: The count of machine 3 is right.',
    'Report of “Look 4”: The count of machine 4 is right.',
  ])
})

const SUMMARY = `This session is being continued from a previous conversation that ran out of context.

## 7. Pending Tasks:

1. **Decide**: The user has to choose:
   - Go back to the release of May
2. Write the docs

## 8. Current Work:

Four machines were looked at just before this summary was asked for.

**Current Status**:
- The count is still wrong
- The user has not chosen yet

## 9. Optional Next Step:

None.`

test('says what a compaction reported about the turn it interrupted', () => {
  const line =
    'At the compaction: The count is still wrong; The user has not chosen yet; pending: Decide: The user has to choose: Go back to the release of May; Write the docs'
  expect(told(task('Look', REPORT), user(SUMMARY), OPEN)).toEqual([line])
  const [work] = told(user(SUMMARY.replace('**Current Status**:', 'At the end:')), OPEN)
  expect(work).toMatch(/^At the compaction: Four machines were looked at just before /)
  expect(told(user(SUMMARY), agent('The docs are written.'))).toEqual([])
  expect(told(user(SUMMARY), user('And now the week'), OPEN)).toEqual([])
})

test('reads the pending items of a compaction whose titles are Markdown headings', () => {
  expect(pendingIn(SUMMARY)).toEqual([
    'Decide: The user has to choose:',
    'Go back to the release of May',
    'Write the docs',
  ])
})

test('says which background tasks ended after the last words of the agent', () => {
  const ended = (summary: string, result = '') =>
    `<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>${summary}</summary>\n${result}</task-notification>`
  const build = 'Background command "npm run build 2&gt;&amp;1" completed (exit code 0)'
  const line = `Since the agent's last words: ${build.replace('2&gt;&amp;1', '2>&1')}`
  const runs = agent('The build runs in the background.')
  expect(told(runs, user(ended(build)), failure('Limit reached'))).toEqual([line])
  expect(told(runs, user(ended(build)), user('And the week?'))).toEqual([line])
  const attachment = {
    type: 'queued_command',
    prompt: ended(build),
    commandMode: 'task-notification',
  }
  expect(told(runs, JSON.stringify({ type: 'attachment', attachment }))).toEqual([line])
  expect(told(runs, user(ended(build)), agent('It is built.'))).toEqual([])
  expect(told(runs, user('<task-notification></task-notification>'))).toEqual([])
  const [long = ''] = told(runs, user(ended(build.replace('build', 'build '.repeat(60)))))
  expect(long).toMatch(/ command "npm run build .*….* completed \(exit code 0\)$/)
  expect(long.length).toBeLessThanOrEqual(240)
  // A completed task may say itself that a part of it failed.
  const agentDone = 'Agent "Search the docs" completed'
  const said = ended(agentDone, '<result>The search was not run: no network.\n\n## More</result>\n')
  expect(told(runs, user(said))).toEqual([
    `Since the agent's last words: ${agentDone}: The search was not run: no network.`,
  ])
  const data =
    '{"question":"a","summary":"The last step was \\"skipped\\".","sources":[{"url\n… (cut)'
  expect(told(runs, user(ended(agentDone, `<result>${data}</result>`)))).toEqual([
    `Since the agent's last words: ${agentDone}: The last step was "skipped".`,
  ])
  expect(told(runs, user(ended(agentDone, '<result>[{"a":1}]</result>')))).toEqual([
    `Since the agent's last words: ${agentDone}`,
  ])
  // A notice is queued first. The agent gets it with its next call, after words that it said meanwhile.
  const at = (time: string, record: string) =>
    JSON.stringify({ ...(JSON.parse(record) as object), timestamp: `2026-01-10T13:${time}.000Z` })
  const queue = (time: string) =>
    JSON.stringify({
      type: 'queue-operation',
      operation: 'enqueue',
      timestamp: `2026-01-10T13:${time}.000Z`,
      content: ended(build),
    })
  const given = at('00:30', JSON.stringify({ type: 'attachment', attachment }))
  expect(told(queue('00:10'), at('00:20', runs), given)).toEqual([])
  expect(told(at('00:20', runs), queue('00:25'), given)).toEqual([line])
  expect(told(queue('00:25'), at('00:20', runs))).toEqual([line])
  // The program's end stops what was started long before.
  const start = call(
    'Bash',
    { command: 'npm run build' },
    { content: 'It runs in the background.' },
  )
  const [id = ''] = /"id":"([^"]+)"/.exec(start.join(''))?.slice(1) ?? []
  const stop = (status: string) =>
    user(
      `<task-notification>\n<tool-use-id>${id}</tool-use-id>\n<status>${status}</status>\n<summary>The build ended</summary>\n</task-notification>`,
    )
  const ending = "Since the agent's last words: The build ended"
  const later = [user('And the week?'), agent('It is the second week.')]
  expect(told(...start, runs, ...later, stop('failed'))).not.toContain(ending)
  expect(told(...start, runs, ...later, stop('completed'))).toContain(ending)
  expect(told(...start, runs, stop('failed'))).toContain(ending)
  // The beginning of the log was cut off, and with it the prompt.
  const cut = entriesOf(start, runs, stop('failed'))
  expect(reportLines(cut)).toContain(ending)
  const rockets = build.replace('build', `${'🚀'.repeat(150)}!`)
  expect(told(runs, user(ended(rockets)))[0]).not.toContain('\ufffd')
})
