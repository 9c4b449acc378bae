/**
 * What a short reply answers, and where the event shows that: in the goal, and with the outcome.
 */

import { describe, expect, test } from 'vitest'
import type { SessionWork } from '../../../src/core/turn/session-work.ts'
import { replyLine } from '../../../src/core/turn/reply.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { agent, call, entriesOf, NO_WORK, stopped, user } from '../report/endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
const READ = call('Read', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'x' })
const COMMIT = call('Bash', { command: 'git commit -m "feat: a limit"' }, { content: 'x' })

function summary(lines: (string | string[])[], more: Partial<SessionWork> = {}) {
  const entries = entriesOf(...lines)
  return summarizeTurn({ ...NO_WORK, entries, untold: entries, ledgerHasGoal: false, ...more })
}

describe('what a reply answers', () => {
  const OFFER = 'The limit is in.\n\nShall I move its tests as well, and the docs?'
  const OPTIONS = 'Two ways:\n\n1. **Count by address**\n2. Count by user: slower\n\nWhich one?'

  const ROW = '| # | Title | Age |\n|---|---|---|\n| 2 | A limit by user | 3d |'

  test.each([
    ['yes', OFFER, 'Shall I move its tests as well, and the docs?'],
    ['ja, mach das', OFFER, 'Shall I move its tests as well, and the docs?'],
    ['That sounds great. Let us get going', OFFER, 'Shall I move its tests as well, and the docs?'],
    ['好', '限流已经完成。要我也移动测试吗？', '限流已经完成。 要我也移动测试吗？'],
    // A statement that works as an offer, and messages that offer nothing.
    ['go on', 'The limit is in. Next come the tests.', 'Next come the tests.'],
    ['yes', 'Done.', undefined],
    ['!pwd', OFFER, undefined],
    ['2', OPTIONS, 'Count by user: slower'],
    ['option 1, please', OPTIONS, 'Count by address'],
    ['1 e faça tudo', OPTIONS, 'Count by address'],
    ['b', '**Option A:** by address\n**Option B:** by user', 'by user'],
    ['approve', OFFER, 'Shall I move its tests as well, and the docs?'],
    [
      'B',
      'By what?\n\n| Option | By |\n|---|---|\n| A | user |\n| B | address |\n\nReply with a letter.',
      'address',
    ],
    ['2 seems the right one to begin with, I think', ROW, 'A limit by user'],
    ['2, but leave the tests of it as they are', ROW, 'A limit by user'],
    ['2 tests fail now on the server of the shop', OPTIONS, undefined],
    ['/review 2', OPTIONS, undefined],
    // Program output, a single label, a word of agreement.
    [
      'ok',
      '[OK] lint\n[OK] tests\n\nShall I deploy it to production?',
      'Shall I deploy it to production?',
    ],
    ['ок', 'Нужен ключ.\n\nПодтвердите, и я создам его.', 'Подтвердите, и я создам его.'],
    ['ca', '```\n[CA] one\n[CB] two\n```\n\nIt is done.', undefined],
    // Without a question, the sentence that says the same word, not the last one.
    [
      'go ahead, write the notes',
      'The notes can go into `notes/` next.\n\nWhat they cover:\n- `notes/limits.md`',
      'The notes can go into `notes/` next.',
    ],
    [
      'ok build it',
      'Next when you like: build it.\n\nThe open points are in PLAN.md for now.',
      'Next when you like: build it.',
    ],
    [
      'yes',
      'I would build it next.\n\nIt goes into PLAN.md for now.',
      'It goes into PLAN.md for now.',
    ],
    ['yes, with the docs', 'Shall I go on?\n\nThe docs are for later.', 'The docs are for later.'],
    [
      'yes, the tests',
      'The docs are done.\n\nShall I add tests as well?',
      'Shall I add tests as well?',
    ],
    // Instructions how to answer, a list of questions, unrelated replies: what is meant is unknown.
    ['C', 'By what: A, or B? Reply with a letter, or in your own words.', undefined],
    ['redis', 'Tell me:\n- Where does it live?\n- What should it count?', undefined],
    ['…', OFFER, undefined],
    // Replies that say enough by themselves, ask back, or request a chore.
    ['Rename the limit to quota', OFFER, undefined],
    ['First make it count by user and day', OFFER, undefined],
    ['why is it 100?', OFFER, undefined],
    ['commit', OFFER, undefined],
    ['ok commit this', OFFER, undefined],
  ])('%j', (prompt, message, about) => {
    const line = about === undefined ? undefined : `“${prompt}” to “${about}”`
    expect(replyLine(prompt, message, 100)).toBe(line)
  })

  test('two words that may be a request are quoted alone', () => {
    expect(replyLine('instal redis', 'The limit is in and tested.', 100)).toBe('“instal redis”')
  })
})

