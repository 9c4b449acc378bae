/** What people and agents wrote, as text that turns and hides nothing around it. */

import { stripControlChars } from '../core/text/strip-control-chars.ts'

/** Line breaks become blanks; control characters and those that turn the direction of text a visible mark. */
export function plain(text: string): string {
  return stripControlChars(text.replace(/\s+/g, ' ')).replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    '\ufffd',
  )
}
