/**
 * The text of a shard's file. For Markdown: front matter, the plan it belongs to, the handover of the previous shard,
 * the plan's preamble, then its own part of the plan unchanged, which formatters leave alone. For stories: the same
 * file with fewer stories. Pure.
 */

import { createHash } from 'node:crypto'
import { scalar } from '../event/yaml-text.ts'
import { escapeInline, oneLine } from '../text/escape-markdown.ts'
import { IGNORE_END, IGNORE_START } from '../text/ignored-range.ts'
import { parseObject } from '../text/json-values.ts'
import type { Plan, Unit } from './plan.ts'
import { GIVEN_MARK, OWN_MARK } from './shard-marks.ts'
import { renderStories, SHARD_MEMBER } from './stories.ts'

export interface AboutShard {
  readonly parent: string
  readonly number: number
  readonly count: number
  readonly title: string
  readonly tokens: number
}

const MAX_TITLE = 120
/** Maximum number of tasks named in a handover; the rest are counted. */
const MAX_NAMED = 6

/** `before`: the units of the previous shard; empty for the first shard. */
export function renderShard(
  plan: Plan,
  units: readonly Unit[],
  before: readonly Unit[],
  about: AboutShard,
): string {
  const text =
    plan.form === 'stories'
      ? renderStories(plan.members ?? {}, units, storyHead(before, about))
      : markdownShard(plan, units, before, about)
  return sealed(text)
}

/** An upper estimate of the characters before a shard's own part, whatever its title is. */
export function overheadOf({ given, preamble, units }: Plan, parent: string): number {
  const continued = Math.max(0, ...units.map((unit) => unit.continued.join('').length + 100))
  const title = Math.max(0, ...units.map(({ group }) => Math.min(group.length, MAX_TITLE)))
  const head = 1500 + 4 * (parent.length + title) + MAX_NAMED * MAX_TITLE
  return head + Math.max(given.length, preamble.length) + continued
}

function markdownShard(
  { eol, preamble, given, longPreamble }: Plan,
  units: readonly Unit[],
  before: readonly Unit[],
  about: AboutShard,
): string {
  const { parent, number, count, tokens } = about
  const title = shortTitle(about.title)
  const [first] = units
  const front = [
    '---',
    `shard: ${number} of ${count}`,
    `parent: ${scalar(parent)}`,
    `title: ${scalar(title)}`,
    `tokens: ${tokens}`,
    `${SEAL}${NO_SEAL}`,
    '---',
  ]
  const head = [
    ...front,
    '',
    ...IGNORE_START.split('\n'),
    '',
    `# ${escapeInline(title)}`,
    '',
    `Shard ${number} of ${count} of \`${parent}\`, from line ${first?.line ?? 1} there; about ${tokens} tokens.`,
    'Progress is kept in the plan: tick what is done there, not here.',
    ...(longPreamble === undefined || number === 1
      ? []
      : [`Its introduction is long: read it there, up to line ${longPreamble}.`]),
    '',
    ...handover(before, about).flatMap((line) => [escapeInline(line), '']),
    GIVEN_MARK,
  ]
  // The first shard has the preamble in its own part.
  const shared = number === 1 ? given : preamble
  const lead = shared === '' || shared.endsWith('\n') ? shared : `${shared}${eol}`
  const continued = (first?.continued ?? []).map((line) => `${line} (continued)${eol}${eol}`)
  const own = units.map(({ text }) => text).join('')
  // After a blank line, because otherwise it would belong to the last item.
  const end = [eol, eol, IGNORE_END, eol]
  return [head.join(eol), eol, lead, ...continued, OWN_MARK, eol, own, ...end].join('')
}

function storyHead(before: readonly Unit[], about: AboutShard): object {
  const { parent, number, count, title, tokens } = about
  const handoverLines = handover(before, about)
  return {
    of: parent,
    number,
    count,
    title: shortTitle(title),
    tokens,
    before: handoverLines,
    [DIGEST]: NO_SEAL,
  }
}

/** Sentences for the session that continues. */
function handover(before: readonly Unit[], { number }: AboutShard): string[] {
  if (before.length === 0) return []
  const names = before.map(({ task, group, line }) =>
    shortTitle(task?.title ?? (group || `line ${line}`)),
  )
  const named = names.slice(-MAX_NAMED)
  const more = names.length - named.length
  const rest = more === 0 ? '' : `, and ${more} before them`
  const checkpoint = before.findLast((unit) => unit.checkpoint !== undefined)?.checkpoint
  return [
    `Shard ${number - 1} hands over: ${named.join('; ')}${rest}. Look at its commits first.`,
    ...(checkpoint === undefined
      ? []
      : [`Shard ${number - 1} ends at: ${shortTitle(checkpoint.replaceAll('**', ''))}`]),
  ]
}

function shortTitle(text: string): string {
  const line = oneLine(text, '')
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…`.toWellFormed() : line
}

const SEAL = 'seal: '
const DIGEST = 'seal'
const NO_SEAL = '0'.repeat(16)

/** Replaces the zeros with the digest of the text. */
function sealed(text: string): string {
  return text.replace(NO_SEAL, digestOf(text))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, NO_SEAL.length)
}

/** True for a file that we wrote and that nobody has changed since. */
export function isOurShard(text: string): boolean {
  const seal = /^seal: ([0-9a-f]{16})\r?$/m.exec(text.slice(0, 4000))?.[1] ?? storySeal(text)
  return seal !== undefined && digestOf(text.replace(seal, NO_SEAL)) === seal
}

function storySeal(text: string): string | undefined {
  const shard = parseObject(text)[SHARD_MEMBER]
  const seal = parseObject(JSON.stringify(shard ?? {}))[DIGEST]
  return typeof seal === 'string' ? seal : undefined
}
