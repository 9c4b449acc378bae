/** What an active ledger holds of one track's work, taken out of it. */

import { readDocument, spliceAll } from '../document/document.ts'
import { findSection, takeItems } from './sections.ts'
import { changeRows } from './tables.ts'

/** The words that belong to one track: what another track starts without. Unknown sections stay. */
export function withoutTrackWork(before: string): string {
  const everything = () => true
  let text = before
  for (const name of ['Goal', 'Done', 'Now', 'Next', 'Open Questions', 'Checkpoints'] as const) {
    text = takeItems(text, name, everything).text
  }
  for (const name of ['Key Decisions', 'Validation History'] as const) {
    text = changeRows(text, name, everything, undefined)
  }
  const { lines = [] } = findSection(readDocument(text), 'Working Set') ?? {}
  const files = lines.filter(({ kind, text }) => kind === 'item' && !/^\s*[-*+]\s+\*\*/.test(text))
  return spliceAll(text, files)
}
