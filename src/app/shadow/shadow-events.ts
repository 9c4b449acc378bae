/** Pending events in shadow data: kept until a commit is seen to hold them. */

import { decodeTree } from '../../core/git/objects.ts'
import type { LeftOut } from '../../core/shadow/shadow-record.ts'
import { ledgerPaths, untrackedEvents } from '../ledger/ledger-sources.ts'
import type { SessionContext } from './session-context.ts'
import { rootOf, storeClean } from './shadow-files.ts'

export interface PendingEvents {
  /** Blob ids by name. */
  readonly events: ReadonlyMap<string, string>
  readonly leftOut: readonly LeftOut[]
}

/** The worktree's pending events, stored; those with secrets are named only. */
export async function storePendingEvents(context: SessionContext): Promise<PendingEvents> {
  const { place } = context.repository
  const root = await rootOf(context)
  const paths = place.top === undefined ? [] : await untrackedEvents(context.repository, root)
  const taken = await context.files.take(paths)
  try {
    const found = paths.map((path, i) => ({
      path: path.slice(path.lastIndexOf('/') + 1),
      file: taken.files[i],
    }))
    const { files, leftOut } = await storeClean(context, taken, found)
    return { events: new Map([...files].map(([name, { oid }]) => [name, oid])), leftOut }
  } finally {
    taken.dispose()
  }
}

/** Those that HEAD's `events/` does not have. */
export async function uncommitted(
  context: SessionContext,
  events: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { history, objects, place } = context.repository
  const { oid } = events.size === 0 ? {} : await history.head()
  if (oid === undefined) return events
  const folder = await objects.find(`${oid}:${await eventsFolder(context)}`)
  const entries = folder?.type === 'tree' ? decodeTree(folder.content, place.format) : []
  const held = new Map(entries.map((entry) => [entry.name, entry.oid]))
  return new Map([...events].filter(([name, blob]) => held.get(name) !== blob))
}

/** The folder of events as git names it. */
export async function eventsFolder(context: SessionContext): Promise<string> {
  return ledgerPaths(await rootOf(context)).events
}

/** True when each of these is in some branch's history: asked where HEAD lacks them. */
export async function areAllCommitted(
  context: SessionContext,
  events: ReadonlyMap<string, string>,
): Promise<boolean> {
  const left = await uncommitted(context, events)
  if (left.size === 0) return true
  const committed = await context.rescue.committedBlobs(await eventsFolder(context))
  return [...left.values()].every((blob) => committed.has(blob))
}
