/**
 * However a session ended, its event says where the work really stood. Recorded shapes of Claude
 * Code.
 */

import { describe, expect, test } from 'vitest'
import { choicesIn } from '../../../src/core/report/decisions.ts'
import { applyTransition, withLastMessage } from '../../../src/core/session/change-session.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { sampleOf } from '../../support/long.ts'
import { fresh } from '../session/sessions.ts'
import {
  agent,
  call,
  command,
  entriesOf,
  failure,
  localOutput,
  NO,
  NO_WORK,
  noBut,
  queued,
  recap,
  STOPPED,
  stopped,
  title,
  user,
} from './endings.ts'

const told = (...lines: (string | string[])[]) => {
  const entries = entriesOf(...lines)
  return summarizeTurn({ ...NO_WORK, entries, untold: entries })
}
const DONE = '“Add a rate limit”: The limit works now.'
/** A call that failed if it printed something. */
const ran = (command: string, content: string) =>
  call('Bash', { command }, { content, is_error: content !== '' })
const FIRST_ASKED = 'In brief: “First make it count by user and day”.'
const nowOf = (...lines: (string | string[])[]) => told(...lines)?.now

/** A finished turn: none of it may be reported as the current state. */
const BEFORE = [
  user('Add a rate limit'),
  ...call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' }),
  agent('The limit works now.\n\nNext steps:\n- Write docs\n\nReady to commit?'),
  user('First make it count by user and day'),
]
const QUESTIONS = {
  questions: [
    {
      question: 'Where should the counters live?',
      header: 'Storage',
      multiSelect: false,
      options: [{ label: 'Redis (recommended)', description: 'x' }, { label: 'Memory' }],
    },
  ],
}
const PLAN = { plan: '# Plan: Count per user\n\n1. Key by user\n' }

