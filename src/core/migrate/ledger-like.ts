/**
 * Files that look like ledgers or handoffs and stand where nobody looks without being told: nested
 * projects, documents among the handoffs, ledgers of other tools. `migrate` names them.
 */

import type { Source } from './read-source.ts'

/** How many fields such a file must say something in; its name or place says the rest. */
export type Needed = 0 | 1 | 2

/** Other people's files, and those that tell how to write such a file. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|skills|templates?)\/|(?:^|\/)\.\w+\/(?:agents|commands|prompts|rules)\/|template/i
const EXTENSION = /\.(?:md|markdown|ya?ml)$/i

const SIGNS: readonly (readonly [sign: RegExp, needed: Needed])[] = [
  [/(?:^|\/)handoffs\//, 0],
  [/(?:^|\/)(?:CONTINUITY|LEDGER|HANDOFF)(?:[_.-][^/]*)?\.md$/, 1],
  [/(?:^|\/)(?:\.?continuity|\.?ledgers?|\.?handoff)\/[^/]+$/i, 2],
  [/(?:^|\/)current\.md$/, 2],
  [/(?:continuity|ledger|hand-?off)[^/]*$/i, 2],
]

/** How much a file of this path must say to be one; undefined where the path says nothing. */
export function neededIn(path: string, root: string): Needed | undefined {
  if (!isReadable(path, root) || FOREIGN.test(path)) return undefined
  return SIGNS.find(([sign]) => sign.test(path))?.[1]
}

/** True where a folder that somebody named may hold one. */
export function isReadable(path: string, root: string): boolean {
  return EXTENSION.test(path) && !isOurs(path, root)
}

/** What `ledger-git` itself keeps, and reads by other ways. */
function isOurs(path: string, root: string): boolean {
  if (path.startsWith('conductor/sessions/')) return true
  return path.startsWith(`${root}/`) && OURS.test(path.slice(root.length + 1))
}
const OURS = /^(?:events|archive)\/|^current\.md$/

/** True for a source that says as much. */
export function saysEnough(source: Source, needed: Needed): boolean {
  if (source.kind === 'none') return false
  if (source.kind === 'event' || needed === 0) return true
  return source.read.draft.fieldsSaid() >= needed
}

export interface Group {
  /** A folder, or the one file in it: what to name to `migrate`. */
  readonly path: string
  readonly files: readonly string[]
}

/** These files by their folders; a folder takes all below it, so that none is within another. */
export function groupByFolder(paths: readonly string[]): Group[] {
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const folders = [...new Set(paths.map(folderOf))].filter((folder) => folder !== '')
  const isIn = (path: string) => (folder: string) => path.startsWith(`${folder}/`)
  const outermost = folders.filter((folder) => !folders.some(isIn(folder)))
  const groups = outermost.map((path) => ({
    path,
    files: paths.filter((file) => isIn(file)(path)),
  }))
  const atTop = paths.filter((path) => !path.includes('/')).map((path) => ({ path, files: [path] }))
  return [...groups, ...atTop]
    .map(({ path, files }) => ({ path: files.length === 1 ? (files[0] ?? path) : path, files }))
    .toSorted((a, b) => b.files.length - a.files.length || (a.path < b.path ? -1 : 1))
}
