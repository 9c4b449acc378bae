/** Who holds which ledger. Every branch occurs once; if it is checked out, with its worktree's ledger. */

import type { FleetFacts, HeldLedger, WorktreeFacts } from './fleet-facts.ts'
import { compareBytes } from '../event/event.ts'
import { folderName } from '../text/folder-name.ts'

export interface Holder {
  /** The branch, or the folder's name for a worktree without a branch. */
  readonly name: string
  readonly isMain: boolean
  readonly ledger: HeldLedger
  readonly worktree: WorktreeFacts | undefined
}

/** The main branch first, then by name. */
export function holdersOf({ worktrees, branches, mainBranch }: FleetFacts): Holder[] {
  const checkedOut = worktrees.flatMap((worktree): Holder[] => {
    const { branch, ledger } = worktree
    if (ledger === undefined) return []
    const name = branch ?? folderName(worktree.path)
    return [{ name, isMain: branch !== undefined && branch === mainBranch, ledger, worktree }]
  })
  const known = new Set(worktrees.flatMap(({ branch, ledger }) => (ledger && branch) ?? []))
  const others = branches.flatMap(({ name, ledger }): Holder[] =>
    ledger === undefined || known.has(name)
      ? []
      : [{ name, isMain: name === mainBranch, ledger, worktree: undefined }],
  )
  return [...checkedOut, ...others].sort(
    (a, b) =>
      Number(b.isMain) - Number(a.isMain) ||
      compareBytes(a.name, b.name) ||
      compareBytes(a.worktree?.path ?? '', b.worktree?.path ?? ''),
  )
}

/** True if the ledger has the event, or had it before it was archived. */
export function knows({ files, state }: HeldLedger, file: string): boolean {
  return files.has(file) || state.archived.has(file)
}