describe('now says how the session ended', () => {
  test('shows the unanswered call in full, whatever was done before it', () => {
    const name = (part: string) => `/a/${part.repeat(60)}.ts`
    const words = agent(`I looked at ${'all of the many keys '.repeat(20)}and at each day.`)
    const lines = [
      words,
      ...call('Edit', { file_path: name('k') }, { content: 'updated' }),
      ...call(
        'Bash',
        { command: `git push ${'-o x '.repeat(20)}` },
        { is_error: true, content: `Exit code 1\n${'error: no '.repeat(12)}` },
      ),
      ...call('Edit', { file_path: name('d') }, { content: 'updated' }),
      ...call('Bash', { command: `git add ${'key.ts '.repeat(15)}` }),
    ]
    const asked = user(`Count ${'the calls of each user and of each day '.repeat(5)}`)
    expect(nowOf(asked, ...lines)).toMatch(/; no answer yet from: `git add [^`]*`$/)
  })

  test.each<[string, (string | string[])[], string, string[]?]>([
    [
      'a tool that was still running',
      call('Bash', { command: 'npm test -- --watch' }),
      `not finished: First make it count by user and day; no answer yet from: \`npm test -- --watch\``,
    ],
    [
      'a refused tool',
      [...call('Write', { file_path: '/a/key.ts' }, NO), stopped(' for tool use')],
      'the user stopped: Write key.ts; asked for: First make it count by user and day',
    ],
    [
      'a refused tool, with words',
      call('Bash', { command: 'git push' }, noBut('not now, the release is frozen')),
      'the user refused: `git push`; the user said: not now, the release is frozen',
    ],
    [
      'tools that ran at once',
      [
        ...call('Bash', { command: 'git add .' }),
        ...call('Bash', { command: 'git commit -m "feat: a key"' }),
        ...call('Bash', { command: 'git push' }),
        ...call('Read', { file_path: '/a/key.ts' }),
      ],
      'not finished: First make it count by user and day; no answer yet from: `git add .`, `git commit -m "feat: a key"`, `git push` and 1 more',
    ],
    [
      'a service that did not start, and the command that inspected it',
      [
        ...call(
          'Bash',
          { command: 'sudo systemctl enable --now counter' },
          { is_error: true, content: 'System has not been booted with systemd' },
        ),
        ...call('Bash', { command: 'systemctl status counter' }),
      ],
      'not finished: First make it count by user and day; failed: `sudo systemctl enable --now counter` (System has not been booted with systemd); no answer yet from: `systemctl status counter`',
    ],
    [
      'a log of a service: the text of the program in it',
      call(
        'Bash',
        { command: 'pm2 logs counter --nostream' },
        {
          content:
            '0|counter | Error: no build in the folder\n0|counter |     at ignore-listed frames\n0|counter | npm error command sh -c next start',
        },
      ),
      'not finished: First make it count by user and day; last: `pm2 logs counter --nostream` (Error: no build in the folder)',
    ],
    [
      'a table and a count: only the line with a result is shown',
      call(
        'Bash',
        { command: './count' },
        { content: 'parse.ts | 85 of 100\nat least 3 did not run' },
      ),
      'not finished: First make it count by user and day; last: `./count` (at least 3 did not run)',
    ],
    [
      'a command that the program itself answered',
      [
        agent('Counters are per user now.'),
        command('loop:loop', ''),
        localOutput('No prompt was given'),
        command('exit', ''),
      ],
      `“First make it count by user and day”: Counters are per user now. Before that: ${DONE}`,
    ],
    [
      'a placeholder instead of the words of the model',
      [...call('Read', {}, { content: 'x' }), agent('(no content)')],
      'not finished: First make it count by user and day; last: Read',
    ],
    [
      'an interruption',
      [agent('I will key the counters by user.'), ...call('Read', {}, { content: 'x' }), stopped()],
      'interrupted by the user: First make it count by user and day; “I will key the counters by user.”; last: Read',
    ],
    [
      'an interruption: also what was found before the last announced step',
      [
        agent(`The key is built without the day. ${'The reason for it is long. '.repeat(12)}`),
        ...call('Read', {}, { content: 'x' }),
        agent('Now let me count again.'),
        ...call('Read', {}, { content: 'x' }),
        stopped(),
      ],
      'interrupted by the user: First make it count by user and day; “The key is built without the day. The reason for it is long. The reason for it is long. The reason for it is long. … The reason for it is long.”; “Now let me count again.”; last: Read',
    ],
    [
      'calls after its last words, which those words may not cover',
      [
        agent('I am on main, and need another branch.'),
        ...call('Bash', { command: 'git switch -c docs' }, { content: '' }),
        ...call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' }),
        ...call('Bash', { command: 'false' }, { is_error: true, content: 'Exit code 1' }),
        ...call('Edit', { file_path: '/a/day.ts' }, { content: 'updated' }),
        ...call('Bash', { command: 'git add .' }),
      ],
      'not finished: First make it count by user and day; “I am on main, and need another branch.”; since then: 1 more call, Edit key.ts, Edit day.ts; no answer yet from: `git add .`',
    ],
    [
      'the files of a turn without words, newest first',
      [
        ...call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' }),
        ...call('Edit', { file_path: '/a/day.ts' }, { content: 'updated' }),
        ...call('Bash', { command: 'git add .' }),
      ],
      'not finished: First make it count by user and day; changed day.ts, key.ts; no answer yet from: `git add .`',
    ],
    [
      'the files that were changed before the last words, which may say that they are gone',
      [
        ...call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' }),
        agent('Both files are as they were. I will change them again.'),
        ...call('Bash', { command: 'git add .' }),
      ],
      'not finished: First make it count by user and day; “Both files are as they were. I will change them again.”; changed before these words: key.ts; no answer yet from: `git add .`',
    ],
    [
      'a single changed file, named only in its label',
      call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' }),
      'not finished: First make it count by user and day; last: Edit key.ts',
    ],
    [
      'an interruption before the first word',
      [stopped()],
      'interrupted by the user, before a reply to: First make it count by user and day',
    ],
    [
      'no reply to a yes: what the yes is about',
      [agent('The plan has 3 steps.\n\nShall I begin?'), user('yes')],
      'no reply yet to: “yes” to: The plan has 3 steps. Shall I begin?',
      [DONE, '“First make it count by user and day”: The plan has 3 steps.'],
    ],
    [
      'no reply to a yes in two words',
      [agent('The plan has 3 steps.\n\nShall I begin?'), user('yes please')],
      'no reply yet to: “yes please” to: The plan has 3 steps. Shall I begin?',
      [DONE, '“First make it count by user and day”: The plan has 3 steps.'],
    ],
    [
      'a yes that is not carried out',
      [agent('方案是用内存计数。'), user('同意'), ...call('Read', {}, { content: 'x' })],
      `not finished: “同意” to: 方案是用内存计数。; last: Read`,
      [DONE, '“First make it count by user and day”: 方案是用内存计数。'],
    ],
    [
      'no reply to a command without arguments: also what was done before',
      [agent('The plan has 3 steps.'), user('/pm:review')],
      `no reply yet to: /pm:review; before that: ${DONE}`,
      [DONE, '“First make it count by user and day”: The plan has 3 steps.'],
    ],
    ['no reply', [], 'no reply yet to: First make it count by user and day'],
    [
      'a tool call, and then nothing',
      call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' }),
      'not finished: First make it count by user and day; last: Edit key.ts',
    ],
    [
      'an open question',
      call('AskUserQuestion', QUESTIONS),
      'waiting for an answer: Where should the counters live? (Redis (recommended) / Memory)',
    ],
    [
      'a dismissed question',
      [...call('AskUserQuestion', QUESTIONS, NO), stopped(' for tool use')],
      'waiting for an answer: Where should the counters live? (Redis (recommended) / Memory)',
    ],
    [
      'a question that was answered',
      call(
        'AskUserQuestion',
        QUESTIONS,
        { content: 'x' },
        { answers: { 'Where should the counters live?': 'Memory' } },
      ),
      'the user answered, and nothing followed: Memory (asked: Where should the counters live?)',
    ],
    [
      'a call after an answer: the answer instead of the words before it',
      [
        agent('The counters can live in either of the two.'),
        ...call(
          'AskUserQuestion',
          QUESTIONS,
          { content: 'x' },
          { answers: { 'Where should the counters live?': 'Memory' } },
        ),
        ...call('Bash', { command: 'npm test' }),
      ],
      'not finished: First make it count by user and day; the user answered: Memory (asked: Where should the counters live?); no answer yet from: `npm test`',
      ['“First make it count by user and day”: The counters can live in either of the two.', DONE],
    ],
    [
      'a call after a few words',
      [agent('All tests pass.'), ...call('Bash', { command: 'git push' })],
      'not finished: First make it count by user and day; “All tests pass.”; no answer yet from: `git push`',
    ],
    [
      'a command that succeeded: the last line it printed',
      call(
        'Bash',
        { command: 'npm run deploy' },
        { content: 'up\n1 file pushed\n\nShell cwd was reset to /home/ada\n' },
      ),
      'not finished: First make it count by user and day; last: `npm run deploy` (1 file pushed)',
    ],
    [
      'an MCP tool that succeeded: the first line it returned',
      call('mcp__deploy__to_github', {}, { content: '✅ Deployed: the code is pushed.\nTook 3 s' }),
      'not finished: First make it count by user and day; last: mcp__deploy__to_github (✅ Deployed: the code is pushed.)',
    ],
    [
      'a command that only looks: not its output',
      call('Bash', { command: 'cd /home/ada && ls -la' }, { content: 'total 3 of them' }),
      'not finished: First make it count by user and day; last: `cd /home/ada && ls -la`',
    ],
    [
      'a program that failed and was changed afterwards',
      [
        ...call(
          'Bash',
          { command: 'python weather.py Oslo' },
          { content: 'Exit code 1\nSyntaxError: x', is_error: true },
        ),
        ...call('Edit', { file_path: '/home/ada/api/weather.py' }, { content: 'updated' }),
      ],
      'not finished: First make it count by user and day; failed: `python weather.py Oslo` (Exit code 1, SyntaxError: x); last: Edit weather.py',
    ],
    ['an open plan', call('ExitPlanMode', PLAN), 'waiting for a yes to the plan: Count per user'],
    [
      'a refused plan with parts, in its own file',
      [
        ...call('Write', { file_path: '/home/ada/.claude/plans/old-fox.md' }, { content: 'ok' }),
        ...call('Write', { file_path: '/home/ada/.claude/plans/lazy-fox.md' }, { content: 'ok' }),
        ...call(
          'ExitPlanMode',
          {
            plan: '# Count per user\n## Context\nx\n## Changes\n### Add a counter\n### `limit.ts`\n## Verification\ny',
          },
          NO,
        ),
        stopped(' for tool use'),
      ],
      'the plan was not accepted in this session: Count per user; its parts: Add a counter, `limit.ts`; in .claude/plans/lazy-fox.md',
    ],
    [
      'a refused plan',
      [...call('ExitPlanMode', PLAN, NO), stopped(' for tool use')],
      'the plan was not accepted in this session: Count per user',
    ],
    [
      'a plan refused with words',
      call('ExitPlanMode', PLAN, noBut('keep it global')),
      'the user refused the plan: Count per user; the user said: keep it global',
    ],
    [
      'an accepted plan',
      call('ExitPlanMode', PLAN, { content: 'User has approved your plan.' }),
      'the user accepted the plan, and nothing followed: Count per user',
    ],
    [
      'a tool that failed',
      call('Bash', { command: 'npm test' }, { is_error: true, content: 'Exit code 1\nError: x' }),
      `not finished: First make it count by user and day; failed: \`npm test\` (Exit code 1, Error: x)`,
    ],
    [
      'a tool that failed and lists the affected files below its error',
      call(
        'Bash',
        { command: 'git switch main' },
        {
          is_error: true,
          content:
            'Exit code 1\nerror: Your local changes would be overwritten by checkout:\n\tlog/a.log\n\tb.json\nPlease commit them.\nAborting',
        },
      ),
      'not finished: First make it count by user and day; failed: `git switch main` (Exit code 1, error: Your local changes would be overwritten by checkout: log/a.log, b.json)',
    ],
    [
      'a failed push, followed by calls that do not repair it',
      [
        ...call(
          'Bash',
          { command: 'git push' },
          {
            is_error: true,
            content: 'Exit code 1\nTo x\n! no\nremote: error: secret found\nerror: failed to push',
          },
        ),
        ...call('Bash', { command: 'git status' }, { content: 'M a.ts' }),
      ],
      'not finished: First make it count by user and day; failed: `git push` (Exit code 1, remote: error: secret found); last: `git status`',
    ],
    [
      'a push that failed, and then succeeded',
      [
        ...call(
          'Bash',
          { command: 'git commit -m a && git push' },
          { is_error: true, content: 'Exit code 1\nno' },
        ),
        ...call('Bash', { command: 'git -C /home/ada/api push' }, { content: 'ok' }),
        ...call('Bash', { command: 'git status' }, { content: 'M a.ts' }),
      ],
      'not finished: First make it count by user and day; went well: `git -C /home/ada/api push`; last: `git status`',
    ],
    [
      'calls that failed among others, without a word between them',
      [
        ...ran('tail log', 'Exit code 1\ntail: cannot open the log'),
        ...ran('ls runs', ''),
        ...ran('head log', 'Exit code 1\nhead: cannot open the log'),
        ...ran('cat history', 'Permission stream closed'),
      ],
      'not finished: First make it count by user and day; went well: `ls runs`; failed: `tail log` (Exit code 1, tail: cannot open the log); failed: `head log` (Exit code 1, head: cannot open the log); failed: `cat history` (Permission stream closed)',
    ],
    [
      'the same build, failing again',
      [
        ...ran('npm run build', 'Exit code 1\nError: no memory'),
        ...ran('cd web && npm run build', 'Exit code 2\nError: no type'),
      ],
      'not finished: First make it count by user and day; failed: `cd web && npm run build` (Exit code 2, Error: no type)',
    ],
    [
      'a file that was changed before a call that is still running',
      [
        ...call('Edit', { file_path: '/home/ada/api/a.ts' }, { content: 'updated' }),
        ...call('Bash', { command: 'npm test' }),
      ],
      'not finished: First make it count by user and day; changed a.ts; no answer yet from: `npm test`',
    ],
    [
      'an error of the program, after what was said and done',
      [
        agent('The limit counts by user, and the old key is gone.'),
        ...ran('npm run build', ''),
        ...ran('npm test', ''),
        failure('API Error: 500'),
      ],
      'stopped by an error: API Error: 500; asked for: First make it count by user and day; “The limit counts by user, and the old key is gone.”; since then: `npm run build`; last: `npm test`',
    ],
    [
      'a push that failed and finally succeeded as part of a longer command',
      [
        ...call('Bash', { command: 'git push' }, { is_error: true, content: 'Exit code 1\nno' }),
        ...call('Bash', { command: 'git rebase main && git push' }, { content: 'ok' }),
      ],
      'not finished: First make it count by user and day; last: `git rebase main && git push`',
    ],
    [
      'an error in a file with a very long path',
      call(
        'Bash',
        { command: 'make' },
        {
          is_error: true,
          content: `Exit code 2\n/home/ada/${'deep/'.repeat(30)}Cart.java:5: error: no such package`,
        },
      ),
      'not finished: First make it count by user and day; failed: `make` (Exit code 2, Cart.java:5: error: no such package)',
    ],
    [
      'a failed build: its error, not its first line',
      call(
        'Bash',
        { command: 'go run ./cmd/api' },
        {
          is_error: true,
          content:
            'Exit code 1\n# shop.test/api/limit\nlimit/key.go:12:3: undefined: err\nlimit/key.go:40:6: x',
        },
      ),
      'not finished: First make it count by user and day; failed: `go run ./cmd/api` (Exit code 1, limit/key.go:12:3: undefined: err)',
    ],
    [
      'a script that raised an exception: its message, not its stack',
      call(
        'Bash',
        { command: 'python3 count.py' },
        {
          is_error: true,
          content:
            'Exit code 1\n\u001b[31mTraceback (most recent call last):\u001b[0m\n  File "count.py", line 3\nKeyError: \'day\'',
        },
      ),
      "not finished: First make it count by user and day; failed: `python3 count.py` (Exit code 1, KeyError: 'day')",
    ],
    [
      'a refused push: “0 errors” is not an error',
      call(
        'Bash',
        { command: 'npm run check && git push' },
        {
          is_error: true,
          content: 'Exit code 1\nChecked 40 files, 0 errors\nremote: permission denied\n',
        },
      ),
      'not finished: First make it count by user and day; failed: `npm run check && git push` (Exit code 1, remote: permission denied)',
    ],
    [
      'a tool that was stopped',
      [
        ...call('Agent', { description: 'Look for limits' }, { is_error: true, content: STOPPED }),
        stopped(' for tool use'),
      ],
      'interrupted by the user: First make it count by user and day; stopped in: Agent: Look for limits',
    ],
    [
      'a usage limit of the program',
      [
        ...call('Read', { file_path: '/a/key.ts' }, { content: 'x' }),
        failure("You've hit your limit"),
      ],
      "stopped by an error: You've hit your limit; asked for: First make it count by user and day; last: Read key.ts",
    ],
    [
      'an error of the service, without its raw response',
      [failure('API Error: 401 {"type":"error"}')],
      'stopped by an error: API Error: 401; asked for: First make it count by user and day',
    ],
    [
      'an error of the service, with its reason',
      [failure('API Error: 400 {"error":{"message":"\\"x\\" was found twice"}}')],
      'stopped by an error: API Error: 400 "x" was found twice; asked for: First make it count by user and day',
    ],
    [
      'an error during a to-do that nobody asked for',
      [
        ...call(
          'TodoWrite',
          { todos: [{ content: 'Write a key', status: 'in_progress' }] },
          { content: 'ok' },
        ),
        failure('API Error: 401'),
      ],
      'stopped by an error: API Error: 401; asked for: First make it count by user and day; on its list: Write a key',
    ],
    [
      'an agreement to shut down, which is no work',
      [
        agent('All of the tests pass for every user.'),
        ...call('SendMessage', { type: 'shutdown_response', approve: true }, { content: 'ok' }),
      ],
      '“First make it count by user and day”: All of the tests pass for every user. Before that: “Add a rate limit”: The limit works now.',
    ],
    [
      'a custom command of the repository',
      [command('gsd:execute-phase', '14'), ...call('Read', {}, { content: 'x' })],
      `not finished: /gsd:execute-phase 14; last: Read`,
      [DONE, FIRST_ASKED],
    ],
    [
      'a prompt that was queued while the agent worked',
      [...call('Read', {}, { content: 'x' }), queued('Leave the old limit in place')],
      'no reply yet to: First make it count by user and day; then: Leave the old limit in place',
      [DONE, FIRST_ASKED],
    ],
    [
      'a recap for a user who was away, followed by the title',
      [
        agent('Counters are per user now.'),
        recap('Counting per user works. Next: the docs.'),
        title('Count per user'),
      ],
      'Counting per user works. Next: the docs.',
    ],
    [
      'a recap for a user who was away',
      [
        agent('Counters are per user now.'),
        recap('Counting per user works. Next: the docs. (disable recaps in /config)'),
      ],
      'Counting per user works. Next: the docs.',
    ],
    [
      'a recap of what was done before an interrupted request',
      [agent('Counters are per user now.'), stopped(), recap('Counting per user works.')],
      'interrupted by the user: First make it count by user and day; “Counters are per user now.”; before that: Counting per user works.',
    ],
    [
      'a recap of what was done before a refused call',
      [...call('Bash', { command: 'rm x' }, NO), recap('Counting per user works.')],
      'the user refused: `rm x`; asked for: First make it count by user and day; before that: Counting per user works.',
    ],
    [
      'a recap that names nothing from the session',
      [
        agent('Counters are per user now, in Redis.'),
        recap('The task runs in the background. Next: ask TaskGet for job_12.'),
      ],
      `“First make it count by user and day”: Counters are per user now, in Redis. Before that: ${DONE}`,
    ],
    [
      'a recap that names something from the session',
      [
        agent('Counters are per user now, in src/key.ts.'),
        recap('Counting uses src/key.ts and TaskGet. Next: the docs.'),
      ],
      'Counting uses src/key.ts and TaskGet. Next: the docs.',
      ['“First make it count by user and day”: Counters are per user now, in src/key.ts.', DONE],
    ],
    [
      'a recap whose only odd words are too short for names',
      [agent('Counters are per user now.'), recap('The N/4 counter works. Next: the docs.')],
      'The N/4 counter works. Next: the docs.',
    ],
    [
      'a recap whose hyphenated words and numbers are not names',
      [
        agent('Counters are per user now.'),
        recap('The follow-up passes 120 end-to-end checks. Next: the docs.'),
      ],
      'The follow-up passes 120 end-to-end checks. Next: the docs.',
    ],
    [
      'a recap that names the subject of a question',
      [
        ...call(
          'AskUserQuestion',
          { questions: [{ question: 'Count in src/key.ts?', options: [] }] },
          { content: 'ok' },
          { answers: { 'Count in src/key.ts?': 'yes' } },
        ),
        agent('Counters are per user now.'),
        recap('Counting is in src/key.ts. Next: the docs.'),
      ],
      'Counting is in src/key.ts. Next: the docs.',
    ],
    [
      'a finished turn, followed by a command of the program',
      [agent('Counters are per user now.'), command('exit', ''), localOutput('Bye!')],
      `“First make it count by user and day”: Counters are per user now. Before that: ${DONE}`,
    ],
    [
      'a finished turn',
      [...call('Read', {}, { content: 'x' }), agent('Counters are per user now.')],
      `“First make it count by user and day”: Counters are per user now. Before that: ${DONE}`,
    ],
    [
      'a refusal that the agent reacted to',
      [...call('Bash', { command: 'rm x' }, NO), agent('I left `x` in place.')],
      `“First make it count by user and day”: I left \`x\` in place. Before that: ${DONE}`,
    ],
  ])('%s', (_, lines, now, done = [DONE]) => {
    const summary = told(...BEFORE, ...lines)
    expect(summary?.now).toBe(now)
    // The work of the previous turn is done; its question and its next steps are dropped.
    expect(summary?.thisSession).toEqual(done)
    expect(JSON.stringify(summary)).not.toMatch(/Ready to commit|Write docs/)
  })

  test('keeps an unanswered question of the question tool with its choices, and drops an answered one', () => {
    expect(told(...BEFORE, call('AskUserQuestion', QUESTIONS))?.openQuestions).toEqual([
      'Where should the counters live? (Redis (recommended) / Memory)',
    ])
    const answered = call('AskUserQuestion', QUESTIONS, { content: 'x' }, { answers: {} })
    const summary = told(
      ...BEFORE,
      answered,
      user('Memory will do'),
      agent('Done with it, in memory.'),
    )
    expect(summary?.openQuestions).toBeUndefined()
  })

  test('drops the open to-dos of a list once the user asks for something else', () => {
    const todos = [
      { content: 'Add a limit', status: 'completed' },
      { content: 'Write docs', status: 'in_progress' },
      { content: 'Run the tests', status: 'pending' },
    ]
    const list = call('TodoWrite', { todos }, { content: 'ok' })
    const after = (prompt: string, ...lines: string[]) =>
      told(user('Add a rate limit'), list, agent('All is done.'), user(prompt), ...lines)
    const now = 'interrupted by the user, before a reply to: show me the reports of all test runs'
    expect(after('show me the reports of all test runs', stopped())?.next).toEqual([
      'Write docs',
      'Run the tests',
    ])
    const asked = after('point me to the reports of all test runs', stopped())
    expect(asked?.now).toBe(now.replace('show me', 'point me to'))
    expect(asked).toMatchObject({
      thisSession: [
        'Add a limit',
        'In brief: “Add a rate limit”.',
        'Not ticked on its list, done or not: Write docs; Run the tests',
      ],
    })
    expect(asked).not.toHaveProperty('next')
    for (const prompt of [
      'continue',
      'continue with what is still on your list now',
      'go ahead and do the rest of it, but quietly',
      'implement the plan',
      'Implement it, please.',
      'please finish the remaining tasks before we merge it',
      'yes, write the docs in French then',
      'start with the next item and tell me when it is done',
    ]) {
      expect(after(prompt, stopped())?.next, prompt).toEqual(['Write docs', 'Run the tests'])
    }
    const cut = told(user('Add a rate limit'), list, stopped(), user('no, log every call of it'))
    expect(cut?.next).toEqual(['Write docs', 'Run the tests'])
  })

  test('drops a pending to-do after other work once more is asked, unless it is in progress', () => {
    const make = (status: string) =>
      call('TodoWrite', { todos: [{ content: 'Redo the page', status }] }, { content: 'ok' })
    const edit = call('Edit', { file_path: '/home/ada/api/page.ts' }, { content: 'updated' })
    const more = [user('Let the page name all three trades of ours'), stopped()]
    const next = (...lines: (string | string[])[]) =>
      told(user('Redo the page in English'), ...lines, ...more)?.next
    expect(next(make('pending'), edit)).toBeUndefined()
    expect(next(make('in_progress'), edit)).toEqual(['Redo the page'])
    expect(next(make('pending'))).toEqual(['Redo the page'])
  })

  test('ignores the to-do list when many calls came after it', () => {
    const todos = [{ content: 'Run the tests again', status: 'in_progress' }]
    const list = call('TodoWrite', { todos }, { content: 'ok' })
    const click = call('Click', {}, { content: 'ok' })
    const summary = (prompt: string, count: number) =>
      told(user(prompt), list, Array.from({ length: count }, () => click).flat(), stopped())
    expect(summary('Finish the shop', 24)).toMatchObject({
      now: 'interrupted by the user: Run the tests again; last: Click',
      next: ['Run the tests again'],
    })
    const late = summary('Finish the shop', 25)
    expect(late).toMatchObject({ now: 'interrupted by the user: Finish the shop; last: Click' })
    expect(late?.next).toBeUndefined()
    expect(summary('yes', 25)?.now).toContain('Run the tests again')
  })

  test('keeps the question at the end of a long text, and one that the user wants to clarify', () => {
    const ask = (question: string, result?: { content: string; is_error?: boolean }) =>
      told(
        ...BEFORE,
        call('AskUserQuestion', { questions: [{ question, header: 'x', options: [] }] }, result),
      )
    const long = `${'The key is of the same kind as the one before. '.repeat(9)}Is it set?`
    expect(ask(long)?.openQuestions?.[0]).toMatch(/^The key .* Is it set\?$/)
    const talk = noBut('The user wants to clarify these questions.\nStart by asking them.')
    expect(ask('Per user?', talk)).toMatchObject({ openQuestions: ['Per user?'] })
    expect(ask('Per user?', talk)?.decisions).toBeUndefined()
  })

  test('does not count a stop behind a complete answer', () => {
    const end = JSON.parse(agent('Counters are per user now. Shall I count by day?'))
    end.message = { ...end.message, id: 'm1', stop_reason: 'end_turn' }
    const after = (...lines: (string | string[])[]) => told(...BEFORE, ...lines)
    const answered = after(JSON.stringify(end), stopped())
    expect(answered).toEqual(after(JSON.stringify(end)))
    expect(answered?.openQuestions?.[0]).toMatch(/Shall I count by day\?$/)
    // A later prompt was stopped, or the answer had not ended.
    expect(after(JSON.stringify(end), user('yes'), stopped())?.now).toMatch(/^interrupted/)
    expect(after(agent('Counters are per user now.'), stopped())?.now).toMatch(/^interrupted/)
    // It was a subagent that had ended.
    const ofSubagent = JSON.stringify({ ...end, isSidechain: true })
    expect(after(...call('Task', {}), ofSubagent, stopped())?.now).toMatch(/^interrupted/)
  })

  test('does not count an error behind a complete answer as the end of that answer', () => {
    const asked = user('Tell me how the calls are counted, in a table')
    const end = JSON.parse(agent('They are counted by user.'))
    end.message = { ...end.message, id: 'm1', stop_reason: 'end_turn' }
    const woken = user('<task-notification>\n<status>completed</status>\n</task-notification>')
    const limit = failure("You've hit your limit")
    const retried = (...lines: string[]) =>
      told(asked, ...lines, user('Tell me how the calls are counted, in a table'), limit)
    const answered = retried(JSON.stringify(end), woken, limit, limit)
    expect(answered?.now).toMatch(/^stopped by an error/)
    expect(answered?.thisSession?.[0]).toContain('They are counted by user.')
    expect(retried(agent('I look for them now.'), limit)?.thisSession).toBeUndefined()
  })

  test('names what the agent was working for beside a prompt that was typed meanwhile', () => {
    const work = [...call('Bash', { command: 'git commit' })]
    const lines = [user('Commit the counter'), queued('Leave the old limit in place'), work]
    expect(told(...lines)?.now).toBe(
      'not finished: Commit the counter; then: Leave the old limit in place; no answer yet from: `git commit`',
    )
  })

  test('takes the next step from a recap', () => {
    const words = [
      agent('Counters are per user now.'),
      recap('It counts per user. Next: the docs.'),
    ]
    expect(told(...BEFORE, ...words)?.next).toEqual(['the docs'])
    expect(told(...BEFORE, ...words, user('thanks'))?.next).toBeUndefined()
  })

  test('keeps a question that the agent wants to discuss in words after it', () => {
    const questions = [{ question: 'Per user?', header: 'x', options: [{ label: 'Yes' }] }]
    const talk = noBut('The user wants to clarify these questions.\nStart by asking them.')
    const asked = call('AskUserQuestion', { questions }, talk)
    const asks = (...lines: (string | string[])[]) => told(...BEFORE, ...lines)?.openQuestions
    const words = agent('Happy to think about it again.')
    expect(asks(asked, words)).toEqual(['Per user? (Yes)'])
    expect(asks(asked, words, recap('It counts.'))).toEqual(['Per user? (Yes)'])
    expect(
      asks(
        asked,
        agent('I count per user.'),
        call('Write', { file_path: '/w/a.ts' }, { content: 'ok' }),
        words,
      ),
    ).toBeUndefined()
    expect(asks(asked, user('per user, then'), words)).toBeUndefined()
  })

  test('treats the output of a program command as the answer to that command only', () => {
    const asked = user('Count by user and day, and make sure it works')
    const failed = user('<local-command-stderr>No prompt was given</local-command-stderr>')
    const now = 'no reply yet to: Count by user and day, and make sure it works'
    expect(nowOf(asked, command('loop:loop', ''), failed)).toBe(now)
    expect(nowOf(asked, command('context', ''), localOutput('10 %'))).toBe(now)
    const own = entriesOf(
      command('review-page', 'checkout'),
      command('model', ''),
      localOutput('x'),
    )
    expect(own).toMatchObject([{ kind: 'prompt', text: '/review-page checkout' }])
  })

  test('relates “continue” to the earlier request, not to another “continue” or to a command', () => {
    const asked = user('Count by user and day, and make sure it works')
    const now = nowOf(asked, user('continue'), command('loop:loop', ''), user('continue'))
    expect(now).toBe(
      'no reply yet to: “continue” to: Count by user and day, and make sure it works',
    )
  })

  test('shows what a yes agrees to', () => {
    const plan = agent('I do it.\n\n**Plan:**\n- Key by user\n- Drop the table\n\nOk to go?')
    expect(nowOf(user('Count per user, please'), plan, user('yes'))).toBe(
      'no reply yet to: “yes” to: Plan: Key by user; Drop the table. Ok to go?',
    )
  })

  test('names an interrupted to-do, which is also next', () => {
    const todos = [{ content: 'Key by user', status: 'in_progress', activeForm: 'x' }]
    expect(
      told(...BEFORE, call('TodoWrite', { todos }, { content: 'ok' }), stopped()),
    ).toMatchObject({
      now: 'interrupted by the user: Key by user',
      next: ['Key by user'],
    })
  })

  test('ignores the tool calls of a subagent', () => {
    const side = JSON.stringify({
      type: 'assistant',
      isSidechain: true,
      message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }] },
    })
    expect(nowOf(user('Do it, please, now'), agent('It is fixed.'), side)).toBe('It is fixed.')
  })

  test('forgets the message and questions of the previous turn when a turn starts', () => {
    const idle = withLastMessage({ ...fresh(), phase: 'idle' }, 'Ready to commit?', ['Ready?'])
    const { state } = applyTransition(idle, { type: 'turn_start' }, { at: '2026-01-01T00:00:00Z' })
    expect([state.lastMessage, state.questions]).toEqual([undefined, []])
    const ended = applyTransition(idle, { type: 'session_end' }, { at: '2026-01-01T00:00:00Z' })
    expect(ended.state.questions).toEqual(['Ready?'])
  })
})

