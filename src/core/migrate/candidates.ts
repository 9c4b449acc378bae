/** Where hand-written state is searched for if no file is named, and what a path alone says about a file. */

const LEDGER = /^(?:thoughts\/ledgers|\.claude\/ledgers)\/CONTINUITY[^/]*\.md$/
/** Folders in which each work stream has a separate ledger. */
export const LEDGER_FOLDERS = ['thoughts/ledgers', '.claude/ledgers']

/** The ledger in such a folder, if there is exactly one. */
export function soleLedgerOf(paths: readonly string[]): string | undefined {
  const ledgers = paths.filter((path) => LEDGER.test(path))
  return ledgers.length === 1 ? ledgers[0] : undefined
}

const CLAUDE_HANDOFF = /^\.claude\/handoffs\/[^/]+\.md$/
const HANDOFFS = 'thoughts/shared/handoffs'

/** True for a path that is migrated even if it is not named. */
export function isCandidate(path: string, root: string): boolean {
  if (path === `${root}/current.md` || path === 'CONTINUITY.md') return true
  if (LEDGER.test(path) || CLAUDE_HANDOFF.test(path)) return true
  const below = belowRoot(path, root) ?? belowRoot(path, HANDOFFS)
  if (below === undefined || /^(?:events|archive)\//.test(below)) return false
  return /\.ya?ml$/.test(below) || /^[^/]+\/(?:current|events\/[^/.][^/]*)\.md$/.test(below)
}

/** A handoff may be any document: unless it is named, it counts only if it contains a ledger. */
export function needsLedger(path: string, root: string): boolean {
  return path !== `${root}/current.md` && path.endsWith('/current.md')
}

/** The name of a handoff that is edited in place; its file is `<root>/<name>/current.md`. */
export function handoffInPath(path: string, root: string): string | undefined {
  const name = /^([^/]+)\/current\.md$/.exec(belowRoot(path, root) ?? '')?.[1]
  return name === 'events' || name === 'archive' ? undefined : name
}

/** True for an event that is already in `events/`, so that nothing has to be moved. */
export function isInEvents(path: string, root: string): boolean {
  return path.startsWith(`${root}/events/`) && !path.slice(root.length + 8).includes('/')
}

/** The work stream in a path: the folder of a handoff, or the name in `CONTINUITY_<name>.md`. */
export function sessionInPath(path: string, root: string): string | undefined {
  const ledger = /(?:^|\/)CONTINUITY_(?:CLAUDE-)?([^/]+)\.md$/.exec(path)?.[1]
  if (ledger !== undefined) return ledger
  const below = belowRoot(path, root) ?? /(?:^|\/)handoffs\/(.*)$/.exec(path)?.[1]
  return /^([^/]+)\//.exec(below ?? '')?.[1]
}

/**
 * The one work stream that a file is about, according to its path or to `named`, the name in the file itself. Undefined
 * for the ledger and for a file at the top: these are about the repository, whose goal no stream determines.
 */
export function streamInPath(path: string, root: string, named?: string): string | undefined {
  const stream = sessionInPath(path, root)
  if (path === `${root}/current.md` || (stream === undefined && !path.includes('/')))
    return undefined
  const parts = path.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.\w+$/, '')
  // `sub/CONTINUITY.md` is the ledger of the project in that folder.
  const isPlain = /^(?:CONTINUITY|LEDGER|HANDOFF|current|index)$/i.test(stem)
  const byName = isPlain ? parts.at(-2) : stem.replace(TIME, '')
  return stream ?? named ?? (byName || stem)
}

/** The time at the start of a file name. */
const TIME = /^\d{4}-?\d\d-?\d\d(?:[T_-]\d\d[-:]?\d\d(?:[-:]?\d\d(?:[-.]\d{3})?)?)?Z?[_. -]*/

/** True for file names that identify a ledger or handoff, whatever the file contains. */
export function isNamedLedger(path: string): boolean {
  return (
    /(?:^|\/)(?:CONTINUITY|LEDGER)[^/]*\.md$/.test(path) || /(?:^|\/)handoffs\/.*\.md$/.test(path)
  )
}

function belowRoot(path: string, root: string): string | undefined {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined
}
