/** What was done, by what agents say at the end of their turns. */

import { describe, expect, test } from 'vitest'
import { reportedIn } from '../../../src/core/report/done.ts'
import type { SessionWork } from '../../../src/core/report/session-work.ts'
import { pendingIn } from '../../../src/core/report/summary-sections.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { agent, call, entriesOf, NO_WORK, stopped, user } from './endings.ts'

const EDIT = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
const READ = call('Read', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'x' })

function summary(lines: (string | string[])[], more: Partial<SessionWork> = {}) {
  const entries = entriesOf(...lines)
  return summarizeTurn({ ...NO_WORK, entries, untold: entries, ...more })
}

describe('a headline for each turn that changed something', () => {
  test('not for one that only read, was stopped, or is the last', () => {
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
      'The limit is now 100 a minute.',
      'worked on: Count the calls by user and day',
    ])
    expect(now).toBe('The test is green.')
  })

  const done = (message: string, prompt = 'Add a limit') =>
    summary([user(prompt), EDIT, agent(message), user('Thanks'), agent('Gladly.')])?.thisSession

  test.each([
    [
      'a proposal beside a question',
      'Updated the plan.\n\nRecommended: Option B - fewer keys. The keys stay short. Which one?',
      ['Updated the plan.'],
    ],
    ['what the question is about', '“the limit”\n\nWhy: it is vague.\n\nPer user?', undefined],
    [
      'what is next',
      '- Added `limit.ts`\n\nNext step: look at it in a browser.',
      ['Added `limit.ts`'],
    ],
    [
      'what is next',
      'Added the limit. Next steps: 1) Test it. 2) Tell the team.',
      ['Added the limit.'],
    ],
    ['words to the user', 'Ready to commit when you want.', undefined],
    [
      'what a proposal is about',
      '**Recommended:** Option C\n\nThe rules require a limit.',
      undefined,
    ],
    ['words to the user', '(Yes/No) If so, I mend the script.', undefined],
    [
      'what a question above is about',
      'Which rule wins?\n\n| a |\n|---|\n| b |\n\nThe rules do not say it.',
      undefined,
    ],
    [
      'what the question is about',
      'From `spec.md`, step 8. The rules do not say which wins. A or B?',
      undefined,
    ],
    [
      'no deed beside a question',
      'I moved the limit. The key is now short. Commit it?',
      ['I moved the limit. The key is now short.'],
    ],
    [
      'a title without marks',
      'Change summary\n- Added a limit\n\nNext Steps\n- Test it',
      ['Added a limit'],
    ],
    [
      'words to the user',
      'The limit is now 100. You will see it soon. Waiting for the key.',
      ['The limit is now 100.'],
    ],
    ['tests that did not run', 'The limit is now 100. Tests: not run.', ['The limit is now 100.']],
    [
      'a condition',
      'The limit is now 100. If we get cut off, start again.',
      ['The limit is now 100.'],
    ],
    ['filler', 'I have completed the task. The limit is now 100.', ['The limit is now 100.']],
    ['how something is', 'The rules require a limit. It looks like the key is missing.', undefined],
    ['what was not done', 'No tasks have been marked as done. I have not pushed it.', undefined],
    ['a rating', 'Honest rating: 7 of 10, with a path to 8.', undefined],
    ['a menu', '[a] Advanced\n[c] Continue\n\nHow should I proceed?', undefined],
    ['what is to be seen', 'You should see:\n- Rounded corners on all windows', undefined],
    ['a step', 'Proceed to the next phase.', undefined],
    ['how it was', 'Spec is at `a.md`. The file was created.', ['The file was created.']],
    [
      'a title with what it is',
      'PR updated: https://example.invalid/1',
      ['PR updated: https://example.invalid/1'],
    ],
    ['Chinese', '已完成翻译。标题很长。', ['已完成翻译。']],
    ['what is in Chinese', '两次：采到足量清晰样本且已足够，才算。', undefined],
    ['French', "J'ai ajouté la limite. Le nom est long.", ["J'ai ajouté la limite."]],
    [
      'Japanese',
      '修正してテストまで完了しました。必要なら再実行します。',
      ['修正してテストまで完了しました。'],
    ],
    ['a list that reports nothing', 'See:\n- `a.ts`\n- `b.ts`', undefined],
    ['a list below its title', '**Fixed two calls:**\n- in `a.ts`', ['Fixed two calls: in `a.ts`']],
  ])('what is no deed is left out: %s', (_, message, expected) => {
    expect(done(message, 'it is slow')).toEqual(expected)
  })

  test.each([
    'The migration is not complete.',
    'The migration is not yet done.',
    "The refactoring isn't done.",
    'The files were not committed.',
    'The lock file was never updated.',
    'The cache has never been cleared.',
    'Two tests could not be fixed.',
    'The old endpoint will be removed.',
    'The branch can safely be deleted.',
    'The flag should have been renamed.',
    'Two tests still do not pass.',
    'The tests need to pass first.',
    'Tests for the password field fail.',
    'Proposed changes:\n\n- A new flag for tabs\n- A parser of its own',
    'Failed tests:\n\n- the parser of tabs\n- the lexer of tabs',
  ])('what was not done, or is only to be: %s', (message) => {
    expect(done(message, 'it is slow')).toBeUndefined()
  })

  test.each([
    'The migration is complete.',
    'The old files are deleted.',
    'Links to the docs updated.',
    'All 14 tests pass now.',
    'The new parser is in place.',
    'The crash where settings could not be saved has been fixed.',
  ])('a deed in a sentence: %s', (message) => {
    expect(done(message, 'it is slow')).toEqual([message])
  })

  test('a message that reports no deed: what was worked on, where the prompt says it', () => {
    expect(done('I have completed the task (step 4).')).toEqual(['worked on: Add a limit'])
    expect(done('Task complete.')).toEqual(['worked on: Add a limit'])
    expect(done('Changes committed. Request fulfilled.')).toEqual(['worked on: Add a limit'])
    expect(done('Done.', 'yes')).toBeUndefined()
    expect(done('Done.', 'I do not see it')).toBeUndefined()
    expect(done('Done.', 'all of them please')).toBeUndefined()
    expect(done('The limit is 100.', 'the limit is far too high')).toEqual([
      'worked on: the limit is far too high',
    ])
  })

  test('a turn that an event told is not told again', () => {
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
      'worked on: Add a limit to the API',
    ])
  })

  test('a commit stands with its subject, not beside a sentence about it', () => {
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
    ).toEqual(['It is now there.', 'feat: a limit (1f0c2b3)'])
  })
})