describe('decisions', () => {
  const decisions = (...lines: (string | string[])[]) => told(...lines)?.decisions

  test('records an answer to a question, from its fields or from its sentence', () => {
    const value = { answers: { 'Where should the counters live?': 'Memory' } }
    const expected = [{ key: 'storage', value: 'Memory (asked: Where should the counters live?)' }]
    expect(decisions(call('AskUserQuestion', QUESTIONS, { content: 'x' }, value))).toEqual(expected)
    const content =
      'User has answered your questions: "Where should the counters live?"="Memory". You can now continue with the user\'s answers in mind.'
    expect(decisions(call('AskUserQuestion', QUESTIONS, { content }))).toEqual(expected)
    const quoted = 'A "map" of its own, "counters", and no more'
    const notes = content.replace('Memory"', `${quoted}" user notes: the "old" one is full`)
    for (const one of [content.replace('Memory', quoted), notes]) {
      expect(decisions(call('AskUserQuestion', QUESTIONS, { content: one }))).toEqual([
        { key: 'storage', value: `${quoted} (asked: Where should the counters live?)` },
      ])
    }
    const why = { question: 'Why?', header: 'Why', options: [{ label: 'Speed' }] }
    const two = { questions: [...QUESTIONS.questions, why] }
    const both = content.replace(
      'Memory"',
      `Memory" selected preview:\n"a", "Why?"="A "quick" one"`,
    )
    expect(
      decisions(call('AskUserQuestion', two, { content: both }))?.map(({ value }) => value),
    ).toEqual(['Memory (asked: Where should the counters live?)', 'A "quick" one (asked: Why?)'])
    const next = content.replace('Memory"', `${quoted}", "Why?"="Speed"`)
    expect(decisions(call('AskUserQuestion', two, { content: next }))?.[0]?.value).toContain(
      `${quoted} (`,
    )
    expect(decisions(call('AskUserQuestion', QUESTIONS, noBut('Memory')))).toEqual(expected)
  })

  test("records an accepted plan, and the user's words about a refused one", () => {
    expect(
      decisions(call('ExitPlanMode', PLAN, { content: 'User has approved your plan.' })),
    ).toEqual([{ key: 'plan', value: 'Count per user' }])
    expect(decisions(call('ExitPlanMode', PLAN, noBut('keep it global')))).toEqual([
      { key: 'not-as-planned-count-per-user', value: 'keep it global' },
    ])
    expect(decisions(call('ExitPlanMode', PLAN, NO))).toBeUndefined()
    const plan = { plan: 'Change the counter:\n\n- key by user\n- log it' }
    expect(decisions(call('ExitPlanMode', plan, { content: 'approved' }))).toEqual([
      { key: 'plan', value: 'Change the counter: key by user; log it' },
    ])
  })

  test('ignores answers that leave the choice to the agent or steer the session', () => {
    const answer = (question: string, text: string) =>
      call(
        'AskUserQuestion',
        { questions: [{ question, header: 'x', options: [{ label: text }, { label: 'b' }] }] },
        { content: 'x' },
        { answers: { [question]: text } },
      )
    expect(decisions(answer('Per user?', 'You decide'))).toBeUndefined()
    expect(decisions(answer('Per user?', 'hmm, that depends'))).toBeUndefined()
    expect(decisions(answer('Per user?', 'could you explain how they differ'))).toBeUndefined()
    expect(decisions(answer('Per user?', 'Where would it be kept then?'))).toBeUndefined()
    expect(decisions(answer('Per user?', 'Is that not slow? Per address.'))).toHaveLength(1)
    expect(
      decisions(answer('More questions, or move to the next area?', 'Next area')),
    ).toBeUndefined()
    expect(decisions(answer('Which step would you like me to start with?', 'b'))).toBeUndefined()
    expect(decisions(answer('Per user?', 'Next to the address'))).toHaveLength(1)
  })

  test('treats few free-text answers as a choice when the question offers no options', () => {
    const choices = (answer: string, options: string[] = []) =>
      choicesIn([{ kind: 'question', question: { about: 'key', text: 'Which?', options, answer } }])
    expect(choices('The secondary one')).toHaveLength(1)
    const long = 'there is no such menu in this release'
    for (const answer of ['2', 'I approve', long]) expect(choices(answer), answer).toEqual([])
    expect(choices(long, ['Menu', 'Key'])).toHaveLength(1)
  })

  test('records the option that a prompt names by its letter or number', () => {
    const table = '| Option | Description |\n|---|---|\n| A | A map |\n| B | A file, `a.db` |'
    const recommended = `**Recommended:** Option A - it is small.\n\n${table}\n\nReply with a letter.`
    expect(decisions(user('Plan it'), agent(recommended), user('B.'))).toEqual([
      { key: 'a-file-a-db', value: 'A file, `a.db` (rather than A map)' },
    ])
    const asked = 'Where should it live?\n1. In a map\n2. In a **file**: slower'
    const expected = {
      key: 'where-should-it-live',
      value: 'In a file: slower (asked: Where should it live?)',
    }
    expect(decisions(user('Plan it'), agent(asked), user('2'))).toEqual([expected])
    const below = `Two ways:\n${asked.replace(/.*\n/, '')}\n\nWhich one do you prefer?`
    expect(decisions(user('Plan it'), agent(below), recap('It waits.'), user('1'))).toEqual([
      { key: 'which-one-do-you-prefer', value: 'In a map (asked: Which one do you prefer?)' },
    ])
    const lines = entriesOf(user('Plan it'), agent(asked), user('2'), agent('It is a file.'))
    expect(choicesIn(lines.slice(2), lines)).toEqual([expected])
  })

  test.each([
    ['a menu', 'To-dos:\n1. The map\n2. The file\n\nReply with a number to see it.', '2'],
    ['an offer of more work', 'If you want, I can:\n1. Run it\n2. Push it', '1'],
    ['what to do next', 'What would you like me to do next?\n1. Run it\n2. Push it', '1'],
    ['steps', 'Did the tests pass for you?\n1. Open the page\n2. Click it', '1'],
    ['two lists', 'Where?\nA. A map\nB. A file\n\nWhen?\nA. Now\nB. Later', 'B'],
    ['a number that is no option', 'How many files?\n1. Few\n2. Many', '7'],
    ['more than its name', 'Where?\nA. A map\nB. A file', 'B, A'],
  ])('records no option of %s', (_, message, reply) => {
    expect(decisions(user('Plan it'), agent(message), user(reply))).toBeUndefined()
  })

  test('lets a free-text answer that is no choice replace an earlier answer', () => {
    const asked = (answer: string, options: string[]) => ({
      kind: 'question' as const,
      question: { about: 'installer', text: 'Which?', options, answer },
    })
    const later = asked('take the one that lies in the root of the repository', [])
    expect(choicesIn([asked('the web', ['the web', 'a file']), later])).toEqual([])
  })

  test('keeps the last of two answers, and records nothing for open questions', () => {
    const answer = (text: string) =>
      call(
        'AskUserQuestion',
        QUESTIONS,
        { content: 'x' },
        { answers: { 'Where should the counters live?': text } },
      )
    expect(decisions(answer('Memory'), answer('Redis'), agent('ok, Redis'))).toEqual([
      { key: 'storage', value: 'Redis (asked: Where should the counters live?)' },
    ])
    expect(
      decisions(call('AskUserQuestion', QUESTIONS), call('ExitPlanMode', PLAN)),
    ).toBeUndefined()
  })
})

