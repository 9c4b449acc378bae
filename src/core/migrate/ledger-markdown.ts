/**
 * Hand-kept Markdown: `current.md`, `CONTINUITY_*.md`, and handoffs, in all the forms that people and agents use.
 *
 * If there is a `## Ledger` section, it is the ledger. Everything outside it is a document about the work, from which
 * only checkpoints are read. Without such a section, the whole file is the ledger.
 */

import type { Block } from './blocks.ts'
import { blocksOf } from './blocks.ts'
import { Draft } from './draft.ts'
import type { Field } from './labels.ts'
import { fieldOf, splitLabel } from './labels.ts'
import type { SourceLines } from './note.ts'
import type { Line, Document, Section } from '../document/document.ts'
import { readDocument, pathOf } from '../document/document.ts'
import { readPhase } from './ledger-lines.ts'
import { readAbout, readDay, readFront, readStamp } from './metadata.ts'
import { readLabelled } from './read-labelled.ts'
import { isRegister, readList, readRegister, setAll } from './read-section.ts'

export interface ReadSource {
  readonly draft: Draft
  readonly source: SourceLines
}

/** `isLedger`: the file is the repository's ledger, so its heading is the title. */
export function readLedgerMarkdown(text: string, isLedger: boolean): ReadSource {
  const document = readDocument(text)
  const draft = new Draft()
  readFront(document.front ?? [], draft)
  readTitle(document, isLedger, draft)
  const ledger = document.sections.find(isLedgerHeading)
  for (const section of document.sections) {
    const scope = linesInLedger(section, ledger, document)
    // Text above all sections applies to the whole file.
    if (scope === undefined && section.level < 2) readStamps(section.lines, draft)
    if (scope === undefined) readOutside(section, draft)
    else readSection(section, scope, draft)
  }
  // An arrow marks the current work below any heading, but a Now heading takes precedence.
  if (!draft.registers.has('now')) setAll('now', draft.arrows, '; ', draft)
  return { draft, source: sourceLines(document) }
}

/** The lines of a section that belong to the ledger. A ledger section ends at a rule. */
function linesInLedger(
  section: Section,
  ledger: Section | undefined,
  document: Document,
): readonly Line[] | undefined {
  if (ledger === undefined) return section.lines
  const start = ledger.heading?.at ?? 0
  const end = document.lines.find(({ at, kind }) => at > start && kind === 'rule')?.at ?? Infinity
  const isBelow = pathOf(section).includes(ledger) && (section.heading?.at ?? 0) < end
  return isBelow ? section.lines.filter(({ at }) => at < end) : undefined
}

function readSection(section: Section, lines: readonly Line[], draft: Draft): void {
  const blocks = readStamps(lines, draft)
  const field = fieldOfSection(section)
  if (field === undefined) readLabelled(blocks, draft)
  else readField(field, section, blocks, draft)
  const { heading } = section
  const own = fieldOf(splitLabel(section.title).label)
  const isOwn = own !== undefined
  if (own === 'now' || own === 'thisSession' || isLedgerHeading(section)) readDay(section, draft)
  if (heading !== undefined && (isOwn || isLedgerHeading(section))) draft.structure.push(heading.at)
}

/** The blocks, without those that say when the file was written. */
function readStamps(lines: readonly Line[], draft: Draft): Block[] {
  return blocksOf(lines).filter((block) => !readStamp(block, draft))
}

function readField(field: Field, section: Section, blocks: readonly Block[], draft: Draft): void {
  if (field === 'checkpoints') readOutside(section, draft)
  else if (isRegister(field)) {
    const { suffix: text } = splitLabel(section.title)
    const at = section.heading?.at
    const hasText = at !== undefined && text !== '' && !text.startsWith('(')
    readRegister(field, blocks, draft, hasText ? { text, at } : undefined)
  } else readList(field, blocks, draft)
}

/** Checkpoints may be before or after the ledger. Their times apply to the file. */
function readOutside(section: Section, draft: Draft): void {
  const isCheckpoints = pathOf(section).some(
    ({ title }) => fieldOf(splitLabel(title).label) === 'checkpoints',
  )
  if (!isCheckpoints) return
  for (const line of section.lines) {
    const phase = line.kind === 'item' || line.kind === 'text' ? readPhase(line.text) : undefined
    if (phase !== undefined) draft.check(phase.checkpoint, phase.texts, [line.at])
  }
  for (const block of blocksOf(section.lines)) readAbout(block, draft, ['updated'])
}

/** A heading without a field continues a list above it (`## Next` / `### Later`). */
function fieldOfSection(section: Section): Field | undefined {
  for (const [i, { title }] of pathOf(section).entries()) {
    const field = fieldOf(splitLabel(title).label)
    if (field === undefined) continue
    // A chapter about tests is not a test command.
    if (field === 'test' || (i > 0 && (field === 'goal' || field === 'now'))) return undefined
    return field
  }
  return undefined
}

/** A first-level `# LEDGER` is the title of the whole file. */
function isLedgerHeading({ level, title }: Section): boolean {
  return level > 1 && splitLabel(title).label === 'ledger'
}

const WORK_STREAM = /^Work Stream:\s*(.*)$/i

function readTitle(document: Document, isLedger: boolean, draft: Draft): void {
  const first = document.sections.find(({ level }) => level > 0)
  if (first?.heading === undefined || first.level !== 1) return
  const stream = WORK_STREAM.exec(first.title)?.[1]
  if (isLedger) draft.set('title', stream ?? first.title, [first.heading.at])
  else if (stream !== undefined) draft.stream = { texts: [stream], lines: [first.heading.at] }
}

function sourceLines({ text, lines, sections }: Document): SourceLines {
  const parents: (number | undefined)[] = lines.map(() => undefined)
  for (const { heading, parent, lines: own } of sections) {
    if (heading !== undefined) parents[heading.at] = parent?.heading?.at
    for (const { at } of own) parents[at] = heading?.at
    for (const { lines } of blocksOf(own)) {
      for (const { at } of lines.slice(1)) parents[at] = lines[0].at
    }
  }
  return {
    lines: text.split('\n'),
    parents,
    rules: new Set(lines.filter(({ kind }) => kind === 'rule').map(({ at }) => at)),
  }
}