test('quotes a reply after its request when the agent only answered with a question', () => {
  const told = (...between: (string | string[])[]) =>
    summary([
      user('count the calls of every user'),
      ...between,
      user('2'),
      EDIT,
      agent('They are counted now.'),
    ])?.now
  const ask = agent('Two ways:\n\n1. By address\n2. In memory, which is faster\n\nWhich one?')
  expect(told(ask)).toBe(
    '“count the calls of every user”, then “2” to “In memory, which is faster”: They are counted now.',
  )
  // Work was done for the request before, and is reported separately.
  expect(told(EDIT, ask)).toBe('“2” to “In memory, which is faster”: They are counted now.')
  expect(told(agent('They are many.'))).toBe('They are counted now.')
})

describe('a session that the user continued with few words', () => {
  const FIRST = 'Add a limit to the API of the shop'
  const START = [
    user(FIRST),
    EDIT,
    agent('The limit is in. Shall I move its tests as well, and the docs?'),
  ]
  const REPLY = '“yes” to “Shall I move its tests as well, and the docs?”'

  test('shows the reply in the goal, and with its outcome, if something was changed', () => {
    const { goal, now } = summary([...START, user('yes'), EDIT, agent('They are moved.')]) ?? {}
    expect(goal).toBe(`${FIRST}; then: ${REPLY}`)
    expect(now).toBe(`${REPLY}: They are moved.`)
    const said = [...START, user('yes'), agent('I cannot: they are locked.')]
    expect(summary(said)?.goal).toBe(FIRST)
    const committed = [...START, user('yes'), COMMIT, agent('Committed.')]
    expect(summary(committed)?.goal).toBe(FIRST)
    // A later task of its own counts; after an interruption the earlier request continues.
    const task = 'Write the page about limits for the shop'
    const later = [
      ...START,
      user('yes'),
      EDIT,
      agent('Moved.'),
      user(task),
      EDIT,
      agent('Written.'),
    ]
    expect(summary(later)?.goal).toBe(`${FIRST}; then: ${task}`)
    const again = [user(FIRST), EDIT, stopped(), user('go on'), EDIT, agent('It is in.')]
    expect(summary(again)?.goal).toBe(FIRST)
  })

  test('shows what was chosen from the list of a command as the first request', () => {
    const list = agent(
      '| # | Title |\n|---|---|\n| 3 | A limit for the shop |\n\nReply with a number.',
    )
    const choice = [user('/shop:todos'), list, user('3'), EDIT, agent('The limit is in.')]
    const task = 'Write the page about limits for the shop'
    expect(summary([...choice, user(task), EDIT, agent('Written.')])?.goal).toBe(
      `/shop:todos: “3” to “A limit for the shop”; then: ${task}`,
    )
  })

  test('counts a few words after a prompt that was stopped at once as part of it', () => {
    const task = 'Write the page about limits for the shop'
    const lines = [user(FIRST), EDIT, agent('It is in.'), user(task), stopped()]
    const shown = [...lines, user('the old page'), EDIT, agent('Written.'), user('thanks')]
    expect(summary([...shown, agent('Gladly.')])?.goal).toBe(`${FIRST}; then: ${task}`)
  })

  test('does not treat “close it” as agreement to an offer', () => {
    const tip = agent('The page runs. If you have a browser here, open it there.')
    const told = (said: string) =>
      summary(
        [user(FIRST), EDIT, tip, user(said), EDIT, agent('The page is closed for all now.')].concat(
          [user('Now write the page'), EDIT],
        ),
      )?.thisSession?.find((line) => line.endsWith('closed for all now.'))
    expect(told('close it')).toBe('“close it”: The page is closed for all now.')
    expect(told('do that')).toContain('“do that” to “If you have')
  })

  test('adds a short request of another kind to the goal, after the last task', () => {
    const task = 'Write the page about limits for the shop'
    const lines = [...START, user(task), EDIT, agent('Written.'), user('a bit smaller'), EDIT]
    expect(summary([...lines, agent('It is smaller now.')])?.goal).toBe(
      `${FIRST}; then: ${task}; then: “a bit smaller”`,
    )
  })

  test('shows the work before a chore in full, and its outcome in now', () => {
    const HOLDS = Array.from({ length: 20 }, (_, i) => `It holds for address ${i}, too.`).join(' ')
    const report = `The limit is in.\n\n${HOLDS}\n\nMind the proxy.`
    const lines = [user(FIRST), EDIT, agent(report), user('commit'), COMMIT]
    const { now, thisSession } = summary([...lines, agent('It is in the history now.')]) ?? {}
    expect(now).toMatch(
      /^It is in the history now\. Before that: “Add a limit .*”: The limit is in\./,
    )
    expect(thisSession?.[0]).toMatch(/^“Add a limit .*”: The limit is in\. .* Mind the proxy\.$/)
    expect(thisSession?.length).toBe(1)
    // A long report about a release is not a chore.
    const told = summary([
      ...lines,
      agent(report.replaceAll('address', 'site').replace('limit', 'release')),
    ])
    expect(told?.now).toMatch(/^The release is in\./)
  })

  test('says in now that nothing followed an announcement that ended the turn', () => {
    const stop = 'Nothing followed its last words: '
    const now = (text: string) => summary([user(FIRST), EDIT, agent(text)])?.now
    expect(now('The limit is in. Now let me run the tests.')).toBe(
      `The limit is in. ${stop}“Now let me run the tests.”`,
    )
    expect(now('Das Limit gilt nun je Nutzer.\n\nIch werde jetzt die Tests anpassen.')).toBe(
      `Das Limit gilt nun je Nutzer. ${stop}“Ich werde jetzt die Tests anpassen.”`,
    )
    expect(now('每个用户的限流已经完成。现在让我运行测试。')).toBe(
      `每个用户的限流已经完成。 ${stop}“现在让我运行测试。”`,
    )
    const OFFERED = 'If you want, name the users, the keys, etc.) and I’ll give you a plan.'
    for (const end of [
      OFFERED,
      'Shall I go on? I’ll give you a plan.',
      'Let me know what you think.',
      "I'll wait for your key.",
      'Ready?',
    ]) {
      expect(now(`The limit is in now. ${end}`)).not.toContain(stop)
    }
  })

  test('does not repeat a mere statement that the user may have contradicted', () => {
    const lines = [user(FIRST), READ, agent('The limit is on now, as you see.')]
    const { now } =
      summary([...lines, user('I see no limit at all here'), READ, agent('True.')]) ?? {}
    expect(now).not.toContain('Before that')
  })

  test('shows a turn that only committed for a short reply by its commit', () => {
    const commits = [{ oid: 'a'.repeat(40), subject: 'feat: a limit' }]
    const asked = agent('1. Commit it all\n2. Drop it\n\nWhich?')
    const lines = [user(FIRST), EDIT, asked, user('1'), COMMIT, agent('It is in the history.')]
    const more = [user('Rename the limit to quota'), EDIT, agent('It is renamed.')]
    expect(summary([...lines, ...more], { commits })?.thisSession).toEqual([
      expect.stringMatching(/^“Add a limit/),
      expect.stringMatching(/^feat: a limit/),
    ])
  })

  test('keeps a message of titles and code as now instead of the previous turn', () => {
    const lines = [...START, user('print both'), READ]
    expect(
      summary([...lines, agent('**Key:**\n```\n4f00\n```\n**Port:**\n```\n80\n```')])?.now,
    ).toBe('“print both” to “Shall I move its tests as well, and the docs?”: Key: 4f00 Port: 80')
  })

  test('takes the prompt of a very long turn from the record at the end of the transcript', () => {
    const last = JSON.stringify({ type: 'last-prompt', lastPrompt: 'Rename the limit of the shop' })
    const end = [EDIT, last, agent('It is called quota now.')]
    expect(summary(end, { firstPrompt: FIRST })?.goal).toBe(
      `${FIRST}; then: Rename the limit of the shop`,
    )
  })
})
