/** Two sides changed one handoff: the laws of the merge, then each rule as a case. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readHandoff } from '../../../src/core/handoff/handoff.ts'
import { mergeHandoffs } from '../../../src/core/handoff/merge-handoffs.ts'
import { diff3 } from '../../support/diff3.ts'
import type { Draft, Edit, Style } from '../../support/handoff-edits.ts'
import {
  anyDraft,
  anyEdit,
  anyListEdit,
  anyStyle,
  edited,
  renderDraft,
} from '../../support/handoff-edits.ts'
import { anyHandoffText } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const merge = (base: string, ours: string, theirs: string) =>
  mergeHandoffs(base, ours, theirs, diff3)

const anyDate = fc.constantFrom(
  undefined,
  '2026-01-01',
  '2026-01-02 (later)',
  '2026-01-02T10:00:00Z',
  'soon',
)

interface Change {
  readonly edits: readonly Edit[]
  readonly updated: string | undefined
}
const anyChange: fc.Arbitrary<Change> = fc.record({
  edits: fc.array(anyEdit, { maxLength: 5 }),
  updated: anyDate,
})

const change = (draft: Draft, { edits, updated }: Change): Draft => ({
  ...edited(draft, edits),
  updated,
})

interface Trio {
  readonly drafts: readonly [Draft, Draft, Draft]
  readonly style: Style
  readonly texts: readonly [base: string, ours: string, theirs: string]
}
const anyTrio: fc.Arbitrary<Trio> = fc
  .tuple(anyDraft, anyDate, anyChange, anyChange, anyStyle)
  .map(([draft, updated, mine, other, style]) => {
    const base = { ...draft, updated }
    const drafts = [base, change(base, mine), change(base, other)] as const
    return {
      drafts,
      style,
      texts: drafts.map((one) => renderDraft(one, style)) as unknown as Trio['texts'],
    }
  })

/** Each side with its own blank lines between its lines: mostly few, in the same places. */
const anySpaced = fc
  .tuple(
    anyTrio,
    fc.array(fc.array(fc.tuple(fc.nat(30), fc.constantFrom('', '  ')), { maxLength: 4 }), {
      minLength: 3,
      maxLength: 3,
    }),
  )
  .map(([{ texts, style }, blanks]) =>
    texts.map((text, side) => {
      const lines = text.split(style.eol)
      for (const [at, blank] of blanks[side] ?? []) {
        if (at > 2 && at < lines.length) lines.splice(at, 0, blank)
      }
      return lines.join(style.eol)
    }),
  )

/** Three texts that have little in common with a handoff or with each other. */
const anyTexts = fc
  .tuple(anyHandoffText, anyHandoffText, anyHandoffText, fc.nat(3))
  .map(([a, b, c, common]) => {
    const parts = [a, b, c].map((text) => text.split('\n'))
    const [head] = parts
    return parts.map((lines, i) =>
      [...(i === 0 ? [] : (head ?? []).slice(0, common * 4)), ...lines].join('\n'),
    )
  })

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

describe('laws', () => {
  test('a side that changed nothing gives the other side', () => {
    fc.assert(
      fc.property(anyTrio, ({ texts: [base, ours] }) => {
        expect(merge(base, ours, base)).toEqual({ text: ours, isConflict: false })
        expect(merge(base, base, ours)).toEqual({ text: ours, isConflict: false })
        expect(merge(base, ours, ours)).toEqual({ text: ours, isConflict: false })
      }),
      runs(100, 12),
    )
  })

  test('exchanging the sides gives the same bytes, unless text conflicts', () => {
    fc.assert(
      fc.property(anySpaced, ([base = '', ours = '', theirs = '']) => {
        const [one, other] = [merge(base, ours, theirs), merge(base, theirs, ours)]
        expect(other.isConflict).toBe(one.isConflict)
        if (!one.isConflict) expect(other.text).toBe(one.text)
      }),
      runs(400, 20),
    )
  })

  test('the same holds for any text', () => {
    fc.assert(
      fc.property(anyTexts, ([base = '', ours = '', theirs = '']) => {
        const [one, other] = [merge(base, ours, theirs), merge(base, theirs, ours)]
        expect(other.isConflict).toBe(one.isConflict)
        if (!one.isConflict) expect(other.text).toBe(one.text)
      }),
      runs(400, 20),
    )
  })

  test('loses no text of an item, decision, question, phase or validation', () => {
    fc.assert(
      fc.property(anyTrio, ({ drafts, texts: [base, ours, theirs] }) => {
        const { text } = merge(base, ours, theirs)
        const merged = oneLine(text)
        const [was, ...sides] = drafts.map(textsOf)
        for (const side of sides) {
          for (const [id, text] of side) if (!was?.has(id)) expect(merged).toContain(oneLine(text))
        }
        // Nothing that neither side touched is lost either.
        for (const [id, text] of was ?? []) {
          if (sides.every((side) => side.has(id))) expect(merged).toContain(oneLine(text))
        }
      }),
      runs(400, 20),
    )
  })

  test('merging the same sides once more changes nothing', () => {
    fc.assert(
      fc.property(anyTrio, ({ texts: [base, ours, theirs] }) => {
        const { text, isConflict } = merge(base, ours, theirs)
        if (isConflict) return
        expect(merge(base, text, theirs)).toEqual({ text, isConflict: false })
        expect(merge(base, ours, text)).toEqual({ text, isConflict: false })
      }),
      runs(400, 20),
    )
  })

  test('a section that only one side changed has the bytes of that side', () => {
    fc.assert(
      fc.property(
        anyTrio,
        fc.constantFrom('decisions', 'workflow', 'phases'),
        ({ texts }, name) => {
          const merged = merge(...texts)
          if (merged.isConflict) return
          const [was, mine, other, is] = [...texts, merged.text].map((text) => {
            const part = readHandoff(text).byName[name as 'decisions']
            return part && text.slice(part.start, part.end).trimEnd()
          })
          if (mine === was && other !== undefined) expect(is).toBe(other)
        },
      ),
      runs(500, 25),
    )
  })
})

