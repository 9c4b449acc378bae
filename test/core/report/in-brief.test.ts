/** The turns that are not reported at length: none is lost, and none is told under another's request. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { runs } from '../../support/long.ts'
import { agent, call, entriesOf, failure, NO_WORK, stopped, user } from './endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
const READ = call('Read', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'x' })
const FAILED = call('Bash', { command: 'make limit' }, { content: 'no rule', is_error: true })

function told(...lines: (string | string[])[]) {
  const entries = entriesOf(...lines.flat())
  return summarizeTurn({ ...NO_WORK, entries, untold: entries })?.thisSession ?? []
}

const briefOf = (...lines: (string | string[])[]) =>
  told(...lines).find((line) => line.startsWith('In brief'))

/** Enough turns for all others to be told in brief, and a last one. */
const BEFORE = [user('Fix the date of the footer'), EDIT, agent('The footer has its date now.')]
const AFTER = [0, 1, 2, 3, 4, 5].flatMap((i) => [
  user(`Give page ${i} of the shop a title`),
  EDIT,
  agent(`Page ${i} of the shop has a title.`),
])

describe('turns in brief', () => {
  test('tells each of two turns with the same request, in their order', () => {
    const asked = (answer: string) => [user('/plan the next feature'), agent(answer)]
    const [one, two] = ['The scaffold has a plan now.', 'The counter has a plan now.']
    const between = [user('what is a scaffold, by the way?'), agent('A frame for what follows.')]
    expect(briefOf(...BEFORE, ...asked(one), ...between, ...asked(two), ...AFTER)).toBe(
      `In brief: “/plan the next feature”: ${one} “what is a scaffold, by the way?”: A frame for what follows. “/plan the next feature”: ${two}`,
    )
    // Told at length, the later one does not stand for the earlier one.
    const change = [user('/plan the next feature'), EDIT, agent(two)]
    const lines = [...BEFORE, ...asked(one), ...AFTER, ...change, user('thanks'), agent('Sure.')]
    expect(briefOf(...lines)).toContain(`“/plan the next feature”: ${one}`)
    // The same answer again is no news.
    expect(briefOf(...BEFORE, ...asked(one), ...between, ...asked(one), ...AFTER)).toBe(
      `In brief: “what is a scaffold, by the way?”: A frame for what follows. “/plan the next feature”: ${one}`,
    )
    // What met only an error was sent again.
    const limit = [user('/plan the next feature'), failure('You have hit your limit')]
    const sent = [...limit, user('/login'), agent('Yes.'), ...asked(one)]
    expect(briefOf(...BEFORE, ...sent, ...AFTER)).toBe(`In brief: “/plan the next feature”: ${one}`)
  })

  test.each([
    ["I see a counter in the list, but I don't see it in the menu", EDIT],
    ['I see a counter in the list, but not in the menu', FAILED],
    ['Ignore it', EDIT],
    ['git add README.md', EDIT],
  ])('tells a turn that did something by the words of its prompt: %s', (prompt, deed) => {
    const answer = 'The menu reads its own list of counters.'
    const brief = briefOf(...BEFORE, user(prompt), deed, agent(answer), ...AFTER)
    const [, label = ''] =
      /^In brief: (.+): The menu reads its own list of counters\.$/.exec(brief ?? '') ?? []
    expect(label).toContain(prompt.slice(0, 30))
  })

  test('says that a question was stopped before an answer', () => {
    const lines = [...BEFORE, user('does it count by address or by user'), stopped(), ...AFTER]
    expect(briefOf(...lines)).toBe(
      'In brief: “does it count by address or by user”: stopped by the user.',
    )
  })

  test('quotes the request before words of agreement that reply to nothing', () => {
    const lines = [user('Count the calls by day'), EDIT, agent('Counted.'), user('log it'), EDIT]
    const answer = agent('Each call is logged with its day.')
    const label = '“Count the calls by day”, then “log it”: Each call is logged with its day.'
    expect(told(...lines, answer, user('thanks'), agent('Sure.'))).toContain(label)
    expect(briefOf(...BEFORE, ...lines, answer, ...AFTER)).toContain(label)
  })

  test('tells or counts each turn in which anything was asked or said', () => {
    const prompt = fc.constantFrom(
      'Add a limit to the calls of the API',
      'Add a limit to the calls of the API by user',
      '/plan the next feature',
      'does it count by address',
      "I see a counter in the list, but I don't see it in the menu",
      'Please ignore it',
      'why?',
      'yes',
      'b',
      '/login',
      'git status',
      'back to the parser then',
    )
    const deed = fc.constantFrom([], EDIT, READ, FAILED)
    fc.assert(
      fc.property(fc.array(fc.tuple(prompt, deed), { maxLength: 25 }), (turns) => {
        const lines = turns.flatMap(([text, done], i) => [
          user(text),
          ...done,
          agent(`The limit of part ${i} is ${i} from now on.`),
        ])
        const all = told(...lines, user('Rename the parser of the dates'), agent('It is renamed.'))
        const brief = all.find((line) => /^In brief|more turns?$/.test(line))
        const parts = (line: string, before: string) =>
          [...line.matchAll(new RegExp(`${before}The limit of part (\\d+)`, 'g'))].map(([, i]) => i)
        // The request before a reply stands beside it.
        const quoted = all.flatMap((line) =>
          line === brief ? [] : parts(line, '”, then “.*” to “'),
        )
        const shown = all.flatMap((line) => parts(line, '(?:^|”: )'))
        const more = Number(/(\d+) more(?: turns?)?$/.exec(brief ?? '')?.[1] ?? 0)
        expect(new Set([...shown, ...quoted]).size + more).toBe(turns.length)
        expect(new Set(shown).size).toBe(shown.length)
      }),
      runs(200),
    )
  })
})
