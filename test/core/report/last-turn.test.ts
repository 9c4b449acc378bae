/** What does not fit into `now` is not lost: `this_session` contains the last turn in full. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SUMMARY_LIMITS } from '../../../src/core/message/items.ts'
import { lastTurnLine } from '../../../src/core/report/last-turn.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { plainLine } from '../../../src/core/text/markdown-to-text.ts'
import { anyText } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { agent, call, entriesOf, NO_WORK, stopped, user } from './endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })

function firstLine(...lines: (string | string[])[]): string | undefined {
  const entries = entriesOf(...lines)
  return summarizeTurn({ ...NO_WORK, entries, untold: entries })?.thisSession?.[0]
}

const REPORT = `The page is up, but only inside this container:
- The server listens on port 8080 of all addresses
- Your browser is outside of the container
- So its \`localhost\` is another machine than the one that serves the page

I changed [\`src/App.jsx\`](/home/ada/shop/src/App.jsx) and its style sheet so that the whole form fits on one card, and
checked by hand that a search still answers within a second. The old form is gone, with its three tests.

Use this address:
\`http://10.192.11.67:8080/\`

| test | result |
| --- | --- |
| lstm_s8 | failed: golden file missing |

\`\`\`sh
cd frontend
npm run serve
\`\`\`

If you like, I can serve it from another port as well, or behind a proxy with a name of its own.
Let me know if anything is unclear!`

describe('the last turn in full', () => {
  test('contains a message that is longer than `now`, with its addresses, tables and code', () => {
    const line = firstLine(user('Open the page and make it simple'), EDIT, agent(REPORT))
    expect(line).toMatch(/^“Open the page and make it simple”: The page is up, but only inside/)
    expect(line).toContain('I changed `src/App.jsx` and its style sheet')
    expect(line).toContain('Use this address: `http://10.192.11.67:8080/`')
    expect(line).toContain('lstm_s8 - failed: golden file missing')
    expect(line).toMatch(/`cd frontend; npm run serve`$/)
  })

  test('begins a table of three or more columns with their names, which are no news by themselves', () => {
    const rows = '| 1 | 1.3 | 14.9 dB |\n| 4 | 1.0 | 18.8 dB |'
    const table = `| Epoch | Loss of both | Score of them all |\n|---|---|---|\n${rows}`
    const report = REPORT.replace('If you like', `${table}\n\nIf you like`)
    expect(firstLine(user('Open the page and make it simple'), EDIT, agent(report))).toContain(
      'Epoch - Loss of both - Score of them all: 1 - 1.3 - 14.9 dB; 4 - 1.0 - 18.8 dB',
    )
    const told = ['1 - 1.3 - 14.9 dB', '4 - 1.0 - 18.8 dB']
    const entries = entriesOf(user('Train it'), EDIT, agent(table))
    expect(lastTurnLine(entries, table, told)).toBeUndefined()
  })

  test('begins with the words of its prompt, however few, and with the request before words of agreement', () => {
    const before = [user('Make the page of the shop simple'), EDIT, agent('It is.')]
    const label = (prompt: string) =>
      firstLine(...before, user(prompt), EDIT, agent(REPORT))?.split(': The page is up')[0]
    expect(label('commit')).toBe('“commit”')
    expect(label('serve it')).toBe('“Make the page of the shop simple”, then “serve it”')
  })

  test('keeps the first sentence of each point of a long message, then as many details as fit', () => {
    const detail = (n: number) => `Its detail ${n} is long${' and long'.repeat(45)}.`
    const points = Array.from({ length: 6 }, (_, n) => `${n + 1}. Point ${n}. ${detail(n)}`)
    const message = `Here is what I found.\n\n${points.join('\n')}\n\nPoint 2 failed. I would begin there.`
    const line = firstLine(user('Look at the six points'), EDIT, agent(message)) ?? ''
    for (let n = 0; n < 6; n += 1) expect(line).toContain(`Point ${n}. `)
    expect(line).toContain(`Point 0. ${detail(0)} Point 1. ${detail(1)}`)
    expect(line).toContain('Point 5. … Point 2 failed. I would begin there.')
    expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.lastTurn)
    expect(line).not.toContain(detail(5))
  })

  test('shows an offer together with its list of options', () => {
    const offers = `${REPORT}\n\nIf you like, I can:\n1. Serve it from another port\n2. Write its tests`
    const line = firstLine(user('Open the page and make it simple'), EDIT, agent(offers))
    expect(line).toMatch(/If you like, I can: Serve it from another port[;.] Write its tests$/)
    expect(line).not.toContain('behind a proxy')
  })

  test('joins the continuation lines of one command', () => {
    const command = 'npx skills add shop \\\n  --skill edit \\\n  --skill read\nnpm start'
    const report = `${REPORT}\n\n\`\`\`sh\n${command}\n\`\`\``.replace(
      '```sh\ncd frontend\nnpm run serve\n```\n',
      '',
    )
    expect(firstLine(user('Open the page and make it simple'), EDIT, agent(report))).toContain(
      '`npx skills add shop --skill edit --skill read; npm start`',
    )
  })

  test('quotes the request with everything it introduces when it continues below its first sentence', () => {
    const rules =
      '- Only the classic loop\n- No new dependencies, and no other style than that of the site\n\nWrite tests first.'
    const game = user(`Build a snake game in this repo.\n\nScope & constraints:\n${rules}`)
    expect(firstLine(game, EDIT, agent(REPORT))).toMatch(
      /^“Build a snake game in this repo\. Scope & constraints: Only the classic loop; No new dependencies, and no other style than that of the site; Write tests first\.”: The page/,
    )
    const long = user(`Move it:\n${'- one more file of the shop\n'.repeat(60)}`)
    expect(firstLine(long, EDIT, agent(REPORT))?.indexOf('”: ')).toBeLessThan(710)
  })

  test('shortens a request that follows a role or contains a plan, as other fields do', () => {
    const role = user(
      'You are a careful engineer of this shop.\n\nMove the shop.\n\nKeep the tests.',
    )
    expect(firstLine(role, EDIT, agent(REPORT))).toMatch(/^“Move the shop\..*”: The page/)
    const plan = user(
      `Implement the following plan:\n\n# Move the shop\n\n## Steps\n\n- ${'a '.repeat(60)}`,
    )
    expect(firstLine(plan, EDIT, agent(REPORT))).toMatch(/^“Move the shop”: The page/)
  })

  test('puts an address in bold after the line that introduces it', () => {
    const runs = agent(
      `The shop was moved, and all of its tests pass.\n\nIt runs at:\n**\`http://localhost:5174/\`**\n\n${REPORT}`,
    )
    expect(firstLine(user('Move the shop'), EDIT, runs)).toContain(
      'It runs at: `http://localhost:5174/`',
    )
  })

  test('treats a file in bold that introduces a list as a title', () => {
    const files =
      '**`src/limit.ts`**\n- The limit is a setting\n- It has a test\n\n**`src/key.ts`**\n- Gone'
    const counts = Array.from({ length: 30 }, (_, i) => `It counts users of page ${i}.`)
    const line = firstLine(
      user('Add a limit'),
      EDIT,
      agent(`The limit is in place now. ${counts.join(' ')}\n\n${files}`),
    )
    expect(line).toContain(
      '`src/limit.ts`: The limit is a setting; It has a test. `src/key.ts`: Gone',
    )
  })

  test('does not repeat a message that `now` contains in full', () => {
    const lines = [user('Open the page'), EDIT, agent('The page is up, on port 8080 of all hosts.')]
    expect(firstLine(...lines)).toBeUndefined()
    const asks = agent('The page is up, on port 8080.\n\nShall I open it to the other hosts, too?')
    expect(firstLine(user('Open the page'), EDIT, asks)).toBeUndefined()
  })

  test('keeps a question that the agent answers itself', () => {
    const message = `${REPORT}\n\nWhy port 8080? The others are taken. Shall I free one?`
    const line = firstLine(user('Show me the page'), EDIT, agent(message))
    expect(line).toContain('Why port 8080? The others are taken.')
    expect(line).not.toContain('Shall I')
  })

  test('keeps the beginning and the end of a very long message', () => {
    const steps = Array.from({ length: 80 }, (_, i) => `Step ${i} moved a file of the shop.`)
    const message = ['The shop is moved.', ...steps, 'Two files are left.'].join('\n\n')
    const line = firstLine(user('Move the shop'), EDIT, agent(message)) ?? ''
    expect(line).toMatch(
      /^“Move the shop”: The shop is moved\. Step 0 .* … .*Two files are left\.$/,
    )
    expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.lastTurn)
    expect(line.length).toBeGreaterThan(SUMMARY_LIMITS.lastTurn * 0.9)
  })

  test('keeps trouble from the middle of a very long message', () => {
    const steps = Array.from({ length: 80 }, (_, i) => `Step ${i} moved a file of the shop.`)
    steps[60] = 'The style sheet could not be moved.'
    const message = ['The shop is moved.', ...steps, 'Two files are left.'].join('\n\n')
    const line = firstLine(user('Move the shop'), EDIT, agent(message)) ?? ''
    expect(line).toMatch(/ … The style sheet could not be moved\. … .*Two files are left\.$/)
    expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.lastTurn)
  })

  test('contains the newest text that the agent wrote between calls in an interrupted turn', () => {
    const found =
      'The settings are empty: the extension reads them from another folder than this one.'
    const next = 'Now I look at the folder of the command line, which works.'
    const many = Array.from({ length: 30 }, (_, i) =>
      agent(`I read the settings, part ${i} of it.`),
    )
    const line = firstLine(
      user('Check the settings'),
      ...many,
      agent(found),
      EDIT,
      agent(next),
      EDIT,
      stopped(),
    )
    expect(line).toMatch(/^“Check the settings”: I read .*, part 29 of it\. The settings are empty/)
    expect(line?.endsWith(`${found} ${next}`)).toBe(true)
    expect(line).not.toContain('part 5 of it')
  })

  test('contains what was said in a turn whose beginning is outside the part of the log that is read', () => {
    const found = 'The settings are empty: the extension reads them from another folder.'
    expect(firstLine(agent(found), EDIT, agent('Now I look there.'), EDIT, EDIT)).toBe(
      `${found} Now I look there.`,
    )
  })

  test('shows output as code, and only its beginning', () => {
    const message = `This is what it prints now, line by line:\n\n\`\`\`\n${'NVDA hit 73 %\n'.repeat(40)}\`\`\``
    expect(lastTurnLine([], message, [])).toMatch(
      /^This is what it prints now, line by line: `(?:NVDA hit 73 %; )+NVDA[^`]*…`$/,
    )
  })

  test('keeps a line of output below a question that begins with a list mark', () => {
    const message = 'Shall I go on?\n```\n- 12 tests of the page of the shop failed today\n```'
    expect(lastTurnLine([], message, [])).toBe('`- 12 tests of the page of the shop failed today`')
  })

  test('puts text written between calls before a short last message', () => {
    const cause =
      'The crash comes from the target, which is no pawn: its owner has to be asked for one.'
    const line = firstLine(
      user('Look at the log'),
      agent(cause),
      EDIT,
      agent('The item is used up.'),
    )
    expect(line).toBe(`“Look at the log”: ${cause} The item is used up.`)
  })

  test('law: the result is one plain line within its limit, whatever was said', () => {
    const anyMessage = fc
      .array(
        fc.oneof(
          anyText,
          fc.constantFrom('```', '| a | b |', '- c', 'Why? - No, so it is.', 'x'.repeat(900)),
        ),
      )
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(anyText, fc.array(anyMessage), (asked, messages) => {
        const entries = entriesOf(user(asked), ...messages.map((text) => agent(text)), stopped())
        for (const message of ['', ...messages]) {
          const line = lastTurnLine(entries, message, []) ?? ''
          expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.lastTurn)
          expect(line).toBe(plainLine(line))
        }
      }),
      runs(200),
    )
  })
})
