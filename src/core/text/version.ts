/** Version numbers such as `2.39.5`. */

/** True if `version` is `since` or newer. Missing parts count as zero. */
export function isAtLeast(version: string, since: string): boolean {
  const [mine, wanted] = [version, since].map((text) => text.split('.').map(Number))
  for (let i = 0; i < (wanted?.length ?? 0); i++) {
    const difference = (mine?.[i] ?? 0) - (wanted?.[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
