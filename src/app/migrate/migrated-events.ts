/** The events that already exist, so that a second migration adds nothing. */

import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { readCanonicalEvent } from '../../core/event/canonical-event.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { MigratedEvent } from '../../core/migrate/migrated-event.ts'
import { isOlderEvent, originOf } from '../../core/migrate/read-source.ts'
import { hashOf, isEventOf } from '../../core/migrate/source-text.ts'
import { placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import { archivedTexts } from '../ledger/read-archive.ts'

export type MigratedEvents = Awaited<ReturnType<typeof readMigratedEvents>>

/**
 * An event is recognized by its name, by its bytes, or by the version of its source. The last is needed because
 * the time of a source without its own time changes when the source is committed, which must not create a
 * second event.
 */
export async function readMigratedEvents(repository: RepositoryPort, root: string) {
  const texts = await readTexts(repository, root)
  // Old events are archived soon after they were migrated; that does not make them new.
  const all = [...(await archivedTexts(repository, { root })), ...texts]
  const known = new Map<string, string>()
  for (const [file, text] of all) {
    for (const key of [file, ...keysOf(text)]) known.set(key, file)
  }
  return {
    /** True if an event states a goal that is not a single stream's. */
    hasGoal: all.some(([, text]) => /^goal:/m.test(text) && !/^stream:/m.test(text)),
    /** True if an event made of this source states a goal. */
    hasGoalOf: (path: string) =>
      all.some(([, text]) => /^goal:/m.test(text) && originOf(text)?.path === path),
    /** File names of events in older schemas. */
    older: [...texts].filter(([, text]) => isOlderEvent(text)).map(([file]) => file),
    /** The name under which an event is already in the ledger or its archive. */
    find: (event: MigratedEvent): string | undefined => {
      const keys = [event.file, ...keysOf(event.text)]
      const found = keys.map((key) => known.get(key)).find((file) => file !== undefined)
      for (const key of keys) known.set(key, found ?? event.file) // the same source, named twice
      return found
    },
    /** The event that already made a handoff part of the ledger, however the handoff's text has changed since. */
    ofHandoff: (path: string, name: string): string | undefined => {
      const isOfHandoff = ([file, text]: [string, string]) => {
        const origin = originOf(text)
        if (origin !== undefined) return origin.path === path
        // A quick test, since most events mention no stream.
        if (!text.includes('\nstream: ') || !text.includes('\ntype: handoff\n')) return false
        return readCanonicalEvent({ file, id: '', text })?.stream === name
      }
      return all.find(isOfHandoff)?.[0]
    },
    /** True if an event was made from this text at this path, or is this text. */
    isFrom: (path: string, source: string) =>
      known.has(`${hashOf(source)} ${path}`) || known.has(hashOf(source)),
    /** True if an event was made from this text, at any path. */
    holds: (source: string) => all.some(([, text]) => isEventOf(text, source)),
  }
}

function keysOf(text: string): string[] {
  const origin = originOf(text)
  return [hashOf(text), ...(origin === undefined ? [] : [`${origin.hash} ${origin.path}`])]
}

async function readTexts(repository: RepositoryPort, root: string): Promise<Map<string, string>> {
  const { entries = [], overlay } = await placeOfWorktree(repository, root)
  const events = entries
    .filter(({ mode }) => isRegularFile(mode))
    .map(({ name, oid }) => ({ file: nameToText(name), oid }))
    .filter(({ file }) => isEventFileName(file))
  const texts = events.map(async ({ file, oid }): Promise<[string, string]> => {
    const bytes = overlay.get(oid) ?? (await repository.objects.read(oid))?.content
    return [file, decodeEventText(bytes ?? new Uint8Array())]
  })
  return new Map(await Promise.all(texts))
}
