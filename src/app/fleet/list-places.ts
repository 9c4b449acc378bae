/** Lists worktrees and branches, and where the ledger of each is. */

import type { Errors } from './collect-errors.ts'
import { CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import { folderName } from '../../core/text/folder-name.ts'
import type { FleetContext, ListedBranch, ListedWorktree } from './fleet-context.ts'
import type { HeadPlace, WorktreePlaces } from './head-place.ts'
import { headPlace, unbornPlace, worktreePlaces } from './head-place.ts'

export interface SeenWorktree extends ListedWorktree {
  readonly at: HeadPlace | undefined
  readonly places: WorktreePlaces | undefined
}

export interface SeenBranch extends ListedBranch {
  readonly at: HeadPlace | undefined
}

export interface Main {
  readonly name: string
  readonly commit: string
  readonly at: HeadPlace | undefined
}

export interface Places {
  readonly main: Main | undefined
  readonly worktrees: readonly SeenWorktree[]
  readonly branches: readonly SeenBranch[]
  readonly branchesLeftOut: number
}

/** `most`: limit for branches besides those that are checked out; if there is none, merged ones are included. */
export async function listPlaces(
  context: FleetContext,
  errors: Errors,
  most: number,
): Promise<Places> {
  const { repository, fleet } = context
  const listed = (await errors.attempt('worktrees', '', () => fleet.worktrees())) ?? []
  const all = ((await errors.attempt('branches', '', () => fleet.branches())) ?? []).filter(
    ({ name }) => `refs/heads/${name}` !== CHECKPOINTS_REF,
  )
  const main = await findMain(context)
  const checkedOut = new Set(listed.map(({ branch }) => branch))
  const isAsked = most < Infinity && main !== undefined
  const unmerged = isAsked ? await fleet.unmerged(main.commit) : undefined
  const isAlways = ({ name }: ListedBranch) => checkedOut.has(name) || name === main?.name
  const others = all.filter((one) => !isAlways(one) && (unmerged?.has(one.name) ?? true))
  const chosen = [...all.filter(isAlways), ...others.slice(0, most)]
  const heads = new Map<string, HeadPlace>()
  const at = async (part: 'worktrees' | 'branches', name: string, commit: string) => {
    const known = heads.get(commit)
    if (known !== undefined) return known
    const found = await errors.attempt(part, name, () => headPlace(repository, commit))
    if (found !== undefined) heads.set(commit, found)
    return found
  }
  const branches: SeenBranch[] = []
  for (const one of chosen) branches.push({ ...one, at: await at('branches', one.name, one.head) })
  const worktrees: SeenWorktree[] = []
  for (const one of listed) {
    const name = one.branch ?? folderName(one.path)
    const head =
      one.head === undefined ? unbornPlace(context) : await at('worktrees', name, one.head)
    const places =
      head && !one.isGone && one.damage === undefined
        ? await errors.attempt('worktrees', name, () => worktreePlaces(context, one.path, head))
        : undefined
    if (one.damage !== undefined)
      errors.found.push({ part: 'worktrees', subject: name, ...one.damage })
    worktrees.push({ ...one, at: head, places })
  }
  return {
    main: main && { ...main, at: await at('branches', main.name, main.commit) },
    worktrees,
    branches,
    branchesLeftOut: all.length - chosen.length,
  }
}

/** The local main branch, otherwise the fetched one. */
async function findMain({
  repository: { history, objects },
}: FleetContext): Promise<{ name: string; commit: string } | undefined> {
  const name = await history.defaultBranch()
  if (name === undefined) return undefined
  const refs = [`refs/heads/${name}`, `refs/remotes/origin/${name}`]
  for (const ref of refs) {
    const commit = await objects.find(`${ref}^{commit}`)
    if (commit !== undefined) return { name, commit: commit.oid }
  }
  return undefined
}
