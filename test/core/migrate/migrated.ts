/**
 * A source through the whole core: what `migrate` would write, read back as the ledger reads it.
 */

import { parse } from 'yaml'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { decodeEventText } from '../../../src/core/event/event-bytes.ts'
import { insideFence } from '../../../src/core/event/fence.ts'
import { splitFrontMatter } from '../../../src/core/event/front-matter.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import type { Problem } from '../../../src/core/event/problem.ts'
import type { ReadSource } from '../../../src/core/migrate/ledger-markdown.ts'
import { readLedgerMarkdown } from '../../../src/core/migrate/ledger-markdown.ts'
import { migratedEvent } from '../../../src/core/migrate/migrated-event.ts'
import { readYamlHandoff } from '../../../src/core/migrate/yaml-handoff.ts'
import { instant } from '../../support/arbitraries.ts'

export interface Migrated {
  readonly file: string
  readonly text: string
  readonly event: LedgerEvent
  readonly note: string
  readonly problems: readonly Problem[]
}

export function markdown(text: string, isLedger = false): Migrated {
  return finish(text, readLedgerMarkdown(text, isLedger))
}

export function yaml(text: string): Migrated {
  return finish(text, readYamlHandoff(text))
}

function finish(text: string, read: ReadSource): Migrated {
  const written = migratedEvent(read, {
    path: 'notes/old.md',
    text,
    type: 'note',
    ts: instant('2026-01-10T13:03:52Z'),
    agent: 'toast',
    session: read.draft.text('session'),
  })
  if ('problem' in written) throw new Error(written.problem)
  const unix = decodeEventText(Buffer.from(written.text))
  const { event, problems } = parseEvent({ file: written.file, id: '', text: unix })
  if (event === undefined) throw new Error(`unreadable: ${written.text}`)
  return { ...written, event, problems, note: noteIn(unix) }
}

/** The note as any YAML reader sees it. */
function noteIn(text: string): string {
  const split = splitFrontMatter(text)
  if (typeof split === 'string') throw new Error(split)
  const { note = '' } = parse(insideFence(split.body).text) as { note?: string }
  return note
}
