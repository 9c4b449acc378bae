/**
 * `install --gastown RIG`: one rig of Gas Town, whose polecats and refinery are worktrees of one bare
 * repository, beside separate clones (mayor, crew).
 *
 * Writes two files of Gas Town's own: a setup hook for every new worktree, and an overlay that has the
 * refinery commit a fresh ledger. The repositories themselves are set up as any other, without tracked
 * files: those are committed once, by a person.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock, markedBlock, putBlock, removeBlock } from '../../core/setup/marked-block.ts'
import type { FilesPort } from '../ports.ts'
import type { Change } from './install-record.ts'

const OVERLAY_VERSION = 1

export interface RigFiles {
  readonly setupHook: string
  readonly overlay: string
}

interface RigPlaces {
  readonly hook: string
  readonly overlay: string
  /** A rig's overlay replaces the town's, so it must hold that too. */
  readonly townOverlay: string
}

const OVERLAY = 'formula-overlays/mol-refinery-patrol.toml'

function placesOf(rig: string): RigPlaces {
  return {
    hook: `${rig}/.runtime/setup-hooks/ledger-git`,
    overlay: `${rig}/${OVERLAY}`,
    townOverlay: `${rig.slice(0, rig.lastIndexOf('/'))}/${OVERLAY}`,
  }
}

/** Folders of the rig's repositories, the shared one first. Throws `NOT_A_RIG`. */
export function rigRepositories(rig: string, files: FilesPort): string[] {
  if (files.kind(`${rig}/.repo.git/HEAD`) !== 'file') {
    throw new LedgerError(
      'NOT_A_RIG',
      `${rig} is not a Gas Town rig (expected a bare repository in ${rig}/.repo.git)`,
      'ledger-git install --gastown TOWN/RIG',
    )
  }
  const clones = [
    `${rig}/mayor/rig`,
    ...files.list(`${rig}/crew`).map((name) => `${rig}/crew/${name}`),
  ]
  return [
    `${rig}/.repo.git`,
    ...clones.filter((folder) => files.kind(`${folder}/.git`) !== 'absent'),
  ]
}

export function installInRig(
  rig: string,
  texts: RigFiles,
  files: FilesPort,
  dryRun: boolean,
): Change[] {
  const places = placesOf(rig)
  const changes: Change[] = []
  const write = (path: string, text: string, what: string, mode?: number) => {
    const before = files.read(path)
    if (before === text) return
    changes.push({ path, change: before === undefined ? 'create' : 'edit', what })
    if (!dryRun) files.write(path, text, mode)
  }
  write(places.hook, texts.setupHook, 'Gas Town runs it in every new worktree', 0o755)
  const start = files.read(places.overlay) ?? files.read(places.townOverlay) ?? ''
  const overlay = putBlock(start, markedBlock(texts.overlay, OVERLAY_VERSION), 'end').text
  write(places.overlay, overlay, 'the refinery keeps the ledger fresh')
  return changes
}

export function uninstallFromRig(rig: string, files: FilesPort, dryRun: boolean): Change[] {
  const places = placesOf(rig)
  const changes: Change[] = []
  const remove = (path: string, what: string) => {
    changes.push({ path, change: 'remove', what })
    if (dryRun) return
    files.remove(path)
    const folder = path.slice(0, path.lastIndexOf('/'))
    files.removeFolder(folder)
    files.removeFolder(folder.slice(0, folder.lastIndexOf('/')))
  }
  if (files.kind(places.hook) === 'file') remove(places.hook, 'written by install')
  const text = files.read(places.overlay) ?? ''
  if (!hasBlock(text)) return changes
  const rest = removeBlock(text, undefined)
  // What install made from nothing, or from the town's, says nothing of its own.
  if (rest === '' || rest === files.read(places.townOverlay)) {
    remove(places.overlay, 'block of ledger-git')
  } else {
    changes.push({ path: places.overlay, change: 'edit', what: 'block of ledger-git' })
    if (!dryRun) files.write(places.overlay, rest)
  }
  return changes
}
