/**
 * `.claude/ralph-state.json`: where a loop is, with two members of ours. Everything else in it stays.
 *
 * Other programs have files of that name. One that counts in `iterations` or counts nothing is theirs.
 */

import { createHash } from 'node:crypto'
import { handoffLine } from '../context/handoff-line.ts'
import { readJsonFile, withMember } from '../text/json-edits.ts'
import { isCount, isObject, isText } from '../text/json-values.ts'
import { takeResume } from './resume-block.ts'
import type { ResumePoint } from './resume.ts'

export const RALPH_STATE = '.claude/ralph-state.json'

export interface IterationContext {
  readonly iteration: number
  /** Percent of the window, the highest that was seen; null where nobody could tell. */
  readonly peak_percent: number | null
  readonly checkpoint: boolean
}

export interface RalphState {
  readonly iteration: number
  /** False once a run has ended; true where nothing says so. */
  readonly isActive: boolean
  /** Of a run of ours that is at work, or was killed: what tells its task from another. */
  readonly task: string | undefined
  readonly maxIterations: number | undefined
  /** The checkpoint that no iteration has gone on from yet. */
  readonly checkpoint: WaitingCheckpoint | undefined
  readonly history: readonly IterationContext[]
}

export interface WaitingCheckpoint {
  readonly handoffFile: string
  readonly item: string | undefined
}

/** Iterations whose context is kept. */
const MAX_HISTORY = 500

/** Undefined for a file in another shape. */
export function readRalphState(text: string): RalphState | undefined {
  const value = readJsonFile(text)?.value
  if (value === undefined || Object.hasOwn(value, 'iterations')) return undefined
  const { iteration, max_iterations: max, context_checkpoint: checkpoint = null } = value
  const { context_history: history = [] } = value
  if (!isCount(iteration) || !Array.isArray(history)) return undefined
  if (checkpoint !== null && !isObject(checkpoint)) return undefined
  return {
    iteration,
    isActive: value['active'] !== false,
    task: value['active'] === true && isText(value['task']) ? value['task'] : undefined,
    maxIterations: isCount(max) && max > 0 ? max : undefined,
    checkpoint: checkpoint === null ? undefined : waiting(checkpoint),
    history: history.filter(isIteration),
  }
}

/** The file of a loop that has none. */
export const NEW_RALPH_STATE = `${JSON.stringify({ active: true, iteration: 0 }, undefined, 2)}\n`

export function withIteration(text: string, iteration: number): string {
  return readRalphState(text) === undefined ? text : withMember(text, 'iteration', iteration)
}

/** A run begins, with its task, or ends; where the file is of our own making. */
export function withRun(text: string, task: string | undefined): string {
  const known = readRalphState(text) && readJsonFile(text)?.value['active']
  if (typeof known !== 'boolean') return text
  return withMember(withMember(text, 'active', task !== undefined), 'task', task ?? null)
}

/** The same for a prompt with or without a block. */
export function taskOf(prompt: string): string {
  return createHash('sha256').update(takeResume(prompt)).digest('hex').slice(0, 16)
}

export function withWaiting(text: string, point: ResumePoint): string {
  if (readRalphState(text) === undefined) return text
  const words = (said: string | undefined) => (said === undefined ? null : handoffLine(said))
  return withMember(text, 'context_checkpoint', {
    active: true,
    level: point.level,
    percent_at_checkpoint: point.percent ?? null,
    timestamp: point.timestamp,
    handoff_file: handoffLine(point.handoffFile),
    resume_summary: words(point.summary),
    files_in_progress: point.files.map(({ path, lines }) => ({
      path: handoffLine(path),
      lines: words(lines),
    })),
    current_todo_item: words(point.item),
    progress_on_item: words(point.progress),
  })
}

/** The checkpoint stays to be read; it waits for nobody any more. */
export function withoutWaiting(text: string): string {
  const checkpoint = readJsonFile(text)?.value['context_checkpoint']
  const isWaiting = isObject(checkpoint) && checkpoint['active'] === true
  if (!isWaiting || readRalphState(text) === undefined) return text
  return withMember(text, 'context_checkpoint', { ...checkpoint, active: false })
}

/** An iteration's context. What was kept of the same iteration, last, is replaced: it was taken too early. */
export function withHistory(text: string, entry: IterationContext): string {
  const history = readRalphState(text)?.history
  if (history === undefined) return text
  const before = history.at(-1)?.iteration === entry.iteration ? history.slice(0, -1) : history
  return withMember(text, 'context_history', [...before, entry].slice(-MAX_HISTORY))
}

function waiting(checkpoint: Record<string, unknown>): WaitingCheckpoint | undefined {
  const { active, handoff_file: handoffFile, current_todo_item: item } = checkpoint
  if (active !== true || !isText(handoffFile)) return undefined
  return { handoffFile, item: isText(item) ? item : undefined }
}

function isIteration(value: unknown): value is IterationContext {
  if (!isObject(value)) return false
  const { iteration, peak_percent: peak, checkpoint } = value
  const isPeak = peak === null || (typeof peak === 'number' && peak >= 0)
  return isCount(iteration) && isPeak && typeof checkpoint === 'boolean'
}
