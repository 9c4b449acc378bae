/**
 * What a user asked for: one line of a prompt, and the one of many prompts that is the goal.
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
  // Rulers.
  /[⎯─═━_–—-]{4,}/g,
]

/** Words before a request that say nothing of it. */
const OPENING =
  /^(?:(?:(?:hi|hello|hey) there|go ahead and|(?:claude|codex|gemini)(?=[,:])|hi(?: (?:claude|codex|gemini))?|hello(?: (?:claude|codex|gemini))?|hey(?: (?:claude|codex|gemini))?|ok|okay|so(?! far)|yes|yeah|yep|sure|great|perfect|thanks|cool|alright|right|well|hm+|um+|uh+|then|and|now|also|please|pls)(?:\s*[,.!:]+|(?=\s))\s*|@"[^"]*"\s+|@\S+\s+)+(?=\S)/i

const PLAN_FOLLOWS =
  /^(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b[:.]?\s*/i

/** A prompt as one line: a plan by its title, else its first line, in whole sentences where they fit. */
export function promptLine(prompt: string, max: number): string {
  const whole = CONTEXT.reduce((words, context) => words.replace(context, ' '), prompt).trim()
  const text = (ROLE.test(whole) ? OBJECTIVE.exec(whole)?.[1] : undefined) ?? whole
  const plan = text.replace(PLAN_FOLLOWS, '')
  if (plan !== text || /^#+ (?:\w+ )?plan\b/i.test(text)) return shorten(planTitle(plan), max)
  const lines = blocksOf(text).filter(({ kind }) => kind !== 'code' && kind !== 'quote')
  const first =
    (lines.find((line) => ![isAddress, isRole].some((is) => is(line.text))) ?? lines[0])?.text ??
    foldLine(text)
  const all = first.endsWith(':') ? lines.map((line) => line.text).join(' ') : first
  // What an opening word stood before may begin with a mark.
  const line = plainLine(plainLine(all).replace(OPENING, '')).replace(/:$/, '')
  return inSentences(hasWords(line) ? line : plainLine(all), max)
}

/** Whom the agent is to be, and how it is to speak: what it is asked stands below, often under a name. */
const ROLE =
  /^\s*(?:#+ role\s+)?(?:you are (?:an?|the|orchestrating|acting)\b|you must fully embody\b|act as\b|tu es (?:une?|le|la)\b|agis (?:en tant que?|comme)\b|du bist (?:ein|der|die)|actúa como\b|(?:speak|talk|answer|reply|respond)(?: to me)? (?:only )?in \p{Lu}|fale (?:comigo )?em \p{Lu})/iu
const OBJECTIVE =
  /^[^\p{L}\n]*(?:objective|task|goal|mission|request)\**[ \t]*(?::\**\s*|\n+)(\S.*)$/imu

/** Nothing but that: a sentence behind it may be the request. */
function isRole(text: string): boolean {
  return ROLE.test(text) && sentencesOf(text).every((one) => ROLE.test(one))
}

function isAddress(text: string): boolean {
  return /^\S+:\/\/\S+$/.test(text)
}

function inSentences(line: string, max: number): string {
  if (line.length <= max) return line
  const [first = line] = sentencesOf(line)
  return shorten(first.length >= MIN_SENTENCE ? first : line, max)
}

const MIN_SENTENCE = 30

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
  /^(?:add|audit|build|change|clean|convert|create|debug|delete|deploy|design|document|explain|find|fix|generate|implement|improve|install|investigate|make|migrate|move|optimi[sz]e|port|refactor|remove|rename|replace|review|rewrite|set ?up|simplify|split|test|translate|update|upgrade|write)\b/i

const ASKS =
  /^(?:what|what['’]?s|why|how|who|where|when|which|is|are|was|were|does|do|did|has|have|am i|can i|so)\b/i

/** What people say to an answer. */
const CHAT =
  /^(?:(?:that'?s|it'?s|this is|that is) (?:not|wrong|good|fine|ok(?:ay)?|great|weird|better|right)|i see|i think so|got it|makes sense|never ?mind|sounds|you're|are you|because|but|or|we were|i (?:don['’]?t|do not) know)\b|\bwhere (?:did|were|was) (?:we|you|i)\b/i

/** Before what is only to be looked at or told. */
const LOOKS =
  /^(?:give (?:me )?an? |list|show|describe|summari[sz]e|check|echo|shell|say|tell|read|look|see|open|print|find out|are|is|was|were|do|does|did|what|who|when|where|which|how|why)\b/i

/** Before a verb: asked kindly, it is the same request. */
const KINDLY =
  /^(?:(?:can|could|would|will) (?:you|we)|let'?s|i(?:'d| would) like you to|i want you to)\s+(?:please |also |now |maybe )*/i

/** What a program printed. */
const LOG = /^(?:[{[<]|(?:INFO|WARN(?:ING)?|DEBUG)[: ])/

/** A line for a shell, which people also type to an agent. */
const SHELL =
  /^(?:cd|ls|cat|echo|export|git|gh|npm|npx|pnpm|yarn|pip3?|docker|firebase|curl|sudo) [-\w./~'"$:\\]+(?: \S+){0,4}$/

type Kind = 'request' | 'question' | 'command' | 'nothing'

function kindOf(prompt: string): Kind {
  const line = prompt.replace(KINDLY, '')
  const count = countWords(line)
  if (line.startsWith('/')) return line.includes(' ') ? 'request' : 'command'
  if (SHELL.test(line)) return 'command'
  if (
    LOG.test(line) ||
    isAddress(line) ||
    CHAT.test(line) ||
    (CHORE.test(line) && count <= MAX_CHORE)
  )
    return 'nothing'
  if (count < (WORK.test(line) ? 2 : 3)) return 'nothing'
  return ASKS.test(line) && /[?？]\s*$/.test(line) ? 'question' : 'request'
}

/** It asks for other work than what was said before. */
export function asksAnew(prompt: string): boolean {
  return !asksOnly(prompt) && !continues(prompt) && isTask(promptLine(prompt, MAX_PROMPT))
}

/** It asks for words, not for work. */
export function asksOnly(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  return (ASKS.test(line) && /[?？]\s*$/.test(line)) || LOOKS.test(line)
}

const MAX_PROMPT = 300

/** An answer such as `yes`, `2` or `go on`, or noise: what it is about stands before it. */
export function isAnswer(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (line.startsWith('/')) return false
  return (
    (countWords(line) < (WORK.test(line) ? 2 : 3) && (!CHORE.test(line) || GO_ON.test(line))) ||
    YES.test(line)
  )
}

const GO_ON = /^(?:continue|go|proceed|do|ship|next|yes|no|nope|good|nice|looks|lgtm|thank|done)\b/i

const YES = /^(?:お願いします|はい|同意|好的?|可以|네|좋아|oui|ja|sí)[。.!！]?$/i

/** An issue or a pull request that a prompt names. */
const ISSUE =
  /\b(?:issues?|prs?|pull requests?|mr|fix(?:es)?|close[sd]?|resolve[sd]?|see|ticket|bug|of|for|in)[ -](#\d{1,6})\b|\/(?:issues|pull|merge_requests)\/(\d{1,6})\b/i

/** A message of a program that the user pasted. */
const ERROR =
  /^(?:(?:[Uu]nhandled|[Uu]ncaught|[Ff]atal|[Ii]nternal|[Rr]untime|[Bb]uild|[Ss]yntax|[Tt]ype) ?error\b|\w*(?:Error|Exception): |Traceback \(|Access to fetch at |error(?:\[\w+\])?: |npm ERR!|FAIL(?:ED)? )/

/** Prompts of which one may still say what the first was about. */
const EARLY = 3

export interface Prompt {
  readonly text: string
  /** Something was done for it. */
  readonly isWorkedOn: boolean
}

/**
 * Oldest first. A request counts before a question, a question before the name of a command. Of requests the
 * first, unless it names no work and nothing was done for it: then one that does and for which something was;
 * one that only wants to see something counts last.
 */
export function goalIn(prompts: readonly Prompt[], max: number): string | undefined {
  const lines = prompts.map(({ text, isWorkedOn }) => ({ line: goalLine(text, max), isWorkedOn }))
  const kinds = (['request', 'question', 'command'] as const).map((kind) =>
    lines.filter(({ line }) => kindOf(line) === kind),
  )
  const [requests = []] = kinds
  const ranks = [
    requests.slice(0, 1).filter(({ line, isWorkedOn }) => isWorkedOn || isWork(line)),
    requests.filter(({ line, isWorkedOn }) => isWorkedOn && isWork(line)),
    requests.filter(({ line, isWorkedOn }) => isWorkedOn || !LOOKS.test(line)),
    ...kinds,
  ]
  const goal = ranks.flat()[0]?.line
  if (goal === undefined) return undefined
  const named = prompts.slice(0, EARLY).map(({ text }) => ISSUE.exec(text))
  const [, sign, number] = named.find((match) => match !== null) ?? []
  const issue = sign ?? (number === undefined ? undefined : `#${number}`)
  if (issue === undefined || goal.includes(issue.slice(1))) return goal
  return `${shorten(goal, max - issue.length - 3)} (${issue})`
}

function goalLine(prompt: string, max: number): string {
  const line = withoutCommand(promptLine(prompt, max))
  return ERROR.test(line) ? shorten(`fix: ${line}`, max) : line
}

/** It goes on with what was said before. */
export function continues(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  const isAbout = AGREES.test(prompt) || AGREES.test(line) || SAID_BEFORE.test(line)
  return isAbout || isAnswer(prompt) || kindOf(line) === 'nothing'
}

/** `go ahead and …`, `implement it`. */
const AGREES =
  /^\s*(?:(?:yes|yeah|yep|sure|continue|resume|proceed|carry on|keep going|go (?:on|ahead))\b|\w+ (?:it|this|that|them|these|those)(?:,? (?:now|then|too|please))*\s*[.!]?\s*$)/i
const SAID_BEFORE =
  /\b(?:(?:the|this|that|your) (?:plan|proposal|suggestion|to-?dos)|(?:your|(?:on|from|of) the) list|(?:remaining|next) (?:to-?dos?|tasks?|items?|steps?|points?)|the (?:rest|remaining))\b/i

/** It says what is to be done to one who does not know what was said before: a few words do not. */
export function isTask(line: string): boolean {
  return kindOf(line) === 'request' && (isWork(line) || countWords(line) >= MIN_TASK)
}

const MIN_TASK = 6

/** It begins with what is to be done. */
function isWork(line: string): boolean {
  return WORK.test(line.replace(KINDLY, ''))
}

/** What a command is given says more than its name. */
function withoutCommand(line: string): string {
  const given = line.replace(/^\/\S+\s+(?:[–—-]\s+)?/, '')
  return given !== line && countWords(given) >= 3 ? given : line
}
