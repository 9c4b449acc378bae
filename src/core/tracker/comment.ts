/**
 * The texts that a person reads in the tracker. A marker at the end of each identifies the item, so that an item whose
 * answer was lost can be found. It is visible, because trackers drop HTML comments. Pure.
 */

import type { CheckpointContent, ProgressContent, ShardContent } from './outbox-item.ts'

/** Distinct enough not to occur in a person's text by accident. */
export function markerOf(id: string): string {
  return `ledger-git ${id}`
}

/** `link`: where the handoff can be viewed; without it, its path is shown. */
export function checkpointComment(
  id: string,
  { title, level, percent, iteration, path, text }: CheckpointContent,
  link: string | undefined,
): string {
  const at = percent === undefined ? '' : ` at ${percent}%`
  const facts = [
    ...(level === 'unknown' ? [] : [`${level}${at}`]),
    ...(iteration === undefined ? [] : [`iteration ${iteration}`]),
  ]
  return withMarker(id, [
    `**${inline(title)}**${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    text.trim(),
    link === undefined ? `Handoff: ${code(path)}` : `Handoff: [${inline(path)}](${link})`,
  ])
}

export function shardDescription(id: string, { tokens, text }: ShardContent): string {
  const size = String(tokens).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return withMarker(id, [tokens === undefined ? '' : `About ${size} tokens.`, text.trim()])
}

export function progressComment(id: string, { plan, done, total }: ProgressContent): string {
  const parts = total === 1 ? '1 part' : `${total} parts`
  return withMarker(id, [`**Plan** ${code(plan)}: ${done} of ${parts} done`])
}

function withMarker(id: string, paragraphs: readonly string[]): string {
  const said = paragraphs.filter((paragraph) => paragraph !== '')
  return `${[...said, code(markerOf(id))].join('\n\n')}\n`
}

/** One line in which nothing starts a link, an image, or a tag. */
function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.replaceAll(/[\\`*_[\]<>!]/g, (character) => `\\${character}`)
}

/** Inline code. Backticks are removed, because they would end it. */
function code(text: string): string {
  return `\`${text.replaceAll(/[\s`]+/g, ' ').trim()}\``
}
