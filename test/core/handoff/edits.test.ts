/** A command changes what it is meant to change, and no other byte of a handoff. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../../../src/core/document/document.ts'
import { instantFromMillis } from '../../../src/core/event/instant.ts'
import { applyEdits, lineOf } from '../../../src/core/handoff/edit-lines.ts'
import type { Edit } from '../../../src/core/handoff/edit-lines.ts'
import {
  addQuestion,
  resolveQuestion,
  setContext,
  setDecision,
  setEntry,
  setGoal,
  setLastFailure,
  setRegister,
  setResolved,
  setTitle,
  setUpdated,
} from '../../../src/core/handoff/edits.ts'
import { addDone, addNext, clearNext, setFocus } from '../../../src/core/handoff/work-edits.ts'
import type { Handoff, PartName } from '../../../src/core/handoff/handoff.ts'
import {
  entriesOf,
  focusesOf,
  itemsOf,
  readHandoff,
  registerOf,
  updatedOf,
} from '../../../src/core/handoff/handoff.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { anyHandoffText, BEFORE, HANDOFF, LOOSE } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const NOON = instantFromMillis(Date.UTC(2026, 0, 20, 12))
const anyWords = fc.constantFrom(
  'focus',
  'open',
  'done',
  'a',
  'b',
  'q?',
  '# x',
  '---',
  '```',
  '<!-- x',
)

type Touched = PartName | 'ledger' | 'context'

/**
 * Each edit by name, with the sections that it may change; `ledger` is the part of the Ledger
 * itself.
 */
const EDITS: Readonly<Record<string, [(a: string, b: string) => Edit, ...Touched[]]>> = {
  setRegister: [(text) => setRegister('Goal', text), 'ledger'],
  setUpdated: [() => setUpdated(NOON), 'ledger'],
  setFocus: [(text) => setFocus(text, 'next'), 'now', 'next', 'thisSession'],
  nothingInHand: [() => setFocus(undefined, 'done'), 'now', 'thisSession'],
  addDone: [(text) => addDone(text), 'now', 'next', 'thisSession'],
  addNext: [(text) => addNext(text), 'next'],
  clearNext: [() => clearNext, 'next'],
  setDecision: [(key, value) => setDecision(key, value), 'decisions'],
  dropDecision: [(key) => setDecision(key, null), 'decisions'],
  addQuestion: [(text) => addQuestion(text), 'openQuestions'],
  resolveQuestion: [(text) => resolveQuestion(text), 'openQuestions'],
  setWorkflow: [(text) => setEntry('workflow', 'phase', text), 'workflow'],
  setResolved: [(key, value) => setResolved(key, value), 'workflow', 'resolved', 'unknowns'],
  setLastFailure: [(text) => setLastFailure(text), 'workflow', 'lastFailure'],
  setResume: [(text) => setEntry('resume', 'Next action', text), 'checkpoints', 'resume'],
  setContext: [(text) => setContext(text), 'context'],
}

const anyEdit = fc
  .tuple(fc.constantFrom(...Object.keys(EDITS)), anyWords, anyWords)
  .map(([name, a, b]) => {
    const [edit, ...touches] = EDITS[name] ?? [() => clearNext]
    return { name, words: [a, b], edit: edit(a, b), touches, toJSON: () => [name, a, b] }
  })

/** Undefined if the edit is refused. */
function attempt(text: string, edit: Edit): string | undefined {
  try {
    return applyEdits(text, [edit])
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'HANDOFF_UNREADABLE') return undefined
    throw error
  }
}

/** The sections that an edit must not change, as they are written. */
function others(handoff: Handoff, touches: readonly Touched[]): string[] {
  const { document, parts, byName, text, ledger } = handoff
  const named = [...parts, ...Object.values(byName)]
  return document.sections
    .filter((section) => {
      const { heading, lines } = section
      if (heading === undefined) return lines.length > 0
      const isContext = pathOf(section).some(
        ({ level, title }) => level === 2 && title === 'Context',
      )
      if (touches.includes('context') && isContext) return false
      const part = named.find(({ start }) => start === heading.start)
      if (part !== undefined && part === parts[0]) return !touches.includes('ledger')
      return part?.name === undefined || !touches.includes(part.name)
    })
    .flatMap(({ heading, lines }) => {
      const [start = 0, end = 0] = [
        heading?.start ?? lines[0]?.start,
        lines.at(-1)?.end ?? heading?.end,
      ]
      const cut = ledger && start < ledger.end && ledger.end < end ? ledger.end : end
      return [text.slice(start, cut)]
    })
    .concat(ledger === undefined ? [] : afterLedger(handoff))
    .map((section) => section.trimEnd().replace(/(?:(?:^|\s+)---)+$/, ''))
    .filter((section) => section !== '')
}

