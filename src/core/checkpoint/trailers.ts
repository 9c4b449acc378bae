/**
 * The trailer that ties a commit to its checkpoint: `Ledger-Checkpoint: <12 lower-case hex>`.
 *
 * Only the message's last trailer block counts, so that no text in a body can forge a link. Adding and removing
 * a trailer keep every other byte.
 */

import type { CheckpointId } from '../session/checkpoint-id.ts'
import { isCheckpointId } from '../session/checkpoint-id.ts'
import { findScissors, findTrailerBlock, linesOf, readTrailers } from './trailer-block.ts'

export const CHECKPOINT_TRAILER = 'Ledger-Checkpoint'

export interface MessageRules {
  /** The prefix of comment lines: `core.commentChar`, as `commentPrefix` returns it. */
  readonly comment: string
  /** False if git keeps comment lines: no editor ran (`commit -m`), or `commit.cleanup` says so. */
  readonly dropsComments: boolean
}

const DEFAULT_RULES: MessageRules = { comment: '#', dropsComments: true }

/** The checkpoints that a commit is linked to: those in the last trailer block, each once. */
export function readCheckpoints(message: string, comment = '#'): CheckpointId[] {
  const values = readTrailers(message, comment)
    .filter(({ token }) => token === CHECKPOINT_TRAILER)
    .map(({ value }) => value)
  return [...new Set(values)].filter(isCheckpointId)
}

/**
 * Checkpoints named by a line anywhere in a message: a squash-merged message contains other messages, often
 * indented. For display only, because anybody can write such a line.
 */
export function mentionedCheckpoints(message: string): CheckpointId[] {
  const found = message.matchAll(/^[ \t]*Ledger-Checkpoint:[ \t]*([0-9a-f]{12})[ \t]*\r?$/gm)
  return [...new Set([...found].map((match) => match[1] ?? ''))].filter(isCheckpointId)
}

/**
 * Adds the trailer at the end of the last trailer block, else in a new block. The message is unchanged if it already
 * has the trailer, and if it is empty, so that git still aborts.
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
 * The same for a message that a person is about to edit: an empty message gets blank lines above the trailer.
 * `dropLoneCheckpoint` must be called after the editor was closed.
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

/** `from`: where the message will begin for git; the first paragraph from there on is the title. */
function withTrailer(message: string, from: number, id: CheckpointId, rules: MessageRules): string {
  const text = message.slice(from)
  if (readCheckpoints(asStored(text, rules), rules.comment).includes(id)) return message
  const { start, end } = findTrailerBlock(text, rules.comment)
  const isBlock = start < end
  const head = text.slice(0, isBlock ? end : endOfText(text, rules))
  const newline = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'
  const body = head.slice(0, lastLineEnd(head))
  const cut = head.slice(body.length)
  // What followed the text keeps the same distance from the trailer.
  const space = /\n[ \t\r]*\n/.test(cut) ? cut.replace(/^[ \t\r]*\n/, '') : ''
  const gap = isBlock ? newline : newline + newline
  const trailer = `${CHECKPOINT_TRAILER}: ${id}${newline}`
  return message.slice(0, from) + body + gap + trailer + space + text.slice(head.length)
}

/** The text without lines that git drops, and complete. A line after a dropped comment may then continue a trailer. */
function asStored(text: string, { comment, dropsComments }: MessageRules): string {
  const lines = text.slice(0, findScissors(text, comment)).split('\n')
  return `${lines.filter((line) => !dropsComments || !line.startsWith(comment)).join('\n')}\n`
}

/** The place for a new block: after the last line that git keeps. */
function endOfText(message: string, rules: MessageRules): number {
  const last = keptOf(message, rules).at(-1)
  return last === undefined ? 0 : last.at + last.length
}

/** The end of the last non-blank line, before its line break. */
function lastLineEnd(text: string): number {
  const last = linesOf(text).findLast((line) => !/^\s*$/.test(line.text))
  return last === undefined ? 0 : last.at + last.text.replace(/\r$/, '').length
}

/** The non-blank lines that git keeps: those above the scissors line, and comments only if the rules keep them. */
function keptOf(message: string, { comment, dropsComments }: MessageRules) {
  return linesOf(message.slice(0, findScissors(message, comment))).filter(
    ({ text }) => !/^\s*$/.test(text) && !(dropsComments && text.startsWith(comment)),
  )
}

/**
 * Removes this trailer's lines from the last block, and the block itself if nothing is left. If another block
 * becomes the last one, the same is done there.
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

/** True if git would consider the message empty without our trailers. */
export function isEmptyMessage(message: string, rules: MessageRules = DEFAULT_RULES): boolean {
  return keptOf(message, rules).every(
    ({ text }) => text.startsWith('Signed-off-by: ') || OURS.test(text),
  )
}

/** The texts of the lines that git keeps. */
export function keptLines(message: string, rules: MessageRules): string[] {
  return keptOf(message, rules).map(({ text }) => text.trimEnd())
}

/** Removes our trailer from a message that has nothing else, so that git aborts; other messages are unchanged. */
export function dropLoneCheckpoint(message: string, rules: MessageRules = DEFAULT_RULES): string {
  return isEmptyMessage(message, rules) ? withoutTrailerLines(message) : message
}

/**
 * The comment prefix for a value of `core.commentChar` (or `core.commentString`). With `auto` git chooses a prefix
 * that no line of the message begins with; it is read from git's hints at the end of the message.
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

/** Removes our trailer's lines, except one that is continued on the next line: its value is a different one. */
function withoutTrailerLines(text: string): string {
  const lines = linesOf(text)
  const kept = lines.filter(
    (line, i) => !OURS.test(line.text) || /^[ \t]+\S/.test(lines[i + 1]?.text ?? ''),
  )
  return kept.map(({ at, length }) => text.slice(at, at + length)).join('')
}
