/**
 * `.claude/ralph-state.json`: the state of a loop, with two members of ours. Everything else in it is left unchanged.
 *
 * Other programs use files of that name. A file with `iterations`, or without any count, belongs to them.
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
  /** The highest percentage of the window that was seen; null if unknown. */
  readonly peak_percent: number | null
  readonly checkpoint: boolean
}

export interface RalphState {
  readonly iteration: number
  /** False once a run has ended; true if the file does not say. */
  readonly isActive: boolean
  /** Identifies the task of a run of ours that is active or was killed. */
  readonly task: string | undefined
  readonly maxIterations: number | undefined
  /** The checkpoint from which no iteration has continued yet. */
  readonly checkpoint: WaitingCheckpoint | undefined
  readonly history: readonly IterationContext[]
}

export interface WaitingCheckpoint {
  readonly handoffFile: string
  readonly item: string | undefined
}

/** Maximum number of iterations in the history. */
const MAX_HISTORY = 500

/** Undefined for a file in an unknown format. */
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
    checkpoint: checkpoint === null ? undefined : readWaiting(checkpoint),
    history: history.filter(isIteration),
  }
}

/** The initial file for a loop that has none. */
export const NEW_RALPH_STATE = `${JSON.stringify({ active: true, iteration: 0 }, undefined, 2)}\n`

export function withIteration(text: string, iteration: number): string {
  return readRalphState(text) === undefined ? text : withMember(text, 'iteration', iteration)
}

/** Records the start of a run with its task, or its end, if we created the file. */
export function withRun(text: string, task: string | undefined): string {
  const known = readRalphState(text) && readJsonFile(text)?.value['active']
  if (typeof known !== 'boolean') return text
  return withMember(withMember(text, 'active', task !== undefined), 'task', task ?? null)
}

/** Identifies a task by its prompt, ignoring our block. */
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

/** Keeps the checkpoint in the file, but no longer waiting. */
export function withoutWaiting(text: string): string {
  const checkpoint = readJsonFile(text)?.value['context_checkpoint']
  const isWaiting = isObject(checkpoint) && checkpoint['active'] === true
  if (!isWaiting || readRalphState(text) === undefined) return text
  return withMember(text, 'context_checkpoint', { ...checkpoint, active: false })
}

/** Adds an iteration's context. An entry for the same iteration at the end is replaced: it was recorded too early. */
export function withHistory(text: string, entry: IterationContext): string {
  const history = readRalphState(text)?.history
  if (history === undefined) return text
  const before = history.at(-1)?.iteration === entry.iteration ? history.slice(0, -1) : history
  return withMember(text, 'context_history', [...before, entry].slice(-MAX_HISTORY))
}

function readWaiting(checkpoint: Record<string, unknown>): WaitingCheckpoint | undefined {
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
