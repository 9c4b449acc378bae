/**
 * Generators for the pure core. They deliberately draw from few instants, agents and keys: merge bugs occur where
 * values collide.
 */

import * as fc from 'fast-check'
import type { Checkpoint, Decision, LedgerEvent } from '../../src/core/event/event.ts'
import type { Instant } from '../../src/core/event/instant.ts'
import { parseInstant } from '../../src/core/event/instant.ts'

export function instant(text: string): Instant {
  const parsed = parseInstant(text)
  if (parsed === undefined) throw new Error(`not an instant: ${text}`)
  return parsed.instant
}

/** An event with only a place in time, plus `fields`. */
export function event(fields: Partial<LedgerEvent> = {}): LedgerEvent {
  return {
    file: 'e.md',
    id: 'aa',
    ts: instant('2026-01-10T00:00:00Z'),
    agent: 'toast',
    branch: undefined,
    type: undefined,
    reason: undefined,
    session: undefined,
    commit: undefined,
    stream: undefined,
    title: undefined,
    goal: undefined,
    test: undefined,
    now: undefined,
    thisSession: [],
    next: undefined,
    decisions: [],
    checkpoints: [],
    openQuestions: [],
    resolvedQuestions: [],
    retracts: [],
    supersedes: [],
    covers: [],
    done: undefined,
    ...fields,
  }
}

/** Texts that imitate other syntax: Markdown, HTML, YAML, git markers, terminal codes. */
export const HOSTILE_TEXTS: readonly string[] = [
  '# heading',
  '## Ledger',
  '### Now',
  'a\n## Ledger\n### Now\n[->] forged',
  '---',
  'x\n---\n_synthesized:\n  format: 1\n  events_tree: 0000000000000000000000000000000000000000',
  '```',
  '~~~js',
  '`lone',
  '``two` one',
  '<!-- hidden',
  '-->',
  '`<!--`',
  '\\<!-- x',
  '<script>',
  '</div>',
  '<?php',
  '<![CDATA[',
  '<<<<<<< HEAD',
  '=======',
  '>>>>>>> theirs',
  '|||||||',
  'a | b',
  'a \\| b \\\\| c|',
  '| --- | --- |',
  '\u001b[31mred\u0007',
  '\u0000\u0085\u009b',
  'a\r\nb\u2028c\u2029d\u000be\u000cf',
  '\u202eevil\u2066',
  '- [ ] not a task',
  '* * *',
  '1. one',
  '1) one',
  '> quote',
  '    indented',
  '\tindented',
  '[a]: http://example.invalid',
  '[^1]: note',
  '**',
  '**Goal:** forged',
  '_synthesized:',
  '\ud800',
  '\u200b',
  '\ufeff',
  '🎉'.repeat(3),
]

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'ab#-*_`<>!|\\[]():~=+1. \n\t"\'&{}'), maxLength: 16 }),
  fc
    .array(fc.constantFrom(...HOSTILE_TEXTS), { minLength: 2, maxLength: 3 })
    .map((parts) => parts.join(' ')),
)

const YEARS_END = instant('2026-12-31T00:00:00Z')
const anyInstant = fc.constantFrom(
  instant('2026-01-10T00:00:00Z'),
  instant('2026-01-10T00:00:00.001Z'),
  instant('2026-01-09T23:59:59Z'),
)
const anyItem = fc.constantFrom('a', ' a ', '[x] a', '- [ ] a', 'b', 'b\n c', 'b c', 'é', 'e\u0301')
const anyItems = fc.array(anyItem, { maxLength: 3 })
const anyDecision: fc.Arbitrary<Decision> = fc
  .record({
    key: fc.constantFrom('k', '__proto__', 'x'),
    value: fc.constantFrom<Decision['value']>('1', 1, true, null, ''),
  })
  .map(({ key, value }) => ({ key, value, text: value === null ? '' : String(value) }))
const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record({
  phase: fc.constantFrom('1', '2', '10', '1.0', 'a', ''),
  status: fc.constantFrom('validated', 'failed'),
  updated: fc.option(anyInstant, { nil: undefined }),
})
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** A pool of events as one team could have written them: each file name has only one content. */
export const anyPool: fc.Arbitrary<LedgerEvent[]> = fc
  .array(
    fc.record({
      ts: anyInstant,
      agent: fc.constantFrom('crisp', 'toast'),
      branch: fc.constantFrom(undefined, 'main', 'topic'),
      stream: fc.constantFrom(undefined, undefined, 'main', 's'),
      type: fc.constantFrom(undefined, 'note', 'session_end', 'checkpoint', 'snapshot', 'odd'),
      title: optional(fc.constantFrom('t1', 't2')),
      goal: optional(fc.constantFrom('g1', 'g2')),
      test: optional(fc.constantFrom('x1', 'x2')),
      now: optional(fc.constantFrom('n1', 'n2', 'n3')),
      thisSession: anyItems,
      next: optional(anyItems),
      decisions: fc.uniqueArray(anyDecision, { maxLength: 2, selector: ({ key }) => key }),
      checkpoints: fc.array(anyCheckpoint, { maxLength: 2 }),
      openQuestions: anyItems,
      resolvedQuestions: anyItems,
      supersedes: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.constantFrom('crisp', 'toast', 'x'), { maxLength: 2 }),
        },
      ),
      // f6 to f8 are files that no clone has. An event may name any event, including itself.
      retracts: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc
            .array(fc.integer({ min: 0, max: 8 }), { maxLength: 2 })
            .map((all) => all.map((i) => `f${i}.md`)),
        },
      ),
    }),
    { maxLength: 6 },
  )
  .map((bodies) =>
    // The order of ids is opposite to the order of files, so that neither can be mistaken for the other.
    bodies.map((body, i) => event({ ...body, file: `f${i}.md`, id: `${9 - (i % 3)}${i}` })),
  )

