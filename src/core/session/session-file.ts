/**
 * The text of a session's state file.
 *
 * Reading never throws, and never guesses: a text that is not a state is named with the reason. Fields
 * that are missing have their first value, so that a state of an older release is read; a field of
 * another kind, or a newer version, is refused. Fields that are not known are kept.
 */

import { parseInstant } from '../event/instant.ts'
import type { CheckpointId } from './checkpoint-id.ts'
import { isCheckpointId } from './checkpoint-id.ts'
import { PHASES } from './phase.ts'
import type { LinkedCommit, Owner, SessionState, SessionTask } from './session-state.ts'
import { isSessionId, STATE_VERSION } from './session-state.ts'
import type { Todo } from './todos.ts'

/** Why a text is not a state. `newer-version`: update ledger-git; nothing is wrong with the file. */
export type StateProblem =
  | { readonly reason: 'not-json' | 'not-an-object' | 'no-version' | 'newer-version' }
  | { readonly reason: 'bad-field'; readonly field: string }

export type ParsedState =
  | { readonly state: SessionState; readonly problem?: never }
  | { readonly state?: never; readonly problem: StateProblem }

export function parseSessionState(text: string): ParsedState {
  const json = parseJson(text)
  if (json === undefined) return { problem: { reason: 'not-json' } }
  if (!isRecord(json.value)) return { problem: { reason: 'not-an-object' } }
  const { version, ...fields } = json.value
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
  // What `accepts` let through has the field's type, and what is missing its first value.
  return { state: { ...firstValues(), ...state, unknown: extra } as unknown as SessionState }
}

/** Known fields in one order, then the unknown ones; absent ones are left out. */
export function renderSessionState(state: SessionState): string {
  const known = Object.keys(FIELDS).map((key) => [key, state[key as Field]])
  const record = Object.fromEntries([['version', STATE_VERSION], ...known])
  return `${JSON.stringify({ ...state.unknown, ...record }, undefined, 2)}\n`
}

type Field = Exclude<keyof SessionState, 'unknown'>

interface FieldRule {
  readonly accepts: (value: unknown) => boolean
  /** What a state has that lacks the field. */
  readonly first: unknown
}

const REQUIRED: readonly Field[] = [
  'id',
  'agent',
  'phase',
  'worktree',
  'startedAt',
  'lastSignOfLife',
]

const text: FieldRule = { accepts: isText, first: undefined }
const instant: FieldRule = { accepts: isInstant, first: undefined }
const flag: FieldRule = { accepts: (value) => typeof value === 'boolean', first: false }
const count: FieldRule = { accepts: isCount, first: 0 }
const checkpoint: FieldRule = { accepts: isId, first: undefined }

function list(accepts: (value: unknown) => boolean): FieldRule {
  return { accepts: (value) => Array.isArray(value) && value.every(accepts), first: [] }
}

function one(accepts: (value: unknown) => boolean): FieldRule {
  return { accepts, first: undefined }
}

const FIELDS: Record<Field, FieldRule> = {
  id: one((value) => isText(value) && isSessionId(value)),
  agent: text,
  phase: one((value) => PHASES.some((phase) => phase === value)),
  worktree: one((value) => isRecord(value) && isText(value['path']) && isText(value['name'])),
  base: one((value) => isText(value) && isOid(value)),
  startedAt: instant,
  endedAt: instant,
  lastSignOfLife: instant,
  owner: one(isOwner),
  turn: count,
  pendingCheckpoint: checkpoint,
  awaiting: list(isLinkedCommit),
  commits: list(isLinkedCommit),
  filesTouched: list(isText),
  hasMoreFiles: flag,
  dirtyBefore: list(isText),
  transcript: one((value) => isRecord(value) && isText(value['path']) && isCount(value['offset'])),
  tasks: list(isTask),
  firstPrompt: text,
  prompts: list(isText),
  steps: count,
  lastCheckpoint: checkpoint,
  isCondensed: flag,
  isLeftBehind: flag,
  todos: list(isTodo),
  lastMessage: text,
  questions: list(isText),
  endEvent: text,
}

function firstValues(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(FIELDS).map(([key, { first }]) => [key, first]))
}

function isField(key: string): key is Field {
  return Object.hasOwn(FIELDS, key)
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** False for what JSON can say and cannot be written again: lists in lists, thousands deep. */
function isRenderable(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isId(value: unknown): value is CheckpointId {
  return isText(value) && isCheckpointId(value)
}

/** Object ids of SHA-1 or SHA-256 repositories, whole. */
function isOid(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value)
}

function isInstant(value: unknown): boolean {
  return isText(value) && parseInstant(value) !== undefined
}

function isOwner(value: unknown): value is Owner {
  return isRecord(value) && isCount(value['pid']) && value['pid'] > 0 && isText(value['startTime'])
}

function isLinkedCommit(value: unknown): value is LinkedCommit {
  return (
    isRecord(value) &&
    isText(value['commit']) &&
    isOid(value['commit']) &&
    isId(value['checkpoint'])
  )
}

function isTask(value: unknown): value is SessionTask {
  if (!isRecord(value) || !isText(value['toolUseId'])) return false
  const path = value['transcriptPath']
  return path === undefined || isText(path)
}

function isTodo(value: unknown): value is Todo {
  const statuses: unknown[] = ['pending', 'in_progress', 'completed']
  if (!isRecord(value) || !isText(value['text'])) return false
  const { id } = value
  return statuses.includes(value['status']) && (id === undefined || isText(id))
}
