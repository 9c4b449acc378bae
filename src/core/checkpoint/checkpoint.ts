/**
 * A checkpoint as files on the branch `ledger/checkpoints/v1`.
 *
 * `<id[:2]>/<id[2:]>/metadata.json` lists the sessions. Each session has one folder `<n>/`, numbered in order of
 * arrival, with `metadata.json`, `transcript.jsonl` (`transcript.txt` if the agent does not write JSON lines),
 * `prompts.txt`, `context.md`, and one `tasks/<tool-use id>/` per subagent. The top `metadata.json` is derived from
 * the others, so reading uses only the folders. Texts must be redacted before they get here.
 */

import { createHash } from 'node:crypto'
import { compareBytes } from '../event/event.ts'
import { parseInstant } from '../event/instant.ts'
import { cutText } from '../session/bounds.ts'
import { renderJson } from '../text/json-values.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'

export const CHECKPOINTS_BRANCH = 'ledger/checkpoints/v1'
export const CHECKPOINTS_REF = `refs/heads/${CHECKPOINTS_BRANCH}`
export const CHECKPOINT_VERSION = 1

/**
 * The newest bytes of a transcript are kept, up to this many: twice what an agent's context window holds, and as
 * much as a hook can process while the agent waits for it (docs/performance.md).
 */
export const MAX_TRANSCRIPT = 2 * 1024 * 1024
/** The same for a subagent's transcript. */
export const MAX_TASK = 1024 * 1024
const MAX_TASKS = 100
const MAX_PROMPTS = 200
const MAX_PROMPT = 16_000
const MAX_CONTEXT = 64_000
const MAX_LIST = 5000

export interface Checkpoint {
  readonly id: CheckpointId
  /** One entry per session. */
  readonly sessions: readonly CheckpointSession[]
}

/** What one session contributed. */
export interface CheckpointSession {
  readonly session: string
  readonly agent: string
  /** When this session was first added to the checkpoint; ISO 8601 in UTC. Determines the order of the folders. */
  readonly addedAt: string
  /** When it was last written; ISO 8601 in UTC. */
  readonly condensedAt: string
  readonly branch: string | undefined
  readonly turn: number
  readonly steps: number
  /** Commits whose trailer names this checkpoint and to which the session contributed. */
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** The part of the agent's log since the previous checkpoint. */
  readonly transcript: string
  /** Offset of its first byte in the agent's log. */
  readonly transcriptOffset: number
  /** True if older lines were left out because the transcript was too long. */
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
  /** Path below the checkpoint's folder, with `/`. */
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

/** The files of a checkpoint, sorted by the bytes of their paths. Equal checkpoints give equal bytes. */
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

/** Compares as instants, then as texts: a total order for any texts. */
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

/** The files of one session, in the folder with its number. */
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

/** Prompts with a rule between them; a line in a prompt that looks like a rule gets a backslash. */
function promptsText(prompts: readonly string[]): string {
  const kept = prompts.slice(-MAX_PROMPTS).map((prompt) => cutText(prompt, MAX_PROMPT))
  const texts = kept.map((prompt) => prompt.replace(/^(?=\\*---$)/gm, '\\'))
  return texts.length === 0 ? '' : `${texts.join(PROMPT_RULE)}\n`
}

/** Reads `prompts.txt`; the inverse of `promptsText`. */
export function parsePrompts(text: string): string[] {
  if (text === '') return []
  const texts = text.replace(/\n$/, '').split(PROMPT_RULE)
  return texts.map((prompt) => prompt.replace(/^\\(?=\\*---$)/gm, ''))
}

/** `tasks/<id>`; an id that is not a plain file name is replaced by a hash. */
export function taskFolder(toolUseId: string): string {
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(toolUseId)
  const hash = () => createHash('sha256').update(toolUseId).digest('hex').slice(0, 16)
  return `tasks/${isPlain ? toolUseId : `id-${hash()}`}`
}

/** The end of a text, starting at a line and at most `limit` bytes of UTF-8. `dropped`: bytes before it. */
export function keepNewest(text: string, limit: number): { text: string; dropped: number } {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return { text, dropped: 0 }
  const from = bytes.indexOf(0x0a, bytes.length - limit - 1) + 1
  // The last line alone exceeds the limit, and a part of it could not be parsed.
  const dropped = from === 0 ? bytes.length : from
  return { text: bytes.subarray(dropped).toString('utf8'), dropped }
}

/** True if every line begins and ends like a JSON object; the lines are not parsed. */
function isJsonLines(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.every((line) => line === '' || (line.startsWith('{') && line.endsWith('}')))
}

/** Each text once, sorted by bytes. */
export function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareBytes)
}
