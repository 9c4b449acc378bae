/**
 * Files that look like ledgers or handoffs but are in places that are not searched unless named: nested projects,
 * documents among the handoffs, ledgers of other tools. `migrate` lists them.
 */

import type { Source } from './read-source.ts'

/** The number of fields such a file must contain; a telling name or place requires fewer. */
export type Needed = 0 | 1 | 2

/** Files of other people, and files that explain how to write a ledger. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|skills|templates?)\/|(?:^|\/)\.\w+\/(?:agents|commands|prompts|rules)\/|template/i
const EXTENSION = /\.(?:md|markdown|ya?ml)$/i

const PATTERNS: readonly (readonly [sign: RegExp, needed: Needed])[] = [
  [/(?:^|\/)handoffs\//, 0],
  [/(?:^|\/)(?:CONTINUITY|LEDGER|HANDOFF)(?:[_.-][^/]*)?\.md$/, 1],
  [/(?:^|\/)(?:\.?continuity|\.?ledgers?|\.?handoff)\/[^/]+$/i, 2],
  [/(?:^|\/)current\.md$/, 2],
  [/(?:continuity|ledger|hand-?off)[^/]*$/i, 2],
]

/** The number of fields a file with this path needs; undefined if the path suggests no ledger. */
export function neededIn(path: string, root: string): Needed | undefined {
  if (!isReadable(path, root) || FOREIGN.test(path)) return undefined
  return PATTERNS.find(([sign]) => sign.test(path))?.[1]
}

/** True if a file in a named folder may be a ledger or handoff. */
export function isReadable(path: string, root: string): boolean {
  return EXTENSION.test(path) && !isOurs(path, root)
}

/** Files that `ledger-git` itself keeps and reads in other ways. */
function isOurs(path: string, root: string): boolean {
  if (path.startsWith('conductor/sessions/')) return true
  return path.startsWith(`${root}/`) && OURS.test(path.slice(root.length + 1))
}
const OURS = /^(?:events|archive)\/|^current\.md$/

/** True for a source that contains enough fields. */
export function saysEnough(source: Source, needed: Needed): boolean {
  if (source.kind === 'none') return false
  if (source.kind === 'event' || needed === 0) return true
  return source.read.draft.fieldsSaid() >= needed
}

export interface Group {
  /** A folder, or its only file: the argument for `migrate`. */
  readonly path: string
  readonly files: readonly string[]
}

/** Groups files by folder. A folder includes everything below it, so groups are never nested. */
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
