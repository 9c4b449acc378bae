/**
 * `install --gastown RIG`: sets up a Gas Town rig. Its polecats and refinery are worktrees of one bare repository;
 * mayor and crew have separate clones.
 *
 * Writes two Gas Town files: a setup hook for every new worktree, and an overlay that makes the refinery commit a fresh
 * ledger. The repositories themselves are set up like any other, but without tracked files: a person commits those
 * once.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock, markedBlock, putBlock, removeBlock } from '../../core/setup/marked-block.ts'
import type { FilesPort } from '../ports.ts'
import { install } from './install.ts'
import type { Change, InstallReport } from './install-record.ts'
import { folderOf } from './install-record.ts'
import type { Setup } from './setup.ts'
import { isAdopted } from './setup.ts'
import { uninstall } from './uninstall.ts'

const OVERLAY = 'formula-overlays/mol-refinery-patrol.toml'

interface Rig {
  readonly folder: string
  readonly files: FilesPort
  readonly dryRun: boolean
  /** Opens a repository of the rig while `action` runs. */
  withSetup<T>(folder: string, action: (setup: Setup) => Promise<T>): Promise<T>
  /** Reads a text file of the package. */
  asset(path: string): string
}

export async function installRig(rig: Rig): Promise<InstallReport> {
  const { files, dryRun, asset } = rig
  const reports = await inEach(rig, async (setup) => {
    if (setup.settingsError !== undefined) throw setup.settingsError
    const report = await install(setup, { dryRun, local: true })
    const notes = (await isAdopted(setup.repository)) ? [] : [NOT_ADOPTED]
    return { ...report, notes: [...report.notes, ...notes] }
  })
  const changes = reports.flatMap((report) => report.changes)
  const write = (path: string, text: string, what: string, mode?: number) => {
    const before = files.read(path)
    if (before === text) return
    changes.push({ path, change: before === undefined ? 'create' : 'edit', what })
    if (!dryRun) files.write(path, text, mode)
  }
  const { hook, overlay, townOverlay } = pathsOf(rig)
  const setupHook = asset('templates/gastown-setup-hook')
  write(hook, setupHook, 'Gas Town runs it in every new worktree', 0o755)
  const start = files.read(overlay) ?? files.read(townOverlay) ?? ''
  const block = markedBlock(asset('templates/gastown-overlay.toml'))
  write(overlay, putBlock(start, block, 'end').text, 'the refinery keeps the ledger fresh')
  const notes = new Set(reports.flatMap((report) => report.notes))
  return { changes, notes: [...notes], commit: [] }
}

const NOT_ADOPTED =
  'the repository itself does not use ledger-git yet: in one clone run ledger-git install, commit ' +
  'what it lists, and push it to the default branch'

export async function uninstallRig(rig: Rig): Promise<InstallReport> {
  const { files, dryRun } = rig
  const reports = await inEach(rig, (setup) => uninstall(setup, { dryRun }))
  const changes: Change[] = reports.flatMap((report) => report.changes)
  const remove = (path: string, what: string) => {
    changes.push({ path, change: 'remove', what })
    if (dryRun) return
    files.remove(path)
    files.removeFolder(folderOf(path))
    files.removeFolder(folderOf(folderOf(path)))
  }
  const { hook, overlay, townOverlay } = pathsOf(rig)
  if (files.kind(hook) === 'file') remove(hook, 'written by install')
  const text = files.read(overlay) ?? ''
  const rest = removeBlock(text, undefined)
  // An overlay that install created from nothing, or copied from the town's, has no content of its own.
  const isEmpty = rest === '' || rest === files.read(townOverlay)
  if (hasBlock(text) && isEmpty) remove(overlay, 'block of ledger-git')
  else if (hasBlock(text)) {
    changes.push({ path: overlay, change: 'edit', what: 'block of ledger-git' })
    if (!dryRun) files.write(overlay, rest)
  }
  return { changes, notes: reports.flatMap(({ notes }) => notes), commit: [] }
}

/** Runs `action` in each repository of the rig, the shared one first. Throws `NOT_A_RIG`. */
async function inEach<T>(
  { folder: rig, files, withSetup }: Rig,
  action: (setup: Setup) => Promise<T>,
): Promise<T[]> {
  if (files.kind(`${rig}/.repo.git/HEAD`) !== 'file') {
    throw new LedgerError(
      'NOT_A_RIG',
      `${rig} is not a Gas Town rig (expected a bare repository in ${rig}/.repo.git)`,
      'ledger-git install --gastown TOWN/RIG',
    )
  }
  const crew = files.list(`${rig}/crew`).map((name) => `${rig}/crew/${name}`)
  const clones = [`${rig}/mayor/rig`, ...crew].filter(
    (clone) => files.kind(`${clone}/.git`) !== 'absent',
  )
  const done: T[] = []
  for (const folder of [`${rig}/.repo.git`, ...clones]) done.push(await withSetup(folder, action))
  return done
}

function pathsOf({ folder }: Rig) {
  return {
    hook: `${folder}/.runtime/setup-hooks/ledger-git`,
    overlay: `${folder}/${OVERLAY}`,
    /** A rig's overlay replaces the town's, so it must include the town's content. */
    townOverlay: `${folderOf(folder)}/${OVERLAY}`,
  }
}
