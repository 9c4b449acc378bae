/** The folders of a worktree that ledger-git writes files into: where a killed one leaves half of one. */

import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { FilesPort, Place } from '../ports.ts'
import { readManifest } from './install-record.ts'

export function writtenFolders(
  files: FilesPort,
  place: Pick<Place, 'commonDir' | 'gitDir'>,
  top: string | undefined,
  root: string,
): string[] {
  const { edits } = readManifest(files, { ...place, top })
  const recorded = edits.map(({ path }) => path.slice(0, path.lastIndexOf('/')))
  if (top === undefined) return recorded
  const { events, archive } = ledgerPaths(root)
  const days = files.list(`${top}/${archive}`).map((day) => `${top}/${archive}/${day}`)
  return [...recorded, top, `${top}/${root}`, `${top}/${events}`, `${top}/${archive}`, ...days]
}
