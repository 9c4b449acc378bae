/**
 * Restores what shadow data holds: pending events that are in no commit and no worktree, and, if a folder is given for
 * them, the files of sessions.
 *
 * Reads every shadow ref, including refs of worktrees that are gone. Changes no ref, replaces no file, and is
 * idempotent.
 */

import { isEventFileName } from '../../core/event/event.ts'
import { nameToText } from '../../core/git/objects.ts'
import { SHADOW_PREFIX } from '../../core/shadow/shadow-name.ts'
import { isTreePath, nameOfPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { LeftOut, ShadowRecord } from '../../core/shadow/shadow-record.ts'
import { isSameText } from '../ledger/event-files.ts'
import type { WorktreePort } from '../ports.ts'
import type { RestoredFile } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import { readChains } from './shadow-chain.ts'
import { eventsFolder } from './shadow-events.ts'
import { SUBMODULE } from './collect-files.ts'
import type { ShadowFiles } from './shadow-session.ts'
import { readShadowSession } from './shadow-session.ts'

export interface RecoverOptions {
  /** Restrict recovery to chains in which this session has a part, and to its own files. */
  readonly session?: string | undefined
  /** Only report what would be done. */
  readonly dryRun?: boolean | undefined
  /** Absolute folder for the sessions' files; each session gets its own sub-folder. */
  readonly filesInto?: string | undefined
}

/**
 * - `restored`: written (with `dryRun`: would be written).
 * - `present`: it already exists.
 * - `differs`: another file has the name; that file is left unchanged.
 * - `committed`: some branch has it.
 * - `missing`: the repository has lost its content.
 */
export type RecoverStatus = 'restored' | 'present' | 'differs' | 'committed' | 'missing'

export interface RecoveredEvent {
  readonly name: string
  readonly ref: string
  readonly status: RecoverStatus
  /** Absolute; undefined if there is nothing to write. */
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
  /** False if the worktree is gone; its events go into the current one. */
  readonly isWorktreeThere: boolean
  readonly sessions: readonly FoundSession[]
  readonly leftOut: readonly LeftOut[]
}

export interface RecoverReport {
  readonly chains: readonly FoundChain[]
  readonly events: readonly RecoveredEvent[]
  readonly files: readonly RecoveredFile[]
  /** Broken refs, and refs that this release cannot read. */
  readonly unreadable: readonly string[]
}

export async function recover(
  context: SessionContext,
  options: RecoverOptions = {},
): Promise<RecoverReport> {
  const { repository } = context
  const rescue = await context.rescue()
  const { session } = options
  const { chains, ...read } = await readChains(context)
  const broken = await context.refs.broken(SHADOW_PREFIX)
  const unreadable = [...read.unreadable, ...broken.map(({ name }) => name)]
  // If several chains have a file, the newest version is written, so newest chains come first.
  const wanted = chains
    .filter(({ sessions }) => session === undefined || sessions.has(session))
    .toSorted((a, b) => b.at - a.at)
  const homes = new Map((await rescue.worktrees()).map(({ name, path }) => [name, path]))
  const folder = await eventsFolder(context)
  const hasEvents = wanted.some(({ events }) => events.size > 0)
  const committed = hasEvents ? await rescue.committedBlobs(folder) : new Set<string>()
  const found: FoundChain[] = []
  const recovered: RecoveredEvent[] = []
  const files: RecoveredFile[] = []
  for (const { ref, record, events, sessions, leftOut } of wanted) {
    const home = homes.get(record.worktree)
    // The chain's own worktree, otherwise the current one.
    const top = home ?? repository.place.top
    const worktree = top === repository.place.top ? repository.worktree : rescue.open(top ?? '')
    for (const [bytes, blob] of events) {
      const name = nameToText(bytes)
      const path = `${folder}/${name}`
      const about = { name, ref }
      if (committed.has(blob)) recovered.push({ ...about, status: 'committed', path: undefined })
      else if (top !== undefined && isEventFileName(name) && isTreePath(name)) {
        const status = await recoverEvent(context, worktree, path, blob, options)
        recovered.push({ ...about, status, path: `${top}/${path}` })
      }
    }
    const parts: FoundSession[] = []
    for (const [id, tree] of sessions) {
      if (session !== undefined && session !== id) continue
      const part = await readShadowSession(context, tree)
      parts.push({
        id,
        files: [...part.files.keys()],
        deleted: part.deleted,
        leftOut: part.leftOut,
      })
      files.push(...(await recoverFiles(context, id, part, options)))
    }
    const isWorktreeThere = home !== undefined
    found.push({ ref, record, isWorktreeThere, sessions: parts, leftOut })
  }
  return { chains: found, events: recovered, files, unreadable }
}

async function recoverEvent(
  { repository }: SessionContext,
  worktree: WorktreePort,
  path: string,
  blob: string,
  { dryRun = false }: RecoverOptions,
): Promise<RecoverStatus> {
  const object = await repository.objects.read(blob)
  if (object?.type !== 'blob') return 'missing'
  const existing = await worktree.read(path)
  if (existing === undefined && dryRun) return 'restored'
  if (existing === undefined && (await worktree.create(path, object.content))) return 'restored'
  // Git's filters may have given the file different line endings than its blob.
  const now = existing ?? (await worktree.read(path))
  return isSameText(now, object.content) ? 'present' : 'differs'
}

/**
 * Writes to `<folder>/<session id>/<path>`. If a session has chains at several bases, a later chain only adds
 * files that are not there yet.
 */
async function recoverFiles(
  { repository, rescue }: SessionContext,
  session: string,
  { files }: ShadowFiles,
  { filesInto, dryRun = false }: RecoverOptions,
): Promise<RecoveredFile[]> {
  if (filesInto === undefined) return []
  const report: RecoveredFile[] = []
  const written: RestoredFile[] = []
  for (const [path, { mode, oid }] of files) {
    // Git never writes such a path into a tree, so it is forged.
    if (mode !== SUBMODULE && !isTreePath(path)) continue
    const object = mode === SUBMODULE ? undefined : await repository.objects.read(oid)
    if (object?.type === 'blob')
      written.push({ path: nameOfPath(path), mode, content: object.content })
    else report.push({ session, path, status: mode === SUBMODULE ? 'submodule' : 'missing' })
  }
  const done = dryRun
    ? undefined
    : await (await rescue()).restore(`${filesInto}/${session}`, written)
  for (const [i, { path }] of written.entries()) {
    const status = done === undefined || done[i] === true ? 'restored' : 'differs'
    report.push({ session, path: pathOfName(path), status })
  }
  return report
}
