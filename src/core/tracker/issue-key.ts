/** Recognizes issue keys such as `ANV-123`, but only of teams that the user named. Pure. */

/** The key as trackers write it; undefined if the text is not a key, or one of another team. */
export function issueKey(text: string, teams: readonly string[]): string | undefined {
  const [, team = '', number = ''] = /^([A-Za-z][A-Za-z0-9]*)-([1-9]\d{0,8})$/.exec(text) ?? []
  const known = teams.includes(team.toUpperCase())
  return known ? `${team.toUpperCase()}-${number}` : undefined
}

/** The first key in a branch name, ignoring case: `jo/anv-123-login`. `fix/UTF-8-paths` has none. */
export function issueInBranch(
  branch: string | undefined,
  teams: readonly string[],
): string | undefined {
  // A key must stand alone: neither `xanv-1` nor `anv-1b` is one.
  const words = branch?.matchAll(/(?<![A-Za-z0-9])(?=([A-Za-z][A-Za-z0-9]*-\d+)(?![A-Za-z0-9]))/g)
  for (const [, word = ''] of words ?? []) {
    const key = issueKey(word, teams)
    if (key !== undefined) return key
  }
  return undefined
}
