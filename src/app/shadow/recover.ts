/**
 * Brings back what shadow data holds: pending events that are in no commit and no worktree, and, where a
 * folder for them is named, the files of sessions.
 *
 * Looks at every shadow ref, also of worktrees that are gone. Changes no ref, replaces no file, and does
 * nothing the second time.
 */

import { nameToText } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isTreePath, nameOfPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { LeftOut, ShadowRecord } from '../../core/shadow/shadow-record.ts'
import type { WorktreePort } from '../ports.ts'
import type { Chain } from './shadow-chain.ts'
import { listChains } from './shadow-chain.ts'
import { eventsFolder } from './shadow-events.ts'
import type { RestoredFile } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import { readShadowSession } from './shadow-session.ts'

export interface RecoverOptions {
  /** Only chains that this session has a part in, and of files only its own. */
  readonly session?: string | undefined
  /** Only chains of this worktree, by name; empty for the main one. */
  readonly worktree?: string | undefined
  /** Says what would be done. */
  readonly dryRun?: boolean | undefined
  /** Absolute folder for the sessions' files; each session gets a folder of its own in it. */
  readonly filesInto?: string | undefined
}

/**
 * - `restored`: written (`dryRun`: would be).
 * - `present`: it is there already.
 * - `differs`: another file has the name; it stays.
 * - `committed`: some branch has it.
 * - `missing`: the repository has lost what it held.
 */
export type RecoverStatus = 'restored' | 'present' | 'differs' | 'committed' | 'missing'

export interface RecoveredEvent {
  readonly name: string
  readonly ref: string
  readonly blob: string
  readonly status: RecoverStatus
  /** Absolute; undefined where nothing is to be written. */
  readonly path: string | undefined
}

export interface RecoveredFile {
  readonly session: string
  readonly path: string
  readonly status: 'restored' | 'differs' | 'submodule' | 'missing'
}

export interface FoundSession {
  readonly id: string
  readonly files: readonly string[]
  readonly deleted: readonly string[]
  /** Named in the shadow data, not stored. */
  readonly leftOut: readonly LeftOut[]
}

export interface FoundChain {
  readonly ref: string
  readonly record: ShadowRecord
  /** False: the worktree is gone, and its events go into the current one. */
  readonly isWorktreeThere: boolean
  readonly sessions: readonly FoundSession[]
  readonly leftOut: readonly LeftOut[]
}

export interface RecoverReport {
  readonly chains: readonly FoundChain[]
  readonly events: readonly RecoveredEvent[]
  readonly files: readonly RecoveredFile[]
  /** Refs that this release cannot read. */
  readonly unreadable: readonly string[]
}

export async function recover(
  context: SessionContext,
  options: RecoverOptions = {},
): Promise<RecoverReport> {
  const { chains, unreadable } = await listChains(context, options.worktree)
  // Of files that several chains have, the newest version is written: it comes first.
  const wanted = chains
    .filter(({ sessions }) => options.session === undefined || sessions.has(options.session))
    .toSorted((a, b) => b.at - a.at)
  const homes = new Map((await context.rescue.worktrees()).map(({ name, path }) => [name, path]))
  const found: FoundChain[] = []
  const events: RecoveredEvent[] = []
  const files: RecoveredFile[] = []
  const committed = await committedBlobs(context, wanted)
  for (const chain of wanted) {
    const home = homes.get(chain.record.worktree)
    const place = await placeFor(context, home)
    events.push(...(await recoverEvents(context, chain, place, committed, options)))
    const sessions = await sessionsOf(context, chain, options)
    found.push({
      ref: chain.ref,
      record: chain.record,
      isWorktreeThere: home !== undefined,
      sessions,
      leftOut: chain.leftOut,
    })
    for (const { id } of sessions) files.push(...(await recoverFiles(context, chain, id, options)))
  }
  return { chains: found, events, files, unreadable }
}

async function committedBlobs(
  context: SessionContext,
  chains: readonly Chain[],
): Promise<ReadonlySet<string>> {
  if (chains.every(({ events }) => events.size === 0)) return new Set()
  return context.rescue.committedBlobs(await eventsFolder(context))
}

