/**
 * The text of a session's state file.
 *
 * Reading never throws and never guesses: for a text that is not a state, the reason is returned. Missing fields get
 * their initial value, so that states of older releases can be read. A field of the wrong type, or a newer version, is
 * rejected. Unknown fields are kept.
 */

import { parseInstant } from '../event/instant.ts'
import type { Guard } from '../text/json-values.ts'
import {
  isCount,
  isFlag,
  isObject,
  isText,
  listOf,
  maybe,
  oneOf,
  parseJson,
  withFields,
} from '../text/json-values.ts'
import { isCheckpointId } from './checkpoint-id.ts'
import { PHASES } from './phase.ts'
import type { SessionState } from './session-state.ts'
import { isSessionId, STATE_VERSION } from './session-state.ts'

/** Why a text is not a state. `newer-version`: ledger-git must be updated; the file itself is fine. */
export type StateProblem =
  | { readonly reason: 'not-json' | 'not-an-object' | 'no-version' | 'newer-version' }
  | { readonly reason: 'bad-field'; readonly field: string }

export type ParsedState =
  | { readonly state: SessionState; readonly problem?: never }
  | { readonly state?: never; readonly problem: StateProblem }

export function parseSessionState(text: string): ParsedState {
  const json = parseJson(text)
  if (json === undefined) return { problem: { reason: 'not-json' } }
  if (!isObject(json)) return { problem: { reason: 'not-an-object' } }
  const { version, ...fields } = json
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { problem: { reason: 'no-version' } }
  if (version > STATE_VERSION) return { problem: { reason: 'newer-version' } }
  const missing = REQUIRED.find((key) => (fields[key] ?? undefined) === undefined)
  if (missing !== undefined) return { problem: { reason: 'bad-field', field: missing } }
  const unknown: [string, unknown][] = []
  const state: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (!isField(key)) unknown.push([key, value])
    else if (value !== null && !FIELDS[key].accepts(value))
      return { problem: { reason: 'bad-field', field: key } }
    else if (value !== null) state[key] = value
  }
  const extra = Object.fromEntries(unknown)
  if (!isRenderable(extra)) return { problem: { reason: 'bad-field', field: '(unknown)' } }
  // `accepts` guarantees the types of fields, and missing fields get their initial value.
  return { state: { ...FIRST_VALUES, ...state, unknown: extra } as unknown as SessionState }
}

/** Known fields in a fixed order, then unknown ones; absent fields are omitted. */
export function renderSessionState(state: SessionState): string {
  const known = Object.keys(FIELDS).map((key) => [key, state[key as Field]])
  const record = Object.fromEntries([['version', STATE_VERSION], ...known])
  return `${JSON.stringify({ ...state.unknown, ...record }, undefined, 2)}\n`
}

type Field = Exclude<keyof SessionState, 'unknown'>

interface FieldRule {
  readonly accepts: (value: unknown) => boolean
  /** The value in a new state, and in a state that lacks the field. */
  readonly first: unknown
}

const REQUIRED = ['id', 'agent', 'phase', 'worktree', 'startedAt', 'lastSignOfLife'] as const

const flag: FieldRule = { accepts: isFlag, first: false }
const count: FieldRule = { accepts: isCount, first: 0 }

function one(accepts: FieldRule['accepts']): FieldRule {
  return { accepts, first: undefined }
}

function list<T>(accepts: Guard<T>): FieldRule {
  return { accepts: listOf(accepts), first: [] }
}

const link = withFields({ commit: isOid, checkpoint: isId })
const text = one(isText)
const instant = one(isInstant)

const FIELDS: Record<Field, FieldRule> = {
  id: one((value) => isText(value) && isSessionId(value)),
  agent: text,
  name: text,
  phase: one(oneOf(...PHASES)),
  worktree: one(withFields({ path: isText, name: isText })),
  branch: text,
  base: one(isOid),
  startedAt: instant,
  endedAt: instant,
  lastSignOfLife: instant,
  owner: one(withFields({ pid: isPid, startTime: isText })),
  turn: count,
  pendingCheckpoint: one(isId),
  awaiting: list(link),
  pushTo: one(withFields({ remote: isText, isAsked: isFlag })),
  commits: list(link),
  filesTouched: list(isText),
  hasMoreFiles: flag,
  dirtyBefore: list(isText),
  mayHaveWritten: flag,
  transcript: one(withFields({ path: isText, offset: isCount })),
  tasks: list(withFields({ toolUseId: isText, transcriptPath: maybe(isText) })),
  firstPrompt: text,
  prompts: list(isText),
  steps: count,
  lastCheckpoint: one(isId),
  isCondensed: flag,
  isLeftBehind: flag,
  todos: list(
    withFields({
      id: maybe(isText),
      text: isText,
      status: oneOf('pending', 'in_progress', 'completed'),
    }),
  ),
  lastMessage: text,
  questions: list(isText),
  handoffs: list(withFields({ path: isText, blob: maybe(isOid), isChanged: isFlag })),
  endEvent: text,
  toldUntil: instant,
  workedAt: instant,
  askedAt: instant,
}

/** The initial values of all optional fields. */
export const FIRST_VALUES = {
  ...Object.fromEntries(Object.entries(FIELDS).map(([key, { first }]) => [key, first])),
  unknown: {},
} as unknown as Omit<SessionState, (typeof REQUIRED)[number]>

function isField(key: string): key is Field {
  return Object.hasOwn(FIELDS, key)
}

/** False for JSON that can be parsed but not written again: lists nested thousands deep. */
function isRenderable(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

function isPid(value: unknown): value is number {
  return isCount(value) && value > 0
}

function isId(value: unknown): value is string {
  return isText(value) && isCheckpointId(value)
}

/** Full object ids of SHA-1 or SHA-256 repositories. */
function isOid(value: unknown): value is string {
  return isText(value) && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)
}

function isInstant(value: unknown): value is string {
  return isText(value) && parseInstant(value) !== undefined
}
