/** Where a session stopped when its context was full, and what the next iteration of a loop is told about it. */

import type { FileAtWork } from '../context/handoff-document.ts'
import { handoffLine } from '../context/handoff-line.ts'
import type { Level } from '../context/level.ts'
import { escapeInline } from '../text/escape-markdown.ts'

export interface ResumePoint {
  /** ISO 8601. */
  readonly timestamp: string
  readonly level: Level | 'unknown'
  /** Percent of the window. */
  readonly percent: number | undefined
  /** Path relative to the top of the worktree. */
  readonly handoffFile: string
  readonly summary: string | undefined
  readonly files: readonly FileAtWork[]
  readonly item: string | undefined
  /** `70%`, `2 of 3`. */
  readonly progress: string | undefined
}

/** A longer list would not make it clearer where to continue. */
const MAX_FILES = 10

/** The block for a prompt. `memory`: queries to start with. Nothing in the block can end a loop. */
export function resumeLines(point: ResumePoint, memory: readonly string[] = []): string[] {
  return [
    '## CONTEXT CHECKPOINT RESUME',
    '',
    '> This iteration is resuming from a context checkpoint.',
    `> ${checkpointSentence(point)}`,
    ...memoryLines(memory),
    '',
    '### Resume From',
    ...places(point).map(([name, text]) => `- **${name}**: ${text}`),
    '',
    '### Instructions',
    ...numbered([
      'DO NOT restart the task from scratch',
      ...(memory.length === 0 ? [] : ['Read the memory search results first']),
      'Read the handoff document first',
      'Continue from where previous session left off',
    ]),
  ]
}

/** The same as one line, for places with less room. */
export function resumeSentence(point: ResumePoint): string {
  const from = places(point).map(([name, text]) => `${name.toLowerCase()}: ${text}`)
  return `${checkpointSentence(point)} Do not restart from scratch; ${from.join('; ')}.`
}

function checkpointSentence({ percent, level }: ResumePoint): string {
  const threshold = level === 'unknown' || level === 'L0' ? '' : ` (${level} threshold)`
  return percent === undefined
    ? `Previous session ended with a checkpoint${threshold}.`
    : `Previous session hit ${percent}% context${threshold}.`
}

function memoryLines(queries: readonly string[]): string[] {
  if (queries.length === 0) return []
  return [
    '',
    '### Memory Query (Run First)',
    '',
    'Use claude-mem to retrieve checkpoint context:',
    '',
    ...numbered(queries.map(safe)),
  ]
}

function places(point: ResumePoint): (readonly [name: string, text: string])[] {
  const { summary, files, item, progress, handoffFile } = point
  const done = progress === undefined ? '' : ` (${safe(progress).replace(/ done$/, '')} complete)`
  const all: readonly (readonly [string, string | undefined])[] = [
    ...files.slice(0, MAX_FILES).map(({ path, lines }) => {
      const at = lines === undefined ? '' : ` (lines ${safe(lines)})`
      return ['File', `${safe(path)}${at}`] as const
    }),
    ['Item', item === undefined ? undefined : `${safe(item)}${done}`],
    ['Now', summary === undefined || summary === item ? undefined : safe(summary)],
    ['Handoff', safe(handoffFile)],
  ]
  return all.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
}

function numbered(texts: readonly string[]): string[] {
  return texts.map((text, i) => `${i + 1}. ${text}`)
}

function safe(text: string): string {
  return escapeInline(handoffLine(text))
}
