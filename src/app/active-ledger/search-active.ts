/** Searches the lines of the active ledger, its archive, handoffs and events. */

import { ACTIVE_FILE, ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { decodeBytes } from '../../core/text/byte-text.ts'
import { handoffPath } from '../handoff/read-handoffs.ts'
import { ledgerPaths, RESERVED } from '../ledger/ledger-sources.ts'
import type { ActiveContext } from './active-file.ts'

export interface Match {
  readonly kind: 'ledger' | 'archive' | 'handoff' | 'event'
  /** Relative to the top of the worktree. */
  readonly path: string
  /** Starting at 1. */
  readonly line: number
  readonly text: string
}

/** A larger file is not a document. */
const MAX_SIZE = 4 * 1024 * 1024

/** Ignores case. The newest archives and events come first. */
export async function searchActive(context: ActiveContext, words: string): Promise<Match[]> {
  const wanted = words.toLowerCase()
  const matches: Match[] = []
  for (const { kind, path } of filesOf(context)) {
    const bytes = await context.session.repository.worktree.read(path)
    if (bytes === undefined || bytes.length > MAX_SIZE) continue
    decodeBytes(bytes)
      .split(/\r?\n/)
      .forEach((text, at) => {
        if (text.toLowerCase().includes(wanted))
          matches.push({ kind, path, line: at + 1, text: text.trim() })
      })
  }
  return matches
}

function filesOf({ session, settings }: ActiveContext): Pick<Match, 'kind' | 'path'>[] {
  const { personal } = session
  const { root } = settings
  const { events } = ledgerPaths(root)
  const inside = (folder: string) =>
    personal
      .list(folder)
      .filter(isEventFileName)
      .map((name) => `${folder}/${name}`)
      .toReversed()
  const folders = session.repository.worktree.folders(root).toSorted()
  const streams = folders.filter((name) => !RESERVED.has(name))
  const all = (kind: Match['kind'], paths: readonly string[]) =>
    paths.map((path) => ({ kind, path }))
  return [
    { kind: 'ledger', path: ACTIVE_FILE },
    ...all('archive', inside(ARCHIVE_FOLDER)),
    ...all(
      'handoff',
      streams.map((name) => handoffPath(root, name)),
    ),
    ...all('event', inside(events)),
  ]
}