interface Target {
  /** The worktree's top. */
  readonly top: string
  readonly worktree: WorktreePort
  /** Events folder below the top. */
  readonly folder: string
}

/** The chain's own worktree, else the current one. */
async function placeFor(
  context: SessionContext,
  home: string | undefined,
): Promise<Target | undefined> {
  const { place } = context.repository
  const top = home ?? place.top
  if (top === undefined) return undefined
  const isCurrent = top === place.top
  const worktree = isCurrent ? context.repository.worktree : context.rescue.open(top)
  return { top, worktree, folder: await eventsFolder(context) }
}

async function recoverEvents(
  context: SessionContext,
  { ref, events }: Chain,
  target: Target | undefined,
  committed: ReadonlySet<string>,
  { dryRun = false }: RecoverOptions,
): Promise<RecoveredEvent[]> {
  const report: RecoveredEvent[] = []
  for (const [name, blob] of events) {
    const text = nameToText(name)
    const about = { name: text, ref, blob }
    if (committed.has(blob)) report.push({ ...about, status: 'committed', path: undefined })
    else if (target !== undefined && isEventFileName(text) && isTreePath(text)) {
      const path = `${target.folder}/${text}`
      const status = await bringBack(context, target.worktree, path, blob, dryRun)
      report.push({ ...about, status, path: `${target.top}/${path}` })
    }
  }
  return report
}

async function bringBack(
  { repository }: SessionContext,
  worktree: WorktreePort,
  path: string,
  blob: string,
  dryRun: boolean,
): Promise<RecoverStatus> {
  const object = await repository.objects.read(blob)
  if (object?.type !== 'blob') return 'missing'
  const there = await worktree.read(path)
  if (there === undefined && dryRun) return 'restored'
  if (there === undefined && (await worktree.create(path, object.content))) return 'restored'
  // Git's filters may have given the file other line ends than its blob has.
  const now = there ?? (await worktree.read(path))
  return now !== undefined && isSameText(now, object.content) ? 'present' : 'differs'
}

function isSameText(a: Uint8Array, b: Uint8Array): boolean {
  const plain = (bytes: Uint8Array) =>
    Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')
  return plain(a) === plain(b)
}

async function sessionsOf(
  context: SessionContext,
  { sessions }: Chain,
  { session }: RecoverOptions,
): Promise<FoundSession[]> {
  const wanted = [...sessions].filter(([id]) => session === undefined || id === session)
  return Promise.all(
    wanted.map(async ([id, tree]): Promise<FoundSession> => {
      const { files, deleted, leftOut } = await readShadowSession(context, tree)
      return { id, files: [...files.keys()], deleted, leftOut }
    }),
  )
}

const SUBMODULE = '160000'

/** Into `<folder>/<session id>/<path>`; of chains of several bases each gets what is not there yet. */
async function recoverFiles(
  context: SessionContext,
  { sessions }: Chain,
  id: string,
  { filesInto, dryRun = false }: RecoverOptions,
): Promise<RecoveredFile[]> {
  const tree = sessions.get(id)
  if (filesInto === undefined || tree === undefined) return []
  const { files } = await readShadowSession(context, tree)
  const report: RecoveredFile[] = []
  const written: RestoredFile[] = []
  for (const [path, { mode, oid }] of files) {
    if (mode === SUBMODULE) {
      report.push({ session: id, path, status: 'submodule' })
      continue
    }
    if (!isTreePath(path)) continue // a forged one
    const object = await context.repository.objects.read(oid)
    if (object?.type !== 'blob') report.push({ session: id, path, status: 'missing' })
    else written.push({ path: nameOfPath(path), mode, content: object.content })
  }
  const done = dryRun
    ? written.map(() => true)
    : await context.rescue.restore(`${filesInto}/${id}`, written)
  return [
    ...report,
    ...written.map(({ path }, i): RecoveredFile => {
      const status = done[i] === true ? 'restored' : 'differs'
      return { session: id, path: pathOfName(path), status }
    }),
  ]
}
