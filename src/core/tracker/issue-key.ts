/** Which issue of a tracker is meant: `ANV-123`, of the teams that the user named and of no others. Pure. */

/** The key as trackers write it; undefined for what is no key, or one of another team. */
export function issueKey(text: string, teams: readonly string[]): string | undefined {
  const [, team = '', number = ''] = /^([A-Za-z][A-Za-z0-9]*)-([1-9]\d{0,8})$/.exec(text) ?? []
  const known = teams.includes(team.toUpperCase())
  return known ? `${team.toUpperCase()}-${number}` : undefined
}

/** The first key in a branch's name, in whatever case: `jo/anv-123-login`. `fix/UTF-8-paths` has none. */
export function issueInBranch(
  branch: string | undefined,
  teams: readonly string[],
): string | undefined {
  // A key stands by itself: neither `xanv-1` nor `anv-1b` is one.
  const words = branch?.matchAll(/(?<![A-Za-z0-9])(?=([A-Za-z][A-Za-z0-9]*-\d+)(?![A-Za-z0-9]))/g)
  for (const [, word = ''] of words ?? []) {
    const key = issueKey(word, teams)
    if (key !== undefined) return key
  }
  return undefined
}