describe('the test is the last command that ran tests and passed', () => {
  const testOf = (command: string, content: string, input = {}, isError = false) =>
    told(call('Bash', { command, ...input }, { content, is_error: isError }))?.test

  test.each([
    ['npm test', 'ok', 'npm test'],
    ['node Test.js', '42 passed', 'node Test.js'],
    ['node test/all.test.mjs', 'x', 'node test/all.test.mjs'],
    ['node contest.js', 'x', undefined],
    ['node test-data.mjs', 'x', undefined],
    ['node ./run-tests.js', 'x', 'node ./run-tests.js'],
    [
      'cd /home/ada/api && npm run test:unit 2>&1 | tail -5',
      'Tests  42 passed (42)',
      'npm run test:unit',
    ],
    ['CI=1 npx vitest run test/a.test.ts', 'x', 'CI=1 npx vitest run test/a.test.ts'],
    ['go build ./... && go test ./...', 'ok  \tapi\t2.2s\n', 'go test ./...'],
    ['python -m pytest -q | tail -3', '3 passed in 0.1s', 'python -m pytest -q'],
    ['python test_model.py', 'x', 'python test_model.py'],
    ['python3 scripts/key_test.py', 'x', 'python3 scripts/key_test.py'],
    ['python latest.py', 'x', undefined],
    ['mise run test && mise run lint', 'ok  \tapi/cli\t2s', 'mise run test'],
    ['cargo test; echo done', 'test result: ok. 3 passed; 0 failed', 'cargo test'],
    ['(cd web && npm test -- -t "a; b")', 'ok', 'npm test -- -t "a; b"'],
    // Not known to have passed.
    ['npm test &', 'x', undefined],
    ['npm test | tail -3', 'x', undefined],
    ['npm test || true', 'Tests  1 failed | 41 passed', undefined],
    ['pytest', 'Traceback (most recent call last):\n  KeyError', undefined],
    ['go test ./... | head', 'ok\tapi\n--- FAIL: TestLimit', undefined],
    ['go test -run Nothing ./...', 'ok  \tapi\t0.1s [no tests to run]', undefined],
    // No tests.
    ['npm install test', 'ok', undefined],
    ['git commit -m "run npm test"', 'ok', undefined],
    ['echo "a && npm test"', 'ok', undefined],
    ["cat <<'EOF' > quickstart.md\nnpm test\nEOF", 'ok', undefined],
    ['cat > a.md <<EOF && echo\nnpm test\n', 'ok', undefined],
    ['cat <<EOF > a.md\nx\nEOF\nnpm test', '3 passed', 'npm test'],
    ['wc -w <<<words; echo $((1<<3))\nnpm test', '3 passed', 'npm test'],
  ])('%s (%s)', (command, output, expected) => {
    expect(testOf(command, output)).toBe(expected)
  })

  test('keeps the last passing test run, ignoring failed and background runs', () => {
    expect(testOf('npm test', 'Exit code 1', {}, true)).toBeUndefined()
    expect(testOf('npm test', 'ok', { run_in_background: true })).toBeUndefined()
    const passed = call('Bash', { command: 'npm test' }, { content: 'ok' })
    const failed = call('Bash', { command: 'go test ./...' }, { content: 'FAIL', is_error: true })
    expect(told(passed, failed)?.test).toBe('npm test')
  })
})

