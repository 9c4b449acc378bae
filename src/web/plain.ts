/** Text by people and agents, which can neither reverse nor hide what is around it. */

import { stripControlChars } from '../core/text/strip-control-chars.ts'

/** Line breaks become spaces; characters that control, or change the direction of text, become a visible mark. */
export function plain(text: string): string {
  return stripControlChars(text.replace(/\s+/g, ' ')).replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    '\ufffd',
  )
}
