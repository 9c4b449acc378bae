/**
 * What a commit takes of a session's files, and what stays for a later commit.
 *
 * A session is known by the versions of files that it left behind, a commit by what it changed. Nothing
 * here knows who ran `git commit`; `commit-links.ts` does.
 */

/** A file as somebody left it: the id of its blob, or undefined where it is gone. */
export interface FileVersion {
  readonly path: string
  readonly blob: string | undefined
}

/** A path whose content or mode is not the same; an object id is undefined where there is no file. */
export interface FileChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Paths where the changes of a commit have work of the session in them.
 *
 * A file that existed counts whatever its content is: people touch up and commit in parts. A new file
 * counts only as the session left it: under the same name may be somebody else's. A deletion counts as
 * a deletion only, and a file that the session put back as it was is no work.
 */
export function contributedFiles(
  touched: readonly FileVersion[],
  changes: readonly FileChange[],
): string[] {
  const changed = new Map(changes.map((change) => [change.path, change]))
  return joinVersions(touched).flatMap(({ path, blob: mine }) => {
    const change = changed.get(path)
    if (change === undefined || change.before === mine) return []
    const { before, after } = change
    const isWork =
      before === undefined ? after === mine : (after === undefined) === (mine === undefined)
    return isWork ? [path] : []
  })
}

/** What the session touched and the commit does not hold as it left it: the next commit may. */
export function carriedForward(
  touched: readonly FileVersion[],
  held: readonly FileVersion[],
): FileVersion[] {
  const known = byPath(held)
  return joinVersions(touched).filter(({ path, blob }) => known.get(path) !== blob)
}

/**
 * Paths where a commit of what is there now, in the index or in the worktree, would have work of the
 * session in it. None: it was thrown away, or is committed already.
 */
export function committableFiles(
  touched: readonly FileVersion[],
  places: readonly (readonly FileVersion[])[],
  head: readonly FileVersion[],
): string[] {
  const held = byPath(head)
  const found = places.flatMap((place) => {
    const changes = place.map(({ path, blob }) => ({ path, before: held.get(path), after: blob }))
    const changed = changes.filter(({ before, after }) => before !== after)
    return contributedFiles(touched, changed)
  })
  return [...new Set(found)]
}

/** One version a path: later ones replace earlier ones. */
export function joinVersions(...lists: readonly (readonly FileVersion[])[]): FileVersion[] {
  return [...byPath(lists.flat())].map(([path, blob]) => ({ path, blob }))
}

function byPath(files: readonly FileVersion[]): Map<string, string | undefined> {
  return new Map(files.map(({ path, blob }) => [path, blob]))
}
