/**
 * Which of a session's files a commit contains, and which remain for a later commit.
 *
 * A session is described by the versions of files that it left, a commit by its changes. Who ran `git commit` is
 * not known here, but in `commit-links.ts`.
 */

/** A version of a file: the id of its blob, or undefined if the file was deleted. */
export interface FileVersion {
  readonly path: string
  readonly blob: string | undefined
}

/** A path whose content or mode changed; an object id is undefined if there is no file. */
export interface FileChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Paths of a commit whose changes contain work of the session.
 *
 * A file that existed before counts whatever its content is, because people touch up files and commit them in
 * parts. A new file counts only if its content is what the session left, because somebody else may have created
 * a file with the same name. A deletion counts only as a deletion. A file that the session restored to its
 * original content does not count.
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

/** Touched files whose versions differ from the commit's: a later commit may contain them. */
export function carriedForward(
  touched: readonly FileVersion[],
  held: readonly FileVersion[],
): FileVersion[] {
  const known = byPath(held)
  return joinVersions(touched).filter(({ path, blob }) => known.get(path) !== blob)
}

/**
 * Paths at which a commit of the current index or worktree would contain work of the session. If there are none,
 * the work was discarded, or is already committed.
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

/** One version per path: later ones replace earlier ones. */
export function joinVersions(...lists: readonly (readonly FileVersion[])[]): FileVersion[] {
  return [...byPath(lists.flat())].map(([path, blob]) => ({ path, blob }))
}

function byPath(files: readonly FileVersion[]): Map<string, string | undefined> {
  return new Map(files.map(({ path, blob }) => [path, blob]))
}
