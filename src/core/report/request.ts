/**
 * What a user asked for: one line of a prompt, and of which kind it is.
 *
 * Prompts are of four kinds: a request names work; a question, or the bare name of a command, counts where no
 * request follows; a chore (`commit and push`) and chat are no goal. Pure.
 */

import {
  blocksOf,
  countWords,
  foldLine,
  hasWords,
  plainLine,
  sentencesOf,
  shorten,
} from '../text/markdown-to-text.ts'

/** What programs put before the user's words. */
const CONTEXT = [
  /\[(?:Image|Pasted text) #\d+[^\]]*\]/g,
  /\s--- Content from referenced files ---\s[^]*$/,
  // Rulers, and letters made of blocks.
  /[⎯_–—\u2500-\u259f-]{4,}|[\u2580-\u259f]+/g,
]

/** What no detector of secrets knows by its form. */
const PASSWORD =
  /(?<=\b(?:password|passwd|pwd|passphrase)\W{1,4}(?:is )?)(?=\S*[^\sa-z])\S+|\b[sp]k_(?:live|test)_\w+/gi

/** Words before a request that say nothing of it. */
const OPENING =
  /^(?:(?:(?:hi|hello|hey) there|go ahead and|(?:claude|codex|gemini)(?=[,:])|hi(?: (?:claude|codex|gemini))?|hello(?: (?:claude|codex|gemini))?|hey(?: (?:claude|codex|gemini))?|ok|okay|so(?! far)|yes|yeah|yep|sure|great|perfect|thanks|cool|alright|right|well|ultrathink|hm+|um+|uh+|then|and|now|also|please|pls)(?:\s*[,.!:]+|(?=\s))\s*|@"[^"]*"\s+|@\S+\s+)+(?=\S)/i

const PLAN_FOLLOWS =
  /^(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b[:.]?\s*/i

/** A prompt as one line: a plan by its title, else its sentences until one names work, as many as fit. */
export function promptLine(prompt: string, max: number): string {
  const text = CONTEXT.reduce(
    (words, context) => words.replace(context, ' '),
    prompt.replace(PASSWORD, '[...]'),
  ).trim()
  if (isPlan(text)) return shorten(planTitle(text.replace(PLAN_FOLLOWS, '')), max)
  const all = blocksOf(text)
  const asked = all.findLastIndex(
    ({ kind, text: title }) => kind === 'heading' && ASKED.test(title),
  )
  const blocks = all.slice(asked + 1).filter(({ kind }) => kind !== 'code' && kind !== 'quote')
  const lines = withoutLog(blocks.map((block) => block.text))
  const start = lines.findIndex((line) => !isRole(line) && !ADDRESS.test(line))
  const own = start === -1 ? lines : lines.slice(start)
  // What an opening word stood before may begin with a mark.
  const [first, ...others] = own.map((line) => plainLine(plainLine(line).replace(OPENING, '')))
  if (first === undefined || !hasWords(first)) return shorten(plainLine(foldLine(text)), max)
  return inSentences([first, ...others], max)
}

/** A heading over the request, below rules or a role that a program put before it. */
const ASKED = /^(?:(?:your|the|my|user) )?(?:task|request)s?:?$/i

/** A line that leads to others stands with all of them. */
function inSentences(lines: readonly string[], max: number): string {
  const isLead = /[:：]$/.test(lines[0] ?? '')
  let line = ''
  let namesWork = false
  for (const next of lines.flatMap(sentencesOf)) {
    if (line !== '' && !isLead && LOG.test(next)) break
    if (line.length >= MIN_LINE && namesWork && !isLead) break
    if (line !== '' && !isLead && countWords(next) < 2) continue
    const between = /[\p{L}\p{N})\]]$/u.test(line) && !isLead ? '. ' : ' '
    const joined = line === '' ? next : `${line}${/[。！？]$/.test(line) ? '' : between}${next}`
    if (joined.length > max && max - line.length < MIN_SENTENCE) break
    line = joined
    namesWork ||= isWork(next)
  }
  return shorten(line, max).replace(/\s*:$/, '')
}

/** A plan that another session made, as a rule. */
export function isPlan(prompt: string): boolean {
  return PLAN_FOLLOWS.test(prompt) || /^#+ (?:\w+ )?plan\b/i.test(prompt)
}

