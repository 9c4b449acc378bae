/** The law of migration: every line of the source is in a field or in the note. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../support/arbitraries.ts'
import type { Migrated } from './migrated.ts'
import { markdown, yaml } from './migrated.ts'
import { runs } from '../../support/long.ts'

/** What shapes a line without content: markup, and the words that name a field. */
const MARKUP = /[\s\-*+_#>|`:;,."'[\](){}✓○→✗—–←↑↓\d]+/u
const NAMES =
  /\b(?:goal|now|next|done|this|session|test|command|branch|agent|author|commit|git|updated|last|date|timestamp|created|at|decisions?|open|questions?|key|made|checkpoints|phase|status|ledger|work|stream|x|when|reasoning|steps?|task|incl|success|criteria|unconfirmed|if|needed)\b/gi

function words(text: string): string[] {
  return text.toLowerCase().replaceAll('_', ' ').replace(NAMES, ' ').split(MARKUP).filter(Boolean)
}

/** Every text in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function lostLines(source: string, { event, note }: Migrated): string[] {
  const kept = new Set(note.split('\n'))
  const said = new Set(textsIn(event).flatMap(words))
  return source
    .split('\n')
    .filter((line) => !kept.has(line))
    .filter((line) => words(line).some((word) => !said.has(word)))
}

const anyLine = anyText.map((text) => text.replace(/[\r\n]/g, ' ').toWellFormed())
const anyWords = fc.oneof(
  anyLine,
  fc.constantFrom('fix the parser', 'db: sqlite', 'none', 'No decisions yet', '`a`: b — c', 'Why?'),
)
const anyMarkdownLine = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('#', '##', '###', '####'),
      fc.constantFrom(
        'Ledger',
        'Now',
        'Goal',
        'Next',
        'Done',
        'This Session',
        'Key Decisions',
        'State',
      ),
      fc.constantFrom('', ' — ', ' (today)', ': '),
      fc.constantFrom('', 'CHECKPOINT', 'waiting for review'),
    )
    .map(([marks, title, joint, suffix]) => `${marks} ${title}${joint}${suffix}`),
  fc
    .tuple(
      fc.constantFrom('', '  ', '\t'),
      fc.constantFrom('- ', '* ', '1. ', '', '[->] ', '- [x] ', '- [ ] '),
      anyWords,
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom(
        '**Goal:** ',
        '**Updated:** ',
        'branch: ',
        '- Now: ',
        '- Done:',
        '**Next:** ',
        'Done: ',
        'Now (today): ',
        '> Last updated: ',
        '> 2026-01-02 · ',
        '- ~~struck~~ ',
        '  - Now: ',
      ),
      anyWords,
    )
    .map((parts) => parts.join('')),
  fc.tuple(anyWords, anyWords).map(([a, b]) => `| ${a} | ${b} |`),
  fc
    .tuple(
      fc.constantFrom('', '## ', '- ', '  - '),
      fc.constantFrom(
        'Goal (incl. success criteria):',
        'Constraints/Assumptions:',
        'Key decisions:',
        'State:',
        'Done:',
        'Now:',
        'Next:',
        'Open questions (UNCONFIRMED if needed):',
        'Working set (files/ids/commands):',
      ),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', '---', '```', '<!-- note', '-->', '### Phase Status', '## Checkpoints'),
  fc.constantFrom('- Phase 1 (Tests): ✓ VALIDATED (12 tests)', '- Phase 2: ○ PENDING'),
)
const anyMarkdown = fc
  .tuple(fc.constantFrom('', '---\nbranch: a\n---\n'), fc.array(anyMarkdownLine, { maxLength: 14 }))
  .map(([front, lines]) => front + lines.join('\n'))
const anyYamlLine = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'goal',
        'now',
        'next',
        'done_this_session',
        'decisions',
        'questions',
        'worked',
        'date',
        'test',
      ),
      fc.oneof(anyWords, fc.constantFrom('', '|', '>', '[a, b]', '[Why?, b: c?]', '[]', '"a" b')),
    )
    .map(([key, value]) => `${key}: ${value}`),
  fc
    .tuple(
      fc.constantFrom(
        '- ',
        '  - ',
        '  - task: ',
        '  - k: ',
        '    files: ',
        '  ',
        '  later: ',
        '  later:\n    - ',
      ),
      anyWords,
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '',
    '---',
    '# comment',
    'checkpoints:',
    '- phase: 6',
    '  status: a',
    '  updated: soon',
  ),
)
const anyYaml = fc.array(anyYamlLine, { maxLength: 14 }).map((lines) => lines.join('\n'))

describe.each([
  ['Markdown', anyMarkdown, markdown],
  ['YAML', anyYaml, yaml],
  ['any text as Markdown', fc.array(anyLine).map((lines) => lines.join('\n')), markdown],
  ['any text as YAML', fc.array(anyLine).map((lines) => lines.join('\n')), yaml],
] as const)('%s', (_, anySource, migrate) => {
  test('loses no line, and gives an event without problems, the same on every run', () => {
    fc.assert(
      fc.property(anySource, (source) => {
        const migrated = migrate(source)
        expect(lostLines(source, migrated)).toEqual([])
        expect(migrated.problems).toEqual([])
        expect(migrate(source).text).toBe(migrated.text)
      }),
      runs(100, 40),
    )
  })
})

test('the check notices a line that is missing everywhere', () => {
  const migrated = markdown('## Next\n- [ ] ship it\n\nprose')
  expect(lostLines('prose\nforgotten words', migrated)).toEqual(['forgotten words'])
})
