/** The two marks in a shard's file, and the texts around them. Pure. */

import { readDocument } from '../document/document.ts'
import { fieldsOf } from '../document/fields.ts'
import { IGNORE_END } from '../text/ignored-range.ts'

export const GIVEN_MARK = '<!-- from the plan, for every shard -->'
export const OWN_MARK = '<!-- the tasks of this shard, as they stand in the plan -->'

export interface ShardText {
  /** The text that we wrote. */
  readonly head: string
  /** The plan's preamble. */
  readonly given: string
  /** The shard's own part of the plan. */
  readonly body: string
  /** Number of lines before the body. */
  readonly line: number
}

/** Undefined for a file that is not a shard. */
export function readShardText(text: string): ShardText | undefined {
  if (!fieldsOf(readDocument(text)).some(({ key }) => key === 'shard')) return undefined
  const given = markIn(text, GIVEN_MARK, 0)
  const own = given && markIn(text, OWN_MARK, given.end)
  if (given === undefined || own === undefined) return undefined
  const before = text.slice(0, own.end)
  return {
    head: text.slice(0, given.start),
    given: text.slice(given.end, own.start),
    body: text.slice(own.end).replace(RANGE_END, ''),
    line: before.split('\n').length - 1,
  }
}

const RANGE_END = new RegExp(`(?:\\r?\\n){2}${IGNORE_END}\\r?\\n$`)

/** A mark must be alone on its line. The range includes the line break. */
function markIn(
  text: string,
  mark: string,
  from: number,
): { start: number; end: number } | undefined {
  const alone = new RegExp(`(?<=\\n)${mark}\\r?\\n`, 'g')
  alone.lastIndex = from
  const found = alone.exec(text)
  return found === null ? undefined : { start: found.index, end: alone.lastIndex }
}
