/**
 * The last trailer block of a commit message, found where git itself finds it.
 *
 * git's rule (`git help interpret-trailers`, for whole messages: without the `---` divider): the block is the last
 * paragraph, but never the first. Either all its lines are trailers, or one of them is git's own
 * (`Signed-off-by: `, `(cherry picked from commit `) and at least a quarter are trailers. Comments at the end, and
 * everything from the scissors line on, are not part of the message. Trailers that the user's configuration adds
 * to git's own are not known here.
 */

/** Positions in the message; `start === end` when there is no block. */
export interface TrailerBlock {
  readonly start: number
  /** End of the message, and of the block if there is one. Comments and blank lines may follow. */
  readonly end: number
}

export interface Trailer {
  readonly token: string
  /** Folded lines are joined into one. */
  readonly value: string
}

const SCISSORS = '------------------------ >8 ------------------------'
const GIT_GENERATED = /^(?:Signed-off-by: |\(cherry picked from commit )/

/** White space as git defines it: no vertical tab, no form feed, nothing outside ASCII. */
const BLANK = /^[ \t\r]*$/
const CONTINUES = /^[ \t\r]/
const TRAILER = /^([A-Za-z0-9-]+)[ \t]*:/

/** `comment`: the prefix of comment lines (`core.commentChar`), at least one character. */
export function findTrailerBlock(message: string, comment: string): TrailerBlock {
  const end = endOfMessage(message, comment)
  const lines = linesOf(message.slice(0, end))
  const titleEnd = lines.findIndex(({ text }) => !text.startsWith(comment) && BLANK.test(text))
  if (titleEnd === -1) return { start: end, end }
  const last = lines.findLastIndex(({ text }) => !text.startsWith(comment) && !BLANK.test(text))
  const before = lines.findLastIndex(
    ({ text }, i) => i < last && !text.startsWith(comment) && BLANK.test(text),
  )
  if (last < titleEnd) return { start: end, end }
  const paragraph = lines.slice(before + 1, last + 1).map(({ text }) => text)
  return { start: isTrailerBlock(paragraph, comment) ? (lines[before + 1]?.at ?? end) : end, end }
}

/** The trailers of the block, in order. */
export function readTrailers(message: string, comment: string): Trailer[] {
  const { start, end } = findTrailerBlock(message, comment)
  const found: { token: string; folded: string }[] = []
  let open: { token: string; folded: string } | undefined
  for (const { text } of linesOf(message.slice(start, end))) {
    if (open !== undefined && CONTINUES.test(text)) {
      open.folded += `\n${text}`
      continue
    }
    const match = text.startsWith(comment) ? null : TRAILER.exec(text)
    open =
      match === null ? undefined : { token: match[1] ?? '', folded: text.slice(match[0].length) }
    if (open !== undefined) found.push(open)
  }
  return found.map(({ token, folded }) => ({ token, value: unfold(folded) }))
}

function unfold(folded: string): string {
  return folded.replace(/\n[ \t\r\n]*/g, ' ').replace(/^[ \t\r]+|[ \t\r]+$/g, '')
}

/** The end of the message: before the scissors line, and before trailing comments and empty lines. */
function endOfMessage(message: string, comment: string): number {
  const text = message.slice(0, findScissors(message, comment))
  let ignored = 0 // as in git: if the first line starts an ignored run, the run counts from the second line
  let inConflicts = false
  for (const line of linesOf(text)) {
    const opensConflicts = line.text === 'Conflicts:' && line.length > line.text.length
    inConflicts ||= opensConflicts
    if (opensConflicts || line.text === '' || line.text.startsWith(comment)) ignored ||= line.at
    // Paths of conflicts, which older git versions wrote without comment characters.
    else if (!inConflicts || !line.text.startsWith('\t')) {
      if (ignored > 0) inConflicts = false
      ignored = 0
    }
  }
  return ignored || text.length
}

/** Start of the scissors line, else the length of the message. */
export function findScissors(message: string, comment: string): number {
  const text = message.endsWith('\n') ? message : `${message}\n`
  const line = `${comment} ${SCISSORS}\n` // nothing may follow on the line, not even a CR
  if (text.startsWith(line)) return 0
  const at = text.indexOf(`\n${line}`)
  return at === -1 ? message.length : at + 1
}

/** Counts lines as git does: a folded line belongs to the line before it. */
function isTrailerBlock(lines: readonly string[], comment: string): boolean {
  let [trailers, others, isRecognized, inTrailer] = [0, 0, false, false]
  for (const line of lines) {
    if (line.startsWith(comment)) {
      inTrailer = false
      continue
    }
    const generated = GIT_GENERATED.test(line)
    if (!CONTINUES.test(line)) inTrailer = generated || TRAILER.test(line)
    else if (inTrailer) continue
    isRecognized ||= generated
    if (inTrailer) trailers++
    else others++
  }
  return isRecognized ? trailers * 3 >= others : trailers > 0 && others === 0
}

interface Line {
  readonly at: number
  /** Length with the line break. */
  readonly length: number
  /** Text without the line break. */
  readonly text: string
}

export function linesOf(message: string): Line[] {
  return [...message.matchAll(/([^\n]+)\n?|\n/g)].map(({ 0: line, 1: text = '', index }) => ({
    at: index,
    length: line.length,
    text,
  }))
}
