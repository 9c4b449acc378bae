/**
 * Reads the folder of one checkpoint on the branch, and merges two versions of it.
 *
 * A folder that this release can read completely is joined session by session. The join is commutative,
 * associative and idempotent, so that all clones get the same result. What this release cannot read (a newer
 * release wrote it, or a file is damaged) is left unchanged, and new sessions get separate folders beside it.
 * Laws: no file of either side is lost; the order of the sides does not matter; merging again changes nothing.
 */

import type { TreeEntry } from '../git/objects.ts'
import { compareBytes } from '../event/event.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'
import { isCount, isObject, isText, parseObject } from '../text/json-values.ts'
import type { CheckpointFile, CheckpointSession, CheckpointTask } from './checkpoint.ts'
import {
  byArrival,
  CHECKPOINT_VERSION,
  checkpointFiles,
  compareTimes,
  parsePrompts,
  sessionFiles,
  sorted,
} from './checkpoint.ts'

/** A file of a folder; `name` is its path below the folder. */
export interface StoredFile extends TreeEntry {
  /** Undefined for entries that are not our text files, such as links and submodules. */
  readonly text: string | undefined
}

export interface CheckpointFolder {
  /** Sessions that this release can read. */
  readonly sessions: readonly CheckpointSession[]
  /** Folder numbers that sessions must keep, because the folder contains entries that we cannot read. */
  readonly places: ReadonlyMap<string, number>
  /** True if the whole checkpoint was read, so that it may be rewritten. */
  readonly isWhole: boolean
  /** Files that do not belong to these sessions and stay unchanged. */
  readonly rest: readonly TreeEntry[]
}

/** The merged folder: texts to write, and existing entries to keep. */
export interface MergedFolder {
  readonly texts: readonly CheckpointFile[]
  readonly rest: readonly TreeEntry[]
}

/** A folder with only these sessions, as condensation creates it. */
export function folderOfSessions(sessions: readonly CheckpointSession[]): CheckpointFolder {
  return { sessions: joinSessions(sessions), places: new Map(), isWhole: true, rest: [] }
}

