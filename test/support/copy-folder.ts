/** Copies a folder with everything in it, unchanged. Node's `cpSync` takes three times as long for a repository. */

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

/** The target folder must be empty or missing. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  chmodSync(to, statSync(from).mode)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else copyFileSync(source, target)
  }
}
