/** What was done, judged by what agents say at the end of their turns. */

import { describe, expect, test } from 'vitest'
import { SUMMARY_LIMITS } from '../../../src/core/message/items.ts'
import type { SessionWork } from '../../../src/core/turn/session-work.ts'
import { pendingIn } from '../../../src/core/message/summary-sections.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import {
  agent,
  call,
  entriesOf,
  failure,
  NO,
  NO_WORK,
  queued,
  stopped,
  user,
} from '../report/endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
const READ = call('Read', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'x' })

function summary(lines: (string | string[])[], more: Partial<SessionWork> = {}) {
  const entries = entriesOf(...lines)
  return summarizeTurn({ ...NO_WORK, entries, untold: entries, ...more })
}

describe("a turn that changed something is reported as the request and the agent's answer", () => {
  test('omits turns that only read, turns stopped after a bare answer, and the last turn', () => {
    const { now, thisSession } =
      summary([
        user('Add a limit to the API'),
        EDIT,
        agent('The limit is now 100 a minute.\n\n- Added `limit.ts`'),
        user('How does it count?'),
        READ,
        agent('It counts by address.'),
        user('Count the calls by user and day'),
        EDIT,
        agent('Done.'),
        user('And log it'),
        EDIT,
        stopped(),
        user('No, write a test'),
        EDIT,
        agent('The test is green.'),
      ]) ?? {}
    expect(thisSession).toEqual([
      '“Add a limit to the API”: The limit is now 100 a minute. Added `limit.ts`',
      '“Count the calls by user and day”: Done.',
      'In brief: “How does it count?”: It counts by address. “Count the calls by user and day”, then “log it”: changed limit.ts, stopped by the user.',
    ])
    expect(now).toBe('The test is green.')
  })

  test('reports the outcome of a request that the user stopped at once and corrected', () => {
    const told = (...next: (string | string[])[]) =>
      summary([user('Can you hid the counter of calls?'), ...next, ...AFTER])?.thisSession
    const done = [EDIT, agent('The counter is hidden from now on.')]
    const outcome = '“Can you hid the counter of calls?”: The counter is hidden from now on.'
    expect(told(stopped(), user('hid=hide'), ...done)).toEqual([outcome])
    expect(told(stopped(), user('run the tests'), ...done)?.[0]).not.toBe(outcome)
    // The work before the correction may have been wrong.
    expect(told(EDIT, stopped(), user('hid=hide'), ...done)).not.toContain(outcome)
  })

  test('gives two requests of one turn their common outcome', () => {
    const told = (...lines: (string | string[])[]) => summary([...lines, ...AFTER])?.thisSession
    const outcome = 'Calls are counted by user and day.'
    expect(
      told(user('Count the calls by user'), EDIT, queued('And by day'), EDIT, agent(outcome)),
    ).toEqual([`“Count the calls by user”: ${outcome}`])
    const both = `“Count the calls by user”, then “Add a test for the counter”: ${outcome}`
    const add = 'Add a test for the counter'
    expect(told(user('Count the calls by user'), EDIT, queued(add), EDIT, agent(outcome))).toEqual([
      both,
    ])
    const better = 'or by day, for each of them?'
    expect(
      told(user('Count the calls by user'), EDIT, queued(better), EDIT, agent(outcome)),
    ).toEqual([`“Count the calls by user”, then “${better}”: ${outcome}`])
    expect(told(user('Count the calls by user'), EDIT, queued(better), agent(outcome))).toEqual([
      `“Count the calls by user”: ${outcome}`,
    ])
    // The last one that asks for something is quoted.
    const more = [queued('are you testing it? you can stop. unnecessary')]
    expect(
      told(user('Count the calls by user'), EDIT, queued(add), EDIT, more, agent(outcome)),
    ).toEqual([both])
    // A prompt that begins like the first is no new version of it, as that goes on.
    const alike = [user('Add a test for the parser'), EDIT, queued(add), EDIT, agent(outcome)]
    expect(told(...alike)).toEqual([`“Add a test for the parser”, then “${add}”: ${outcome}`])
    // Only the last but one asks for something.
    const between = [user('hm, well'), EDIT, queued(add), queued('thanks')]
    expect(told(...between, EDIT, agent(outcome))).toEqual([`“${add}”: ${outcome}`])
    expect(
      told(user('Count the calls by user'), EDIT, user(add), EDIT, agent(outcome)),
    ).not.toContain(both)
  })

  test('gives a request that the user stopped at once the answer to the next prompt', () => {
    const told = (...lines: (string | string[])[]) => summary([...lines, ...AFTER])?.thisSession
    const lines = [stopped(), user('a picture of the counter'), EDIT, agent('Calls count by day.')]
    const first = 'Count the calls by day'
    expect(told(user(first), ...lines)).toEqual([
      `“${first}”, then “a picture of the counter”: Calls count by day.`,
    ])
    // A new version of the request replaces it.
    const again = 'Count the calls by day and user'
    expect(told(user(first), stopped(), user(again), ...lines.slice(2))).toEqual([
      `“${again}”: Calls count by day.`,
    ])
    const hint = 'I said to count the calls by day although a user may have many of them'
    const reworded = hint.replace('I said', 'please try')
    expect(told(user(hint), stopped(), user(reworded), ...lines.slice(2))).toEqual([
      `“${reworded.replace('please ', '')}”: Calls count by day.`,
    ])
    // As for the stopped one, it does not matter whether anything was changed.
    const task = 'count the calls by user and day'
    const found = [user(`${task}, please`), READ, agent('They are counted already, by the router.')]
    const change = (asked: string) => [user(asked), EDIT, agent('It is renamed.')]
    const begin = [...change('rename the counter of the day'), user(task), stopped()]
    expect(told(...begin, ...found, ...change('rename the limit of the day'))).toContain(
      `“${task}, please”: They are counted already, by the router.`,
    )
    // The agent had begun.
    expect(told(user(first), READ, ...lines)?.[0]).toBe(
      `“${first}”: stopped by the user after Read limit.ts`,
    )
  })

  test('names both requests of a stopped turn that the user told the agent to continue', () => {
    const lines = [user('Count the calls by user'), EDIT, queued('Add a test for the counter')]
    const next = [stopped(), user('continue'), EDIT, agent('Calls are counted by user.')]
    const told = summary([...lines, ...next, ...AFTER])?.thisSession
    expect(told).toEqual([
      '“Count the calls by user”, then “Add a test for the counter”: Calls are counted by user.',
    ])
  })

  const AFTER = [user('what is a limit, by the way?'), agent('A bound.')]
  const LIMIT = 'You have hit your limit'
  const ASKED = 'In brief: “count the calls by user”.'

  test('reports changed files and the ending of a turn without a last message', () => {
    const write = (file: string) => call('Write', { file_path: file }, { content: 'created' })
    const told = (...turn: (string | string[])[]) =>
      summary([user('count the calls by user'), ...turn, ...AFTER])?.thisSession
    const asked = '“count the calls by user”: changed '
    expect(told(EDIT, stopped())).toEqual([`${asked}limit.ts, stopped by the user`])
    expect(told(EDIT, failure(LIMIT))).toEqual([`${asked}limit.ts, stopped by an error`])
    expect(told(EDIT, call('Bash', { command: 'npm test' }, NO))).toEqual([
      `${asked}limit.ts, the next call refused by the user`,
    ])
    // A statement between two calls may be revoked by the next call.
    expect(told(agent('It runs on port 1.'), EDIT, EDIT)).toEqual([
      `${asked}limit.ts, without a last message`,
    ])
    expect(told(agent('It fails still, and nobody knows why.'), EDIT)).toEqual([
      `${asked}limit.ts, without a last message`,
    ])
    expect(told(EDIT, agent('It runs on port 1 now.'), READ)).toEqual([
      '“count the calls by user”: “It runs on port 1 now.”; changed limit.ts',
    ])
    expect(told(agent('It runs on port 1.'), EDIT, EDIT, stopped())).toEqual([
      '“count the calls by user”: “It runs on port 1.”; changed limit.ts, stopped by the user',
    ])
    const lines = [READ, agent('The cause is the key of the day.'), READ]
    const first = user('Find out why the count of the day is wrong')
    expect(summary([first, ...lines, ...AFTER])?.thisSession).toEqual([
      '“Find out why the count of the day is wrong”: “The cause is the key of the day.”',
    ])
    const files = ['/a/b.ts', 'C:\\a\\c.ts', '/a/d.ts', '/a/e.ts'].map(write)
    const plan = write('/home/ada/.claude/plans/lazy-fox.md')
    expect(told(plan, ...files)).toEqual([
      `${asked}b.ts, c.ts, d.ts and 1 more file, without a last message`,
    ])
    expect(told(plan)).toEqual([ASKED])
  })

  test('separates two requests that differ in their last word if something was done for the first', () => {
    const [one, two] = [
      'Add a test for the widget on page 1',
      'Add a test for the widget on page 2',
    ]
    const told = (...turn: (string | string[])[]) => {
      const lines = [user(one), ...turn, user(two), EDIT, agent('Both pass.'), ...AFTER]
      return summary(lines, { ledgerHasGoal: false })
    }
    const check = call('Bash', { command: 'npm test' }, { content: 'ok' })
    for (const done of [EDIT, check]) {
      expect(told(done, agent('It passes.'))?.goal).toBe(`${one}; then: ${two}`)
      expect(told(done, stopped())?.goal).toBe(`${one}; then: ${two}`)
      expect(told(done, stopped())?.thisSession?.[0]).toContain(`“${one}”: `)
    }
    expect(told(stopped())).toMatchObject({ goal: two, thisSession: [`“${two}”: Both pass.`] })
  })

  test('leaves out a stopped request that was sent again inside a template', () => {
    const request = 'Review the second milestone, and complete the third one after it.'
    const check = call('Bash', { command: 'npm test' }, { content: 'ok' })
    const begun = [user(request), check, stopped()]
    const again = [
      user(`## User input\n\n${request}\n\nYou must consider it. Then report.`),
      EDIT,
      agent('Both milestones are complete.'),
    ]
    const told = summary([...begun, ...again, ...AFTER])?.thisSession?.join('\n')
    expect(told).toContain('Both milestones are complete.')
    expect(told).not.toContain('stopped by the user')
    const other = [user('Say who reviews the fourth milestone.'), ...again.slice(1)]
    expect(summary([...begun, ...other, ...AFTER])?.thisSession?.join('\n')).toContain(
      'stopped by the user',
    )
  })

  test('reports a task that was stopped before any change, and the last call that succeeded', () => {
    const check = call('Bash', { command: 'npm test' }, { content: 'ok' })
    const told = (...turn: (string | string[])[]) =>
      summary([user('count the calls by user and day'), ...turn, ...AFTER])?.thisSession
    const asked = '“count the calls by user and day”: '
    expect(told(stopped())).toEqual([`${asked}stopped by the user`])
    expect(told(failure(LIMIT))).toEqual([`${asked}stopped by an error`])
    expect(told(check, READ, stopped())).toEqual([
      `${asked}stopped by the user after Read limit.ts`,
    ])
    const refused = call('Write', { file_path: '/home/ada/api/src/key.ts' }, NO)
    expect(told(READ, refused, stopped())).toEqual([`${asked}stopped by the user at Write key.ts`])
    const failing = call('Bash', { command: 'npm test' }, { content: 'x', is_error: true })
    expect(told(check, failing, stopped())).toEqual([
      `${asked}stopped by the user after \`npm test\``,
      'Tests did not pass when they last ran: npm test (x)',
    ])
    // The newest of its informative sentences, and no call that is still running.
    const words = [agent('The limit counts by address only.'), agent('Let us count them by user.')]
    const asking = call('Edit', { file_path: '/home/ada/api/src/key.ts' })
    expect(told(...words, check, asking, stopped())).toEqual([
      `${asked}“Let us count them by user.”; stopped by the user after \`npm test\``,
    ])
    expect(told(agent('Well then.'), stopped())).toEqual([`${asked}stopped by the user`])
  })

  test('reports only the later request if a stopped request is asked again in other words', () => {
    const asked = 'review the first part of the parser and mend it'
    const told = summary([
      user(asked),
      stopped(),
      user(`Please ${asked}. Then review the second part.`),
      EDIT,
      agent('Both parts are reviewed now.'),
      ...AFTER,
    ])?.thisSession
    expect(told).toEqual([`“${asked}. Then review the second part.”: Both parts are reviewed now.`])
  })

  test('omits a stopped request that was repeated at once or asks for nothing new', () => {
    const told = (prompt: string, next: string) =>
      summary([
        user('fix the list view'),
        EDIT,
        agent('It is fixed now, on every page.'),
        user(prompt),
        stopped(),
        user(next),
        EDIT,
        agent('It counts all of them.'),
        ...AFTER,
      ])?.thisSession
    const fixed = '“fix the list view”: It is fixed now, on every page.'
    const count = 'count the calls by user and day'
    const counts = (asked: string) => `“${asked}”: It counts all of them.`
    const again = `${count}, please`
    expect(told(count, again)).toEqual([fixed, counts(again)])
    expect(told('go on', count)).toEqual([fixed, counts(count)])
    const other = 'fix the parser of the dates'
    const stop = `“${count}”: stopped by the user`
    expect(told(count, other)).toEqual([fixed, stop, counts(other)])
  })

  test('shows a proposal together with the words that rejected it', () => {
    const told = (word: string, ...between: string[]) =>
      summary([
        user('take the old files out of the folder'),
        ...between,
        agent('I would delete both of them with git rm.'),
        user(word),
        agent('They stay.'),
        ...AFTER,
      ])?.thisSession?.find((line) => line.includes('git rm'))
    const line = '“take the old files out of the folder”: I would delete both of them with git rm.'
    expect(told('no, leave them')).toBe(`${line}; the user: “no, leave them”`)
    expect(told('不同意')).toBe(`${line}; the user: “不同意”`)
    expect(told('yes')).toBe(line)
    expect(told('no, leave them', ...EDIT)).toBe(line)
  })

  test.each([
    ['This still does not work, the menu is empty', true],
    ['still broken', true],
    ["it doesn't open", true],
    ['same error as before', true],
    ['no, the test is still failing the same way', true],
    ['It still crashes when I open it', true],
    ['test it in a browser, because I still can not see it', true],
    ['If it is fixed, why can I still not see it?', true],
    ['还是报错，菜单是空的', true],
    ['여전히 메뉴가 비어 있어요', true],
    ['it works, thanks', false],
    ['I still have to write the docs', false],
    ['do not open the menu by itself', false],
    ['Write a test for users who still can not see it', false],
  ])('adds a denial to what was reported as done, after: %s', (word, isDenied) => {
    const work = [user('Fix the menu'), EDIT, agent('The menu is fixed.')]
    const told = summary([...work, user(word), ...AFTER].flat())?.thisSession
    expect(told?.find((line) => line.startsWith('“Fix the menu”'))).toBe(
      `“Fix the menu”: The menu is fixed.${isDenied ? `; the user: “${word}”` : ''}`,
    )
  })

  test('takes the report of a continued turn, even if a compaction follows it', () => {
    const lines = [
      user('add the command line too'),
      EDIT,
      failure(LIMIT),
      user('go on'),
      EDIT,
      agent('The command line has 17 commands.'),
      user('This session is being continued from a previous conversation. It is long.'),
    ]
    expect(summary([...lines, ...AFTER])?.thisSession).toEqual([
      '“add the command line too”: The command line has 17 commands.',
    ])
  })

  test('reports changes outside the worktree by directory and name, without notes and temporary files', () => {
    const write = (file: string) => call('Write', { file_path: file }, { content: 'created' })
    const notes = [
      '/home/ada/.claude/plans/lazy-fox.md',
      '/home/ada/.claude/projects/api/memory/MEMORY.md',
      '/tmp/claude-1/scratchpad/a.sh',
    ].map(write)
    const told = (...files: (string | string[])[]) =>
      summary([user('count'), ...notes, ...files, agent('It counts.')], { tops: ['/home/ada/api'] })
        ?.thisSession
    expect(told(EDIT)).toBeUndefined()
    expect(told(EDIT, write('/home/ada/api2/src/key.ts'), write('/etc/hosts'))).toEqual([
      'Changed outside its worktree: src/key.ts, /etc/hosts',
    ])
  })

  test('assumes that an unanswered call changed no file', () => {
    const asking = call('Edit', { file_path: '/etc/hosts' })
    const edit = call('Edit', { file_path: '/home/ada/api/src/limit.ts' })
    const tops = ['/home/ada/api']
    expect(
      summary([user('count the calls by user'), asking], { tops })?.thisSession,
    ).toBeUndefined()
    const told = summary([user('count the calls by user'), edit, ...AFTER])?.thisSession
    expect(told).toEqual([ASKED])
  })

  test('gives the first request its own answer, also if the agent then asked something', () => {
    const asked = [user('Look for what is wrong in the API'), agent('The key is. Shall I fix it?')]
    const next = [user('ok lets get back to main'), READ, agent('This is main, up to date.')]
    const done = [user('Write the docs of the API'), EDIT, agent('They are new.'), ...AFTER]
    expect(summary([...asked, ...next, ...done].flat())?.thisSession?.[0]).toBe(
      '“Look for what is wrong in the API”: The key is.',
    )
  })

  test('gives few turns more space than many, and the space that short ones leave to long ones', () => {
    const linesOf = (...sentences: number[]) => {
      const turns = sentences.map((count, i) => [
        user(`give page ${i} of the shop its own title`),
        EDIT,
        agent(`Page ${i} has its title. ${'It was not easy at all. '.repeat(count)}`),
      ])
      const after = [user('and a footer for page 3'), EDIT, agent('It is there.')]
      const told = summary([...turns, ...after].flat())?.thisSession ?? []
      return told.filter((line) => line.startsWith('“give page')).map(({ length }) => length)
    }
    const { turn, turns } = SUMMARY_LIMITS
    const [many, one] = [linesOf(...Array.from({ length: 5 }, () => 100)), linesOf(100)]
    expect(Math.max(...many)).toBeLessThanOrEqual(turns / 5)
    expect(Math.min(...many)).toBeGreaterThan(turns / 6)
    expect(one[0]).toBeLessThanOrEqual(turn)
    expect(one[0]).toBeGreaterThan(turn * 0.9)
    const [first = 0, second = 0, ...short] = linesOf(100, 40, 1, 1, 1)
    expect(first).toBeGreaterThan(turn * 0.9)
    expect(second).toBeGreaterThan(40 * 24)
    expect(short).toHaveLength(3)
  })

  test('shows the first and the newest of many turns at length, and the others in brief, each once', () => {
    const turns = Array.from({ length: 12 }, (_, i) => [
      user(`give page ${i} of the shop its own title`),
      EDIT,
      agent(`Page ${i} has one. ${'The title is that of the menu. '.repeat(12)}`),
    ])
    const all = summary([...turns, ...AFTER].flat())?.thisSession ?? []
    const isAtLength = all.map((line) => line.length > 300)
    expect(isAtLength).toEqual([true, true, true, true, true, true, true])
    const start = (i: number) => `“give page ${i} of the shop its own title”: Page ${i} has one.`
    for (const [place, i] of [0, 7, 8, 9, 10, 11].entries()) {
      expect(all[place]).toMatch(new RegExp(`^${start(i)}`))
    }
    const brief = all[6] ?? ''
    expect(brief).toMatch(new RegExp(`^In brief: ${start(1)}`))
    for (const i of [2, 3, 4, 5, 6]) expect(brief).toContain(` ${start(i)}`)
    expect(brief).not.toContain(start(0))
    expect(brief.length).toBeLessThanOrEqual(SUMMARY_LIMITS.brief)
    const again = Array.from({ length: 9 }, () => turns[1] ?? [])
    const once = summary([...again, ...AFTER].flat())?.thisSession ?? []
    expect(once).toHaveLength(1)
    expect(once[0]).toMatch(new RegExp(`^${start(1)}`))
  })

  const done = (message: string, prompt = 'the calls are far too slow') =>
    summary([user(prompt), EDIT, agent(message), user('Thanks'), agent('Gladly.')])?.thisSession

  test('quotes a proposal as the answer to the request, without interpreting it', () => {
    const asked = '“the calls are far too slow”: '
    expect(done('The rules require a limit. It might be the cache.')).toEqual([
      `${asked}The rules require a limit. It might be the cache.`,
    ])
    expect(done('已完成翻译。标题很长。')).toEqual([`${asked}已完成翻译。 标题很长。`])
    expect(done("J'ai ajouté la limite. Merci.")).toEqual([`${asked}J'ai ajouté la limite. Merci.`])
  })

  test('omits questions, next steps and polite phrases, which are reported elsewhere', () => {
    expect(
      done(
        'Good point.\n\nI moved the limit out.\n\nNext steps:\n- Test it\n\nLet me know. Commit it?',
      ),
    ).toEqual(['“the calls are far too slow”: Good point. I moved the limit out.'])
  })

  test('omits a request that only answers something or was pasted', () => {
    expect(done('The limit is now 100 a minute.', 'yes')).toEqual([
      'The limit is now 100 a minute.',
    ])
    expect(done('Done.', 'yes')).toBeUndefined()
    expect(done('Done.', 'do it')).toBeUndefined()
    // The reply chooses an option of the agent: a report counts, not the agent's next question.
    expect(done('The keys are in Redis. Where do the counters live?', 'b')).toBeUndefined()
    expect(done('The keys and the counters live in Redis.', 'b')).toEqual([
      'The keys and the counters live in Redis.',
    ])
    for (const pasted of ['id : "MTVYF4oDKBwRC5" pwd: "3ATChSzcDHX8jG"', '{"status":401,"a":1}']) {
      expect(done('The limit is now 100 a minute.', pasted), pasted).toEqual([
        'The limit is now 100 a minute.',
      ])
    }
  })

  test('labels an outcome with any plain words of its prompt', () => {
    const outcome = 'The limit is now 100 a minute.'
    for (const said of ['mend', 'merge.', 'it works', 'ship it and go on', '直して']) {
      expect(done(outcome, said)).toEqual([`“${said}”: ${outcome}`])
    }
    // Neither the prompt nor its answer means anything to a reader.
    expect(done('Done.', 'ship it and go on')).toBeUndefined()
  })

  test('treats a command that changes something by its nature as work, and reports answers if no work was done', () => {
    const ran = (command: string) =>
      summary([
        user('take that program away completely'),
        call('Bash', { command }, { content: 'ok' }),
        agent('It is gone, with its settings.'),
        user('which ones were the old files'),
        agent('They are those of June.'),
        user('which ones did you keep of the old files'),
        EDIT,
        agent('None of them.'),
      ])?.thisSession
    // The turn before the last is reported whatever it did.
    const before = '“which ones were the old files”: They are those of June.'
    const gone = ['“take that program away completely”: It is gone, with its settings.', before]
    for (const command of [
      'sudo rm -r ~/x',
      'npm uninstall -g x',
      "cat <<'EOF' > a.md",
      'git push',
    ]) {
      expect(ran(command), command).toEqual(gone)
    }
    expect(ran('ls -l')).toEqual([
      before,
      'In brief: “take that program away completely”: It is gone, with its settings.',
    ])
    const told = summary([
      user('how does the limit count calls'),
      READ,
      agent('It counts by address.'),
      user('and where is that set'),
      READ,
      agent('In `limit.ts`.'),
    ])
    expect(told?.thisSession).toEqual(['“how does the limit count calls”: It counts by address.'])
  })

  test('reports the outcome of the first request, whatever was done for it', () => {
    const told = summary([
      user('Find out why the build is slow'),
      READ,
      agent('The cache is off in the workflow.'),
      user('which workflow is that'),
      agent('That of the releases.'),
      user('Add a flag for it'),
      EDIT,
      agent('The flag is there now.'),
      user('commit it'),
      READ,
      agent('It is committed already.'),
    ])
    expect(told?.thisSession).toEqual([
      '“Find out why the build is slow”: The cache is off in the workflow.',
      '“Add a flag for it”: The flag is there now.',
      'In brief: “which workflow is that”: That of the releases.',
    ])
  })

  test('tells the newest of the other turns in brief, and counts the rest', () => {
    const asked = (...prompts: string[]) => prompts.flatMap((text) => [user(text), agent('Yes.')])
    const edit = [user('Fix the date of the footer'), EDIT, agent('The footer has its date.')]
    const briefOf = (...turns: (string | string[])[]) =>
      summary([...turns, ...edit, ...AFTER].flat())?.thisSession?.find((line) =>
        line.startsWith('In brief'),
      )
    const told = (...prompts: string[]) => briefOf(...asked(...prompts))
    expect(told('does it count by address', 'which ones does it leave out')).toBe(
      'In brief: “does it count by address”. “which ones does it leave out”.',
    )
    const answer = agent('By user and day. The address is not kept.')
    expect(briefOf(user('does it count by address'), answer)).toBe(
      'In brief: “does it count by address”: By user and day. The address is not kept.',
    )
    // What was changed in a turn without a message.
    const older = [user('Make the header smaller'), EDIT, stopped()]
    const four = Array.from({ length: 4 }, (_, i) => [
      user(`Rename page ${i}`),
      EDIT,
      agent(`It is page ${i}.`),
    ])
    expect(briefOf(...edit, ...older, ...four.flat())).toBe(
      'In brief: “Make the header smaller”: changed limit.ts, stopped by the user.',
    )
    // A word of agreement that led to a change, with what it agreed to.
    const agreed = [
      user('read the rules of the limit'),
      agent('There are two.\n\nShall I move the tests as well?'),
      user('yes'),
      EDIT,
      agent('All tests are beside their modules now.'),
    ]
    expect(briefOf(...agreed, ...edit, ...four.flat())).toContain(
      ': All tests are beside their modules now.',
    )
    // Repetitions, answers and bare command names are dropped; a few words say little beside
    // others.
    expect(
      told('does it count by address', 'does it count by address', 'yes', '/login', 'a bit bigger'),
    ).toBe('In brief: “does it count by address”. And 1 more')
    expect(told('a bit bigger')).toBe('In brief: “a bit bigger”.')
    const many = Array.from({ length: 9 }, (_, i) => [
      user(`does the limit count calls of kind ${i}`),
      agent(`Calls of kind ${i} are counted by ${'address and '.repeat(20)} day.`),
    ])
    const line = briefOf(...many.flat()) ?? ''
    expect(line).toMatch(/^In brief: “.*of kind 8”.* And \d more$/)
    expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.brief)
    const shown = line.match(/“/g)?.length ?? 0
    // The first request is reported separately.
    expect(line).toContain(`And ${many.length - 1 - shown} more`)
    // Few turns have more room each.
    const [, two, three] = many
    expect(briefOf(...(two ?? []), ...(three ?? []))).toContain(`${'address and '.repeat(20)}day.`)
  })

  test('reports the earlier answer to a repeated request that got no new answer', () => {
    const check = user('check how many calls there were today')
    const lines = [check, READ, agent('There were 40 calls up to noon.')]
    const edit = [user('Fix the date of the footer'), EDIT, agent('The footer has its date.')]
    const answer = '“check how many calls there were today”: There were 40 calls up to noon.'
    const told = (...last: (string | string[])[]) =>
      summary([...edit, ...lines, ...edit, ...last].flat())?.thisSession
    expect(told(check, READ)).toContain(answer)
    expect(told(check, READ, agent('There were 60.'))).not.toContain(answer)
    expect(told(user('count the calls by user'), READ)).not.toContain(answer)
  })

  test('does not report a turn again that an event has reported', () => {
    const entries = entriesOf(
      user('Add a limit to the API'),
      EDIT,
      agent('The limit is 100 a minute.'),
      user('Count by user'),
      EDIT,
      agent('It counts by user now.'),
    )
    const untold = entries.slice(3)
    expect(summary([], { entries, untold })?.thisSession).toBeUndefined()
    expect(summary([], { entries, untold: entries })?.thisSession).toEqual([
      '“Add a limit to the API”: The limit is 100 a minute.',
    ])
  })

  test('shows a commit by its subject, without the sentence about it', () => {
    const commits = [{ oid: '1f0c2b3a4d5e6f708192a3b4c5d6e7f809101112', subject: 'feat: a limit' }]
    const commit = call('Bash', { command: 'git commit -m "feat: a limit"' }, { content: 'x' })
    const lines = [user('commit'), commit, agent('Committed as `1f0c2b3`.')]
    expect(
      summary(
        [
          user('Add a limit'),
          EDIT,
          agent('It is now there.'),
          ...lines,
          user('thanks'),
          agent('Sure.'),
        ],
        {
          commits,
        },
      )?.thisSession,
    ).toEqual(['“Add a limit”: It is now there.', 'feat: a limit (1f0c2b3)'])
  })
})

