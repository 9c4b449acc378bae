/**
 * A checkpoint as files: what branch `ledger/checkpoints/v1` holds of it.
 *
 * `<id[:2]>/<id[2:]>/metadata.json` lists the sessions; folder `<n>/` has one session: `metadata.json`,
 * `transcript.jsonl` (`transcript.txt` where the agent writes no JSON lines), `prompts.txt`,
 * `context.md`, and `tasks/<tool-use id>/` a subagent each. A session has one folder, in the order in
 * which they came. `metadata.json` at the top is made of the others: reading needs the folders only.
 * Texts must be redacted before they get here.
 */

import { createHash } from 'node:crypto'
import { compareBytes } from '../event/event.ts'
import { parseInstant } from '../event/instant.ts'
import { cutText } from '../session/bounds.ts'
import { renderJson } from '../text/json-values.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'

export const CHECKPOINTS_REF = 'refs/heads/ledger/checkpoints/v1'
export const CHECKPOINT_VERSION = 1

/**
 * Bytes of a transcript that are kept, the newest: what an agent's context window holds, twice over, and what
 * a hook can take in while the agent waits for it (docs/performance.md).
 */
export const MAX_TRANSCRIPT = 2 * 1024 * 1024
/** The same of a subagent's. */
export const MAX_TASK = 1024 * 1024
const MAX_TASKS = 100
const MAX_PROMPTS = 200
const MAX_PROMPT = 16_000
const MAX_CONTEXT = 64_000
const MAX_LIST = 5000

export interface Checkpoint {
  readonly id: CheckpointId
  /** One for each session. */
  readonly sessions: readonly CheckpointSession[]
}

/** What one session contributed. */
export interface CheckpointSession {
  readonly session: string
  readonly agent: string
  /** When this session first came into the checkpoint; ISO 8601 in UTC. Orders the folders. */
  readonly addedAt: string
  /** When it was last written. */
  readonly condensedAt: string
  readonly branch: string | undefined
  readonly turn: number
  readonly steps: number
  /** Commits whose trailer names this checkpoint and that the session has a part in. */
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** The part since the checkpoint before; its first byte's place in the agent's log. */
  readonly transcript: string
  readonly transcriptOffset: number
  /** True when older lines were left out, because it is too long. */
  readonly isCut: boolean
  readonly prompts: readonly string[]
  /** For people: what the session was about. Markdown. */
  readonly context: string
  readonly tasks: readonly CheckpointTask[]
}

export interface CheckpointTask {
  readonly toolUseId: string
  readonly transcript: string
}

export interface CheckpointFile {
  /** Below the checkpoint's folder, with `/`. */
  readonly path: string
  readonly text: string
}

/** The folder of a checkpoint on the branch. */
export function checkpointFolder(id: CheckpointId): string {
  return `${id.slice(0, 2)}/${id.slice(2)}`
}

/** The id of a folder on the branch; undefined for other paths. */
export function checkpointOfFolder(path: string): CheckpointId | undefined {
  const match = /^([0-9a-f]{2})\/([0-9a-f]{10})$/.exec(path)
  return match === null ? undefined : (`${match[1]}${match[2]}` as CheckpointId)
}

/** The files of a checkpoint, sorted by path as bytes; the same record gives the same bytes. */
export function checkpointFiles(checkpoint: Checkpoint): CheckpointFile[] {
  const sessions = checkpoint.sessions.toSorted(byArrival)
  const files = [
    { path: 'metadata.json', text: renderJson(summaryOf(checkpoint.id, sessions)) },
    ...sessions.flatMap(sessionFiles),
  ]
  return files.sort((a, b) => compareBytes(a.path, b.path))
}

export function byArrival(a: CheckpointSession, b: CheckpointSession): number {
  return compareTimes(a.addedAt, b.addedAt) || compareBytes(a.session, b.session)
}

/** As instants, then as texts: a total order of any texts. */
export function compareTimes(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => parseInstant(text)?.instant ?? '')
  return compareBytes(x ?? '', y ?? '') || compareBytes(a, b)
}

