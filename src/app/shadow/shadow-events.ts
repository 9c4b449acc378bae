/** Pending events in shadow data: kept until a commit is seen to hold them. */

import { DEFAULT_SETTINGS } from '../../core/settings/settings.ts'
import type { LeftOut } from '../../core/shadow/shadow-record.ts'
import { ledgerPaths, untrackedEvents, placeOfRevision } from '../ledger/ledger-sources.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import { secretIn } from './shadow-secrets.ts'
import type { SessionContext } from './session-context.ts'

/** Where the ledger is. Settings that cannot be read must not cost anybody's work. */
export async function rootOf({ repository }: SessionContext): Promise<string> {
  try {
    return (await readSettings(repository)).root
  } catch {
    return DEFAULT_SETTINGS.root
  }
}

export interface PendingEvents {
  /** Blob ids by name. */
  readonly events: ReadonlyMap<string, string>
  readonly leftOut: readonly LeftOut[]
}

/** The worktree's pending events, stored; those with secrets are named only. */
export async function storePendingEvents(
  context: SessionContext,
  scanner: SecretScanner,
): Promise<PendingEvents> {
  const root = await rootOf(context)
  const hasFiles = context.repository.place.top !== undefined
  const paths = hasFiles ? await untrackedEvents(context.repository, root) : []
  const events = new Map<string, string>()
  const leftOut: LeftOut[] = []
  const taken = await context.files.take(paths)
  try {
    const contents = await taken.contents(taken.files.map((file) => file?.oid ?? ''))
    const clean: Uint8Array[] = []
    for (const [i, path] of paths.entries()) {
      const [content, oid] = [contents[i], taken.files[i]?.oid]
      if (content === undefined || oid === undefined) continue
      const name = path.slice(path.lastIndexOf('/') + 1)
      const reason = secretIn(content, scanner)
      if (reason !== undefined) leftOut.push({ path: name, reason, blob: oid })
      else {
        clean.push(content)
        events.set(name, oid)
      }
    }
    await context.objects.blobs(clean)
  } finally {
    taken.dispose()
  }
  return { events, leftOut }
}

/** Those that HEAD's `events/` does not have. */
export async function uncommitted(
  context: SessionContext,
  events: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { oid } = events.size === 0 ? {} : await context.repository.history.head()
  if (oid === undefined) return new Map(events)
  const place = await placeOfRevision(context.repository, oid, await rootOf(context))
  const held = new Map((place.entries ?? []).map((entry) => [entry.name, entry.oid]))
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
