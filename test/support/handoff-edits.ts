/**
 * Handoffs that two sides edit. There are few items, keys and values, so that both sides change the same ones, in the
 * shapes that real files have.
 */

import * as fc from 'fast-check'

interface Item {
  readonly text: string
  readonly nested: readonly string[]
}

export interface Draft {
  readonly updated: string | undefined
  readonly status: string | undefined
  readonly goal: string
  readonly now: readonly Item[]
  readonly done: readonly Item[]
  readonly next: readonly Item[]
  readonly decisions: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  readonly questions: readonly string[]
  readonly phase: string
  readonly phases: Readonly<Record<string, string>>
  readonly validation: string
  readonly context: readonly string[]
}

/** The parts that do not change while people work. */
export interface Style {
  readonly eol: '\n' | '\r\n'
  readonly heading: string
  readonly isShort: boolean
  readonly isReversed: boolean
  readonly arrow: string
  readonly ending: string
}

export type Edit = (draft: Draft) => Draft

const ITEMS = [
  'write the tests',
  'Émile: merge 🎯',
  'ship it',
  'fix `a | b`',
  'ask',
  'read [docs](x)',
]
const VALUES = ['v1', 'v2: why', 'other words', '']
const anyItem = fc.constantFrom(...ITEMS)
const anyValue = fc.constantFrom(...VALUES)
const anyPhase = fc.constantFrom('Phase 1 (Tests)', 'Phase 2', 'Polish')
const anyState = fc.constantFrom(
  '○ PENDING',
  '→ IN_PROGRESS',
  '→ IN_PROGRESS (started 2026-01-02T10:00:00Z)',
  '✓ VALIDATED (12 tests)',
  '✓ VALIDATED (2026-01-02T11:00:00Z)',
  '✗ FAILED (2026-01-02T12:00:00Z)',
  '✗ FAILED',
)

export const anyStyle: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  heading: fc.constantFrom('', '', ' — SAVE (2026-01-01)'),
  isShort: fc.boolean(),
  isReversed: fc.boolean(),
  arrow: fc.constantFrom('[->] ', '- [->] ', ''),
  ending: fc.constantFrom('', '\n', '\n'),
})

const without = (items: readonly Item[], text: string) => items.filter((item) => item.text !== text)
const found = (draft: Draft, text: string): Item =>
  [...draft.now, ...draft.done, ...draft.next].find((item) => item.text === text) ?? {
    text,
    nested: [],
  }

function take(draft: Draft, text: string): Draft {
  const { now, done, next } = draft
  return { ...draft, now: without(now, text), done: without(done, text), next: without(next, text) }
}

/** Edits as `handoff update` and people make them. */
export const EDITS = {
  start:
    (text: string, old: 'next' | 'done' | 'gone'): Edit =>
    (draft) => {
      const rest = take(draft, text)
      return {
        ...rest,
        now: [found(draft, text)],
        next: old === 'next' ? [...rest.now, ...rest.next] : rest.next,
        done: old === 'done' ? [...rest.done, ...rest.now] : rest.done,
      }
    },
  startToo:
    (text: string): Edit =>
    (draft) => {
      const rest = take(draft, text)
      return { ...rest, now: [...rest.now, found(draft, text)] }
    },
  finish:
    (text: string): Edit =>
    (draft) => {
      const rest = take(draft, text)
      return { ...rest, done: [...rest.done, found(draft, text)] }
    },
  plan:
    (text: string): Edit =>
    (draft) => {
      const isKnown = [...draft.now, ...draft.done, ...draft.next].some(
        (item) => item.text === text,
      )
      return isKnown ? draft : { ...draft, next: [...draft.next, { text, nested: [] }] }
    },
  lead:
    (text: string): Edit =>
    (draft) => {
      const rest = take(draft, text)
      return { ...rest, next: [found(draft, text), ...rest.next] }
    },
  drop:
    (text: string): Edit =>
    (draft) =>
      take(draft, text),
  nest:
    (text: string, line: string): Edit =>
    (draft) => {
      const add = (items: readonly Item[]) =>
        items.map((item) =>
          item.text === text ? { ...item, nested: [...item.nested, line] } : item,
        )
      return { ...draft, now: add(draft.now), done: add(draft.done), next: add(draft.next) }
    },
  decide:
    (key: string, value: string): Edit =>
    (draft) => ({
      ...draft,
      decisions: { ...draft.decisions, [key]: value },
    }),
  undecide:
    (key: string): Edit =>
    (draft) => ({
      ...draft,
      decisions: Object.fromEntries(Object.entries(draft.decisions).filter(([one]) => one !== key)),
    }),
  note:
    (text: string): Edit =>
    (draft) => ({ ...draft, notes: [...new Set([...draft.notes, text])] }),
  ask:
    (text: string): Edit =>
    (draft) => ({ ...draft, questions: [...new Set([...draft.questions, text])] }),
  resolve:
    (text: string): Edit =>
    (draft) => ({
      ...draft,
      questions: draft.questions.filter((one) => one !== text),
    }),
  aim:
    (goal: string): Edit =>
    (draft) => ({ ...draft, goal }),
  step:
    (phase: string): Edit =>
    (draft) => ({ ...draft, phase }),
  pass:
    (phase: string, state: string): Edit =>
    (draft) => ({ ...draft, phases: { ...draft.phases, [phase]: state } }),
  validate:
    (validation: string): Edit =>
    (draft) => ({ ...draft, validation }),
  write:
    (line: string): Edit =>
    (draft) => ({ ...draft, context: [...draft.context, line] }),
  close:
    (status: string): Edit =>
    (draft) => ({ ...draft, status }),
}