/** The text after the Ledger that has no heading of its own. */
function afterLedger({ ledger, text, document }: Handoff): string[] {
  const end = ledger?.end ?? text.length
  const next = document.sections.find(
    ({ heading }) => heading !== undefined && heading.start >= end,
  )
  return [text.slice(end, next?.heading?.start)]
}

describe('on any text', () => {
  test('an edit changes only its own sections', () => {
    fc.assert(
      fc.property(anyHandoffText, anyEdit, (text, { edit, touches }) => {
        const before = readHandoff(text)
        const changed = attempt(text, edit)
        if (changed === undefined) return
        const after = readHandoff(changed)
        // A Ledger that did not exist is new; so are the sections that are now ours.
        const known: Touched[] = before.ledger === undefined ? [...touches, 'ledger'] : touches
        const [was, is] = [others(before, known), others(after, known)]
        expect(is).toEqual(before.ledger === undefined ? expect.arrayContaining(was) : was)
        expect(after.document.front).toEqual(before.document.front)
      }),
      runs(4000, 150),
    )
  })

  test('applying the same edit again changes nothing', () => {
    fc.assert(
      fc.property(anyHandoffText, anyEdit, (text, { edit, name }) => {
        const once = attempt(text, edit)
        if (once === undefined) return
        // A sentence next to the item in hand becomes the item in hand: the same edit then applies
        // to it.
        if (name === 'nothingInHand' && focusesOf(readHandoff(once)).length > 0) return
        expect(applyEdits(once, [edit])).toBe(once)
      }),
      runs(3000, 150),
    )
  })

  test('leaves one Now, and moves what was in hand to Next or to the done items', () => {
    fc.assert(
      fc.property(anyHandoffText, anyWords, fc.constantFrom('next', 'done'), (text, now, old) => {
        const before = readHandoff(text)
        const changed = attempt(text, setFocus(now, old))
        if (changed === undefined) return
        const after = readHandoff(changed)
        expect(focusesOf(after).map(({ words }) => words.text)).toEqual([now])
        const listed = [after.byName.next, after.byName.thisSession].flatMap((part) =>
          itemsOf(part),
        )
        const moved = focusesOf(before).filter(({ words }) => words.text !== now)
        for (const { words } of moved) {
          expect(listed.map((block) => block.words.text)).toContain(words.text)
        }
        expect(itemsOf(after.byName.next).map(({ words }) => words.text)).not.toContain(now)
      }),
      runs(2000, 100),
    )
  })

  test('a hundred saves keep the size bounded', () => {
    fc.assert(
      fc.property(
        anyHandoffText,
        fc.array(anyEdit, { minLength: 1, maxLength: 5 }),
        (text, edits) => {
          let saved = text
          const sizes: number[] = []
          for (let i = 0; i < 100; i++) {
            saved = attempt(saved, edits[i % edits.length]?.edit ?? clearNext) ?? saved
            sizes.push(saved.length)
          }
          expect(Math.max(...sizes.slice(50))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 50)))
        },
      ),
      runs(150, 8),
    )
  })
})

