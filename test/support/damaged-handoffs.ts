/**
 * Handoffs that two sides edit line by line, with the damage that people, tools and bad merges cause: lost, doubled
 * or moved front matter fences, rules in the body, unclosed code and comments, and sections that are duplicated,
 * moved or removed. The text of a line is a word that few other lines have, so that a loss is noticed.
 */

import * as fc from 'fast-check'

export interface DamagedTrio {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** Lines without a word of their own. */
const SIGNS = [
  '---',
  '---',
  '---',
  ' ---',
  '***',
  '```',
  '~~~',
  '<!--',
  '-->',
  '',
  '',
  '## Ledger',
  '## Ledger',
  '### Now',
  '### now',
  '### This Session',
  '### Next',
  '### Next',
  '### Decisions',
  '### Open Questions',
  '### Workflow State',
  '#### Resolved',
  '#### Last Failure',
  '## Checkpoints',
  '#### Phase Status',
  '#### Validation State',
  '#### Resume Context',
  '#### Merged',
  '## Context',
  '## context',
  '### Risks',
  '### Risks',
  '# Top',
]

/** Lines that contain a word. */
const SAID: readonly ((word: string) => string)[] = [
  (word) => `Text ${word}.`,
  (word) => `- ${word}`,
  (word) => `- [ ] ${word}`,
  (word) => `- [x] ${word}`,
  (word) => `[->] ${word}`,
  (word) => `- [->] ${word}`,
  (word) => `  - nested ${word}`,
  (word) => `  more ${word}`,
  (word) => `- Storage: ${word}`,
  (word) => `**Goal:** ${word}`,
  (word) => `status: ${word}`,
  (word) => `branch: ${word}`,
  (word) => `- Phase 1 (Tests): ✓ VALIDATED (${word})`,
  (word) => `| ${word} |`,
  (word) => `### Own ${word}`,
  (word) => `> ${word}`,
]

/** A line as data: one of `SIGNS`, or one of `SAID` with its word. */
interface Said {
  readonly line: (word: string) => string
  readonly word: string
}

const anySign: fc.Arbitrary<Said> = fc
  .constantFrom(...SIGNS)
  .map((sign) => ({ line: () => sign, word: '' }))
const anySaid = (words: fc.Arbitrary<string>): fc.Arbitrary<Said> =>
  fc.record({ line: fc.constantFrom(...SAID), word: words })

const anyWord = (side: string) =>
  fc.oneof(
    { arbitrary: fc.nat(30).map((n) => `${side}${n}w`), weight: 3 },
    fc.nat(3).map((n) => `both${n}w`),
  )
const anyLine = (side: string) =>
  fc.oneof(anySign, { arbitrary: anySaid(anyWord(side)), weight: 2 })

const WHOLE: readonly Said[] = [
  '---',
  'status: kept1w',
  'branch: kept2w',
  '---',
  '',
  '# Work kept3w',
  '',
  '## Ledger',
  '**Goal:** kept4w',
  '',
  '### Now',
  '[->] kept5w',
  '',
  '### Next',
  '- [ ] kept6w',
  '- [ ] kept7w',
  '',
  '### Decisions',
  '- Storage: kept8w',
  '',
  '### Checkpoints',
  '#### Phase Status',
  '- Phase 1 (Tests): → IN_PROGRESS (kept9w)',
  '',
  '---',
  '',
  '## Context',
  'Text kept10w.',
].map((text) => ({ line: () => text, word: '' }))

type Edit = (lines: readonly Said[]) => readonly Said[]

const at = (lines: readonly Said[], n: number) => n % (lines.length + 1)
/** The lines from a heading up to the next heading. */
function sectionAt(lines: readonly Said[], n: number): { from: number; count: number } {
  const isHeading = ({ line, word }: Said) => line(word).startsWith('#')
  const heads = lines.flatMap((line, i) => (isHeading(line) ? [i] : []))
  const from = heads[n % Math.max(1, heads.length)] ?? 0
  const next = lines.findIndex((line, i) => i > from && isHeading(line))
  return { from, count: (next === -1 ? lines.length : next) - from }
}

const anyEditOf = (side: string): fc.Arbitrary<Edit> =>
  fc.oneof(
    {
      arbitrary: fc.tuple(fc.nat(40), anyLine(side)).map(
        ([n, line]): Edit =>
          (lines) =>
            lines.toSpliced(at(lines, n), 0, line),
      ),
      weight: 4,
    },
    fc.nat(40).map(
      (n): Edit =>
        (lines) =>
          lines.toSpliced(at(lines, n), 1),
    ),
    {
      // Removes a fence or rule.
      arbitrary: fc.nat(3).map((n): Edit => (lines) => {
        const rules = lines.flatMap(({ line, word }, i) => (line(word) === '---' ? [i] : []))
        const found = rules[n % Math.max(1, rules.length)]
        return found === undefined ? lines : lines.toSpliced(found, 1)
      }),
      weight: 2,
    },
    // Changes the word of a line.
    fc.tuple(fc.nat(40), anyWord(side)).map(
      ([n, word]): Edit =>
        (lines) =>
          lines.map((said, i) =>
            i === at(lines, n)
              ? { word: '', line: () => said.line(said.word).replace(/\w*\d+w/, word) }
              : said,
          ),
    ),
    fc.nat(12).map((n): Edit => (lines) => {
      const { from, count } = sectionAt(lines, n)
      return lines.toSpliced(from, count)
    }),
    fc.tuple(fc.nat(12), fc.nat(40)).map(([n, to]): Edit => (lines) => {
      const { from, count } = sectionAt(lines, n)
      const rest = lines.toSpliced(from, count)
      return rest.toSpliced(at(rest, to), 0, ...lines.slice(from, from + count))
    }),
  )

const anySide = (side: string, maxLength: number) =>
  fc.tuple(
    fc.array(anyEditOf(side), { maxLength }),
    fc.constantFrom('\n', '\n', '\n', '\n', '\r\n'),
  )

const textOf = (lines: readonly Said[], eol: string) =>
  lines.map(({ line, word }) => line(word) + eol).join('')

export const anyDamagedTrio: fc.Arbitrary<DamagedTrio> = fc
  .record({
    start: fc.oneof(fc.constant(WHOLE), fc.array(anyLine('base'), { maxLength: 14 })),
    was: anySide('was', 3),
    mine: anySide('ours', 4),
    other: anySide('theirs', 4),
  })
  .map(({ start, was: [edits, eol], mine, other }) => {
    const edit = (lines: readonly Said[], all: readonly Edit[]) =>
      all.reduce((now, one) => one(now), lines)
    const base = edit(start, edits)
    return {
      base: textOf(base, eol),
      ours: textOf(edit(base, mine[0]), mine[1] === '\n' ? eol : mine[1]),
      theirs: textOf(edit(base, other[0]), other[1] === '\n' ? eol : other[1]),
    }
  })

/** The words in a text, with the number of times that each occurs. */
export function wordsIn(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of text.match(/[a-z]+\d+w\b/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}
