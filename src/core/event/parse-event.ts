/**
 * Reads event files as they exist in the wild into `LedgerEvent`s.
 *
 * Tolerant but never silent: everything that does not count is returned as a problem with its file and line. Nothing
 * here throws on bad input, and nothing depends on the machine, the clock or the locale.
 */

import type { LedgerEvent } from './event.ts'
import { MAX_EVENT_BYTES } from './event-bytes.ts'
import type { EventSource, ParsedEvent } from './event-reader.ts'
import { EventReader } from './event-reader.ts'
import { insideFence } from './fence.ts'
import { splitFrontMatter } from './front-matter.ts'
import { takeCovers } from './read-snapshot.ts'
import { withoutGuard } from './rename-guard.ts'
import { salvage } from './salvage.ts'
import { SNAPSHOT_TYPE } from './snapshot.ts'
import { lineLookup, parseYaml } from './yaml-value.ts'

/** Parses one event file. Never throws. */
export function parseEvent(source: EventSource): ParsedEvent {
  const reader = new EventReader(source.file)
  const event = readFile(source, reader)
  return { event, problems: reader.problems, warnings: reader.warnings }
}

function readFile({ id, text }: EventSource, reader: EventReader): LedgerEvent | undefined {
  if (text.length > MAX_EVENT_BYTES) return reader.fail('too-large')
  const split = splitFrontMatter(withoutGuard(text))
  if (typeof split === 'string') return reader.fail(split, 1)
  const front = parseYaml(split.front)
  if (front?.kind !== 'map') return reader.fail('front-matter-yaml', 2)
  reader.collect(front.entries, lineLookup(split.front, 2))
  const inside = insideFence(split.body)
  const bodyLine = split.bodyLine + inside.skipped
  // A snapshot's list has one line per event and is long, so it is not read with the YAML library.
  const isSnapshot = reader.text('type') === SNAPSHOT_TYPE
  const { rest, covers, unreadable } = takeCovers(isSnapshot ? inside.text : '')
  for (const i of unreadable) reader.problem('section-unreadable', bodyLine + i, 'covers')
  readBody(isSnapshot ? rest : inside.text, bodyLine, reader)
  return reader.event(id, covers)
}

function readBody(body: string, firstLine: number, reader: EventReader): void {
  const parsed = parseYaml(body.trimEnd())
  if (parsed?.kind === 'null') return
  const lineOf = lineLookup(body, firstLine)
  if (parsed?.kind === 'map') return reader.collect(parsed.entries, lineOf)
  if (parsed?.kind === 'list') return reader.problem('body-not-a-map', lineOf(parsed.at))
  if (parsed !== undefined) return // free text
  const rescued = salvage(body.trimEnd())
  if (rescued.entries.length === 0 && rescued.lost.length === 0) return // free text
  reader.warn('salvaged', firstLine)
  reader.collect(rescued.entries, lineOf)
  for (const { section, at } of rescued.lost) {
    reader.problem('section-unreadable', lineOf(at), section)
  }
}