describe('a standard handoff', () => {
  const change = (...edits: Edit[]) => applyEdits(HANDOFF, edits)
  /** `[from, to]`: everything that changes. */
  const only = (...changes: [string, string][]) =>
    changes.reduce((text, [from, to]) => {
      expect(text.split(from)).toHaveLength(2)
      return text.replace(from, () => to)
    }, HANDOFF)

  test('a new Now moves the old one to the top of Next', () => {
    expect(change(setFocus('Rate limits', 'next'))).toBe(
      only(
        ['[->] Logout endpoint and session invalidation\n', '[->] Rate limits\n'],
        ['### Next\n', '### Next\n- [ ] Logout endpoint and session invalidation\n'],
      ),
    )
  })

  test('a new Now can move the old one to This Session, and an item that becomes Now leaves Next', () => {
    expect(change(setFocus('Middleware swap', 'done'))).toBe(
      only(
        ['[->] Logout endpoint and session invalidation\n', '[->] Middleware swap\n'],
        ['complete\n\n', 'complete\n- [x] Logout endpoint and session invalidation\n\n'],
        ['- [ ] Middleware swap\n', ''],
      ),
    )
  })

  test('an item that becomes Now leaves Next with its nested lines', () => {
    expect(change(setFocus('Remove JWT imports', 'next'))).toBe(
      only(
        [
          '[->] Logout endpoint and session invalidation\n',
          '[->] Remove JWT imports\n\n  a paragraph that belongs to it\n',
        ],
        ['### Next\n', '### Next\n- [ ] Logout endpoint and session invalidation\n'],
        ['- [ ] Remove JWT imports\n\n  a paragraph that belongs to it\n', ''],
      ),
    )
  })

  test('shows “(none)” if nothing is in hand', () => {
    expect(change(setFocus(undefined, 'done'))).toContain('### Now\n(none)\n\n### This Session\n')
    const next = change(setFocus(undefined, 'done'), setFocus('go on', 'next'))
    expect(next).toContain('### Now\n[->] go on\n\n')
  })

  test('a done item leaves Next with its nested lines', () => {
    expect(change(addDone('Remove JWT imports'))).toBe(
      only(
        ['- [ ] Remove JWT imports\n\n  a paragraph that belongs to it\n', ''],
        ['complete\n', 'complete\n- [x] Remove JWT imports\n\n  a paragraph that belongs to it\n'],
      ),
    )
    expect(change(addDone('Logout endpoint and session invalidation'))).toContain(
      '### Now\n(none)\n',
    )
  })

  test('changes only the leading date of Updated', () => {
    expect(change(setUpdated(NOON))).toBe(
      only([
        '**Updated:** 2026-01-15T14:30:00Z (after',
        '**Updated:** 2026-01-20T12:00:00Z (after',
      ]),
    )
    expect(change(setUpdated(NOON, 'checkpoints'))).toBe(
      only(['**Last Updated:** 2026-01-15T14:30:00Z', '**Last Updated:** 2026-01-20T12:00:00Z']),
    )
    const prose = applyEdits('## Ledger\n**Updated:** just now\n', [setUpdated(NOON)])
    expect(prose).toBe('## Ledger\n**Updated:** 2026-01-20T12:00:00Z (just now)\n')
    expect(applyEdits(prose, [setUpdated(NOON)])).toBe(prose)
  })

  test('changes registers, decisions and questions', () => {
    expect(change(setRegister('goal', 'Ship: it'))).toBe(
      only(['Replace JWT auth. Done when all tests pass.\n', 'Ship: it\n']),
    )
    expect(change(setRegister('Owner', 'Ann'))).toBe(
      only(['nobody yet\n', 'nobody yet\n**Owner:** Ann\n']),
    )
    expect(change(setDecision('storage', 'files'))).toBe(
      only(['**Storage:** Redis with 24h TTL', '**Storage:** files']),
    )
    expect(change(setDecision('Session tokens', null))).toBe(
      only(['- Session tokens: UUID v4 (simpler)\n', '']),
    )
    expect(change(resolveQuestion('Does the rate limiter need sessions?'))).toBe(
      only(['- UNCONFIRMED: Does the rate limiter need sessions?\n', '']),
    )
    expect(change(addQuestion('Does the rate limiter need sessions?'))).toBe(HANDOFF)
  })

  test('a new goal removes the copy of the old one from Resolved, and no other text', () => {
    const old = 'Replace JWT auth. Done when all tests pass.'
    const changed = HANDOFF.replace(`**Goal:** ${old}`, '**Goal:** Ship it')
    expect(applyEdits(HANDOFF, [setGoal('Ship it')])).toBe(changed)
    for (const copy of [old, `"${old}"`]) {
      const copied = HANDOFF.replace('- goal: "Replace JWT auth"', `- goal: ${copy}`)
      expect(applyEdits(copied, [setGoal('Ship it')])).toBe(changed.replace(/- goal: .*\n/, ''))
      expect(applyEdits(copied, [setGoal(old)])).toBe(copied)
    }
  })

  test('workflow state', () => {
    expect(change(setEntry('workflow', 'phase', '4'))).toBe(only(['\nphase: 3\n', '\nphase: 4\n']))
    expect(change(setEntry('workflow', 'owner', 'x'))).toBe(
      only(['max_retries: 3\n', 'max_retries: 3\nowner: x\n']),
    )
    expect(change(setResolved('rate_limiter', 'none'))).toBe(
      only(
        [
          'resource_allocation: balanced\n',
          'resource_allocation: balanced\n- rate_limiter: none\n',
        ],
        ['- rate_limiter: UNKNOWN\n', ''],
      ),
    )
    expect(change(setLastFailure('broke'))).toBe(only(['Failure\n(none)\n', 'Failure\nbroke\n']))
    expect(change(setLastFailure('---\n## x\n```'))).toBe(
      only(['Failure\n(none)\n', 'Failure\n````\n---\n## x\n```\n````\n']),
    )
    expect(change(setLastFailure('---'), setLastFailure(''))).toBe(HANDOFF)
  })

  test('changes context and title', () => {
    expect(change(setContext('New.\n\n### Git\nx'))).toBe(
      only(['### Now\nNot this one.\n', 'New.\n\n### Git\nx\n']),
    )
    expect(change(setTitle('Sessions'))).toBe(
      only(['# Work Stream: auth-refactor', '# Work Stream: Sessions']),
    )
    expect(applyEdits('#\n', [setTitle('x')])).toBe('# x\n')
  })
})

