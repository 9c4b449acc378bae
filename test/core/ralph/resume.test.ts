import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasResume, putResume, takeResume } from '../../../src/core/ralph/resume-block.ts'
import { resumeLines, resumeSentence } from '../../../src/core/ralph/resume.ts'
import { anyText } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'
import { anyPoint, POINT } from './points.ts'

test('writes the block in the words of the specification', () => {
  const prompt = '# Task: Sign in with OAuth\n\nBuild it.\n'
  expect(putResume(prompt, resumeLines(POINT))).toMatchInlineSnapshot(`
    "# Task: Sign in with OAuth

    Build it.

    <!-- ledger-git: where the last session stood -->
    ## CONTEXT CHECKPOINT RESUME

    > This iteration is resuming from a context checkpoint.
    > Previous session hit 87% context (L2 threshold).

    ### Resume From
    - **File**: src/auth/oauth.ts (lines 45-120)
    - **Item**: Implement OAuth callback (70% complete)
    - **Now**: Implementing OAuth callback handler
    - **Handoff**: .claude/handoffs/2026-01-07-1145.md

    ### Instructions
    1. DO NOT restart the task from scratch
    2. Read the handoff document first
    3. Continue from where previous session left off
    <!-- ledger-git: end -->
    "
  `)
  expect(resumeLines(POINT, ['`search(query="checkpoint L2")`']).slice(4, 13))
    .toMatchInlineSnapshot(`
      [
        "",
        "### Memory Query (Run First)",
        "",
        "Use claude-mem to retrieve checkpoint context:",
        "",
        "1. \`search(query="checkpoint L2")\`",
        "",
        "### Resume From",
        "- **File**: src/auth/oauth.ts (lines 45-120)",
      ]
    `)
  expect(resumeSentence(POINT)).toMatchInlineSnapshot(
    `"Previous session hit 87% context (L2 threshold). Do not restart from scratch; file: src/auth/oauth.ts (lines 45-120); item: Implement OAuth callback (70% complete); now: Implementing OAuth callback handler; handoff: .claude/handoffs/2026-01-07-1145.md."`,
  )
})

test('omits what is unknown', () => {
  const least = {
    ...POINT,
    level: 'unknown',
    percent: undefined,
    summary: undefined,
    files: [],
    item: undefined,
  } as const
  expect(resumeLines(least).slice(3, 8)).toEqual([
    '> Previous session ended with a checkpoint.',
    '',
    '### Resume From',
    '- **Handoff**: .claude/handoffs/2026-01-07-1145.md',
    '',
  ])
})

test('no text ends a loop, or opens a line or block of its own', () => {
  fc.assert(
    fc.property(anyPoint, fc.array(anyText, { maxLength: 2 }), (point, memory) => {
      const lines = resumeLines(point, memory)
      const text = lines.join('\n')
      expect(text).not.toMatch(/<\s*\/?\s*promise/i)
      // An unclosed comment would hide the rest of the prompt.
      expect(text).not.toMatch(/(?<!\\)<!--/)
      expect(resumeSentence(point)).not.toMatch(/<\s*\/?\s*promise|\n/i)
      expect(lines.every((line) => !/[\r\n\u2028]|^<!--/.test(line))).toBe(true)
      expect(putResume('', lines).match(/^<!-- ledger-git/gm)).toHaveLength(2)
    }),
    runs(400),
  )
})

const [START, END] = putResume('', []).trim().split('\n') as [string, string]

/** Texts in which markers occur alone, doubled, or within lines. */
const anyPrompt = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(START, END, '\n', '\r\n', '\r', 'a', '---\n', '\\n'),
      },
      anyText,
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const anyLines = fc.constantFrom(['x'], ['y', '', 'z'], [])

describe.each([
  ['lines', anyPrompt],
  // Never half an escape sequence: the text is the source of a whole string.
  ['json', anyPrompt.map((text) => JSON.stringify(text).slice(1, -1))],
] as const)('a text as %s', (form, texts) => {
  const law = (check: (text: string, a: readonly string[], b: readonly string[]) => void) =>
    fc.assert(
      fc.property(texts, anyLines, anyLines, (text, a, b) => void check(text, a, b)),
      runs(1500),
    )

  test('is unchanged after the block is removed', () => {
    law((text, a) =>
      expect(takeResume(putResume(text, a, form), form)).toBe(takeResume(text, form)),
    )
    law((text) => {
      if (!hasResume(text, form)) expect(takeResume(text, form)).toBe(text)
      expect(hasResume(takeResume(text, form), form)).toBe(false)
    })
  })

  test('contains the block once, and a newer block replaces an older one', () => {
    law((text, a, b) => {
      const once = putResume(text, b, form)
      expect(putResume(once, b, form)).toBe(once)
      expect(putResume(putResume(text, a, form), b, form)).toBe(once)
    })
  })
})

test('leaves a marker alone that is followed by half a line break', () => {
  const text = `${START}\n${END}\r`
  expect(takeResume(putResume(text, ['x']))).toBe(text)
})

test('uses the line endings of the text', () => {
  expect(putResume('a\r\nb\r\n', ['x'])).not.toMatch(/[^\r]\n/)
})

test('keeps what was written below the block on its own lines below it', () => {
  const put = `${putResume('task', ['x'])}and this\n`
  expect(takeResume(put)).toBe('task\nand this\n')
  expect(putResume(put, ['y'])).toBe(`${putResume('task', ['y'])}and this\n`)
})
