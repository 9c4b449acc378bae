/** The lines that are being worked on: from the first to the last change of each file. Pure. */

/**
 * Reads `git diff --unified=0`. The result maps a path to `45-120` or `7`, line numbers of the current file. Deleted
 * and binary files are left out, and so are files whose names git quotes.
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
    // A hunk that only deletes lines has count 0 and lies between two lines.
    const from = Math.max(Number(start), 1)
    first = Math.min(first, from)
    last = Math.max(last, from + Math.max(Number(count) - 1, 0))
  }
  end()
  return found
}
