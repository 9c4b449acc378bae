/** What a session did, as the items of `this_session`. Pure. */

import { itemKey } from '../event/item-text.ts'
import { foldLine, hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { items, SUMMARY_LIMITS, unique } from './items.ts'
import type { SessionWork } from './session-work.ts'
import { tellingTurns, turnLine, turnsOf } from './turns.ts'

/** Of a kind, where there are others beside it. */
const MAX_OF_A_KIND = 8

/**
 * Done to-dos, turns that changed something, commits, changed files. The newest stay when there are too
 * many.
 */
export function doneItems(work: SessionWork, todos: readonly string[]): string[] {
  const subjects = new Set(work.commits.map(({ subject }) => itemKey(plainLine(subject))))
  const changed = filesLine(work.files)
  const kinds = [
    items(todos).filter((text) => !subjects.has(itemKey(text))),
    items(turnLines(work)),
    items(work.commits.map(commitLine)),
    ...(changed === undefined ? [] : [[changed]]),
  ].filter((texts) => texts.length > 0)
  const most = kinds.length > 1 ? MAX_OF_A_KIND : SUMMARY_LIMITS.thisSession
  const count = unique(kinds.flat()).length
  const kept = unique(kinds.flatMap((texts) => texts.slice(-most)))
  const limit = SUMMARY_LIMITS.thisSession
  if (kept.length === count && count <= limit) return kept
  const shown = kept.slice(-(limit - 1))
  const more = count - shown.length
  return [`${more} more ${more === 1 ? 'thing' : 'things'} before these`, ...shown]
}

/** Turns that an event told are not told again. The last one is where things stand. */
function turnLines({ entries, untold }: SessionWork): string[] {
  const isNew = new Set(untold)
  const turns = turnsOf(entries)
  return tellingTurns(turns)
    .filter((turn) => turn !== turns.at(-1) && isNew.has(turn.prompt))
    .flatMap((turn) => turnLine(turn, SUMMARY_LIMITS.item) ?? [])
}

function commitLine({ oid, subject }: SessionWork['commits'][number]): string {
  const id = oid.slice(0, 7)
  const text = plainLine(subject)
  if (!hasWords(text)) return `commit ${id}`
  return `${shorten(text, SUMMARY_LIMITS.item - id.length - 3)} (${id})`
}

/** `Changed a.ts, b.ts and 3 more files`, as many names as fit. */
function filesLine(files: readonly string[]): string | undefined {
  const names = [...new Set(files.map(foldLine))].filter((name) => name !== '')
  if (names.length === 0) return undefined
  let line = 'Changed'
  for (const [i, name] of names.entries()) {
    const longer = `${line}${i === 0 ? '' : ','} ${name}`
    if (i > 0 && longer.length > SUMMARY_LIMITS.item - 30) {
      return `${line} and ${names.length - i} more ${names.length - i === 1 ? 'file' : 'files'}`
    }
    line = longer
  }
  return shorten(line, SUMMARY_LIMITS.item)
}