describe('where it stands after the work', () => {
  const WORK = [user('Add a limit'), EDIT, agent('The limit is 100 a minute.')]
  const now = (...lines: (string | string[])[]) => summary([...WORK, ...lines])?.now

  test('a question aside stands before the work, a courtesy not at all', () => {
    expect(now(user('What is a limit?'), agent('A limit is a bound.'))).toBe(
      'answered: What is a limit? A limit is a bound. Before that: The limit is 100 a minute.',
    )
    expect(
      now(user('give me an overview'), agent('Two files:\n\n- a\n\nIf you spot more, say so.')),
    ).toBe('answered: give me an overview Two files: a Before that: The limit is 100 a minute.')
    expect(now(user('Explain the limit'), agent('A limit is a bound.'))).toBe('A limit is a bound.')
    expect(now(user('3'), agent('You good?'))).toBe('The limit is 100 a minute.')
    expect(now(user('thanks'), agent('You are welcome.'))).toBe('The limit is 100 a minute.')
    const failed = call('Bash', { command: 'sudo cp a /mnt' }, { content: 'no', is_error: true })
    const where = 'failed: `sudo cp a /mnt` (no)'
    expect(now(user('Copy it'), failed, agent('You good?'))).toBe(where)
    expect(now(user('Copy it'), failed, agent('You good?'), user('3'), agent('Ready?'))).toBe(where)
    expect(now(user('Copy it'), failed, agent('No rights.'), user('3'), agent('Ready?'))).toBe(
      'The limit is 100 a minute.',
    )
    const french = "Je suis heureux d'avoir pu vous aider."
    expect(now(user('Why slow?'), agent('The fan runs.'), READ, agent(french))).toBe(
      'The fan runs.',
    )
  })

  test('what is committed stands with its subject', () => {
    const commits = [{ oid: '1f0c2b3a4d5e6f708192a3b4c5d6e7f809101112', subject: 'feat: a limit' }]
    const commit = call('Bash', { command: 'git commit -m "feat: a limit"' }, { content: 'x' })
    const lines = (text: string) => [...WORK, user('commit'), commit, agent(text)]
    expect(summary(lines('Committed and pushed.'), { commits })?.now).toBe(
      'Committed and pushed: feat: a limit',
    )
    expect(summary(lines('Committed: feat: a limit.'), { commits })?.now).toBe(
      'Committed: feat: a limit.',
    )
  })

  test('after a compaction its pending tasks are next, until the user asks again', () => {
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
    expect(next(compacted, user('Now count by user'), agent('Counted.'))).toBeUndefined()
    expect(
      pendingIn('7. Pending Tasks:\n   - None\n\n9. Optional Next Step:\n   Ship it. x'),
    ).toEqual(['Ship it.'])
    expect(pendingIn('No such title. 7. Pending Tasks: x')).toEqual([])
  })
})

describe('lists of the last message', () => {
  const MESSAGE = `All 42 tests pass.

**Changes:**

1. **Added \`limit()\`** — counts by user. It is in memory.
   - a detail
2. \`api.ts\` uses it

**Deferred:**
- Redis

Usage:
- \`npm start\``

  test('are what was done, where their title or their words say so', () => {
    expect(reportedIn(MESSAGE, 160)).toEqual([
      'Added `limit()` — counts by user',
      '`api.ts` uses it',
    ])
    expect(reportedIn('- Fixed it\n- Failed: two tests\n- Untested: x\n- It is red', 160)).toEqual([
      'Fixed it',
    ])
  })

  test('stand in this_session, not in now; only of a turn that changed something', () => {
    expect(summary([user('Add a limit'), EDIT, agent(MESSAGE)])).toEqual({
      now: 'All 42 tests pass. `npm start`',
      thisSession: ['Added `limit()` — counts by user', '`api.ts` uses it'],
      next: ['deferred: Redis'],
    })
    expect(summary([user('What did you do?'), READ, agent(MESSAGE)])?.thisSession).toBeUndefined()
  })
})
