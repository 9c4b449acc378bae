/** The phases of resumable work: `- Phase 3 (Redis): ✓ VALIDATED (15 tests passing)`. */

import type { Range } from '../document/document.ts'
import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { Block, Words } from '../document/blocks.ts'
import type { Handoff } from './handoff.ts'
import { DATE, itemsOf } from './handoff.ts'

/** Each state with the icon and word that we write, and the variants that people write. */
export const PHASE_STATES = {
  pending: { icon: '○', word: 'PENDING', icons: [], words: ['TODO', 'NOT STARTED', 'NOT_STARTED'] },
  in_progress: { icon: '→', word: 'IN_PROGRESS', icons: [], words: ['IN PROGRESS', 'STARTED'] },
  validated: {
    icon: '✓',
    word: 'VALIDATED',
    icons: ['✔', '✅', '☑'],
    words: ['COMPLETED', 'COMPLETE', 'DONE', 'PASSED'],
  },
  failed: { icon: '✗', word: 'FAILED', icons: ['✘', '❌'], words: ['FAIL'] },
  skipped: { icon: '', word: 'SKIPPED', icons: [], words: ['SKIP'] },
} as const

export type PhaseState = keyof typeof PHASE_STATES

export interface Phase extends Range {
  /** `1` for `Phase 1 (Tests Written)`; the whole label if it has no number. */
  readonly key: string
  readonly label: Words
  /** Undefined if the line has no status, or one that we do not know. */
  readonly status: PhaseState | undefined
  /** The whole text after the label's colon. */
  readonly state: Words
  /** The text after the status, without its parentheses. */
  readonly note: string
  /** The last time in the line. */
  readonly time: Instant | undefined
}

const NAMES = Object.keys(PHASE_STATES) as PhaseState[]
const ICONS = tableOf(({ icon, icons }) => [icon, ...icons])
const WORDS = tableOf(({ word, words }) => [word, ...words])
const STATE = new RegExp(
  `^(?:(${[...ICONS.keys()].join('|')})\\ufe0f?\\s*)?(?:\\*\\*)?` +
    `(?:(${[...WORDS.keys()].join('|')})(?![\\p{L}\\p{N}_])(?:\\*\\*)?)?`,
  'iu',
)

/** The phases of `#### Phase Status`, in order. `- (none yet)` is not a phase. */
export function phasesOf({ byName }: Handoff): Phase[] {
  return itemsOf(byName.phases).map((block) => readPhase(block))
}

function readPhase(block: Block): Phase {
  const { text, start } = block.words
  // `✓ Phase 5: …`, as in current.md.
  const [lead = '', icon] = STATE.exec(text) ?? []
  const from = icon === undefined ? 0 : lead.length
  const colons = [...text.slice(from).matchAll(/:(?:\*\*)?(?=\s|$)\s*/g)].map((colon) => ({
    at: from + colon.index,
    end: from + colon.index + colon[0].length,
  }))
  // A label may contain colons: the one that precedes a state counts.
  const colon = colons.find(({ end }) => stateOf(text.slice(end)) !== undefined) ?? colons[0]
  const { at, end } = colon ?? { at: text.length, end: text.length }
  const state = { text: text.slice(end), start: start + end, end: start + text.length }
  const found = stateOf(state.text)
  const rest = state.text.slice(found?.length ?? 0).trim()
  const label = text.slice(from, at).trimEnd()
  const boxed = block.box === 'done' ? 'validated' : undefined
  return {
    key: phaseKey(label),
    label: { text: label, start: start + from, end: start + from + label.length },
    status: found?.status ?? ICONS.get(icon ?? '') ?? boxed,
    state,
    note: /^\(([^]*)\)$/.exec(rest)?.[1] ?? rest,
    time: timeIn(rest),
    start: block.start,
    end: block.end,
  }
}

/** `Phase 3 (Redis)` and `3` are the same phase. */
export function phaseKey(label: string): string {
  const words = label.replaceAll('**', '').trim().toLowerCase()
  return /^(?:phase\s+)?(\d+(?:\.\d+)*[a-z]?)(?=$|[\s:(.\u2014-])/.exec(words)?.[1] ?? words
}

/** The icon and the word at the start of a text. A lowercase word needs an icon before it. */
function stateOf(text: string): { status: PhaseState | undefined; length: number } | undefined {
  const [all = '', icon, word = ''] = STATE.exec(text) ?? []
  if (icon !== undefined && word === '') return { status: ICONS.get(icon), length: all.length }
  if (word === '' || (icon === undefined && word !== word.toUpperCase())) return undefined
  return { status: WORDS.get(word.toUpperCase()), length: all.length }
}

/** The state that a checkpoint's word means: `validated`, `COMPLETE`, `✓`. */
export function phaseStateOf(word: string): PhaseState | undefined {
  return WORDS.get(word.trim().toUpperCase()) ?? ICONS.get(word.trim())
}

/** The last time in a text. */
function timeIn(text: string): Instant | undefined {
  const date = [...text.matchAll(new RegExp(DATE, 'g'))].at(-1)?.[0]
  return date === undefined ? undefined : parseInstant(date)?.instant
}

type Row = (typeof PHASE_STATES)[PhaseState]

function tableOf(signs: (row: Row) => readonly string[]): ReadonlyMap<string, PhaseState> {
  return new Map(
    NAMES.flatMap((name) =>
      signs(PHASE_STATES[name]).flatMap((sign) => (sign === '' ? [] : [[sign, name] as const])),
    ),
  )
}