/** Each text, keyed by what it belongs to. */
function textsOf(draft: Draft): Map<string, string> {
  const { now, done, next, decisions, notes, questions, phases } = draft
  const { validation, goal, status = '', phase } = draft
  const texts = [
    ...[...now, ...done, ...next].flatMap(({ text, nested }) =>
      [text, ...nested.flatMap((line) => line.split('\n'))].map((line) => [`item ${text}`, line]),
    ),
    ...Object.entries(decisions).map(([key, value]) => ['decision', `${key}: ${value}`]),
    ...notes.map((text) => ['note', text]),
    ...questions.map((text) => ['question', text]),
    ...Object.entries(phases).map(([key, value]) => ['phase', `${key}: ${value}`]),
    ['validation', validation],
    ['goal', goal],
    ['status', status],
    ['workflow', phase],
  ]
  return new Map(texts.map(([of = '', text = '']) => [`${of}: ${text}`, text]))
}

describe('cherry-picking commits one by one', () => {
  interface Branch {
    readonly style: Style
    readonly base: Draft
    readonly ours: Draft
    readonly commits: readonly Draft[]
  }
  const anyDates = fc.oneof(
    fc.constant(() => undefined),
    fc
      .integer({ min: 0, max: 5 })
      .map(
        (ours) => (n: number) =>
          n === 0 ? `2026-01-01T00:0${ours}:30Z` : `2026-01-01T00:0${n}:00Z`,
      ),
  )
  const anyBranch: fc.Arbitrary<Branch> = fc
    .record({
      style: anyStyle,
      draft: anyDraft,
      mine: fc.array(anyListEdit, { minLength: 1, maxLength: 3 }),
      others: fc.array(fc.array(anyListEdit, { maxLength: 2 }), { minLength: 2, maxLength: 3 }),
      dates: anyDates,
    })
    .map(({ style, draft, mine, others, dates }) => {
      const base = { ...draft, updated: dates(0) && '2025-12-01' }
      const ours = { ...edited(base, mine), updated: dates(0) }
      const commits: Draft[] = []
      for (const [i, edits] of others.entries()) {
        commits.push({ ...edited(commits.at(-1) ?? base, edits), updated: dates(i + 1) })
      }
      return { style, base, ours, commits }
    })

  /**
   * False if a branch reverts a change that the other side also made: no three-way merge can know
   * that.
   */
  function isOneWay({ base, ours, commits }: Branch): boolean {
    const path = [base, ...commits]
    const places = [placesOf(base), placesOf(ours)]
    const items = new Set([base, ours, ...commits].flatMap((one) => [...placesOf(one).keys()]))
    const rises = [...items].every((item) => {
      if (places[0]?.get(item) === places[1]?.get(item)) return true
      const steps = path.map((one) => placesOf(one).get(item) ?? 0)
      return steps.every((step, i) => i === 0 || step >= (steps[i - 1] ?? 0))
    })
    const values = (valueOf: (draft: Draft) => string | undefined) => {
      if (valueOf(base) === valueOf(ours)) return true
      const all = path.map(valueOf).filter((value, i, list) => i === 0 || value !== list[i - 1])
      return new Set([...all, valueOf(ours)]).size === all.length + 1
    }
    const questions = new Set([base, ours, ...commits].flatMap((one) => one.questions))
    const flips = [...questions].every((one) => {
      if (base.questions.includes(one) === ours.questions.includes(one)) return true
      const steps = path.map(({ questions }) => questions.includes(one))
      return steps.filter((step, i) => i > 0 && step !== steps[i - 1]).length < 2
    })
    const hasOneNow = [base, ours, ...commits].every(({ now }) => now.length < 2)
    return (
      hasOneNow &&
      rises &&
      flips &&
      values(({ goal }) => goal) &&
      ['storage', 'Auth tokens'].every((key) => values(({ decisions }) => decisions[key]))
    )
  }

  function placesOf({ now, next, done }: Draft): Map<string, number> {
    return new Map(
      [[next, 1] as const, [now, 2] as const, [done, 3] as const].flatMap(([list, place]) =>
        list.map(({ text }) => [text, place] as const),
      ),
    )
  }

  const sectionsOf = (text: string) => {
    const { byName } = readHandoff(text)
    return (['now', 'next', 'openQuestions'] as const).map((name) =>
      (byName[name]?.blocks ?? [])
        .filter(({ kind }) => kind !== 'blank')
        .map(({ words }) => words.text),
    )
  }

  test('gives the same Now, Next and questions as a single merge', () => {
    fc.assert(
      fc.property(anyBranch, (branch) => {
        fc.pre(isOneWay(branch))
        const render = (draft: Draft) => renderDraft(draft, branch.style)
        const commits = branch.commits.map(render)
        const once = merge(render(branch.base), render(branch.ours), commits.at(-1) ?? '')
        let picked = render(branch.ours)
        let base = render(branch.base)
        for (const commit of commits) {
          picked = merge(base, picked, commit).text
          base = commit
        }
        const sorted = (text: string) => sectionsOf(text).map((lines) => lines.toSorted())
        expect(sorted(picked)).toEqual(sorted(once.text))
      }),
      runs(600, 30),
    )
  })
})
