/**
 * Everything below a folder as plain data: paths, kinds, modes, bytes and link targets, of empty
 * folders too. Nothing is left out but the cache, which any command may fill: `install` and `uninstall`
 * touch neither index, logs nor objects.
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

/** Short texts as they are, so that a failing comparison can be read. */
function contentOf(bytes: Buffer): string {
  if (bytes.length <= 4096 && !bytes.includes(0)) return JSON.stringify(bytes.toString('latin1'))
  return createHash('sha256').update(bytes).digest('hex')
}

/** Paths that were added, removed or changed. */
export function changedPaths(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths].filter((path) => before[path] !== after[path]).toSorted()
}

/** The same without folders, whose making is implied by the files in them. */
export function changedFiles(before: Snapshot, after: Snapshot): string[] {
  return changedPaths(before, after).filter(
    (path) => !(after[path] ?? before[path] ?? '').startsWith('folder '),
  )
}