test('reports how many tests passed or that they failed, unless a turn already does', () => {
  const ran = (content: string) => call('Bash', { command: 'npm test' }, { content })
  const output = ' Test Files  3 passed (3)\n      Tests  42 passed (42)\n   Duration  1 s'
  const done = (...lines: (string | string[])[]) =>
    told(user('Count by user'), ...lines)?.thisSession
  expect(done(ran(output), agent('It counts.'))).toEqual(['npm test: 42 passed'])
  expect(done(ran('12 passing (1s)'), agent('It counts.'))).toEqual(['npm test: 12 passing'])
  for (const [output, told] of [
    ['Tests:       42 passed, 42 total\nSnapshots:   5 passed, 5 total', ['npm test: 42 passed']],
    ['120 passed; 0 failed\n1 passed; 0 failed', undefined],
    ['1,234 tests passed', undefined],
    ['ok', undefined],
  ] as const) {
    expect(done(ran(output), agent('It counts.')), output).toEqual(told)
  }
  const broken = call('Bash', { command: 'npm test' }, { is_error: true, content: 'Exit code 1' })
  const failed = ['Tests did not pass when they last ran: npm test (Exit code 1)']
  expect(done(ran(output), broken, agent('It counts.'))).toEqual(failed)
  expect(done(broken, ran(output), agent('It counts.'))).toEqual(['npm test: 42 passed'])
  // The command succeeded: its log reports failures that were intended.
  const noisy = 'Task 2 failed: x\n 13 pass\n 0 fail'
  expect(done(ran(noisy), agent('It counts.'))).toEqual(['npm test: 13 pass'])
  const cut = (content: string) => call('Bash', { command: 'npm test 2>&1 | tail -5' }, { content })
  expect(done(cut('Tests  1 failed | 41 passed'), agent('It counts.'))).toEqual([
    'Tests did not pass when they last ran: npm test (Tests 1 failed | 41 passed)',
  ])
  expect(done(cut(noisy), agent('It counts.'))).toEqual(['npm test: 13 pass'])
  const piped = { command: 'python test_key.py 2>&1 | tail -5' }
  const trace = call('Bash', piped, {
    content: "Traceback (most recent call last):\nKeyError: 'a'",
  })
  expect(done(trace, agent('It counts.'))).toEqual([
    "Tests did not pass when they last ran: python test_key.py (KeyError: 'a')",
  ])
  // Which command of a chain failed is unknown, and a run that timed out did not fail.
  const fails = (command: string, content: string) =>
    done(call('Bash', { command }, { is_error: true, content }), agent('It counts.'))
  expect(fails('cd api && npm test', 'Exit code 1')).toHaveLength(1)
  expect(fails('npm test && git push', 'Exit code 1')).toBeUndefined()
  expect(fails('npm run build && npm test', 'Exit code 2')).toBeUndefined()
  expect(fails('npm test', 'Command timed out after 2m')).toBeUndefined()
  // A run without a result has no outcome; a session that ends during the work reports a failure in
  // `now`.
  const waits = call('Bash', { command: 'npm test' })
  expect(done(waits, agent('It counts.'))).toBeUndefined()
  expect(done(broken)).not.toEqual(expect.arrayContaining(failed))
  const edit = call('Edit', { file_path: '/a/key.ts' }, { content: 'updated' })
  expect(done(ran(output), edit, agent('It counts.'))).toEqual([
    'npm test: 42 passed, before the last changes',
  ])
  const page = call('Edit', { file_path: '/a/key.md' }, { content: 'updated' })
  expect(done(ran(output), page, agent('It counts.'))?.[0]).toBe('npm test: 42 passed')
  const work = [edit, ran(output), agent('All 42 tests of it pass now.')]
  const next = [user('Rename the page of the shop'), edit, agent('It is renamed.')]
  expect(done(...work, ...next)).toEqual(['“Count by user”: All 42 tests of it pass now.'])
  // The number alone may count anything.
  const other = [edit, ran('3 passed'), agent('The page keeps its ratio of 4:3. The tests pass.')]
  expect(done(...other, ...next)?.at(-1)).toBe('npm test: 3 passed, before the last changes')
})