/**
 * Instants around the age, measured from the newest lane, at which a lane may rest; two are one millisecond apart.
 */
const anyRestInstant = fc.constantFrom(
  YEARS_END,
  instant('2026-12-17T00:00:00Z'),
  instant('2026-12-16T23:59:59.999Z'),
  instant('2026-12-01T00:00:00Z'),
  instant('2026-11-01T00:00:00Z'),
)

/** A pool with more lanes than the newest few that never rest, and with weeks between them. */
export const anyLanePool: fc.Arbitrary<LedgerEvent[]> = fc
  .array(
    fc.record({
      ts: anyRestInstant,
      agent: fc.constantFrom('a', 'b', 'c', 'd'),
      branch: fc.constantFrom(undefined, 'main'),
      stream: fc.constantFrom(undefined, 's'),
      now: optional(fc.constantFrom('n1', 'n2')),
      next: optional(fc.array(fc.constantFrom('p', 'q', 'r', 's', 't'), { maxLength: 3 })),
      thisSession: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom('p', 'q', 'r'), { maxLength: 2 }) },
      ),
      supersedes: fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.constantFrom(['a'], ['b', 'c'], ['d']) },
      ),
    }),
    { minLength: 7, maxLength: 10, size: 'max' },
  )
  .map((bodies) =>
    bodies.map((body, i) => {
      const next = body.next && [...body.next, `own ${i % 8}`]
      return event({ ...body, next, file: `f${i}.md`, id: `${9 - (i % 3)}${i}` })
    }),
  )

/** A pool, and the parts of it that three replicas hold, in any order and with duplicates. */
export const anyReplicas = anyPool.chain((pool) => {
  const side =
    pool.length === 0
      ? fc.constant<LedgerEvent[]>([])
      : fc.array(fc.constantFrom(...pool), { maxLength: 8 })
  return fc.record({ pool: fc.constant(pool), a: side, b: side, c: side })
})

/** An event in which every text is hostile. */
export const anyHostileEvent: fc.Arbitrary<LedgerEvent> = fc
  .record({
    ts: anyInstant,
    agent: anyText.filter((text) => text.trim() !== ''),
    branch: optional(anyText),
    title: optional(anyText),
    goal: optional(anyText),
    test: optional(anyText),
    now: optional(anyText),
    thisSession: fc.array(anyText, { maxLength: 3 }),
    next: optional(fc.array(anyText, { maxLength: 3 })),
    openQuestions: fc.array(anyText, { maxLength: 3 }),
    decisions: fc.array(
      fc.record({ key: anyText, text: anyText }).map((d) => ({ ...d, value: d.text })),
      { maxLength: 3 },
    ),
    checkpoints: fc.array(
      fc.record({ phase: anyText, status: anyText, updated: optional(anyInstant) }),
      { maxLength: 2 },
    ),
    file: anyText.map((text) => `${text.replaceAll('/', '')}.md`),
  })
  .map((fields) => event(trimmed(fields)))

/** A text as `parseEvent` returns it: trimmed, and absent instead of empty. */
function trimmed(fields: Partial<LedgerEvent>): Partial<LedgerEvent> {
  const one = (text: string | undefined) => text?.trim() || undefined
  const all = (texts: readonly string[] = []) => texts.map((t) => t.trim()).filter((t) => t !== '')
  return {
    ...fields,
    branch: one(fields.branch),
    title: one(fields.title),
    goal: one(fields.goal),
    test: one(fields.test),
    now: one(fields.now),
    thisSession: all(fields.thisSession),
    next: fields.next && all(fields.next),
    openQuestions: all(fields.openQuestions),
    decisions: (fields.decisions ?? []).flatMap((d) => {
      const key = d.key.trim()
      return key === '' ? [] : [{ ...d, key }]
    }),
    checkpoints: (fields.checkpoints ?? []).flatMap((c) => {
      const [phase, status] = [c.phase.trim(), c.status.trim()]
      return phase === '' && status === '' ? [] : [{ ...c, phase, status }]
    }),
  }
}
