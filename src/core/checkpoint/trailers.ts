/**
 * The trailer that ties a commit to its checkpoint: `Ledger-Checkpoint: <12 lower-case hex>`.
 *
 * Strict where it decides anything: only the message's last trailer block counts, so that no text in a
 * body can forge a link. Adding and removing leave every other byte as it was.
 */

import type { CheckpointId } from '../session/checkpoint-id.ts'
import { isCheckpointId } from '../session/checkpoint-id.ts'
import { findScissors, findTrailerBlock, linesOf, readTrailers } from './trailer-block.ts'

export const CHECKPOINT_TRAILER = 'Ledger-Checkpoint'

export interface MessageRules {
  /** What a comment line begins with: `core.commentChar`, as `commentPrefix` gives it. */
  readonly comment: string
  /** False where git keeps such lines: no editor ran (`commit -m`), or `commit.cleanup` says so. */
  readonly dropsComments: boolean
}

const DEFAULT_RULES: MessageRules = { comment: '#', dropsComments: true }

/** The checkpoints that a commit is linked to: those of the last trailer block, each once. */
export function readCheckpoints(message: string, comment = '#'): CheckpointId[] {
  const values = readTrailers(message, comment)
    .filter(({ token }) => token === CHECKPOINT_TRAILER)
    .map(({ value }) => value)
  return [...new Set(values)].filter(isCheckpointId)
}

/**
 * Checkpoints named by a line anywhere in a message. A squash-merged message holds other messages
 * whole, often indented. For showing only: anybody can write such a line.
 */
export function mentionedCheckpoints(message: string): CheckpointId[] {
  const found = message.matchAll(/^[ \t]*Ledger-Checkpoint:[ \t]*([0-9a-f]{12})[ \t]*\r?$/gm)
  return [...new Set([...found].map((match) => match[1] ?? ''))].filter(isCheckpointId)
}

/**
 * The message with the trailer: at the end of the last block, else in a new one. Unchanged when it has
 * it, and when it is empty: git must still abort then.
 */
export function addCheckpoint(
  message: string,
  id: CheckpointId,
  rules: MessageRules = DEFAULT_RULES,
): string {
  return isEmptyMessage(message, rules)
    ? message
    : withTrailer(message, keptOf(message, rules)[0]?.at ?? message.length, id, rules)
}

/**
 * The same for a message that a person is about to write in an editor: an empty one gets room for it
 * above the trailer. `dropLoneCheckpoint` must follow when the editor is closed.
 */
export function addCheckpointToDraft(
  draft: string,
  id: CheckpointId,
  rules: MessageRules = DEFAULT_RULES,
): string {
  if (!isEmptyMessage(draft, rules)) return addCheckpoint(draft, id, rules)
  const { start, end } = findTrailerBlock(draft, rules.comment)
  if (start < end) return withTrailer(draft, 0, id, rules) // `commit --signoff`
  const rest = draft.replace(/^\s*\n/, '')
  return `\n\n${CHECKPOINT_TRAILER}: ${id}\n${rest === '' ? '' : `\n${rest}`}`
}

/** `from`: where git will see the message begin; the first paragraph there is its title. */
function withTrailer(message: string, from: number, id: CheckpointId, rules: MessageRules): string {
  const text = message.slice(from)
  if (readCheckpoints(asStored(text, rules), rules.comment).includes(id)) return message
  const { start, end } = findTrailerBlock(text, rules.comment)
  const isBlock = start < end
  const head = text.slice(0, isBlock ? end : endOfText(text, rules))
  const newline = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'
  const body = head.slice(0, lastLineEnd(head))
  const cut = head.slice(body.length)
  // What followed stays apart from the trailer as it was from the text.
  const space = /\n[ \t\r]*\n/.test(cut) ? cut.replace(/^[ \t\r]*\n/, '') : ''
  const gap = isBlock ? newline : newline + newline
  const trailer = `${CHECKPOINT_TRAILER}: ${id}${newline}`
  return message.slice(0, from) + body + gap + trailer + space + text.slice(head.length)
}

/** Without what git drops: a line that a comment stood before may continue a trailer then. */
function asStored(text: string, { comment, dropsComments }: MessageRules): string {
  const lines = text.slice(0, findScissors(text, comment)).split('\n')
  return lines.filter((line) => !dropsComments || !line.startsWith(comment)).join('\n')
}

/** Where a new block goes: after the last line that git will keep. */
function endOfText(message: string, rules: MessageRules): number {
  const last = keptOf(message, rules).at(-1)
  return last === undefined ? 0 : last.at + last.length
}

/** Where the last line with something on it ends, before its line break. */
function lastLineEnd(text: string): number {
  const last = linesOf(text).findLast((line) => !/^\s*$/.test(line.text))
  return last === undefined ? 0 : last.at + last.text.replace(/\r$/, '').length
}

/** The lines that git keeps: nothing below the scissors, no blank lines, comments as the rules say. */
function keptOf(message: string, { comment, dropsComments }: MessageRules) {
  return linesOf(message.slice(0, findScissors(message, comment))).filter(
    ({ text }) => !/^\s*$/.test(text) && !(dropsComments && text.startsWith(comment)),
  )
}

/**
 * The message without this trailer's lines in the last block, without the block if nothing is left of
 * it; and without those of a block that thereby becomes the last one.
 */
export function removeCheckpoints(message: string, comment = '#'): string {
  let left = message
  for (;;) {
    const { start, end } = findTrailerBlock(left, comment)
    const block = left.slice(start, end)
    const kept = withoutTrailerLines(block)
    if (kept === block) return left
    const before = left.slice(0, start)
    const isGone = /^\s*$/.test(kept)
    left = (isGone ? before.replace(/\n[ \t\r\n]+$/, '\n') : before + kept) + left.slice(end)
  }
}

/** True when git would call the message empty, were our trailers not in it. */
export function isEmptyMessage(message: string, rules: MessageRules = DEFAULT_RULES): boolean {
  return keptOf(message, rules).every(
    ({ text }) => text.startsWith('Signed-off-by: ') || OURS.test(text),
  )
}

/** The texts of the lines that git keeps. */
export function keptLines(message: string, rules: MessageRules): string[] {
  return keptOf(message, rules).map(({ text }) => text.trimEnd())
}

/** A message with nothing but our trailer in it loses it, so that git aborts; any other stays. */
export function dropLoneCheckpoint(message: string, rules: MessageRules = DEFAULT_RULES): string {
  return isEmptyMessage(message, rules) ? withoutTrailerLines(message) : message
}

/**
 * The comment prefix that a setting of `core.commentChar` (or `core.commentString`) stands for. With
 * `auto` git chooses one that no line of the message begins with: the one that its hints at the end have.
 */
export function commentPrefix(setting: string | undefined, message: string): string {
  if (setting !== 'auto') return setting === undefined || setting === '' ? '#' : setting
  const [last, previous] = linesOf(message)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }) => text.slice(0, 1))
    .toReversed()
  return last !== undefined && last === previous && '#;@!$%^&|:'.includes(last) ? last : '#'
}

const OURS = /^Ledger-Checkpoint[ \t]*:[ \t]*[0-9a-f]{12}[ \t]*\r?$/

/** A line that the next one continues has another value. */
function withoutTrailerLines(text: string): string {
  const lines = linesOf(text)
  const kept = lines.filter(
    (line, i) => !OURS.test(line.text) || /^[ \t]+\S/.test(lines[i + 1]?.text ?? ''),
  )
  return kept.map(({ at, length }) => text.slice(at, at + length)).join('')
}
