/** Last messages as agents write them, and which of their parts help the next agent. */

import { describe, expect, test } from 'vitest'
import { SUMMARY_LIMITS } from '../../../src/core/message/items.ts'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { agent, call, entriesOf, NO_WORK, user } from './endings.ts'

function summary(lastMessage: string) {
  return summarizeTurn({
    entries: [],
    untold: [],
    todos: undefined,
    commits: [],
    files: [],
    tops: [],
    lastMessage,
    questions: [],
    firstPrompt: undefined,
    ledgerHasGoal: true,
  })
}
const now = (message: string) => summary(message)?.now

describe('where things stand', () => {
  test('removes headings and bold, and keeps whole sentences', () => {
    const message = `Perfect! All 42 tests pass.

## Summary

**What changed:**

The total counts **discounts** now (see [the docs](https://example.invalid/a_(b))).

- \`report.ts\` uses the same function
- \`cart.ts\` lost its copy

| File | Lines |
| --- | --- |
| cart.ts | -12 |`
    expect(now(message)).toBe(
      'Perfect! All 42 tests pass. What changed: The total counts discounts now (see the docs (https://example.invalid/a_(b))). `report.ts` uses the same function; `cart.ts` lost its copy',
    )
  })

  test('leaves out whole sentences that do not fit, and cuts a sentence that is too long', () => {
    const long = `${'word '.repeat(80).trim()}.`
    expect(now(`The parser works now. ${long} ${long}`)).toBe(`The parser works now. ${long} …`)
    expect(now(`The parser works now. ${long} ${long} It is fast, too.`)).toBe(
      `The parser works now. ${long} … It is fast, too.`,
    )
    const cut = now(`${'word '.repeat(200)}end.`) ?? ''
    expect(cut).toMatch(/^(?:word )+word…$/)
    expect(cut.length).toBeLessThanOrEqual(SUMMARY_LIMITS.now)
  })

  test('keeps what each paragraph begins with before the rest of the first one', () => {
    const because = 'The reason for this is not easy to see. '.repeat(20)
    const cause = `**Cause:** The parser read the head of the file twice. ${because}`
    const fix = `**Fix:** The head is read once. ${because}`
    const line = now(`Done. It works again.\n\n${cause}\n\n${fix}\n\nThe tests pass.`)
    expect(line).toMatch(
      /^Done\. It works again\. Cause: The parser read the head of the file twice\. /,
    )
    expect(line).toContain(' … Fix: The head is read once. … The tests pass.')
    expect(line?.length).toBeLessThanOrEqual(SUMMARY_LIMITS.now)
  })

  describe('what went wrong takes precedence over what did not', () => {
    const STEPS = Array.from(
      { length: 12 },
      (_, i) => `Step ${i} of the move of the parser into its own package is done and looks right.`,
    )
    const [start = '', ...others] = STEPS
    const told = (...trouble: string[]) =>
      now([start, ...others.slice(0, 8), ...trouble, ...others.slice(8)].join(' ')) ?? ''

    test.each([
      'The build fails on Windows.',
      'I could not run the tests here.',
      "I haven't run the migration.",
      'Tests not run (docs only).',
      'The new branch is not yet pushed.',
      'It does not work offline.',
      'The push was rejected by the server.',
      'The deploy is blocked by the missing key.',
      'The old importer is untested.',
      '测试失败。',
      'Le test a échoué.',
    ])('%s', (trouble) => {
      const line = told(trouble)
      expect(line).toContain(start)
      expect(line).toContain(` … ${trouble} … `)
      expect(line.endsWith(others.at(-1) ?? '')).toBe(true)
      expect(line.length).toBeLessThanOrEqual(SUMMARY_LIMITS.now)
    })

    test.each([
      'I fixed the total that was not rounded.',
      'There are no failures left.',
      'It says so when a file cannot be read.',
      'All tests pass with 0 failures.',
      'The direction is not a build on top of it.',
      'A row names a lock, lost data, or a power failure.',
    ])('does not treat as trouble: %s', (other) => {
      expect(told(other)).not.toContain(other)
    })

    test('keeps the newest of many problems, within a third of the space', () => {
      const trouble = others.map((_, i) => `Case ${i} of the old importer cannot be read any more.`)
      const line = told(...trouble)
      expect(line).toContain(trouble.at(-1))
      expect(line).not.toContain(trouble[5])
      expect(line.match(/cannot/g)?.length).toBeLessThan(6)
      expect(line).toContain(others[0])
    })

    test('names a problem once, and shows no gap between it and a sentence that is shown anyway', () => {
      const trouble = 'The build fails on Windows.'
      expect(now(`${start} ${trouble} ${others.join(' ')}`)?.split(trouble)).toHaveLength(2)
      const line = now([start, others[0], others[1], trouble, ...others.slice(2)].join(' '))
      expect(line).toContain(`${others[1]} ${trouble} `)
    })

    test('leaves out an item, a title and a sentence that is too long, but not a problem before them', () => {
      const trouble = 'The build fails on Windows.'
      const long = `It was blocked ${'again and again '.repeat(20)}by it.`
      const names = others.map(
        (_, i) => `- The old name ${i} of the parser that was moved did not exist`,
      )
      const list = `\n\n**On failure:**\n\n${names.join('\n')}\n\n`
      const line = now(`${STEPS.slice(0, 8).join(' ')} ${trouble} ${long}${list}${STEPS.join(' ')}`)
      expect(line).toContain(` … ${trouble} … `)
      expect(line).not.toMatch(/On failure|did not exist|It was blocked/)
    })

    test('keeps a problem after a first sentence that is cut', () => {
      const line = now(
        `${'word '.repeat(200)}end. The build fails on Windows. That is all there is.`,
      )
      expect(line).toMatch(/^(?:word )+ ?… The build fails on Windows\. That is all there is\.$/)
    })
  })

  test.each([
    ['Done.', 'Done.'],
    ['Let me run the tests:', 'Nothing followed its last words: “Let me run the tests:”'],
    [
      'The cache is stale. Let me clear it:',
      'The cache is stale. Nothing followed its last words: “Let me clear it:”',
    ],
    [
      "Here's the new message:\n\n```\nfix: count discounts\n\nLong body\n```\n",
      "Here's the new message: fix: count discounts Long body",
    ],
    ['I added a field:\n```ts\nconst x = {\n```', 'I added a field: `const x = {`'],
    [
      "Here's a summary of the changes:\n\n- Added a flag\n- Removed `x`",
      "Here's a summary of the changes: Added a flag; Removed `x`",
    ],
    [
      "Here's what was fixed:\n\n| # | Fix |\n|---|-----|\n| 1 | Totals |\n| 2 | Tests |",
      "Here's what was fixed: 1 - Totals 2 - Tests",
    ],
    ['## Fixed the parser', 'Fixed the parser'],
    ['```\nonly code\n```', 'only code'],
    ['👍', '👍'],
    ['> quoted words', 'quoted words'],
    ['修正しました。次はテストです。', '修正しました。 次はテストです。'],
    ['Version 1.10.2 of foo.ts is out', 'Version 1.10.2 of foo.ts is out'],
    ['a\u202eb\u0007c\u200bd\u{e0041}e', 'ab cde'],
  ])('%j', (message, expected) => {
    expect(now(message)).toBe(expected)
  })

  test('does not treat the options of a question as results of the text above', () => {
    const message =
      '**Two modules are done:**\n\n| file | what |\n| --- | --- |\n| a.ts | reads |\n\n' +
      '**Which of these is the next one?**\n\n1. A page for the editors\n2. A script for the release\n'
    expect(now(message)).not.toMatch(/done: A page/)
    expect(summary(message)?.openQuestions?.join()).toContain(
      'A page for the editors / A script for the release',
    )
  })

  test('says that a message which only asks a question is waiting for an answer', () => {
    expect(summary('Should the limit be per user or per team?')).toEqual({
      now: 'waiting for an answer: Should the limit be per user or per team?',
      openQuestions: ['Should the limit be per user or per team?'],
    })
    expect(summary('Anything else?')).toEqual({ now: 'Anything else?' })
  })
})

