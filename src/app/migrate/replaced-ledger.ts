/** A `current.md` that people kept by hand until a rendering replaced it, before it was migrated. */

import { isRendered } from '../../core/ledger/provenance.ts'
import { saysNothing } from '../../core/migrate/read-source.ts'
import { readSourceText } from '../../core/migrate/source-text.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { MigrateContext } from './migrate-source.ts'
import type { MigratedEvents } from './migrated-events.ts'

/** The blob with the last text before the first rendering; undefined if an event holds that text. */
export async function findReplaced(
  { repository, root, sources }: MigrateContext,
  known: MigratedEvents,
): Promise<string | undefined> {
  let last: { readonly blob: string; readonly text: string } | undefined
  for (const blob of await sources.blobsAt(ledgerPaths(root).current)) {
    const content = (await repository.objects.read(blob))?.content
    const source = content && readSourceText(content)
    if (source === undefined || 'problem' in source) continue
    const { text } = source
    if (!isRendered(text)) last = { blob, text }
    else return last && !saysNothing(last.text) && !known.holds(last.text) ? last.blob : undefined
  }
  return undefined
}
