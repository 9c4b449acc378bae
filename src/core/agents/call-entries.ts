/** Turns calls of tools into transcript entries: commands, errors, questions to the user. Pure. */

import { foldLine, hasWords, shorten } from '../text/markdown-to-text.ts'
import type { Instant } from '../event/instant.ts'
import type { AskedQuestion, ToolUse, TranscriptEntry } from './agent-signal.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields, listIn, objectsIn, textIn } from '../text/json-fields.ts'

/** A shell command as a label. */
export function commandLabel(command: string): string {
  const text = command
    .replace(/^(?:\s*#[^\n]*\n)+/, '')
    .replace(/\\\n\s*/g, '')
    .trim()
    .replaceAll('`', "'")
  const lines = text.split('\n')
  // Lines that only prepare the command do not describe it.
  const own = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== '' && !SETUP_LINE.test(line)),
  )
  const line = lines.slice(0, own + 1).join('; ')
  const whole = foldLine(own + 1 < lines.length ? `${line} …` : line)
  if (whole.length <= MAX_LABEL) return `\`${whole}\``
  const short = whole.replace(FOLDER, '$1…/$2')
  return `\`${short.length > MAX_LABEL ? shortenChain(short) : short}\``
}

/** The folder that a command works in, as an absolute path: it would take the room of what the command does. */
const FOLDER = /\b((?:git -C|cd) )\/[^\s'";&|]*?([^\s'";&|/]+)\/?(?=\s|;|$)/g

/** A line that only sets a folder, a variable or a shell option, or is a comment. */
const SETUP_LINE = /^\s*(?:(?:cd|export|source|set) [^;&|]*$|[A-Z_]+=\S*$|#)/

/** Shortens each command of a chain to its beginning; the last one gets the room that the others leave. */
function shortenChain(line: string): string {
  const parts = line.split(AND)
  const most = Math.floor(MAX_LABEL / parts.length) - AND.length
  if (parts.length === 1 || most < MIN_PART) return shorten(line, MAX_LABEL)
  const before = parts.slice(0, -1).map((part) => `${shorten(part, most)}${AND}`)
  return shorten(`${before.join('')}${parts.at(-1)}`, MAX_LABEL)
}

const AND = ' && '
/** UTF-16 units. */
const MIN_PART = 20

/** UTF-16 units. */
const MAX_LABEL = 120

/** Labels a call by its tool and its file, or else by the first of `keys` that its input has. */
export function fileOrSubject(
  name: string,
  file: string | undefined,
  input: Fields,
  keys: readonly string[],
): string {
  if (file !== undefined) return `${name} ${foldLine(file.replace(/.*[/\\]/s, ''))}`
  const about = keys.map((key) => textIn(input, key)).find((text) => text !== undefined)
  return about === undefined ? name : `${name}: ${shorten(foldLine(about), 80)}`
}

/** UTF-16 units of an output that are kept: its end, which has the result. */
const MAX_OUTPUT = 4000

/** How a call ended. */
export interface Outcome {
  /** `open`: it is running or waiting. `stopped`: the user stopped the turn while it ran. */
  readonly end: 'well' | 'failed' | 'refused' | 'stopped' | 'open'
  /** Its result, or what went wrong. */
  readonly text: string
  readonly at?: Instant | undefined
  /** True for a command that was answered before it ended, so that its result is not known yet. */
  readonly isStillRunning?: boolean
  /** What the user said when refusing it. */
  readonly said?: string | undefined
}

/** A call as entries: what it did, and how it ended. */
export function callEntries(
  tool: ToolUse,
  label: { label?: string },
  { end, text, at, said, isStillRunning = false }: Outcome,
): TranscriptEntry[] {
  switch (end) {
    case 'open':
      return [{ kind: 'tool', tool, ...label, isOpen: true }]
    case 'stopped':
      return [
        { kind: 'tool', tool: withoutEffects(tool), ...label, isOpen: true },
        { kind: 'interruption', at },
      ]
    case 'refused':
      return [{ kind: 'refusal', label: label.label ?? tool.name, said }]
    case 'failed':
      return [{ kind: 'tool', tool: withoutEffects(tool), ...label, failed: errorLine(text), at }]
    case 'well': {
      const command = isStillRunning ? undefined : tool.command
      const ran = command && {
        command: command.slice(0, MAX_OUTPUT),
        output: text.slice(-MAX_OUTPUT),
      }
      const told = tool.name.startsWith('mcp_') ? firstLine(text) : ''
      return [
        { kind: 'tool', tool, ...label, ...(ran && { ran }), ...(told !== '' && { told }), at },
      ]
    }
  }
}

function firstLine(text: string): string {
  const line = text.split('\n').find((one) => hasWords(one)) ?? ''
  return shorten(foldLine(line), MAX_LABEL)
}

/** The use of a tool that failed: the files that it names were not written, and its to-do list does not count. */
export function withoutEffects({ name, mayWrite }: ToolUse): ToolUse {
  return { name, files: [], mayWrite, todos: undefined }
}

/** A line in the form of an error: `TypeError: …`, `fatal: …`, `server.go:12:3: …`. */
const ERROR =
  /^\W{0,4}(?:remote: )?(?:[\w.]{0,60}(?:error|exception)(?: ?\[\w+\])?|fatal|panic|[\w./-]+:\d+:\d+|\S+\(\d+,\d+\)): \S/i
/** A word that reports an error. */
const ERROR_WORD =
  /(?<![\w-])(?:error|fatal|panic|failed|(?:can|could) ?not|can't|undefined|not found|no such|denied|refused|not permitted|unable|unexpected|timed out)\b/i
const NO_ERRORS = /\b(?:0|no) (?:errors?|failed|failures?)\b/i

/** UTF-16 units of each line that are examined. */
const MAX_LINE = 300

/** The folders before the name of the file with the error; dropped if the line is too long. */
const FOLDERS = /^(Exit code \d+, ).*[/\\](?=[\w.-]+(?::\d|\(\d))/

/**
 * What went wrong with a call: its first line. If that is no error, the first line in the form of an error, else the
 * first one with a word such as `failed`; an exit code stays before it.
 */
function errorLine(text: string): string {
  const lines = text
    // oxlint-disable-next-line no-control-regex
    .replace(/<\/?[a-z_]+>|\u001b\[[\d;]*[A-Za-z]/g, '')
    .split('\n')
    .map((line) => foldLine(line.slice(0, MAX_LINE)))
    .filter((line) => line !== '')
  const [first = 'failed', ...others] = lines
  const candidates = others.filter((line) => !NO_ERRORS.test(line))
  const isError = (line: string) => ERROR.test(line) || ERROR_WORD.test(line)
  const isCode = /^Exit code \d+$/.test(first)
  if (!isCode && (isError(first) || !candidates.some(isError))) return shorten(first, MAX_LABEL)
  const error = [ERROR, ERROR_WORD].map((form) => candidates.find((line) => form.test(line)))
  const line = error.find((one) => one !== undefined) ?? others[0]
  const whole = line === undefined ? first : isCode ? `${first}, ${line}` : line
  const said = shorten(whole.length > MAX_LABEL ? whole.replace(FOLDERS, '$1') : whole, MAX_LABEL)
  return /[:：]$/.test(said) ? `${said} ${listBelow(line, others)}`.trimEnd() : said
}

/** The lines below an error that ends with a colon, up to any advice, as one list. */
function listBelow(line: string | undefined, lines: readonly string[]): string {
  const below = lines.slice(lines.findIndex((one) => one === line) + 1)
  const end = below.findIndex((one) => ADVICE.test(one))
  return shorten(below.slice(0, end === -1 ? undefined : end).join(', '), MAX_LIST)
}

const ADVICE = /^(?:please|aborting|hint:|use |see )/i
/** UTF-16 units. */
const MAX_LIST = 100

/** Reads questions to the user; all agents use these fields. `answerTo` gets the question and its text. */
export function askedQuestions(
  input: Fields,
  answerTo: (question: Fields, text: string) => string | undefined,
): AskedQuestion[] {
  return objectsIn(listIn(input, 'questions')).flatMap((question) => {
    const text = textIn(question, 'question')
    if (text === undefined) return []
    const options = listIn(question, 'options').flatMap((option) => {
      const label = typeof option === 'string' ? option : textIn(asFields(option) ?? {}, 'label')
      return label ?? []
    })
    return [{ about: textIn(question, 'header'), text, options, answer: answerTo(question, text) }]
  })
}
