/**
 * How commands change a handoff: registers, decisions, questions, workflow, context. For current work, see
 * `work-edits.ts`.
 */

import type { Section } from '../document/document.ts'
import { replaceContent } from '../document/document.ts'
import type { Block, Keyed } from '../document/blocks.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import type { Edit } from './edit-lines.ts'
import {
  addItem,
  combineEdits,
  lastLineOf,
  lineOf,
  partIn,
  placeholdersIn,
  putLines,
  sameItem,
  splice,
  withLedger,
  withPart,
} from './edit-lines.ts'
import type { Handoff, Part, PartName } from './handoff.ts'
import {
  entriesOf,
  isEmpty,
  itemsOf,
  leadingDate,
  readHandoff,
  registerOf,
  registersOf,
} from './handoff.ts'

/** Sets `**Key:** text`, in the Ledger or in its checkpoints. */
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
    return splice(opened, putLines(opened, line?.end ?? top, [`**${key}:** ${lineOf(text)}`]))
  }
}

/** Sets the goal. A copy of the old one in Resolved, where a new handoff has it, is removed. */
export function setGoal(text: string): Edit {
  return (handoff) => {
    const old = registerOf(handoff, 'Goal')?.value.text
    const copy = entryIn(handoff.byName.resolved, 'goal')?.value.text
    const isOld = old !== lineOf(text) && (copy === old || copy === JSON.stringify(old))
    const copies = isOld ? blocksOf(handoff.byName.resolved, 'goal') : []
    return setRegister('Goal', text)(splice(handoff, ...copies))
  }
}

/** Changes only the leading date of `**Updated:**`, because people keep prose after it. */
export function setUpdated(time: Instant, name?: 'checkpoints'): Edit {
  const key = name === undefined ? 'Updated' : 'Last Updated'
  return (handoff) => {
    const value = registerIn(ownPart(handoff, name), key)?.value
    const text = formatInstant(time)
    if (value === undefined) return setRegister(key, text, name)(handoff)
    const date = leadingDate(value)
    if (date !== undefined) return splice(handoff, { ...date, put: text })
    return setRegister(key, isEmpty(value.text) ? text : `${text} (${value.text})`, name)(handoff)
  }
}

/** Sets `- key: value`. A null value removes the decision. */
export function setDecision(key: string, value: string | null): Edit {
  return (handoff) => {
    if (value !== null) return setEntry('decisions', key, value)(handoff)
    return splice(handoff, ...blocksOf(handoff.byName.decisions, key).slice(0, 1))
  }
}

export function addQuestion(text: string): Edit {
  return (handoff) => {
    const isKnown = questionsLike(handoff, text).length > 0
    return isKnown ? handoff : addItem('openQuestions', `- ${lineOf(text)}`)(handoff)
  }
}

export const resolveQuestion =
  (text: string): Edit =>
  (handoff) =>
    splice(handoff, ...questionsLike(handoff, text))

/** Open questions with this text, with or without the UNCONFIRMED mark. */
function questionsLike(handoff: Handoff, text: string): Block[] {
  const isSame = sameItem(bareQuestion(text))
  return itemsOf(handoff.byName.openQuestions).filter((block) =>
    isSame({ ...block, words: { ...block.words, text: bareQuestion(block.words.text) } }),
  )
}

/** A question without the UNCONFIRMED mark. */
export function bareQuestion(text: string): string {
  return lineOf(text).replace(/^\**UNCONFIRMED:?\**:?\s*/i, '')
}

/** Sets `key: value` in a section, with a bullet if the template has one. */
export function setEntry(name: PartName, key: string, value: string): Edit {
  return (handoff) => {
    const opened = withPart(handoff, name)
    const part = partIn(opened, name)
    const found = entryIn(part, key)
    if (found !== undefined) return setValue(opened, found, lineOf(value))
    if (name !== 'workflow') return addItem(name, `- ${keyLine(key)}: ${lineOf(value)}`)(opened)
    const line = putLines(opened, lastLineOf(part), [`${key}: ${lineOf(value)}`])
    return splice(opened, ...placeholdersIn(part), line)
  }
}

/** Moves a key from Unknowns to Resolved. */
export const setResolved = (key: string, value: string): Edit =>
  combineEdits([
    (handoff) => splice(handoff, ...blocksOf(handoff.byName.unknowns, key)),
    setEntry('resolved', key, value),
  ])

/** Sets the whole text, fenced if it has several lines. An empty text becomes `(none)`. */
export function setLastFailure(text: string): Edit {
  return (handoff) => {
    const opened = withPart(handoff, 'lastFailure')
    const part = partIn(opened, 'lastFailure')
    const start = part.heading.end
    const isBelow = start > 0 && opened.text[start - 1] === '\n'
    const lines = failureLines(text)
    const put = lines.map((line) => line + opened.document.eol).join('')
    const end = Math.max(start, lastLineOf(part))
    return splice(opened, { start, end, put: (isBelow ? '' : opened.document.eol) + put })
  }
}

/** Sets `## Context`, below the Ledger. */
export function setContext(content: string): Edit {
  return (handoff) => {
    const { document, text, ledger } = handoff
    const isContext = ({ level, title }: Section) => level === 2 && /^Context\b/i.test(title)
    const found = document.sections.find(isContext)
    if (found !== undefined) return readHandoff(replaceContent(document, found, content))
    const hasRule = ledger !== undefined && ledger.end < text.length
    const lines = hasRule ? ['', '## Context'] : ['', '---', '', '## Context']
    return setContext(content)(splice(handoff, putLines(handoff, text.length, lines)))
  }
}

/** Sets the document's first heading, after `Work Stream:` if it has that. */
export function setTitle(title: string): Edit {
  return (handoff) => {
    const heading = handoff.document.sections.find(({ level }) => level === 1)?.heading
    if (heading === undefined) return handoff
    const [head = ''] = /^ {0,3}#\s*(?:Work Stream:\s*)?/i.exec(heading.text) ?? []
    const lead = head.endsWith(' ') ? '' : ' '
    const start = heading.start + head.length
    const end = heading.start + heading.text.length
    return splice(handoff, { start, end, put: lead + lineOf(title) })
  }
}

function ownPart({ parts, byName }: Handoff, name?: PartName): Part | undefined {
  return name === undefined ? parts[0] : byName[name]
}

function registerIn(part: Part | undefined, key: string): Keyed | undefined {
  return registersOf(part).find((one) => one.key.toLowerCase() === key.toLowerCase())
}

function setValue(handoff: Handoff, { value: { start, end } }: Keyed, put: string): Handoff {
  const needsSpace = !/\s/.test(handoff.text[start - 1] ?? ' ') && put !== ''
  return splice(handoff, { start, end, put: (needsSpace ? ' ' : '') + put })
}

function entryIn(part: Part | undefined, key: string): Keyed | undefined {
  return entriesOf(part).find((entry) => entry.key.toLowerCase() === decisionKey(key))
}

/** Equal for keys that name the same entry. */
export function decisionKey(key: string): string {
  return keyLine(key).toLowerCase()
}

/** The key in a form that can be read back from `- key: value`. */
function keyLine(key: string): string {
  const plain = lineOf(key).replace(/[`*]|:(?=\s|$)/g, '')
  return plain.replace(/^(?:[^\p{L}\p{N}_]+|\d+[.)]\s+)+/u, '').trim() || 'note'
}

/** The items that hold an entry for the key. */
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

/** The line with its indentation. */
function lineOfFailure(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? ''
  const text = lineOf(line)
  return text === '' ? '' : indent + text
}
