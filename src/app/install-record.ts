/** What `install` did, as it reports it and as `uninstall` needs it. */

import type { FilesPort } from './ports.ts'

export interface Change {
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove'
  readonly what: string
}

export interface InstallReport {
  readonly changes: readonly Change[]
  /** What was left alone, and why. */
  readonly notes: readonly string[]
  /** Tracked files that the user should commit. */
  readonly commit: readonly string[]
}

/** One edit as `uninstall` needs it. */
export interface Recorded {
  readonly path: string
  readonly kind: 'own' | 'block' | 'ledger'
  readonly existed: boolean
  readonly inserted?: string
}

export interface Manifest {
  readonly version: string
  readonly edits: readonly Recorded[]
}

export function manifestPath(commonDir: string): string {
  return `${commonDir}/ledger-git/install.json`
}

export function readManifest(files: FilesPort, commonDir: string): Manifest {
  const text = files.read(manifestPath(commonDir))
  if (text === undefined) return { version: '', edits: [] }
  try {
    return JSON.parse(text) as Manifest
  } catch {
    return { version: '', edits: [] } // unreadable: the markers still tell what is ours
  }
}
