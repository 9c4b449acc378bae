/**
 * The folder of one checkpoint on the branch, and two versions of it made one.
 *
 * What this release can read whole is joined session by session. What it cannot (a newer release wrote
 * it, or a file is damaged) stays as it is, and what comes in gets folders of its own beside it. Laws:
 * no file of either side is lost, the order of the sides does not matter, once more changes nothing.
 */

import type { TreeEntry } from '../git/objects.ts'
import { compareBytes } from '../event/event.ts'
import type { CheckpointFile, CheckpointSession } from './checkpoint.ts'
import { checkpointFiles } from './checkpoint.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'
import { joinCheckpoints, readCheckpoint } from './read-checkpoint.ts'

/** A file of a folder; `name`: its path below the folder. */
export type StoredEntry = TreeEntry

export interface StoredFile extends StoredEntry {
  /** Undefined for what is no text of ours: links, submodules. */
  readonly text: string | undefined
}

export interface CheckpointFolder {
  /** Sessions that this release reads. */
  readonly sessions: readonly CheckpointSession[]
  /** Their numbers, where the folder is not wholly ours: they keep them. */
  readonly places: ReadonlyMap<string, number>
  /** True when everything that a checkpoint has was read: it may be written anew. */
  readonly isWhole: boolean
  /** Files that are no part of the sessions and stay as they are. */
  readonly rest: readonly StoredEntry[]
}

/** A folder as it should be: texts that are to be written, and entries that are there already. */
export interface MergedFolder {
  readonly texts: readonly CheckpointFile[]
  readonly rest: readonly StoredEntry[]
}

/** What a session's writer brings. */
export function folderOfSessions(
  id: CheckpointId,
  sessions: readonly CheckpointSession[],
): CheckpointFolder {
  const { sessions: joined } = joinCheckpoints({ id, sessions }, { id, sessions: [] })
  return { sessions: joined, places: new Map(), isWhole: true, rest: [] }
}

export function readFolder(id: CheckpointId, files: readonly StoredFile[]): CheckpointFolder {
  const texts = files.flatMap(({ name, text }) =>
    text === undefined ? [] : [{ path: name, text }],
  )
  const numbers = new Set(files.flatMap(({ name }) => /^(\d+)\//.exec(name)?.[1] ?? []))
  const read = [...numbers].flatMap((number) => {
    const session = sessionIn(id, number, texts)
    return session === undefined ? [] : [{ number, session }]
  })
  const whole = readCheckpoint(id, texts)
  if (whole !== 'newer-version' && read.length === numbers.size) {
    const rest = files.filter(({ name }) => !OURS.test(name))
    return { sessions: whole.sessions, places: new Map(), isWhole: true, rest: rest.map(entryOf) }
  }
  // Of a session that is there twice the first folder is gone on with.
  const mine = new Map(read.toReversed().map((one) => [one.session.session, one] as const))
  const owned = new Set([...mine.values()].map(({ number }) => number))
  const rest = files.filter(({ name }) => !owned.has(name.split('/')[0] ?? ''))
  return {
    sessions: [...mine.values()].map(({ session }) => session),
    places: new Map([...mine].map(([session, { number }]) => [session, Number(number)])),
    isWhole: false,
    rest: rest.map(entryOf),
  }
}

/** What `checkpointFiles` makes. */
const OURS = /^(?:metadata\.json$|\d+\/)/

function entryOf({ mode, name, oid }: StoredFile): StoredEntry {
  return { mode, name, oid }
}

function sessionIn(
  id: CheckpointId,
  number: string,
  files: readonly CheckpointFile[],
): CheckpointSession | undefined {
  // A folder `01` would come back as `1`.
  if (String(Number(number)) !== number) return undefined
  const own = files.filter(({ path }) => path.startsWith(`${number}/`))
  const alone = readCheckpoint(id, own)
  return alone === 'newer-version' ? undefined : alone.sessions[0]
}

export function mergeFolders(
  id: CheckpointId,
  a: CheckpointFolder,
  b: CheckpointFolder,
): MergedFolder {
  const joined = joinCheckpoints({ id, sessions: a.sessions }, { id, sessions: b.sessions })
  const rest = uniteEntries(a.rest, b.rest)
  if (a.isWhole && b.isWhole) return { texts: checkpointFiles(joined), rest }
  const places = placesOf(joined.sessions, [a, b], rest)
  const texts = joined.sessions.flatMap((session) =>
    sessionFiles(id, session, places.get(session.session) ?? 0),
  )
  return { texts, rest }
}

/** The number each session has already (the lesser of two), else one that nothing has. */
function placesOf(
  sessions: readonly CheckpointSession[],
  sides: readonly CheckpointFolder[],
  rest: readonly StoredEntry[],
): Map<string, number> {
  const taken = new Set(rest.map(({ name }) => Number(/^(\d+)(?:\/|$)/.exec(name)?.[1] ?? -1)))
  const places = new Map<string, number>()
  const take = (session: string, wanted: number) => {
    let number = wanted
    while (taken.has(number)) number++
    taken.add(number)
    places.set(session, number)
  }
  const wishOf = (session: string) =>
    Math.min(...sides.map(({ places }) => places.get(session) ?? Infinity))
  const wishes = sessions.map(({ session }) => ({ session, wish: wishOf(session) }))
  for (const { session, wish } of wishes) if (wish < Infinity) take(session, wish)
  // Above all that is there: what a newer release numbers is its own business.
  const next = Math.max(-1, ...taken) + 1
  for (const { session, wish } of wishes) if (wish === Infinity) take(session, next)
  return places
}

function sessionFiles(
  id: CheckpointId,
  session: CheckpointSession,
  number: number,
): CheckpointFile[] {
  return checkpointFiles({ id, sessions: [session] })
    .filter(({ path }) => path.startsWith('0/'))
    .map(({ path, text }) => ({ path: `${number}/${path.slice(2)}`, text }))
}

/**
 * Both sides' entries. Of two with one name the one with the greater object id keeps it; the other is
 * kept beside it, under a name that ends in its id.
 */
export function uniteEntries(a: readonly StoredEntry[], b: readonly StoredEntry[]): StoredEntry[] {
  const united = new Map<string, StoredEntry>()
  for (const entry of [...a, ...b]) {
    const known = united.get(entry.name)
    if (known === undefined) united.set(entry.name, entry)
    else if (known.oid !== entry.oid || known.mode !== entry.mode) {
      const [loser, winner] = [known, entry].sort((x, y) => compareBytes(keyOf(x), keyOf(y)))
      if (loser === undefined || winner === undefined) continue
      united.set(entry.name, winner)
      const name = `${entry.name}.${loser.oid.slice(0, 12)}`
      united.set(name, { ...loser, name })
    }
  }
  return [...united.values()].sort((x, y) => compareBytes(x.name, y.name))
}

function keyOf({ oid, mode }: StoredEntry): string {
  return `${oid} ${mode}`
}
