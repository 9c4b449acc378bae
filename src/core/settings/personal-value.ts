/**
 * Settings that name a command or an address may only be in git's configuration, never in a file that a commit can
 * change. Checking out a branch must not run what its author wrote, even if somebody includes a file of the worktree
 * in their configuration. Pure; the rule is implemented only here.
 */

export type PersonalValue =
  | { readonly kind: 'value'; readonly value: string }
  /** `origin`: the file, for people; for other kinds of origin, git's word for it. */
  | { readonly kind: 'refused'; readonly origin: string }

export interface ConfigPlaces {
  /** Folders that commits cannot change: the git folder shared by all worktrees. */
  readonly gitFolders: readonly string[]
  /** Tops of all worktrees. */
  readonly worktrees: readonly string[]
}

/** `origin`: as named by git, with an absolute path without links; undefined if the file does not exist. */
export function personalValue(
  origin: string | undefined,
  value: string,
  { gitFolders, worktrees }: ConfigPlaces,
): PersonalValue {
  if (origin === 'command line:') return { kind: 'value', value }
  const file = origin?.startsWith('file:') === true ? origin.slice('file:'.length) : undefined
  const isIn = (folder: string) => file === folder || file?.startsWith(`${folder}/`) === true
  const isPersonal = file !== undefined && (gitFolders.some(isIn) || !worktrees.some(isIn))
  return isPersonal ? { kind: 'value', value } : { kind: 'refused', origin: file ?? origin ?? '' }
}
