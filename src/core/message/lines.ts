/** The lines of a quoted text: as many as fit, and how they are joined. Pure. */

import { countWords, shorten } from '../text/markdown-to-text.ts'

export interface Line {
  readonly kind: 'title' | 'text' | 'item'
  readonly text: string
  /** Does not say what its paragraph or item is about, or is below another item. */
  readonly isDetail?: boolean
}

/** Words of a name, as opposed to a sentence. */
export const MAX_NAME = 3
export const COLON_AT_END = /[:：]$/

/** False for the first sentence of a paragraph, and for the next one if the first is as short as `Done.` */
export function isDetail(sentences: readonly string[], place: number): boolean {
  return place > MAX_NAME || countWords(sentences.slice(0, place).join(' ')) > MAX_NAME
}

/** The outline, or as many lines from the start as fit, the problems in the rest, and the last sentence. */
export function fitting(lines: readonly Line[], max: number): string {
  const whole = joinLines(lines)
  if (whole.length <= max) return whole
  const last = lines.at(-1)
  const isEnd = last?.kind === 'text' && countWords(last.text) > MAX_NAME
  const end = isEnd && last.text.length <= max / 3 ? [last] : []
  const short = outline(lines, max, end)
  if (short !== undefined) return short
  const isCut = end.length === 0
  const space = isCut ? max - MORE.length : max - lengthWithGap(end)
  const trouble = troubleIn(lines.slice(0, -1), space)
  const room = space - lengthWithGap(trouble)
  const count = countFitting(lines, room)
  const head = lines.slice(0, count)
  const others = [...linesNotIn(trouble, head), ...end]
  if (joinLines(head).length >= room / 3) {
    return `${withGaps(lines, [...head, ...others])}${isCut ? MORE : ''}`
  }
  // If few or no lines fit, as much of the next line as fits is added.
  const start = shorten(joinLines(lines.slice(0, count + 2)), room)
  const behind = withGaps(lines, [...linesNotIn(trouble, lines.slice(0, count + 1)), ...end])
  return behind === '' ? start : `${start.replace(/…$/, '')}${GAP}${behind}`
}

/**
 * The first sentence of each paragraph and item and as many of the others as fit: the problems, then in their order.
 * Undefined if even the first sentences do not fit, or if there is only one paragraph.
 */
export function outline(
  lines: readonly Line[],
  max: number,
  end: readonly Line[] = [],
): string | undefined {
  const isLead = (line: Line) => line.isDetail !== true || end.includes(line)
  const details = lines.filter((line) => !isLead(line))
  const after = lines.slice(lines.findIndex((line) => !isLead(line)))
  if (after.every((line) => !isLead(line) || end.includes(line))) return undefined
  const textOf = (kept: readonly Line[]) =>
    `${withGaps(lines, kept)}${kept.includes(lines.at(-1) as Line) ? '' : MORE}`
  let kept = lines.filter(isLead)
  if (textOf(kept).length > max) return undefined
  for (const detail of [...troubleIn(lines, max), ...details.slice(0, MAX_DETAILS)]) {
    const longer = [...kept, detail]
    if (textOf(longer).length <= max) kept = longer
  }
  return textOf(kept)
}

/** More than fit: a message may have thousands of sentences, and trying each of them would take seconds. */
const MAX_DETAILS = 100

/** The number of lines that fit, without the last line and without a title or a lead at the end. */
function countFitting(lines: readonly Line[], room: number): number {
  let count = 0
  while (count < lines.length - 1 && joinLines(lines.slice(0, count + 1)).length <= room) count += 1
  while (count > 0 && COLON_AT_END.test(lines[count - 1]?.text ?? '')) count -= 1
  return count
}

/**
 * The newest sentences about problems, in up to a third of the room, among those that do not fit into its first half.
 * An item would need the list that it is from.
 */
export function troubleIn(lines: readonly Line[], max: number): readonly Line[] {
  const isTrouble = ({ kind, text }: Line) =>
    kind === 'text' && text.length <= max / 3 && !COLON_AT_END.test(text) && TROUBLE.test(text)
  const left = lines.slice(countFitting(lines, max / 2)).filter(isTrouble)
  let start = left.length
  while (start > 0 && joinLines(left.slice(start - 1)).length <= max / 3) start -= 1
  return left.slice(start)
}

/** The lines whose texts are not in `told`. */
function linesNotIn(lines: readonly Line[], told: readonly Line[]): readonly Line[] {
  const texts = new Set(told.map(({ text }) => text))
  return lines.filter(({ text }) => !texts.has(text))
}

/** UTF-16 units of these lines when they follow others. */
export function lengthWithGap(lines: readonly Line[]): number {
  return lines.length === 0 ? 0 : GAP.length + joinLines(lines).length
}

/** The kept lines, with an ellipsis wherever lines between them are missing. */
export function withGaps(lines: readonly Line[], kept: readonly Line[]): string {
  const isKept = new Set(kept)
  const runs: Line[][] = []
  for (const [i, line] of lines.entries()) {
    if (!isKept.has(line)) continue
    if (isKept.has(lines[i - 1] as Line)) runs.at(-1)?.push(line)
    else runs.push([line])
  }
  return runs.map(joinLines).join(GAP)
}

const GAP = ' … '
/** After the last line that fits, if more follow it. */
const MORE = ' …'

/** `was not run`, as opposed to `is not a menu`, which describes. */
const NOT_DONE = String.raw`(?:can|is|are|was|were|does|have|has)(?: not|n['’]t)(?= (?:(?!(?:an?|the)\b)\w+ ){0,2}(?:run|tested|verified|checked|confirmed|committed|pushed|deployed|merged|build|built|work|working|pass|passing|done|finished|fixed|ready)\b)`
/** What went wrong or was not done, except sentences about its remedy. */
const TROUBLE = new RegExp(
  String.raw`^(?!.*\b(?:fix(?:e[sd])?|resolve[sd]?|handle[sd]?|prevents?|instead|if|when)\b).*(?:(?<!\b(?:no|0|without) )\b(?:fail(?:s|ed|ing)|[1-9]\d* failures?|rejected|blocked|unable to|untested|timed out|(?:could|did)(?: not|n['’]t)|${NOT_DONE}|cannot|not (?:yet|run|tested|verified|committed|pushed|done))\b|失败|无法|尚未|失敗|できません|실패|не (?:удалось|запускал)|échou|fehlgeschlagen)`,
  'i',
)

/** Joins lines as sentences. Consecutive items are separated by semicolons. */
export function joinLines(lines: readonly Line[]): string {
  const joined = lines.map(({ kind, text }, i) => {
    const next = lines[i + 1]
    if (next === undefined) return text
    return ended(text, kind !== 'text' && next.kind === kind ? ';' : '.')
  })
  return joined.join(' ')
}

/** The text with a mark at its end. */
export function ended(text: string, mark = '.'): string {
  return /[.!?:;…。！？：]["'”’»)]?$/.test(text.slice(-2)) ? text : `${text}${mark}`
}
