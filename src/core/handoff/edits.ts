/** What commands change in a handoff: registers, decisions, questions, workflow, context. The work in hand: `work-edits.ts`. */

import type { Section } from '../document/document.ts'
import { readDocument, replaceContent } from '../document/document.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import type { Block, Keyed } from './blocks.ts'
import type { Edit } from './edit-lines.ts'
import {
  addItem,
  lastLineOf,
  lineOf,
  partIn,
  placeholdersIn,
  putLines,
  removeBlocks,
  sameItem,
  spliceAll,
  unclosed,
  withLedger,
  withPart,
} from './edit-lines.ts'
import type { Handoff, Part, PartName } from './handoff.ts'
import { entriesOf, isEmpty, itemsOf, leadingDate, readHandoff, registersOf } from './handoff.ts'

/** `**Key:** text`, in the Ledger or in its checkpoints. */
export function setRegister(key: string, text: string, name?: 'checkpoints'): Edit {
  return (handoff) => {
    const opened = name === undefined ? withLedger(handoff) : withPart(handoff, name)
    const part = ownPart(opened, name)
    const found = registerIn(part, key)
    if (found !== undefined) return setValue(opened, found, lineOf(text))
    const last = registersOf(part).at(-1)
    const line = part?.lines.findLast(({ start }) => last !== undefined && start <= last.start)
    const [comment] = part?.blocks ?? []
    const top = comment?.kind === 'code' ? comment.end : (part?.heading.end ?? 0)
    const put = putLines(opened, line?.end ?? top, [`**${key}:** ${lineOf(text)}`])
    const changed = spliceAll(opened.text, [put])
    if (registerIn(ownPart(readHandoff(changed), name), key) === undefined) throw unclosed(part)
    return changed
  }
}

/** The leading date of `**Updated:**` alone; people keep prose behind it. */
export function setUpdated(time: Instant, name?: 'checkpoints'): Edit {
  const key = name === undefined ? 'Updated' : 'Last Updated'
  return (handoff) => {
    const value = registerIn(ownPart(handoff, name), key)?.value
    const text = formatInstant(time)
    if (value === undefined) return setRegister(key, text, name)(handoff)
    const date = leadingDate(value)
    if (date !== undefined) return spliceAll(handoff.text, [{ ...date, put: text }])
    return setRegister(key, isEmpty(value.text) ? text : `${text} (${value.text})`, name)(handoff)
  }
}

/** `- key: value`; no value takes the decision out. */
export function setDecision(key: string, value: string | null): Edit {
  return (handoff) => {
    if (value !== null) return setEntry('decisions', key, value)(handoff)
    const [block] = blocksOf(handoff.byName.decisions, key)
    return block === undefined ? handoff.text : removeBlocks(handoff, [block])
  }
}

export function addQuestion(text: string): Edit {
  return (handoff) => {
    const isKnown = questionsLike(handoff, text).length > 0
    return isKnown ? handoff.text : addItem('openQuestions', `- ${lineOf(text)}`)(handoff)
  }
}

export const resolveQuestion =
  (text: string): Edit =>
  (handoff) =>
    removeBlocks(handoff, questionsLike(handoff, text))

/** Open questions that say this, marked UNCONFIRMED or not. */
export function questionsLike(handoff: Handoff, text: string): Block[] {
  const bare = (words: string) => lineOf(words).replace(/^\**UNCONFIRMED:?\**:?\s*/i, '')
  const isSame = sameItem(bare(text))
  return itemsOf(handoff.byName.openQuestions).filter((block) =>
    isSame({ ...block, words: { ...block.words, text: bare(block.words.text) } }),
  )
}

/** `key: value` in a section, with a bullet where the template has one. */
export function setEntry(name: PartName, key: string, value: string): Edit {
  return (handoff) => {
    const opened = withPart(handoff, name)
    const part = partIn(opened, name)
    const found = entryIn(part, key)
    if (found !== undefined) return setValue(opened, found, lineOf(value))
    if (name !== 'workflow') return addItem(name, `- ${keyLine(key)}: ${lineOf(value)}`)(opened)
    const gone = placeholdersIn(part).map(({ start, end }) => ({ start, end, put: '' }))
    const line = putLines(opened, lastLineOf(part), [`${key}: ${lineOf(value)}`])
    const changed = spliceAll(opened.text, [...gone, line])
    if (entryIn(readHandoff(changed).byName[name], key) === undefined) throw unclosed(part)
    return changed
  }
}

