/**
 * When two texts are the same item.
 *
 * Items are compared by their key (NFC, white space folded, a leading check box dropped) and shown
 * as they were written.
 */

import { createHash } from 'node:crypto'

const CHECK_BOX = /^(?:(?:[-*]\s+)?\[[ xX]\]\s+)+/

/** A text that is its own key: nothing to fold, trim or drop. Most are, and there are many. */
const PLAIN = /^(?![-*[])[!-~]+(?: [!-~]+)*$/

/** The item without the check box that agents copy along, otherwise as written. */
export function itemText(text: string): string {
  return PLAIN.test(text) ? text : text.trim().replace(CHECK_BOX, '').trim()
}

/** Equal keys mean the same item. */
export function itemKey(text: string): string {
  return PLAIN.test(text) ? text : itemText(text.normalize('NFC').replace(/\s+/g, ' '))
}

/** What a snapshot keeps of an item that was done: enough to know the same item again. */
export function itemHash(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