test('shows the work before an aside in the remaining space, or in half of the space', () => {
  const work = agent(
    `The limit holds for all users. ${'It was tried with many keys of many users. '.repeat(20)}`,
  )
  const edit = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
  const nowOf = (answer: string, ...asked: string[]) => {
    const aside = asked.length > 0 ? asked : [user('what is a key?')]
    const lines = [user('Add a limit to the API'), edit, work, ...aside, agent(answer)]
    const entries = entriesOf(...lines)
    return summarizeTurn({ ...NO_WORK, entries, untold: entries })?.now ?? ''
  }
  const short = nowOf('A key is a name.')
  expect(short).toMatch(/A key is a name\. Before that: “Add a limit to the API”: The limit holds/)
  expect(short.length).toBeGreaterThan(SUMMARY_LIMITS.now - 100)
  expect(short.length).toBeLessThanOrEqual(SUMMARY_LIMITS.now)
  const long = `A key is a name. ${'It names one of the users of it. '.repeat(20)}`
  expect(nowOf(long)).toMatch(
    /A key is a name\. .* Before that: “Add a limit to the API”: The limit/,
  )
  expect(nowOf(long).length).toBeLessThanOrEqual(SUMMARY_LIMITS.now)
  // A result that was found with a command, or for another request, is where things stand.
  const looked = call('Bash', { command: 'npm ls' }, { content: 'ok' })
  expect(nowOf(long, user('what is a key?'), ...looked)).not.toMatch(/Before that/)
  expect(nowOf(long, user('explain the keys of the users'))).not.toMatch(/Before that/)
})

