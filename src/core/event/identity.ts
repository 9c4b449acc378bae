/** Who is writing: the first identity that is set, the most explicit source first. */

export interface IdentitySources {
  readonly flag: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder in which the command runs. */
  readonly folder: string
  /** Git's `user.name`. */
  readonly userName: string | undefined
}

/** The agent's name. Never empty, because an event without an author would be skipped. */
export function resolveAgent(sources: IdentitySources): string {
  const { flag, env, folder, userName } = sources
  const role = env['GT_ROLE']
  return (
    [
      flag,
      env['LEDGER_AGENT'],
      env['BD_ACTOR'],
      role?.includes('/') ? role : undefined, // a bare role ("polecat") identifies nobody
      /\/polecats\/([^/]+)(?:\/|$)/.exec(folder)?.[1],
      userName,
    ].find((name) => name !== undefined && name.trim() !== '') ?? 'unknown'
  )
}

/** The branch of HEAD, else the one assigned to a Gas Town polecat, else `(detached)`. */
export function resolveBranch(
  head: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return head ?? (env['GT_BRANCH'] || '(detached)')
}
