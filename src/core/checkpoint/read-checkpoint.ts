/**
 * Checkpoints read back from their files, and two versions of one checkpoint joined.
 *
 * The join is what a push conflict needs: both sides condensed into the same id. It is commutative,
 * associative and idempotent, so that clones agree whoever joins.
 */

import { compareBytes } from '../event/event.ts'
import type { Checkpoint, CheckpointFile, CheckpointSession, CheckpointTask } from './checkpoint.ts'
import { byArrival, CHECKPOINT_VERSION, compareTimes, parsePrompts } from './checkpoint.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'

/**
 * The checkpoint that these files of a folder are; `newer-version` when a later release wrote it.
 * Folders that are no session are passed over.
 */
export function readCheckpoint(
  id: CheckpointId,
  files: readonly CheckpointFile[],
): Checkpoint | 'newer-version' {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const folders = [...texts.keys()].flatMap(
    (path) => /^(\d+)\/metadata\.json$/.exec(path)?.[1] ?? [],
  )
  const sessions = folders.map((folder) => readSession(texts, `${folder}/`))
  const top = parseRecord(texts.get('metadata.json'))
  if (isNewer(top) || sessions.includes('newer-version')) return 'newer-version'
  const read = sessions.filter((one) => typeof one === 'object')
  return joinCheckpoints({ id, sessions: read }, { id, sessions: [] })
}

function readSession(
  texts: ReadonlyMap<string, string>,
  prefix: string,
): CheckpointSession | 'newer-version' | undefined {
  const about = parseRecord(texts.get(`${prefix}metadata.json`))
  if (isNewer(about)) return 'newer-version'
  if (about === undefined) return undefined
  const [session, agent] = [about['session'], about['agent']]
  const [addedAt, condensedAt] = [about['addedAt'], about['condensedAt']]
  if (!isText(session) || !isText(agent) || !isText(addedAt) || !isText(condensedAt))
    return undefined
  const transcript = isRecord(about['transcript']) ? about['transcript'] : {}
  const branch = about['branch']
  return {
    session,
    agent,
    addedAt,
    condensedAt,
    branch: isText(branch) ? branch : undefined,
    turn: countOf(about['turn']),
    steps: countOf(about['steps']),
    commits: textsOf(about['commits']),
    files: textsOf(about['files']),
    transcript:
      texts.get(`${prefix}transcript.jsonl`) ?? texts.get(`${prefix}transcript.txt`) ?? '',
    transcriptOffset: countOf(transcript['offset']),
    isCut: transcript['isCut'] === true,
    prompts: parsePrompts(texts.get(`${prefix}prompts.txt`) ?? ''),
    context: texts.get(`${prefix}context.md`) ?? '',
    tasks: tasksOf(about['tasks'], texts, prefix),
  }
}

function tasksOf(
  value: unknown,
  texts: ReadonlyMap<string, string>,
  prefix: string,
): CheckpointTask[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).flatMap(({ toolUseId, folder }) => {
    const transcript = texts.get(`${prefix}${String(folder)}/transcript.jsonl`) ?? ''
    return isText(toolUseId) ? [{ toolUseId, transcript }] : []
  })
}

/**
 * The union of two versions of a checkpoint: each session once. Of a session that both have, the later
 * written text counts; commits, files and subagents are united.
 */
export function joinCheckpoints(a: Checkpoint, b: Checkpoint): Checkpoint {
  const joined = new Map<string, CheckpointSession>()
  for (const one of [...a.sessions, ...b.sessions]) {
    const other = joined.get(one.session)
    joined.set(one.session, joinSessions(one, other ?? one))
  }
  return { id: a.id, sessions: [...joined.values()].sort(byArrival) }
}

function joinSessions(a: CheckpointSession, b: CheckpointSession): CheckpointSession {
  const winner = compareWritten(a, b) >= 0 ? a : b
  return {
    ...winner,
    addedAt: compareTimes(a.addedAt, b.addedAt) <= 0 ? a.addedAt : b.addedAt,
    commits: union(a.commits, b.commits),
    files: union(a.files, b.files),
    tasks: joinTasks([...a.tasks, ...b.tasks]),
  }
}

/** Which was written later; of two at one time the one that says more. Total on what is not united. */
function compareWritten(a: CheckpointSession, b: CheckpointSession): number {
  const said = ({ session, agent, branch, turn, steps, ...one }: CheckpointSession) =>
    JSON.stringify([
      [one.transcriptOffset, one.isCut],
      one.transcript,
      one.prompts,
      one.context,
      [session, agent, branch, turn, steps],
    ])
  return (
    compareTimes(a.condensedAt, b.condensedAt) ||
    a.transcript.length - b.transcript.length ||
    compareBytes(said(a), said(b))
  )
}

function joinTasks(tasks: readonly CheckpointTask[]): CheckpointTask[] {
  const longest = new Map<string, CheckpointTask>()
  for (const task of tasks) {
    const { transcript = '' } = longest.get(task.toolUseId) ?? {}
    const more =
      task.transcript.length - transcript.length || compareBytes(task.transcript, transcript)
    if (more > 0 || !longest.has(task.toolUseId)) longest.set(task.toolUseId, task)
  }
  return [...longest.values()].sort((a, b) => compareBytes(a.toolUseId, b.toolUseId))
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].sort(compareBytes)
}

function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isNewer(about: Record<string, unknown> | undefined): boolean {
  const version = about?.['version']
  return typeof version === 'number' && version > CHECKPOINT_VERSION
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : []
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
