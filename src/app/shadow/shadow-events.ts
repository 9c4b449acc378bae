/** Pending events in shadow data: kept until a commit is known to hold them. */

import { isEventFileName } from '../../core/event/event.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { decodeTree, nameToText, textToName } from '../../core/git/objects.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { SessionContext } from './session-context.ts'
import { rootOf } from './shadow-files.ts'

/** The pending events among untracked files. */
export async function pendingAmong(
  context: SessionContext,
  untracked: readonly ByteName[],
): Promise<ByteName[]> {
  const folder = `${textToName(await eventsFolder(context))}/`
  return untracked.filter((path) => {
    const name = path.slice(folder.length)
    return path.startsWith(folder) && !name.includes('/') && isEventFileName(nameToText(name))
  })
}

/** The events that HEAD's `events/` does not have. */
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

/** The path of the events folder, as git names it. */
export async function eventsFolder(context: SessionContext): Promise<string> {
  return ledgerPaths(await rootOf(context)).events
}

/** True if each of these events is in the history of some branch; only those that HEAD lacks are looked up. */
export async function areAllCommitted(
  context: SessionContext,
  events: ReadonlyMap<string, string>,
): Promise<boolean> {
  const left = await uncommitted(context, events)
  if (left.size === 0) return true
  const rescue = await context.rescue()
  const committed = await rescue.committedBlobs(await eventsFolder(context))
  return [...left.values()].every((blob) => committed.has(blob))
}