test.each(['Next steps', 'Prochaines étapes', '下一步'])(
  'an earlier turn says what it left undone, but not what it proposed below %s',
  (title) => {
    const edit = call('Edit', { file_path: '/home/ada/api/src/limit.ts' }, { content: 'updated' })
    const left =
      'The limit holds for all users. You need to rotate the old key.\n\nNot done:\n- The docs\n\n## NEXT\n- Count by user'.replace(
        'NEXT',
        title,
      )
    const lines = [
      user('Add a rate limit'),
      ...edit,
      agent(left),
      user('Rename the parser to reader'),
      ...edit,
      agent('The parser is called reader now, in all of its files.'),
    ]
    const entries = entriesOf(...lines)
    const said = summarizeTurn({ ...NO_WORK, entries, untold: entries })
    expect(said?.thisSession).toContain(
      '“Add a rate limit”: The limit holds for all users. You need to rotate the old key. Not done: The docs',
    )
    expect(said?.next).toBeUndefined()
  },
)

describe('questions', () => {
  const questions = (message: string) => summary(message)?.openQuestions

  test('keeps questions to the user; drops rhetorical questions, quoted prompts and polite phrases', () => {
    expect(
      questions(`I found the bug. Why did it pass before? Because the test was skipped.

\`\`\`
Are you sure? [y/N]
\`\`\`

| Question? | x? |

1. Should I **delete** the old flag?
2. Keep it for one release?

Would you like me to commit this?
Is there anything else I can help you with?`),
    ).toEqual([
      'Should I delete the old flag?',
      'Keep it for one release?',
      'Would you like me to commit this?',
    ])
  })

  test('keeps a question about what the user knows; drops one that asks whether an explanation was clear', () => {
    for (const open of [
      'Do you understand the old migration format?',
      'Did that follow the spec?',
    ]) {
      expect(summary(`The key is new. ${open}`)?.openQuestions, open).toHaveLength(1)
    }
    for (const kind of ['Do you understand?', 'Did you follow that?', '이제 완전히 이해됐어?']) {
      expect(summary(`The key is new. ${kind}`)?.openQuestions, kind).toBeUndefined()
    }
  })

  test('recognizes questions in other languages', () => {
    expect(
      questions('- Onde está o arquivo? Ou você precisa que eu o baixe?\n\nDiga os detalhes.'),
    ).toContain('Ou você precisa que eu o baixe?')
  })

  test('adds the preceding sentence to a short question when both fit', () => {
    expect(questions('Redis or memory are possible. Which one?')).toEqual([
      'Redis or memory are possible. Which one?',
    ])
    expect(questions(`${'x'.repeat(299)}. Which one?`)).toEqual(['Which one?'])
  })

  test('does not treat a URL with a query or a ternary as a question', () => {
    expect(questions('See https://example.invalid/?a=b for `a ? b : c`.')).toBeUndefined()
  })
})

describe('what is left', () => {
  const next = (message: string) => summary(message)?.next

  test('takes the list below its title', () => {
    const message = `The parser is done.

**Next steps:**
1. Wire it up
2. Write docs
   \`\`\`sh
   npm run docs
   \`\`\`
3. Should we release?

Let me know!`
    expect(next(message)).toEqual(['Wire it up', 'Write docs'])
    expect(now(message)).toBe('The parser is done.')
  })

  test('takes no list without a title, and the lists of all titles', () => {
    expect(next('Changes:\n- a\n- b')).toBeUndefined()
    expect(next('To do:\n- a\n\nText.\n\n## Remaining work\n- b')).toEqual(['a', 'b'])
    expect(next('The next step is hard. I did:\n- a')).toBeUndefined()
  })

  test('puts to-dos before the next steps of the message', () => {
    const summary = summarizeTurn({
      entries: [],
      untold: [],
      todos: [{ id: undefined, text: 'from the list', status: 'pending' }],
      commits: [],
      files: [],
      tops: [],
      lastMessage: 'The limit is in place.\n\nNext steps:\n- from the message',
      questions: [],
      firstPrompt: undefined,
      ledgerHasGoal: true,
    })
    expect(summary?.next).toEqual(['from the list', 'from the message'])
  })
})
