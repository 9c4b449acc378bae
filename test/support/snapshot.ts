/**
 * Everything below a folder as plain data: paths, kinds, modes, bytes and link targets, also of empty folders. Only
 * the cache is left out, because any command may fill it. `install` and `uninstall` touch neither the index nor logs
 * nor objects.
 */

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export type Snapshot = Readonly<Record<string, string>>

export function snapshot(folder: string): Snapshot {
  const found: Record<string, string> = {}
  visit(folder, '.', found)
  return found
}

function visit(top: string, path: string, found: Record<string, string>): void {
  if (/(?:^|\/)ledger-git\/cache$/.test(path)) return
  const full = join(top, path)
  const stats = lstatSync(full)
  const mode = (stats.mode & 0o7777).toString(8)
  if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(full)}`
  else if (stats.isDirectory()) {
    found[path] = `folder ${mode}`
    for (const name of readdirSync(full).toSorted()) visit(top, join(path, name), found)
  } else found[path] = `file ${mode} ${contentOf(readFileSync(full))}`
}

/** Short texts are kept literally, so that a failing comparison is readable. */
function contentOf(bytes: Buffer): string {
  if (bytes.length <= 4096 && !bytes.includes(0)) return JSON.stringify(bytes.toString('latin1'))
  return createHash('sha256').update(bytes).digest('hex')
}

/** Paths that were added, removed or changed. */
export function changedPaths(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths].filter((path) => before[path] !== after[path]).toSorted()
}

/** The same without folders: the files in them already imply that the folders were created. */
export function changedFiles(before: Snapshot, after: Snapshot): string[] {
  return changedPaths(before, after).filter(
    (path) => !(after[path] ?? before[path] ?? '').startsWith('folder '),
  )
}
