/** Who is writing: the first identity that is set, from the most to the least explicit. */

export interface IdentitySources {
  readonly flag: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder the command runs in. */
  readonly folder: string
  /** Git's `user.name`. */
  readonly userName: string | undefined
}

/** The agent's name. Always something: an event without an author would be skipped. */
export function resolveAgent(sources: IdentitySources): string {
  const { flag, env, folder, userName } = sources
  const role = env['GT_ROLE']
  return (
    [
      flag,
      env['LEDGER_AGENT'],
      env['BD_ACTOR'],
      role?.includes('/') ? role : undefined, // a bare role ("polecat") names nobody
      /\/polecats\/([^/]+)(?:\/|$)/.exec(folder)?.[1],
      userName,
    ].find((name) => name !== undefined && name.trim() !== '') ?? 'unknown'
  )
}

/** The branch: HEAD's, else the one a Gas Town polecat was given, else detached. */
export function resolveBranch(
  head: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return head ?? (env['GT_BRANCH'] || '(detached)')
}