test('omits a completed to-do to test something when nothing ran', () => {
  const todos = ['Count by user', 'Test the counter'].map((content) => ({
    content,
    status: 'completed',
  }))
  const list = call('TodoWrite', { todos }, { content: 'ok' })
  const done = (...lines: string[][]) =>
    told(user('Count by user'), list, ...lines, agent('It counts.'))?.thisSession
  expect(done()).toEqual(['Count by user'])
  const ran = call('Bash', { command: './counter --dry-run' }, { content: 'ok' })
  expect(done(ran)).toEqual(['Count by user', 'Test the counter'])
  const failed = call('Bash', { command: './counter' }, { is_error: true, content: 'Exit code 1' })
  expect(done(failed)).toEqual(['Count by user', 'Test the counter'])
  // To-dos that only sound like tests.
  const names = ['Validate addresses', 'Verify signatures of webhooks', 'Test fixtures for forms']
  const features = names.map((content) => ({ content, status: 'completed' }))
  const made = call('TodoWrite', { todos: features }, { content: 'ok' })
  expect(told(user('Add the form'), made, agent('It is in.'))?.thisSession).toEqual(names)
})

test('omits a completed to-do that the last words deny', () => {
  const todos = ['Run real counts on the data', 'Add a counter'].map((content) => ({
    content,
    status: 'completed',
  }))
  const list = call('TodoWrite', { todos }, { content: 'ok' })
  const done = (...said: string[]) =>
    told(user('Count by user'), list, agent('It is in.'), ...said)?.thisSession
  const both = ['Run real counts on the data', 'Add a counter']
  expect(done(agent('There are no real counts of that data yet.'))).toEqual(['Add a counter'])
  expect(done(agent('The real counts on data could not be run.'))).toEqual(['Add a counter'])
  // Words about something else, or about a fault that is fixed.
  expect(done(agent('There is no page for it yet.'))).toEqual(both)
  expect(done(agent('Real counts of data cannot be lost any more.'))).toEqual(both)
})

