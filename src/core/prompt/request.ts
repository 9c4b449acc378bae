/** How a later reader should take a prompt: as a separate task, an answer, or small talk. Pure. */

import { countWords, sentencesOf } from '../text/markdown-to-text.ts'
import { promptLine } from './prompt-line.ts'
import {
  ASKS_NOTHING,
  CHORE,
  COMMAND,
  GOES_ON_WITH,
  isProse,
  isTaskLine,
  isWork,
  kindOf,
  LOG,
  LOOKS,
  SHELL,
  WORK,
} from './request-kind.ts'

/** Nothing worth knowing: `hi`, `history`, `echo "test"`, or a program that has its own log summarized. */
export function isTalk(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  // A very long word was pasted; it hides the actual request.
  const isWord = countWords(line) < 2 && line.length < MAX_PROMPT
  return isWord || SHELL.test(line) || SUMS_UP.test(line) || GOES_ON.test(line)
}

const SUMS_UP =
  /\b(?:summary|title|name) (?:of|for) (?:this|the following) (?:conversation|session|chat|transcript)\b/i

/** Asks to continue without saying with what. */
const GOES_ON =
  /^(?:(?:let['’]?s|let us|can we|please) )?(?:start|continue|resume|go on|carry on|pick up) (?:from )?where (?:we|you|i) (?:left off|stopped|were)\W*$/i

/**
 * `/review-page`, `/pm:plan`: names that people give to their own commands. The programs' own commands mostly have
 * one-word names.
 */
export function isOwnCommand(prompt: string): boolean {
  const [, name = ''] = /^\/([\w:-]+)/.exec(prompt.trim()) ?? []
  return /[:-]/.test(name) && !ASKS_NOTHING.has(`/${name}`)
}

/** The prompt says hello, and nothing else. */
export function isGreeting(prompt: string): boolean {
  return GREETING.test(prompt)
}

const GREETING =
  /^[^\p{L}\p{N}]*(?:hi|hiya|hello|hey|howdy|yo|good (?:morning|afternoon|evening|day)|привет(?:ик)?|здравствуй(?:те)?|добр(?:ый|ое|ого) (?:день|вечер|утро|дня)|привіт|вітаю|hola|buenos días|buenas(?: tardes| noches)?|bonjour|bonsoir|salut|coucou|hallo|moin|servus|guten (?:tag|morgen|abend)|ciao|buongiorno|buonasera|salve|olá|oi|bom dia|boa (?:tarde|noite)|cześć|witaj|dzień dobry|ahoj|dobrý den|hej|hei|hoi|szia|merhaba|selam|halo|xin chào|[你您]好|嗨|早上好|こんにちは|こんばんは|おはよう(?:ございます)?|안녕(?:하세요)?|สวัสดี(?:ครับ|ค่ะ)?|नमस्ते|مرحبا|السلام عليكم|שלום)(?:,? (?:there|again|all|claude|codex|gemini))?[^\p{L}\p{N}]*$/iu

/** The prompt asks for new work, and not only to look at something. */
export function asksForNewWork(prompt: string): boolean {
  return isTask(prompt) && !continues(prompt) && !LOOKS.test(promptLine(prompt, MAX_PROMPT))
}

const MAX_PROMPT = 300

/** An answer such as `yes`, `2` or `go on`, or noise: it means nothing without the preceding text. */
export function isAnswer(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (COMMAND.test(line)) return false
  return (
    (countWords(line) < (WORK.test(line) ? 2 : 3) && (!CHORE.test(line) || GO_ON.test(line))) ||
    YES.test(line)
  )
}

/** The request in quotation marks; undefined for answers, which mean nothing alone, and for pasted text. */
export function requestIn(prompt: string, max: number): string | undefined {
  const line = promptLine(prompt, max)
  return isAnswer(prompt) || kindOf(line) === 'nothing' ? undefined : `“${line}”`
}

/** A prompt in plain words, however little they say. Undefined for agreement, a choice (`b`), and pasted text. */
export function wordsIn(prompt: string, max: number): string | undefined {
  const line = promptLine(prompt, max)
  const isPlain = (isProse(line) && !LOG.test(line)) || /^\p{L}{2,}[.!?]?$/u.test(line)
  return isPlain && !isAgreement(prompt) ? `“${line}”` : undefined
}

const GO_ON = /^(?:continue|go|proceed|do|ship|next|yes|no|nope|good|nice|looks|lgtm|thank|done)\b/i

const YES =
  /^(?:お願いします|はい|同意|好的?|可以|네|좋아|oui|ja|s[íi]|sim|da|да|ок(?:ей)?|давай(?:те)?|хорошо)[。.!！]?$/iu

/** The prompt continues what was said before. */
export function continues(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  const [start = line] = sentencesOf(line)
  const isNew = !SAID_BEFORE.test(start) && !clarifies(prompt) && kindOf(line) !== 'nothing'
  return !isNew || agrees(prompt)
}

/** The prompt says what the one before it was meant to say. */
export function clarifies(prompt: string): boolean {
  return /^\s*(?:no,? )?i meant?\b(?! to\b)/i.test(prompt)
}

/** The prompt objects to what was said before. */
export function isRefusal(prompt: string): boolean {
  return REFUSES.test(prompt)
}

const REFUSES =
  /^\s*(?:(?:no|nope|нет|nein|non|não|nej|nie|아니요?)(?:[\s,.]|$)|(?:不是|不用|不要|不需要|不同意|不行|いいえ|いや)(?=[了，,。、\s]|$))/iu

/** The prompt says that something does not work although the agent said that it does. */
export function isDenial(prompt: string): boolean {
  return DENIES.test(promptLine(prompt, MAX_PROMPT))
}

const DENIES =
  /(?:^|\b(?:because|becuase|but|why (?:can|do|does|is|are)) )(?:no,? )?(?:[\w'’]+ ){0,4}(?:still|again)\b.{0,40}\b(?:not|n['’]t|broken|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|errors?|same|wrong|missing)\b|(?<!\byou )\bstill (?:there|failing|broken|happening)\b|^(?:[\w'’]+ ){0,4}(?:(?:does|did|is|are)(?: not|n['’]?t) (?:work|open|start|fixed)|same (?:error|problem|issue|thing))|^.{0,12}(?:还是(?:不|没|报错|有)|仍然|依然)|^.{0,16}(?:여전히|아직도) |^.{0,12}まだ.{0,12}(?:ない|エラー)|^(?:[\p{L}'’]+ ){0,4}(?:(?:immer noch|toujours|todavía|aún|ainda|ancora) |(?:funktioniert|marche|funciona|funziona) (?:nicht|pas|não|no\b))/iu

/** A fault report about delivered work, in the words of a person or a program, with no other request. */
export function isFaultReport(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  return isDenial(prompt) || (REPORTS.test(line) && !isWork(line))
}

const REPORTS =
  /^\W{0,6}(?:\S+ ){0,10}(?:errors?|exceptions?|fail(?:s|ed|ing|ures?)?|crash(?:es|ed|ing)?|warnings?)\b/i

/** The prompt adds nothing to a word of agreement, or means nothing alone. Chores are excluded. */
export function agrees(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (isChore(line)) return false
  return isAnswer(prompt) || AGREES.test(prompt) || AGREES.test(line)
}

/** The prompt is nothing but agreement. Two unclear words do not count, because they may be a request. */
export function isAgreement(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (isChore(line)) return false
  const isShort = countWords(line) <= MAX_AGREEMENT && GO_ON.test(line)
  return isShort || [prompt, line].some((text) => AGREES.test(text) || YES.test(text.trim()))
}

const MAX_AGREEMENT = 3

/** `continue development of phase 4` says more than `continue`. */
function isChore(line: string): boolean {
  return (CHORE.test(line) && !GO_ON.test(line)) || GOES_ON_WITH.test(line)
}

/** `go ahead and …`, `implement it`. */
const AGREES =
  /^\s*(?:(?:yes|yeah|yep|sure|continue|resume|proceed|carry on|keep going|go (?:on|ahead)|(?:(?:that|it|this) )?sounds (?:good|great|right|perfect|fine))\b(?:\W+[\w'’]+){0,8}\W*$|(?!(?:close|stop|kill|end|quit|undo|revert|cancel|delete|remove)\b)\w+ (?:it|this|that|them|these|those)(?:,? (?:now|then|too|please))*\s*[.!]?\s*$)/i
const SAID_BEFORE =
  /^but\b|\b(?:(?:the|this|that|your) (?:plan|proposal|suggestion|to-?dos)|(?:your|(?:on|from|of) the) list|(?:remaining|next) (?:to-?dos?|tasks?|items?|steps?|points?)|the (?:rest|remaining))\b/i

/** The prompt tells a newcomer what to do, which takes more than a few words. */
export function isTask(prompt: string): boolean {
  return isTaskLine(promptLine(prompt, MAX_PROMPT))
}

export interface Asked {
  readonly text: string
  /**
   * A file was changed or a command was run for the request. A later prompt that begins alike is then a different
   * request: `page 2` after `page 1`.
   */
  readonly wasBegun?: boolean
}

/** The same text again, or the complete version of a prompt that was sent too early, even with its last word cut. */
export function beginsAs(later: string, { text, wasBegun = false }: Asked): boolean {
  return later === text || (!wasBegun && hasSameStart(later, text))
}

/** The same request again; or one of the two contains the start of the other, for which nothing was done. */
export function isSame(earlier: Asked, later: string): boolean {
  const { text, wasBegun = false } = earlier
  return beginsAs(later, earlier) || (!wasBegun && hasSameStart(text, later))
}

function hasSameStart(text: string, other: string): boolean {
  const start = other.slice(0, other.length * 0.9)
  return start.length >= MIN_START && text.startsWith(start)
}

const MIN_START = 20
