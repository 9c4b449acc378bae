/** One change of the ledger as a line for people: `~ decisions db: sqlite → postgres`. */

import { safeText } from '../text/safe-text.ts'
import type { LedgerChange } from './diff-ledgers.ts'

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

export function changeText({ section, change, key, from, to }: LedgerChange): string {
  const name = key === null ? section : `${section} ${safeText(key)}`
  const value =
    change === 'changed'
      ? `${safeText(from ?? '')} → ${safeText(to ?? '')}`
      : safeText((change === 'added' ? to : from) ?? '')
  return `${SIGNS[change]} ${name}: ${value}`
}
