/** The lines at work: from the first to the last change of each file. Pure. */

/**
 * Reads `git diff --unified=0`: by path, `45-120` or `7` in the file as it is now. Files that are gone,
 * binary ones and those whose names git quotes are left out.
 */
export function changedLines(diff: string): Map<string, string> {
  const found = new Map<string, string>()
  let path: string | undefined
  let [first, last] = [Infinity, 0]
  const end = () => {
    if (path !== undefined && last > 0)
      found.set(path, first === last ? `${first}` : `${first}-${last}`)
    path = undefined
    first = Infinity
    last = 0
  }
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) end()
    else if (line.startsWith('+++ b/') && path === undefined && last === 0)
      path = line.slice(6).replace(/\t$/, '')
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (start === undefined) continue
    // A hunk that only takes lines out stands between two of them.
    const from = Math.max(Number(start), 1)
    first = Math.min(first, from)
    last = Math.max(last, from + Math.max(Number(count) - 1, 0))
  }
  end()
  return found
}
