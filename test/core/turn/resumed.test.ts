/** Which request an answer belongs to, if a turn was stopped before its end and the session went on. */

import { describe, expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { agent, call, entriesOf, failure, NO, NO_WORK, stopped, user } from '../report/endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
const REFUSED = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, NO)
const LIMIT = failure('You have hit your limit')
const AFTER = [user('what is a limit, by the way?'), agent('A bound of some kind.')]

function told(...lines: (string | string[])[]) {
  const entries = entriesOf(...lines.flat())
  return summarizeTurn({ ...NO_WORK, entries, untold: entries })?.thisSession ?? []
}

const TASK = user('Count the calls of the API by user and day')
const LABEL = '“Count the calls of the API by user and day”: '
const DONE = agent('Calls are counted by user and day.')

describe('a turn that goes on with a stopped one', () => {
  test('belongs to the work that an error stopped, not to a question that met only an error', () => {
    const question = user('what results can you show me by now?')
    const begun = [TASK, EDIT, agent('The first of two counters is there.'), EDIT, LIMIT]
    const on = [user('continue'), LIMIT, user('continue'), EDIT, DONE]
    const lines = told(...begun, question, LIMIT, ...on, ...AFTER)
    expect(lines).toContain(`${LABEL}Calls are counted by user and day.`)
    expect(lines.join('\n')).toContain('“what results can you show me by now?”: stopped by an')
    expect(lines.join('\n')).not.toContain('The first of two counters')
  })

  test('belongs to the newest request if nothing before it is unfinished, or if it asks for other work', () => {
    const other = user('Rename the counter of the day in the API')
    const label = '“Rename the counter of the day in the API”: '
    const on = [user('continue'), LIMIT, user('continue'), EDIT, agent('It has its new name now.')]
    for (const before of [[], [DONE], [LIMIT]]) {
      const lines = told(TASK, EDIT, ...before, other, LIMIT, ...on, ...AFTER)
      expect(lines).toContain(`${label}It has its new name now.`)
    }
  })

  test('has the outcome of the work, after a refused call and a misspelled word, too', () => {
    const first = [TASK, EDIT, LIMIT, user('continue')]
    const resumed = [agent('Resuming from where we left off. Let me look again.'), REFUSED]
    const words = [user('continue'), EDIT, stopped(), user('continur'), EDIT, LIMIT]
    const lines = told(...first, ...resumed, ...words, user('continue'), EDIT, DONE, ...AFTER)
    expect(lines).toEqual([`${LABEL}Calls are counted by user and day.`])
  })
})

test('a question after a go-on that was stopped is no go-on', () => {
  const first = [TASK, EDIT, stopped(), user('continue'), EDIT, stopped()]
  const lines = told(...first, user('why?'), agent('The counter needs a key for it.'), ...AFTER)
  expect(lines).toContain(`${LABEL}changed limit.ts, stopped by the user`)
  expect(lines.join('\n')).toContain('“why?”: The counter needs a key for it.')
})

describe('a request that met only an error', () => {
  const login = failure('Not logged in · Please run /login')

  test('has the answer to a greeting after which the agent did the work', () => {
    expect(told(TASK, login, TASK, login, user('hi'), EDIT, DONE, ...AFTER)).toEqual([
      `${LABEL}Calls are counted by user and day.`,
    ])
  })

  test.each([
    ['hi', agent('Hello. What shall we do?')],
    ['git status', [...EDIT, DONE].flat()],
    ['Rename the counter of the day in the API', [...EDIT, DONE].flat()],
  ])('stays without one, after: %s', (prompt, answer) => {
    const lines = told(TASK, login, user(prompt), ...[answer].flat(), ...AFTER)
    expect(lines).toContain(`${LABEL}stopped by an error`)
  })
})