const anyQuestion = fc.constantFrom('UNCONFIRMED: does it work?', 'who decides?', 'why')
const anyKey = fc.constantFrom('storage', 'Auth tokens')

/** The possible edits of the lists, decisions and questions. */
export const anyListEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(anyItem, fc.constantFrom('next' as const, 'done' as const, 'gone' as const))
    .map((a) => EDITS.start(...a)),
  anyItem.map(EDITS.startToo),
  anyItem.map(EDITS.finish),
  anyItem.map(EDITS.plan),
  anyItem.map(EDITS.lead),
  anyItem.map(EDITS.drop),
  fc.tuple(anyKey, anyValue).map((a) => EDITS.decide(...a)),
  anyQuestion.map(EDITS.ask),
  anyQuestion.map(EDITS.resolve),
  anyValue.map(EDITS.aim),
)

export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: anyListEdit, weight: 10 },
  fc
    .tuple(anyItem, fc.constantFrom('see #1', 'with 🎯', '```\n# code\n```'))
    .map((a) => EDITS.nest(...a)),
  anyKey.map(EDITS.undecide),
  fc.constantFrom('no key here', 'neither here').map(EDITS.note),
  anyValue.map(EDITS.step),
  fc.tuple(anyPhase, anyState).map((a) => EDITS.pass(...a)),
  fc.constantFrom('{"tests": 1}', '{\n  "tests": 2\n}', '{}').map(EDITS.validate),
  fc.constantFrom('One more line.', 'Another line.').map(EDITS.write),
  fc.constantFrom('active', 'complete', 'paused').map(EDITS.close),
)

export const EMPTY: Draft = {
  updated: undefined,
  status: 'active',
  goal: 'v1',
  now: [{ text: 'the first thing', nested: [] }],
  done: [],
  next: [],
  decisions: {},
  notes: [],
  questions: [],
  phase: '1',
  phases: { 'Phase 1 (Tests)': '○ PENDING' },
  validation: '{"tests": 0}',
  context: ['Some text.', '', 'More text.'],
}

export const edited = (draft: Draft, edits: readonly Edit[]) =>
  edits.reduce((one, edit) => edit(one), draft)

export const anyDraft: fc.Arbitrary<Draft> = fc
  .array(anyEdit, { maxLength: 6 })
  .map((edits) => edited(EMPTY, edits))

export function renderDraft(draft: Draft, style: Style): string {
  const items = (list: readonly Item[], mark: string) =>
    list.flatMap(({ text, nested }) => [
      `${mark}${text}`,
      ...nested.flatMap((line) =>
        line.split('\n').map((one) => `  ${line.startsWith('`') ? '' : '- '}${one}`),
      ),
    ])
  const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`)
  const parts: (readonly [string, readonly string[]])[] = [
    [`### Now${style.heading}`, items(draft.now, draft.now.length > 1 ? '[->] ' : style.arrow)],
    [`### This Session`, items(draft.done, '- [x] ')],
    ['### Next', items(draft.next, '- [ ] ')],
    [
      '### Decisions',
      [
        ...Object.entries(draft.decisions).map(([key, value]) => `- ${key}: ${value}`),
        ...bullets(draft.notes),
      ],
    ],
    ['### Open Questions', bullets(draft.questions)],
    ['### Workflow State', ['pattern: tdd', `phase: ${draft.phase}`]],
    ['### Checkpoints', ['<!-- state -->', '**Agent:** toast']],
    [
      '#### Phase Status',
      Object.entries(draft.phases).map(([phase, state]) => `- ${phase}: ${state}`),
    ],
    ['#### Validation State', ['```json', ...draft.validation.split('\n'), '```']],
  ]
  const shown = style.isShort ? parts.filter(([, lines]) => lines.length > 0) : parts
  const [lists, rest] = [shown.slice(0, -4), shown.slice(-4)]
  const ordered = [...(style.isReversed ? lists.toReversed() : lists), ...rest]
  const lines = [
    ...(draft.status === undefined
      ? []
      : ['---', '# ours', 'session_name: a', `status: ${draft.status}`, '---', '']),
    '# Work Stream: a',
    '',
    '## Ledger',
    ...(draft.updated === undefined ? [] : [`**Updated:** ${draft.updated}`]),
    `**Goal:** ${draft.goal}`,
    '',
    ...ordered.flatMap(([heading, own]) => [heading, ...own, '']),
    '---',
    '',
    '## Context',
    ...draft.context,
  ]
  return `${lines.join(style.eol)}${style.ending && style.eol}`
}