describe('a list whose items are all done', () => {
  const list = (...statuses: string[]) =>
    call(
      'TodoWrite',
      { todos: statuses.map((status, i) => ({ content: `Do ${i}`, status })) },
      { content: 'ok' },
    )

  test('leaves nothing next, and drops the items of a replaced list', () => {
    expect(told(list('completed', 'completed'), agent('All is there.'))?.next).toEqual([])
    expect(told(list('completed', 'pending'), agent('Half of it.'))?.next).toEqual(['Do 1'])
    expect(told(list('pending', 'pending'), list('completed'), agent('x y'))?.next).toEqual([])
    expect(told(agent('There was no list.'))?.next).toBeUndefined()
  })

  test('does not say that nothing is left if the session ended in the middle of its work', () => {
    const open = call('Bash', { command: 'git push' })
    const said = told(list('completed'), agent('It is in.'), user('Push it'), ...open)
    expect(said?.now).toMatch(/^not finished/)
    expect(said?.next).toBeUndefined()
  })

  test('excludes completed items from next when the list repeats them, even if they are not shown', () => {
    const items = Array.from({ length: 10 }, (_, i) => `Do ${i}`)
    const todos = [
      ...items.map((content) => ({ content, status: 'completed' })),
      ...items.map((content) => ({ content, status: 'pending' })),
    ]
    const said = told(
      user('Rename the parser'),
      ...call('Edit', { file_path: '/home/ada/api/src/key.ts' }, { content: 'updated' }),
      agent('The parser is called reader now.'),
      user('Do the ten'),
      call('TodoWrite', { todos }, { content: 'ok' }),
      agent('No work is left.'),
    )
    expect(said?.thisSession).not.toContain('Do 0')
    expect(said?.next ?? []).toEqual([])
  })
})

