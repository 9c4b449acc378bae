/** `- Phase 2 (Tests): ✓ VALIDATED (12 tests)`, as the checkpoints of hand-kept ledgers are written. */

import type { NewCheckpoint } from '../event/write-event.ts'

const PHASE =
  /^\s*(?:[-*+]\s+)?(?:\*\*)?Phase\s+([\w.-]{1,20})[^:]{0,120}:(?:\*\*)?\s*([\u2190-\u21ff\u25a0-\u25ff\u2600-\u27bf\u29d6]*)\ufe0f?\s*([A-Z][A-Z_ -]{2,20}[A-Z])\b/u

/** The checkpoint, and the words of it that a ledger shows. Name and details have no field. */
export function readPhase(
  line: string,
): { checkpoint: NewCheckpoint; texts: string[] } | undefined {
  const [, phase, icon = '', words] = PHASE.exec(line) ?? []
  if (phase === undefined || words === undefined) return undefined
  const status = words.toLowerCase().replace(/[\s-]+/g, '_')
  return { checkpoint: { phase, status }, texts: [words, phase, ...(icon === '' ? [] : [icon])] }
}
