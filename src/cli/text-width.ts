/**
 * The width of a text in a terminal, for the layout of help. Replaces `string-width` in the bundle: V8 takes
 * 35 ms at every start to compile its regular expression for all emoji. Help is ASCII.
 */

import { stripVTControlCharacters } from 'node:util'

// oxlint-disable-next-line import/no-default-export -- the libraries that use it import the default export
export default function textWidth(text: string): number {
  return stripVTControlCharacters(text).length
}