test('takes the session title of the program as the goal when the first prompt names no task', () => {
  const named = [title('New coding session'), title('Count requests'), title('Count per user')]
  const goal = (...lines: string[]) =>
    summarizeTurn({ ...NO_WORK, ledgerHasGoal: false, entries: entriesOf(lines) })?.goal
  expect(goal(user('it is fine'), agent('Nobody counts them.'), ...named)).toBe('Count per user')
  expect(goal(user('Add a counter'), agent('There is one.'), ...named)).toBe('Add a counter')
  expect(goal(user('who?'), agent('Nobody counts.'), title('\u200b'))).toBeUndefined()
  expect(goal(...named)).toBeUndefined()
})

test('takes the title of a plan as the goal, however short, and nothing from an untitled plan', () => {
  const goal = (plan: string) =>
    summarizeTurn({
      ...NO_WORK,
      ledgerHasGoal: false,
      entries: entriesOf(
        user(`Implement the following plan:\n\n${plan}`),
        agent('It is in place.'),
      ),
    })?.goal
  expect(goal('# Plan: Rate limiting\n\n- by user')).toBe('Rate limiting')
  expect(goal('# OAuth login\n\nWe want it.')).toBe('OAuth login')
  expect(goal('# Implementation Plan\n\n- by user')).toBeUndefined()
  expect(goal('')).toBeUndefined()
})

test('ignores an invisible reason for a refusal and a question without words', () => {
  expect(
    nowOf(user('Remove the branch'), call('Bash', { command: 'rm x' }, noBut('\u202e\u200b'))),
  ).toBe('the user refused: `rm x`; asked for: Remove the branch')
  const asked = call('AskUserQuestion', { questions: [{ question: ' ', options: [] }] })
  expect(told(user('Remove the branch'), asked)?.openQuestions).toBeUndefined()
})

test('keeps only the end of an extremely long question', () => {
  const question = `${'So. '.repeat(25_000)}Which one?`
  const asked = call('AskUserQuestion', { questions: [{ question, options: [] }] })
  const [open = ''] = told(user('Remove the branch'), asked)?.openQuestions ?? []
  expect(open).toMatch(/^So\. .* So\. Which one\?$/)
  expect(open.length).toBeLessThanOrEqual(300)
})

// As long as a text in a transcript can be. When each line was compared with all others, this took
// a minute.
const LONG_TEXTS = ['- a\n', 'a?\n', '## a\n', '1. ', ' ', '```\na\n```\nb\n']
test.each(sampleOf(LONG_TEXTS, 3))('reads a long text of %j', (sign) => {
  const text = `a${sign.repeat(16_000 / sign.length)}z`
  expect(
    told(user(text), call('Write', { file_path: 'a.ts' }, { content: 'ok' }), agent(text)),
  ).toBeDefined()
})

test('what an earlier turn asked the user to hand over is no step', () => {
  const asks = (words: string) =>
    told(
      user('Help me to use the code of that repository'),
      ...call('Read', {}, { content: 'x' }),
      agent(`It is installed.\n\n${words}`),
      user('https://example.invalid/a/b'),
      agent('It translates pictures in both directions.'),
    )?.next
  expect(asks('Just paste the link directly into the chat here.')).toBeUndefined()
  expect(asks('Run `npm start`.')).toEqual(['Run `npm start`.'])
})