/** Whom the agent is to be, and how it is to speak: what it is asked stands below, often under a name. */
const ROLE =
  /^\s*(?:#+ role\s+)?(?:you are (?:an?|the|orchestrating|acting|(?!(?:right|wrong|correct)\b)\p{L}+(?: \p{L}+)?, (?:an?|the)) |you must fully embody\b|act as\b|คุณคือ|你是|あなたは|당신은|tu es (?:une?|le|la)\b|agis (?:en tant que?|comme)\b|du bist (?:ein|der|die)|actúa como\b|(?:speak|talk|answer|reply|respond)(?: to me)? (?:only )?in \p{Lu}|fale (?:comigo )?em \p{Lu})/iu

const ADDRESS = /^\S+:\/\/\S+$/

/** Nothing but that: a sentence behind it may be the request. */
function isRole(text: string): boolean {
  return ROLE.test(text) && sentencesOf(text).every((one) => ROLE.test(one))
}

/** Of an output that was pasted the user's own words, which stand below it, and its errors. */
function withoutLog(lines: readonly string[]): readonly string[] {
  const [first = '', ...others] = lines
  const last = others.at(-1) ?? ''
  if (isLog(first) && !isLog(last) && countWords(last) >= MIN_TASK && isProse(last)) {
    return [last, ...others.filter((line) => ERROR.test(line))]
  }
  if (lines.length < MIN_LOG || (countWords(first) > 2 && !STAMP.test(first))) return lines
  const own = lines.map((line) => line.replace(STAMP, ''))
  const error = own.findLastIndex((line) => ERROR.test(line))
  return error < 1 ? lines : own.slice(error)
}

function isLog(line: string): boolean {
  return LOG.test(line) || STAMP.test(line) || SHELL.test(line) || ERROR.test(line)
}

const ERROR = /^\W*(?:[\w.]*(?:error|exception)(?:\[\w+\])?:|fatal:|failed\b)/i
const MIN_LOG = 6
/** A time at the start. */
const STAMP = /^\[?\d{1,4}[-:.]\d[-\d:.TZ]*\]?\s+/

/** UTF-16 units. */
const MIN_SENTENCE = 30
const MIN_LINE = 60

/** A plan's first heading or line, without the word `Plan`. */
export function planTitle(text: string): string {
  const blocks = blocksOf(text)
  const title = (blocks.find(({ kind }) => kind === 'heading') ?? blocks[0])?.text ?? ''
  return title.replace(/^(?:the )?(?:implementation )?plan\s*(?:[:–—-]\s*|for:?\s+)/i, '')
}

const CHORE =
  /^(?:commit|push|pull|fetch|merge|rebase|stash|switch (?:to|back)|(?:get|go) back to|check ?out|continue|go (?:on|ahead)|proceed|do (?:it|that)|ship (?:it|this|them)|retry|try again|again|resume|next|stop|wait|undo|run it|let'?s (?:go|do (?:it|that|this))|(?:create|open|make|get) (?:a |the )?(?:pr|pull request)|yes|no|nope|good|nice|looks? good|lgtm|thank you|done|help|history|what'?s (?:next|up)|are you (?:there|done|sure)|is it done)\b/i
const MAX_CHORE = 9

/** Verbs with which two words are a request. */
const WORK =
  /^(?:add|audit|build|change|clean|convert|create|debug|delete|deploy|design|document|explain|find|fix|generate|implement|improve|install|investigate|make|migrate|move|optimi[sz]e|port|publish|refactor|remove|rename|replace|review|rewrite|set ?up|simplify|split|test|translate|update|upgrade|work on|write)\b/i

const ASKS =
  /^(?:what|what['’]?s|why|how|who|where|when|which|is|are|was|were|does|do|did|has|have|am i|can i|so)\b/i

/** What people say to an answer. */
const CHAT =
  /^(?:(?:that'?s|it'?s|this is|that is|it is) (?:not|wrong|good|fine|ok(?:ay)?|great|weird|better|right)|i see|i think so|got it|makes sense|never ?mind|sounds|you're|are you|because|but|or|we were|i was|i (?:don['’]?t|do not) know)\b|\bwhere (?:did|were|was) (?:we|you|i)\b/i

/** Before what is only to be looked at or told. */
export const LOOKS =
  /^(?:give (?:me )?an? |list|show|describe|summari[sz]e|check|echo|shell|say|tell|read|look|see|open|print|find out|are|is|was|were|do|does|did|what|who|when|where|which|how|why)\b/i

/** Before a verb: asked kindly, it is the same request. */
const KINDLY =
  /^(?:(?:can|could|would|will) (?:you|we)|let'?s|i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to)\s+(?:please |also |now |maybe )*/i

/** Of the agent's program or of the repository; no path. */
const COMMAND = /^\/[\w:-]+(?=\s|$)/

/** What a program printed. */
const LOG =
  /^(?:[{[<│╭╰]|[~❯➜$] |(?:\([\w-]+\) )*[\w.-]+@[\w.-]+[: ][^$#%\n]{0,80}[$#%] |[\w./-]+\.\w+:\d+ |(?:INFO|WARN(?:ING)?|DEBUG)[: ]|Unknown (?:skill|slash command): )/

/** A line for a shell, which people also type to an agent. */
const SHELL =
  /^(?:cd|ls|cat|echo|export|git|gh|npm|npx|pnpm|yarn|pip3?|docker|firebase|curl|sudo|python3?|node) [-\w./~'"$:\\]+(?: [!-~]+){0,4}(?: # .*)?$/

type Kind = 'request' | 'question' | 'command' | 'nothing'

export function kindOf(prompt: string): Kind {
  const line = prompt.replace(KINDLY, '')
  const count = countWords(line)
  if (COMMAND.test(line)) return line.includes(' ') ? 'request' : 'command'
  if (
    SHELL.test(line) ||
    LOG.test(line) ||
    STAMP.test(line) ||
    ADDRESS.test(line) ||
    CHAT.test(line) ||
    (CHORE.test(line) && count <= MAX_CHORE)
  )
    return 'nothing'
  if (count < (WORK.test(line) ? 2 : 3) || !isProse(line)) return 'nothing'
  return ASKS.test(line) && /[?？]\s*$/.test(line) ? 'question' : 'request'
}

/** A path, or two words at least that are nothing else: no names, numbers, keys or code. */
function isProse(line: string): boolean {
  return (
    /[^\0-\x7f]/.test(line) ||
    /^[\w.-]*\/[\w./-]+(?: |$)/.test(line) ||
    (line.match(/(?<![^\s(“"])[a-z]+(?=[\s,.!?;)”"]|$)/gi) ?? []).length > 1
  )
}

/** `hi`, `history`, `echo "test"`: nothing that anybody has to know. */
export function isTalk(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  return countWords(line) < 2 || SHELL.test(line)
}

/** It asks for other work than what was said before; not to look at something. */
export function asksAnew(prompt: string): boolean {
  return isTask(prompt) && !continues(prompt) && !LOOKS.test(promptLine(prompt, MAX_PROMPT))
}

const MAX_PROMPT = 300

/** An answer such as `yes`, `2` or `go on`, or noise: what it is about stands before it. */
export function isAnswer(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (COMMAND.test(line)) return false
  return (
    (countWords(line) < (WORK.test(line) ? 2 : 3) && (!CHORE.test(line) || GO_ON.test(line))) ||
    YES.test(line)
  )
}

const GO_ON = /^(?:continue|go|proceed|do|ship|next|yes|no|nope|good|nice|looks|lgtm|thank|done)\b/i

const YES = /^(?:お願いします|はい|同意|好的?|可以|네|좋아|oui|ja|sí)[。.!！]?$/i

/** It goes on with what was said before. */
export function continues(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  const [start = line] = sentencesOf(line)
  const isAbout = AGREES.test(prompt) || AGREES.test(line) || SAID_BEFORE.test(start)
  return isAbout || isAnswer(prompt) || kindOf(line) === 'nothing'
}

/** `go ahead and …`, `implement it`. */
const AGREES =
  /^\s*(?:(?:yes|yeah|yep|sure|continue|resume|proceed|carry on|keep going|go (?:on|ahead))\b(?:\W+[\w'’]+){0,8}\W*$|\w+ (?:it|this|that|them|these|those)(?:,? (?:now|then|too|please))*\s*[.!]?\s*$)/i
const SAID_BEFORE =
  /\b(?:(?:the|this|that|your) (?:plan|proposal|suggestion|to-?dos)|(?:your|(?:on|from|of) the) list|(?:remaining|next) (?:to-?dos?|tasks?|items?|steps?|points?)|the (?:rest|remaining))\b/i

/** It says what is to be done to one who does not know what was said before: a few words do not. */
export function isTask(prompt: string): boolean {
  return isTaskLine(promptLine(prompt, MAX_PROMPT))
}

function isTaskLine(line: string): boolean {
  return kindOf(line) === 'request' && (isWork(line) || countWords(line) >= MIN_TASK)
}

const MIN_TASK = 6

/** It begins with what is to be done. */
export function isWork(line: string): boolean {
  return WORK.test(line.replace(KINDLY, ''))
}