/** Known now, so no longer unknown. */
export function setResolved(key: string, value: string): Edit {
  return (handoff) => {
    const unknown = blocksOf(handoff.byName.unknowns, key)
    return setEntry('resolved', key, value)(readHandoff(removeBlocks(handoff, unknown)))
  }
}

/** The whole text, fenced where it has several lines. None is `(none)`. */
export function setLastFailure(text: string): Edit {
  return (handoff) => {
    const opened = withPart(handoff, 'lastFailure')
    const part = partIn(opened, 'lastFailure')
    const start = part.heading.end
    const isBelow = start > 0 && opened.text[start - 1] === '\n'
    const lines = failureLines(text)
    const put = lines.map((line) => line + opened.document.eol).join('')
    const end = Math.max(start, lastLineOf(part))
    return spliceAll(opened.text, [{ start, end, put: (isBelow ? '' : opened.document.eol) + put }])
  }
}

/** `## Context`, below the Ledger. */
export function setContext(content: string): Edit {
  return (handoff) => {
    const { document, text, ledger } = handoff
    const isContext = ({ level, title }: Section) => level === 2 && /^Context\b/i.test(title)
    const found = document.sections.find(isContext)
    if (found !== undefined) return replaceContent(document, found, content)
    const hasRule = ledger !== undefined && ledger.end < text.length
    const lines = hasRule ? ['', '## Context'] : ['', '---', '', '## Context']
    const opened = readDocument(spliceAll(text, [putLines(handoff, text.length, lines)]))
    const section = opened.sections.find(isContext)
    return section === undefined ? text : replaceContent(opened, section, content)
  }
}

/** The document's first heading, behind `Work Stream:` where it has that. */
export function setTitle(title: string): Edit {
  return ({ text, document }) => {
    const heading = document.sections.find(({ level }) => level === 1)?.heading
    if (heading === undefined) return text
    const [head = ''] = /^ {0,3}#\s*(?:Work Stream:\s*)?/i.exec(heading.text) ?? []
    const lead = head.endsWith(' ') ? '' : ' '
    const start = heading.start + head.length
    return spliceAll(text, [
      { start, end: heading.start + heading.text.length, put: `${lead}${lineOf(title)}` },
    ])
  }
}

function ownPart({ parts, byName }: Handoff, name?: PartName): Part | undefined {
  return name === undefined ? parts[0] : byName[name]
}

function registerIn(part: Part | undefined, key: string): Keyed | undefined {
  return registersOf(part).find((one) => one.key.toLowerCase() === key.toLowerCase())
}

function setValue({ text }: Handoff, { value }: Keyed, put: string): string {
  const isTight = !/\s/.test(text[value.start - 1] ?? ' ') && put !== ''
  return spliceAll(text, [{ start: value.start, end: value.end, put: (isTight ? ' ' : '') + put }])
}

function entryIn(part: Part | undefined, key: string): Keyed | undefined {
  return entriesOf(part).find((entry) => entry.key.toLowerCase() === keyLine(key).toLowerCase())
}

/** A key that is read back from `- key: value`. */
function keyLine(key: string): string {
  const plain = lineOf(key).replace(/[`*]|:(?=\s|$)/g, '')
  return plain.replace(/^(?:[^\p{L}\p{N}_]+|\d+[.)]\s+)+/u, '').trim() || 'note'
}

/** The items that say something about a key. */
function blocksOf(part: Part | undefined, key: string): Block[] {
  const entry = entryIn(part, key)
  return (part?.blocks ?? []).filter(
    ({ kind, words }) => kind === 'item' && entry !== undefined && words.start === entry.start,
  )
}

function failureLines(text: string): string[] {
  const lines = text
    .toWellFormed()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(lineOfFailure)
  while (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return ['(none)']
  const [first = ''] = lines
  if (lines.length === 1 && /^[\p{L}\p{N}(]/u.test(first)) return lines
  const ticks = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...ticks.map((length) => length + 1)))
  return [fence, ...lines, fence]
}

/** With its indentation. */
function lineOfFailure(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? ''
  const text = lineOf(line)
  return text === '' ? '' : indent + text
}