describe('now after the work', () => {
  const WORK = [user('Add a limit'), EDIT, agent('The limit is 100 a minute.')]
  const now = (...lines: (string | string[])[]) => summary([...WORK, ...lines])?.now

  test('shows a side answer with its question and with the work before it', () => {
    const before = 'Before that: “Add a limit”: The limit is 100 a minute.'
    expect(now(user('What is a limit?'), agent('A limit is a bound.'))).toBe(
      `“What is a limit?”: A limit is a bound. ${before}`,
    )
    expect(now(user('Pourquoi si lent ?'), agent('Le ventilateur tourne.'))).toBe(
      `“Pourquoi si lent ?”: Le ventilateur tourne. ${before}`,
    )
  })

  test('shows a request that begins with “but”', () => {
    const answer = 'The frame set its width. It no longer does.'
    for (const asked of ['but the page is far too narrow', 'but why is it that narrow?']) {
      expect(now(user(`OK, ${asked}`), EDIT, agent(answer))).toBe(`“${asked}”: ${answer}`)
    }
  })

  test('skips polite phrases in favor of the previous statement or failure', () => {
    const done = '“Add a limit”: The limit is 100 a minute.'
    expect(now(user('3'), agent('You good?'))).toBe(done)
    expect(now(user('thanks'), agent('You are welcome.'))).toBe(done)
    const asked = [
      user('Why is it slow?'),
      agent('The fan runs too fast.'),
      user('ok'),
      agent('Gladly.'),
    ]
    expect(summary([...asked, user('thanks'), agent('You are welcome.')])?.now).toBe(
      '“Why is it slow?”: The fan runs too fast.',
    )
    const failed = call('Bash', { command: 'sudo cp a /mnt' }, { content: 'no', is_error: true })
    const where = 'failed: `sudo cp a /mnt` (no)'
    expect(now(user('Copy it'), failed, agent('You good?'))).toBe(where)
    expect(now(user('Copy it'), failed, READ, agent('You good?'))).toBe(done)
  })

  test('shows a short message with its request, and ignores prompts that only quit', () => {
    expect(now(user('do step 12 of the list'), EDIT, agent('Step 12 is done.'))).toBe(
      '“do step 12 of the list”: Step 12 is done.',
    )
    for (const word of ['exit', ':wq', 'q', 'clear', ':q!']) {
      expect(now(user(word)), word).toBe('The limit is 100 a minute.')
      expect(now(user(word), stopped()), word).toBe('The limit is 100 a minute.')
    }
    expect(now(user('clear the cache'), stopped())).toContain('before a reply to: clear the cache')
  })

  test('keeps the next steps of the last working turn until something else is asked', () => {
    const left = [user('Add a limit'), EDIT, agent('It is in.\n\nNext steps:\n- Test it')]
    const next = (...lines: string[]) => summary([...left, ...lines])?.next
    expect(next(user('Why 100?'), agent('The rules say so.'))).toEqual(['Test it'])
    expect(next(user('Rename the parser'), agent('I would not.'))).toBeUndefined()
    expect(next(user('Why 100?'), stopped())).toBeUndefined()
    const planned = [
      user('Plan the work of all of us for next week'),
      agent('Next steps:\n- Raise the limit\n\nShall I note it?'),
    ]
    expect(next(...planned, user('yes'), agent('It is noted. See you.'))).toEqual([
      'Raise the limit',
    ])
  })

  test('shows a commit with its subject and with the work before it', () => {
    const BEFORE = ' Before that: “Add a limit”: The limit is 100 a minute.'
    const commits = [{ oid: '1f0c2b3a4d5e6f708192a3b4c5d6e7f809101112', subject: 'feat: a limit' }]
    const commit = call('Bash', { command: 'git commit -m "feat: a limit"' }, { content: 'x' })
    const lines = (text: string) => [...WORK, user('commit'), commit, agent(text)]
    expect(summary(lines('Committed and pushed.'), { commits })?.now).toBe(
      `Committed and pushed. Last commit: feat: a limit.${BEFORE}`,
    )
    expect(summary(lines('Committed: feat: a limit.'), { commits })?.now).toBe(
      `Committed: feat: a limit.${BEFORE}`,
    )
    expect(summary(lines('Pushed. All 3 tests:\n- passed'), { commits })?.now).toBe(
      `Pushed. All 3 tests: passed. Last commit: feat: a limit.${BEFORE}`,
    )
  })

  test('shows the last working turn as “before that”, however short its prompt, without an old failure', () => {
    const failed = call('Bash', { command: 'make' }, { content: 'no', is_error: true })
    const old = [
      user('build it with the new flag'),
      failed,
      user('1'),
      EDIT,
      agent('Now it builds with it.'),
    ]
    expect(now(...old, user('what is a flag?'), agent('A switch of the compiler.'))).toBe(
      '“what is a flag?”: A switch of the compiler. Before that: Now it builds with it.',
    )
  })

  test('shows the answer of the next turn as “before that” if a turn was stopped', () => {
    const stoppedIn = [
      user('1'),
      EDIT,
      stopped(),
      user('KEY="a1"'),
      READ,
      agent('All three are in.'),
    ]
    expect(now(...stoppedIn, user('what is a key?'), agent('A name for a value.'))).toBe(
      '“what is a key?”: A name for a value. Before that: All three are in.',
    )
  })

  test('ignores a to-do list that was not updated until the report of the work', () => {
    const todos = [
      { content: 'Add a limit', status: 'completed' },
      { content: 'Write docs', status: 'in_progress' },
    ]
    const list = call('TodoWrite', { todos }, { content: 'ok' })
    const report = agent('The limit and its docs are in place.')
    const many = Array.from({ length: 10 }, () => EDIT)
    const told = summary([user('Add a limit'), list, ...many, report])
    expect(told).toEqual({
      now: 'The limit and its docs are in place.',
      thisSession: ['Add a limit'],
    })
    expect(summary([user('Add a limit'), ...many, list, report])?.now).toContain('Write docs')
    expect(summary([user('Add a limit'), list, EDIT, report])?.now).toContain('Write docs')
    expect(summary([user('Add a limit'), list, ...many, stopped()])?.next).toEqual(['Write docs'])
  })

  test('keeps the next steps of the work while its result is only repaired', () => {
    const left = [user('Add a limit'), EDIT, agent('It is in.\n\nNext steps:\n- Write docs')]
    const mended = [user('Error: limit is not defined\n  at api.ts:3'), EDIT, agent('It is.')]
    const next = (...lines: (string | string[])[]) => summary([...left, ...lines])?.next
    expect(next(...mended)).toEqual(['Write docs'])
    expect(
      next(...mended, user('the same test still fails'), EDIT, agent('Not any more.')),
    ).toEqual(['Write docs'])
    const again = [user('got this error: no limit'), EDIT, agent('It is set.\n\nPlease rerun it.')]
    expect(next(...mended, ...again)).toEqual(['Please rerun it.', 'Write docs'])
    expect(next(...again, ...mended)).toEqual(['Write docs'])
    expect(next(...mended, user('Count by user'), EDIT, agent('It does.'))).toBeUndefined()
    expect(next(user('Fix the errors of the docs'), EDIT, agent('Done so.'))).toBeUndefined()
    expect(next(...mended, user('/mcp list'), agent('None is set up.'))).toEqual(['Write docs'])
  })

  test('keeps the next steps of a turn that only ran commands after a side answer', () => {
    const ran = call('Bash', { command: 'npm run seed' }, { content: '18 rows' })
    const seeded = [user('postgres://localhost/db'), ran]
    const aside = [user('What is a seed?'), agent('The first rows.')]
    const next = (said: string) => summary([...WORK, ...seeded, agent(said), ...aside])?.next
    expect(next('It is seeded.\n\nNext steps:\n- Write docs')).toEqual(['Write docs'])
    expect(next('It is seeded.')).toBeUndefined()
  })

  test('combines the next steps of the to-do list and of the message', () => {
    const todos = [{ content: 'Write docs', status: 'pending' }]
    const list = call('TodoWrite', { todos }, { content: 'ok' })
    const said = agent('It is in.\n\nNext steps:\n- Raise the limit\n- Write docs')
    expect(summary([user('Add a limit'), EDIT, list, said])?.next).toEqual([
      'Write docs',
      'Raise the limit',
    ])
  })

  test('shows an attempted task as “before that”, and shortens a long side answer to whole sentences', () => {
    const ran = call('Bash', { command: 'gh issue list' }, { content: 'none' })
    const tried = [
      user('Create an issue for each of the open faults'),
      ran,
      agent('gh is not set up.'),
    ]
    const asks = user('How do I set it up?')
    expect(now(...tried, asks, agent('Run its login.'))).toContain('Before that: “Create an issue')
    const long = agent(`Run its login:\n${'- Name the host of it, and the key\n'.repeat(30)}`)
    expect(now(...tried, asks, long)).toMatch(/and the key … Before that: “Create an issue/)
    const left = agent(`${'It is nearly set up. '.repeat(30)}The key is still missing.`)
    expect(now(...tried, asks, left)).not.toContain('Before that')
  })

  test('does not quote a password from a prompt', () => {
    const asked = 'log in as ada with the password test1234 and pk_live_9x8y please'
    expect(now(user(asked), EDIT, agent('It is in.'))).toBe(
      '“log in as ada with the password [...] and [...] please”: It is in.',
    )
  })

  test('keeps the pending tasks of a compaction as next until the user asks again', () => {
    const compacted = user(`This session is being continued from a previous conversation.

Summary:
1. Primary Request and Intent:
   Add a limit

7. Pending Tasks:
   - Wire it in
     - in the CLI
   - Write docs

8. Current Work:
   The limit.

9. Optional Next Step:
   Wire it in, as the user asked. Then stop.

If you need specific details from before compaction, read the log.`)
    const next = (...lines: (string | string[])[]) => summary([...WORK, ...lines])?.next
    expect(next(compacted)).toEqual(['Wire it in', 'Write docs'])
    expect(next(compacted, EDIT, agent('It is wired in.'))).toBeUndefined()
    expect(next(compacted, user('Now count by user'), agent('Counted.'))).toBeUndefined()
    expect(
      pendingIn('7. Pending Tasks:\n   - None\n\n9. Optional Next Step:\n   Ship it. x'),
    ).toEqual(['Ship it.'])
    expect(pendingIn('No such title. 7. Pending Tasks: x')).toEqual([])
  })
})
