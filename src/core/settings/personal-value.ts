/**
 * Settings that name a command or an address: git's configuration is the only place for them, and a file that
 * a commit can bring is no place at all. Whoever checks out a branch must not run what its author wrote, also
 * where somebody includes a file of the worktree in their configuration. Pure; the one place for the rule.
 */

export type PersonalValue =
  | { readonly kind: 'value'; readonly value: string }
  /** `origin`: the file, for people; of another kind, git's word for it. */
  | { readonly kind: 'refused'; readonly origin: string }

export interface ConfigPlaces {
  /** Folders that no commit reaches: the git folder that all worktrees share. */
  readonly gitFolders: readonly string[]
  /** Tops of all worktrees. */
  readonly worktrees: readonly string[]
}

/** `origin`: as git names it, its file absolute and without links; undefined: a file that is not there. */
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
