/** The files that a session changed or removed, as items of `this_session`. Pure. */

import { foldLine, shorten } from '../text/markdown-to-text.ts'
import { changedFiles } from '../turn/changed-files.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { changedOutside } from '../turn/outside.ts'
import { removedAmong } from '../turn/removed-files.ts'
import type { SessionWork } from '../turn/session-work.ts'

/** A removed file is listed as deleted only, even if it was changed first. */
export function fileLines(work: SessionWork): string[] {
  const removed = removedAmong(work)
  const remains = (file: string) => !removed.has(file)
  const changed = byLastChange(work).filter(remains)
  const isOpen = (file: string) => work.uncommitted?.has(file) === true
  return [
    ...filesLine(
      'Changed',
      changed.filter((file) => !isOpen(file)),
    ),
    ...filesLine('Changed, not committed:', changed.filter(isOpen)),
    ...filesLine('Deleted', [...removed]),
    ...filesLine('Changed outside its worktree:', changedOutside(work), 'change'),
  ]
}

/** Sorted so that the file changed last comes last, as far as the log shows. */
function byLastChange({ files, untold, tops }: SessionWork): readonly string[] {
  const last = new Map(untold.flatMap(changedFiles).map((file, i) => [file, i]))
  const rankOf = (file: string) =>
    Math.max(...[file, ...tops.map((top) => `${top}/${file}`)].map((path) => last.get(path) ?? -1))
  return files.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** `Changed a.ts, b.ts and 3 more files`, with as many names as fit. If not all fit, the last ones are kept. */
function filesLine(what: string, files: readonly string[], noun = 'file'): string[] {
  const all = [...new Set(files.map(foldLine))].filter((name) => name !== '')
  const isWhole = `${what} ${all.join(', ')}`.length <= SUMMARY_LIMITS.item - ROOM_FOR_MORE
  const names = isWhole ? all : all.toReversed()
  const count = names.findIndex(
    (_, i) => lineOf(i + 1).length > SUMMARY_LIMITS.item - ROOM_FOR_MORE,
  )
  const shown = count === -1 ? names.length : Math.max(count, 1)
  const left = names.length - shown
  const more = left === 0 ? '' : ` and ${left} more ${left === 1 ? noun : `${noun}s`}`
  return names.length === 0
    ? []
    : [`${shorten(lineOf(shown), SUMMARY_LIMITS.item - ROOM_FOR_MORE)}${more}`]

  function lineOf(length: number): string {
    return `${what} ${names.slice(0, length).join(', ')}`
  }
}

/** UTF-16 units reserved for ` and N more files`. */
const ROOM_FOR_MORE = 30
