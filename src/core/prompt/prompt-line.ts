/** A prompt as one line: the user's request, without text from programs, roles, and logs around it. Pure. */

import { MARKER } from '../secrets/secret.ts'
import type { Block } from '../text/message-blocks.ts'
import {
  countWords,
  endOf,
  foldLine,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { memoize } from '../text/remembering.ts'
import { isPlan, planIn, planTitle } from './plan-title.ts'
import {
  ADDRESS,
  asksForWork,
  COMMAND,
  ERROR,
  isLog,
  isProse,
  isWork,
  LOG,
  MIN_TASK,
  PURPOSE_BEFORE,
  SHELL,
  STAMP,
} from './request-kind.ts'

/** Text that programs insert around the user's words. */
const CONTEXT = [
  /\[(?:Image|Pasted text) #\d+[^\]]*\]|<img\b[^>]*>/g,
  /\s--- Content from referenced files ---\s[^]*$/,
  // Horizontal rules and block-character art.
  /[⎯_–—\u2500-\u259f-]{4,}|[\u2580-\u259f]+/g,
]

const PASSWORDS =
  'password|passwd|pwd|passphrase|passwort|mot de passe|contraseña|senha|пароль|密码|密碼|パスワード|비밀번호'

/**
 * Passwords that no secret detector recognizes by form. After a colon or `=`, anything that is not a plain word.
 * Otherwise, anything with a digit or symbol, but not a word with a final punctuation mark.
 */
const PASSWORD = new RegExp(
  [
    String.raw`(?<=(?<![\p{L}\d])(?:${PASSWORDS})[^\p{L}\d_]{0,3}[:：=][^\p{L}\d_]{0,2})(?=\S*[^\s\p{L}])\S+`,
    String.raw`(?<=(?<![\p{L}\d])(?:${PASSWORDS})[^\p{L}\d_]{1,4}(?:(?:is|est|ist|es|é) )?)(?=\S*(?:[\d!@#$%&*+=^~]|[^\s\p{L}]\S))\S+`,
    String.raw`\b[sp]k_(?:live|test)_\w+`,
  ].join('|'),
  'giu',
)

/** Several files that were dropped into the prompt before the words. */
const PATHS = /^(?:(?:~|\.{0,2})\/[\w./@~-]+\s+){2,}(?=\S+ \S+ \S)/

/** Words before a request that add nothing to it. */
const OPENING =
  /^(?:(?:(?:hi|hello|hey) there|go ahead and|(?:claude|codex|gemini)(?=[,:])|hi(?: (?:claude|codex|gemini))?|hello(?: (?:claude|codex|gemini))?|hey(?: (?:claude|codex|gemini))?|ok|okay|so(?! far)|yes|yeah|yep|sure|great|perfect|thanks|cool|alright|right|well|ultrathink|hm+|um+|uh+|then|and|now|also|please|pls|(?:very )?(?:good|nice)(?! (?:and|next)\b)(?=[,.! ]{1,4}(?:and|but|now|then|also|next|please|let'?s|can you)\b))(?:\s*[,.!:]+|(?=\s))\s*|@"[^"]*"\s+|@\S+\s+)+(?=\S)/i

/** Markers of secrets that are already redacted; when splitting by this, every second part is one. */
const REDACTED = new RegExp(`(${MARKER.source})`)

/** The user's words without inserted context and without passwords. */
function ownWords(prompt: string): string {
  const parts = prompt.split(REDACTED)
  const known = parts
    .map((part, i) => (i % 2 === 1 ? part : part.replace(PASSWORD, '[...]')))
    .join('')
  const words = CONTEXT.reduce((text, context) => text.replace(context, ' '), known).trim()
  return words.replace(PATHS, '')
}

/**
 * A prompt as one line: the title of a plan; otherwise its sentences up to the first that names work, as far as they
 * fit.
 */
export const promptLine = memoize(computeLine)

function computeLine(prompt: string, max: number): string {
  const text = ownWords(prompt)
  if (isPlan(text)) return shorten(planTitle(planIn(text)), max)
  const blocks = blocksAsked(text)
  // After an opening word is removed, the rest may begin with a list or heading mark.
  const [first, ...others] = ownLines(unwrapped(blocks)).map((line) =>
    plainLine(plainLine(line).replace(OPENING, '')),
  )
  if (first === undefined || !hasWords(first)) return shorten(plainLine(foldLine(text)), max)
  const line = inSentences([first, ...others], max)
  return blocks.at(-1)?.kind === 'text' ? withEnd(line, [first, ...others], max) : line
}

/**
 * The whole prompt in one line, for a prompt whose line was cut. Undefined if the line does not start where the
 * prompt does (after a role, a log, or a plan's title), or if the rest adds little.
 */
export function wholePrompt(prompt: string, max: number): string | undefined {
  const line = promptLine(prompt, max)
  const parts = blocksOf(ownWords(prompt)).flatMap(({ kind, text: part }) =>
    kind === 'quote' ? [] : part,
  )
  const whole = shorten(parts.join('; ').replaceAll(/([:：.!?。！？,])(?:;) /g, '$1 '), max)
  const isLonger = whole.length > line.length + MIN_MORE
  return isLonger && whole.startsWith(line.slice(0, MIN_SAME).replace(/…$/, '')) ? whole : undefined
}

/** UTF-16 units: more than the line at least, and of the start that must match. */
const MIN_MORE = 60
const MIN_SAME = 30

/** A prompt's own words. If a heading introduces the request, only the words below it. */
export function askedBlocks(prompt: string): readonly Block[] {
  return blocksAsked(ownWords(prompt))
}

function blocksAsked(text: string): readonly Block[] {
  const all = blocksOf(text)
  const asked = all.findLastIndex(
    ({ kind, text: title }) => kind === 'heading' && ASKED.test(title),
  )
  return all.slice(asked + 1).filter(({ kind }) => kind !== 'code' && kind !== 'quote')
}

/** Joins lines that were wrapped where the text was copied from. */
function unwrapped(blocks: readonly Block[]): readonly string[] {
  const lines: string[] = []
  for (const { kind, text } of blocks) {
    const last = lines.at(-1) ?? ''
    const isWrapped = last.length >= MIN_WRAPPED && /[\p{L},]$/u.test(last) && !ADDRESS.test(last)
    if (isWrapped && kind === 'text' && /^\p{Ll}/u.test(text))
      lines[lines.length - 1] = `${last} ${text}`
    else lines.push(text)
  }
  return lines
}

/** UTF-16 units: shorter lines were ended on purpose. */
const MIN_WRAPPED = 40

/** The lines from the user's own words on, after a log, an address, a role, or a name above a command. */
function ownLines(pasted: readonly string[]): readonly string[] {
  const [label = '', ...labelled] = pasted
  const isLabel = countWords(label) < 2 && !COMMAND.test(label) && COMMAND.test(labelled[0] ?? '')
  const lines = withoutLog(isLabel ? labelled : pasted)
  const isRequest = isWork(lines[0] ?? '')
  const aim = isRequest
    ? undefined
    : (aimIn(lines) ?? aimIn(lines.map((line) => line.replace(EMOJI, ''))))
  if (aim !== undefined) return aim
  const start = lines.findIndex((line) => !isRole(line) && !ADDRESS.test(line))
  return start === -1 ? lines : lines.slice(start)
}

/** The lines from the one that is labelled as the task. */
function aimIn(lines: readonly string[]): readonly string[] | undefined {
  const at = lines.findIndex((line) => countWords(AIM.exec(line)?.[1] ?? '') >= MIN_AIM)
  return at === -1 ? undefined : lines.slice(at)
}

const EMOJI = /^\p{Extended_Pictographic}\ufe0f? /u

/** A line labelled as the task, in a prompt that does not begin with its request. */
const AIM =
  /^(?:(?:your|the|my) )?(?:task|request|objective|goal|mission|user[ -](?:request|query|message|anfrage)|aufgabe|tâche|tarea)s?\s*[:：]\s*(\S.*)$/i
/** Minimum number of words: `objective: str` is code. */
const MIN_AIM = 2

/**
 * A long prompt may begin with pasted text and end with the request or the error. If no sentence of the line asks for
 * work, that end is appended.
 */
function withEnd(line: string, lines: readonly string[], max: number): string {
  const length = lines.reduce((sum, { length: one }) => sum + one, 0)
  if (length < MIN_LONG || lines.length < 3 || sentencesOf(line).some(asksForWork)) return line
  const end = endOf(lines.at(-1) ?? '', max * MAX_END_SHARE)
  const isNeeded = ERROR.test(end) || sentencesOf(end).some(asksForWork)
  if (!isNeeded || line.includes(end)) return line
  return `${inSentences(lines, max - end.length - 3).replace(/…$/, '')} … ${end}`
}

const MIN_LONG = 600
/** Maximum share of the line. */
const MAX_END_SHARE = 0.4

/** A heading above the request, after rules or a role that a program inserted. */
const ASKED =
  /^(?:[^\p{L}]+ )?(?:(?:(?:your|the|my|user) )?(?:task|request)s?|(?:总|主要)?(?:目标|任务)|你的任务)[:：]?$/iu

/** A line that introduces others is kept together with all of them. */
function inSentences(lines: readonly string[], max: number): string {
  const isLead = /[:：]$/.test(lines[0] ?? '')
  // The text that says what a command is for is not the user's.
  const min = MIN_LINE + (PURPOSE_BEFORE.exec(lines[0] ?? '')?.[0].length ?? 0)
  let line = ''
  let namesWork = false
  for (const next of lines.flatMap(sentencesOf)) {
    if (line !== '' && !isLead && LOG.test(next)) break
    if (line.length >= min && namesWork && !isLead) break
    if (line !== '' && !isLead && countWords(next) < 2) continue
    const between = /[\p{L}\p{N})\]]$/u.test(line) && !isLead ? '. ' : ' '
    const joined = line === '' ? next : `${line}${/[。！？]$/.test(line) ? '' : between}${next}`
    if (joined.length > max && max - line.length < MIN_SENTENCE) break
    line = joined
    namesWork ||= isWork(next)
  }
  return shorten(line, max).replace(/\s*:$/, '')
}

/** Who the agent should be, and how it should speak. The request comes later, often under a heading. */
const ROLE =
  /^\s*(?:#+ role\s+)?(?:you are (?:an?|the|orchestrating|acting|(?!(?:right|wrong|correct)\b)\p{L}+(?: \p{L}+)?, (?:an?|the)) |you must fully embody\b|act as\b|คุณคือ|(?:你(?:现在)?是|假设你是|请?你?扮演|作为一[名个位])|あなたは|당신은|tu es (?:une?|le|la)\b|agis (?:en tant que?|comme)\b|du bist (?:ein|der|die)|actúa como\b|(?:speak|talk|answer|reply|respond)(?: to me)? (?:only )?in \p{Lu}|fale (?:comigo )?em \p{Lu})/iu

/** Nothing but a role: a sentence after it may be the request. */
function isRole(text: string): boolean {
  return ROLE.test(text) && sentencesOf(text).every((one) => ROLE.test(one))
}

/** For pasted output: the user's own words below it, and its errors. */
function withoutLog(lines: readonly string[]): readonly string[] {
  const [first = '', ...others] = lines
  const last = others.at(-1) ?? ''
  if (isLog(first) && !isLog(last) && countWords(last) >= MIN_TASK && isProse(last)) {
    return [last, ...others.filter((line) => ERROR.test(line))]
  }
  if (lines.length < MIN_LOG) return lines
  const errors = others.map((line) => line.replace(REMOTE, '')).filter((line) => ERROR.test(line))
  if (SHELL.test(first) && errors.length > 0 && !others.some(asksForWork)) return [first, ...errors]
  if (countWords(first) > 2 && !STAMP.test(first)) return lines
  const own = lines.map((line) => line.replace(STAMP, ''))
  const error = own.findLastIndex((line) => ERROR.test(line))
  return error < 1 ? lines : own.slice(error)
}

const MIN_LOG = 6
/** Before what git shows of a server's answer to a push. */
const REMOTE = /^remote: /
/** UTF-16 units: of the start of a sentence, and of a line that needs no more sentences. */
const MIN_SENTENCE = 30
const MIN_LINE = 60