describe('handoffs as others write them', () => {
  test('edits a file with Windows line endings, suffixed headings and several arrows', () => {
    const text = LOOSE.replace('### Now\r\n', '### Nowhere\r\n')
    const changed = applyEdits(text, [setFocus('Third', 'next')])
    expect(changed).not.toMatch(/(?<!\r)\n/)
    const handoff = readHandoff(changed)
    expect(focusesOf(handoff).map(({ words }) => words.text)).toEqual(['Third'])
    expect(itemsOf(handoff.byName.next).map(({ words }) => words.text)).toEqual([
      'First thing',
      'Second thing',
      'ship it',
    ])
    expect(changed).toContain('- [ ] Second thing\r\n**Open:** lazy line of it\r\n')
  })

  test('adds missing sections where the template has them', () => {
    const changed = applyEdits(BEFORE, [addNext('ship'), setEntry('workflow', 'phase', '2')])
    expect(changed).toBe(`${BEFORE}\n\n### Next\n- [ ] ship\n\n### Workflow State\nphase: 2\n`)
    const resume = applyEdits(BEFORE, [setEntry('resume', 'Blockers', 'none')])
    expect(resume).toBe(
      BEFORE.replace('}\n```\n', '}\n```\n\n### Resume Context\n- Blockers: none\n'),
    )
  })

  test('adds a Ledger below the title of a document without one', () => {
    const text = '---\na: b\n---\n\n# T\n\nwords\n\n## Plan\nx\n'
    const changed = applyEdits(text, [setRegister('Goal', 'g'), setFocus('n', 'next')])
    expect(changed).toBe(
      '---\na: b\n---\n\n# T\n\nwords\n\n## Ledger\n**Goal:** g\n\n### Now\n[->] n\n\n---\n\n## Plan\nx\n',
    )
    expect(applyEdits('words', [addNext('n')])).toBe('words\n\n## Ledger\n\n### Next\n- [ ] n\n')
  })

  test('refuses to add text that would be inside a code fence', () => {
    const open = '## Ledger\n### Next\n```\nx\n'
    expect(() => applyEdits(open, [addNext('n')])).toThrow(/fence/)
    const notes = '## Ledger\n\n---\n\n## Notes\n\n```\nopen\n'
    expect(() => applyEdits(notes, [setContext('c')])).toThrow(/^Notes: a code fence/)
    expect(applyEdits(notes, [addNext('n')])).toContain('### Next\n- [ ] n\n')
    expect(applyEdits(open, [setFocus('n', 'next')])).toBe(
      '## Ledger\n\n### Now\n[->] n\n\n### Next\n```\nx\n',
    )
  })
})

test('refuses to move an item with an open fence above a section that it would hide', () => {
  const text = '## Ledger\n### This Session (x)\n### now\n- b: c\n  ```\n'
  expect(() => applyEdits(text, [setFocus('focus', 'next')])).toThrow(/fence/)
})

test('writes a text of several lines as one line of an item', () => {
  expect(lineOf(' a\r\n b\u2028c\td\u0007\u202e ')).toBe('a b c d\ufffd\ufffd')
  const changed = applyEdits(HANDOFF, [addNext('a\n---\n## Ledger')])
  expect(entriesOf(readHandoff(changed).byName.decisions)).toHaveLength(2)
  expect(itemsOf(readHandoff(changed).byName.next).at(-1)?.words.text).toBe('a --- ## Ledger')
  expect(registerOf(readHandoff(changed), 'Goal')).toBeDefined()
  expect(updatedOf(readHandoff(changed))).toBeDefined()
})
