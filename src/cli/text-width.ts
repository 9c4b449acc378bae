/**
 * The width of a text in a terminal, for the layout of help. Replaces `string-width` in the bundle,
 * whose pattern of all emoji takes V8 35 ms to compile at every start. Help is ASCII.
 */

import { stripVTControlCharacters } from 'node:util'

// oxlint-disable-next-line import/no-default-export -- the libraries that ask for it import it so
export default function textWidth(text: string): number {
  return stripVTControlCharacters(text).length
}