/** Reads the files of a checkpoint's folder. What cannot be read goes into `rest`; nothing throws. */
export function readFolder(files: readonly StoredFile[]): CheckpointFolder {
  const texts = new Map(
    files.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
  )
  const numbers = new Set(files.flatMap(({ name }) => /^(\d+)\//.exec(name)?.[1] ?? []))
  const read = [...numbers].flatMap((number) => {
    const session = readSession(texts, number)
    return session === undefined ? [] : [{ number, session }]
  })
  const restOf = (isOurs: (name: string) => boolean) =>
    files
      .filter(({ name }) => !isOurs(name))
      .map(({ mode, name, oid }): TreeEntry => ({ mode, name, oid }))
  if (!isNewer(parseObject(texts.get('metadata.json'))) && read.length === numbers.size) {
    const rest = restOf((name) => /^(?:metadata\.json$|\d+\/)/.test(name))
    return { ...folderOfSessions(read.map(({ session }) => session)), rest }
  }
  // If a session has two folders, the first one is used from now on.
  const mine = new Map(read.toReversed().map((one) => [one.session.session, one]))
  const owned = new Set([...mine.values()].map(({ number }) => number))
  return {
    sessions: [...mine.values()].map(({ session }) => session),
    places: new Map([...mine].map(([session, { number }]) => [session, Number(number)])),
    isWhole: false,
    rest: restOf((name) => owned.has(name.split('/')[0] ?? '')),
  }
}

/** Undefined for a folder that is not a session's, or that a newer release wrote. */
function readSession(
  texts: ReadonlyMap<string, string>,
  number: string,
): CheckpointSession | undefined {
  const text = (name: string) => texts.get(`${number}/${name}`) ?? ''
  const about = parseObject(text('metadata.json'))
  const { session, agent, addedAt, condensedAt, branch } = about
  // A folder `01` would be written back as `1`.
  if (isNewer(about) || String(Number(number)) !== number) return undefined
  if (!isText(session) || !isText(agent) || !isText(addedAt) || !isText(condensedAt))
    return undefined
  const transcript = isObject(about['transcript']) ? about['transcript'] : {}
  const tasks = Array.isArray(about['tasks']) ? about['tasks'].filter(isObject) : []
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
    transcript: text('transcript.jsonl') || text('transcript.txt'),
    transcriptOffset: countOf(transcript['offset']),
    isCut: transcript['isCut'] === true,
    prompts: parsePrompts(text('prompts.txt')),
    context: text('context.md'),
    tasks: tasks.flatMap(({ toolUseId, folder }) =>
      isText(toolUseId)
        ? [{ toolUseId, transcript: text(`${String(folder)}/transcript.jsonl`) }]
        : [],
    ),
  }
}

function isNewer({ version }: Record<string, unknown>): boolean {
  return typeof version === 'number' && version > CHECKPOINT_VERSION
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : []
}

function countOf(value: unknown): number {
  return isCount(value) ? value : 0
}

/**
 * Each session once, in order of arrival. If a session occurs twice, the texts written later win, and commits,
 * files and subagents are united.
 */
export function joinSessions(
  ...sides: readonly (readonly CheckpointSession[])[]
): CheckpointSession[] {
  const joined = new Map<string, CheckpointSession>()
  for (const a of sides.flat()) {
    const b = joined.get(a.session) ?? a
    joined.set(a.session, {
      ...(compareWritten(a, b) >= 0 ? a : b),
      addedAt: compareTimes(a.addedAt, b.addedAt) <= 0 ? a.addedAt : b.addedAt,
      commits: sorted([...a.commits, ...b.commits]),
      files: sorted([...a.files, ...b.files]),
      tasks: joinTasks([...a.tasks, ...b.tasks]),
    })
  }
  return [...joined.values()].sort(byArrival)
}

/**
 * Compares by time of writing, then by length of the transcript, then by bytes: a total order over all fields that
 * are not united.
 */
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

/** Merges two versions of the folder of checkpoint `id`. */
export function mergeFolders(
  id: CheckpointId,
  a: CheckpointFolder,
  b: CheckpointFolder,
): MergedFolder {
  const sessions = joinSessions(a.sessions, b.sessions)
  const rest = uniteEntries(a.rest, b.rest)
  if (a.isWhole && b.isWhole) return { texts: checkpointFiles({ id, sessions }), rest }
  const places = placesOf(sessions, [a, b], rest)
  const texts = sessions.flatMap((one) => sessionFiles(one, places.get(one.session) ?? 0))
  return { texts, rest }
}

/** Keeps the number that a session already has (the smaller of two); other sessions get an unused number. */
function placesOf(
  sessions: readonly CheckpointSession[],
  sides: readonly CheckpointFolder[],
  rest: readonly TreeEntry[],
): Map<string, number> {
  const taken = new Set(rest.map(({ name }) => Number(/^(\d+)(?:\/|$)/.exec(name)?.[1] ?? -1)))
  const places = new Map<string, number>()
  const take = (session: string, wanted: number) => {
    let number = wanted
    while (taken.has(number)) number++
    taken.add(number)
    places.set(session, number)
  }
  for (const { session } of sessions) {
    const known = sides.flatMap((side) => side.places.get(session) ?? [])
    if (known.length > 0) take(session, Math.min(...known))
  }
  // Above all existing numbers, which may have a meaning for a newer release.
  const next = Math.max(-1, ...taken) + 1
  for (const { session } of sessions) if (!places.has(session)) take(session, next)
  return places
}

/**
 * The entries of both sides. If two entries have the same name, the one with the greater object id keeps it; the
 * other is kept beside it, under a name that ends in its object id.
 */
export function uniteEntries(a: readonly TreeEntry[], b: readonly TreeEntry[]): TreeEntry[] {
  const united = new Map<string, TreeEntry>()
  const keyOf = ({ oid, mode }: TreeEntry) => `${oid} ${mode}`
  for (const entry of [...a, ...b]) {
    const known = united.get(entry.name) ?? entry
    const isGreater = compareBytes(keyOf(entry), keyOf(known)) >= 0
    const [winner, loser] = isGreater ? [entry, known] : [known, entry]
    united.set(entry.name, winner)
    if (keyOf(winner) === keyOf(loser)) continue
    const name = `${entry.name}.${loser.oid.slice(0, 12)}`
    united.set(name, { ...loser, name })
  }
  return [...united.values()].sort((x, y) => compareBytes(x.name, y.name))
}