function summaryOf(id: CheckpointId, sessions: readonly CheckpointSession[]): unknown {
  return {
    version: CHECKPOINT_VERSION,
    checkpoint: id,
    commits: sorted(sessions.flatMap(({ commits }) => commits)),
    files: sorted(sessions.flatMap(({ files }) => files)).slice(0, MAX_LIST),
    sessions: sessions.map(({ session, agent, condensedAt }, n) => ({
      folder: String(n),
      session,
      agent,
      condensedAt,
    })),
  }
}

/** Those of one session, in the folder of its number. */
export function sessionFiles(session: CheckpointSession, number: number): CheckpointFile[] {
  const transcript = keepNewest(session.transcript, MAX_TRANSCRIPT)
  const transcriptFile = isJsonLines(transcript.text) ? 'transcript.jsonl' : 'transcript.txt'
  const tasks = session.tasks
    .slice(-MAX_TASKS)
    .map((task) => ({ ...task, folder: taskFolder(task.toolUseId) }))
  const about = {
    version: CHECKPOINT_VERSION,
    session: session.session,
    agent: session.agent,
    addedAt: session.addedAt,
    condensedAt: session.condensedAt,
    branch: session.branch,
    turn: session.turn,
    steps: session.steps,
    commits: sorted(session.commits),
    files: sorted(session.files).slice(0, MAX_LIST),
    transcript: {
      file: transcript.text === '' ? undefined : transcriptFile,
      offset: session.transcriptOffset + transcript.dropped,
      isCut: session.isCut || transcript.dropped > 0,
    },
    tasks: tasks.map(({ toolUseId, folder }) => ({ toolUseId, folder })),
  }
  const files = [
    { path: 'metadata.json', text: renderJson(about) },
    { path: transcriptFile, text: transcript.text },
    { path: 'prompts.txt', text: promptsText(session.prompts) },
    { path: 'context.md', text: cutText(session.context, MAX_CONTEXT) },
    ...tasks.map(({ folder, transcript }) => ({
      path: `${folder}/transcript.jsonl`,
      text: keepNewest(transcript, MAX_TASK).text,
    })),
  ]
  return files
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => ({ path: `${number}/${path}`, text }))
}

const PROMPT_RULE = '\n\n---\n\n'

/** Prompts with a rule between them; a line of a prompt that looks like one gets a backslash. */
function promptsText(prompts: readonly string[]): string {
  const kept = prompts.slice(-MAX_PROMPTS).map((prompt) => cutText(prompt, MAX_PROMPT))
  const texts = kept.map((prompt) => prompt.replace(/^(?=\\*---$)/gm, '\\'))
  return texts.length === 0 ? '' : `${texts.join(PROMPT_RULE)}\n`
}

/** The inverse of what `checkpointFiles` writes. */
export function parsePrompts(text: string): string[] {
  if (text === '') return []
  const texts = text.replace(/\n$/, '').split(PROMPT_RULE)
  return texts.map((prompt) => prompt.replace(/^\\(?=\\*---$)/gm, ''))
}

/** `tasks/<id>`; an id that is no plain file name stands there as a hash. */
export function taskFolder(toolUseId: string): string {
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(toolUseId)
  const hash = () => createHash('sha256').update(toolUseId).digest('hex').slice(0, 16)
  return `tasks/${isPlain ? toolUseId : `id-${hash()}`}`
}

/** The end of a text, from the start of a line, at most `limit` bytes of UTF-8. */
export function keepNewest(text: string, limit: number): { text: string; dropped: number } {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return { text, dropped: 0 }
  const from = bytes.indexOf(0x0a, bytes.length - limit - 1) + 1
  // One endless line: nothing that could be read is left of it.
  const dropped = from === 0 ? bytes.length : from
  return { text: bytes.subarray(dropped).toString('utf8'), dropped }
}

/** What every line begins and ends like; whether it parses is the reader's business. */
function isJsonLines(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.every((line) => line === '' || (line.startsWith('{') && line.endsWith('}')))
}

/** Each once, in the order of their bytes. */
export function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareBytes)
}
