/**
 * Decides whether two texts are the same item.
 *
 * Items are compared by their key (NFC, white space folded, without a leading check box) and shown as written.
 */

import { createHash } from 'node:crypto'

const CHECK_BOX = /^(?:(?:[-*]\s+)?\[[ xX]\]\s+)+/

/** Fast path: a text that is its own key, because there is nothing to fold, trim or drop. Most texts are. */
const PLAIN = /^(?![-*[])[!-~]+(?: [!-~]+)*$/

/** The item without a check box that agents copied with it, otherwise as written. */
export function itemText(text: string): string {
  return PLAIN.test(text) ? text : text.trim().replace(CHECK_BOX, '').trim()
}

/** Equal keys mean the same item. */
export function itemKey(text: string): string {
  return PLAIN.test(text) ? text : itemText(text.normalize('NFC').replace(/\s+/g, ' '))
}

/** What a snapshot keeps of a done item: enough to recognize the same item again. */
export function itemHash(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
