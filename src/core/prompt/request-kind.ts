/**
 * Classifies a line of a prompt.
 *
 * A request names work. A question or a bare command name counts only if no request follows. Chores (`commit and
 * push`) and chat are not goals. Text that a program printed is not a request at all. Pure.
 */

import { countWords, sentencesOf } from '../text/markdown-to-text.ts'

export const CHORE =
  /^(?:commit|push|pull|fetch|merge|rebase|stash|switch (?:to|back)|(?:get|go) back to|check ?out|continue|go (?:on|ahead)|proceed|do (?:it|that)|ship (?:it|this|them)|retry|try again|again|resume|next|stop|wait|undo|run it|let'?s (?:go|do (?:it|that|this))|(?:create|open|make|get) (?:a |the )?(?:pr|pull request)|yes|no|nope|good|nice|looks? good|lgtm|thank you|done|help(?! (?:me|us)\b)|history|what'?s (?:next|up)|are you (?:there|done|sure)|is it done)\b/i
/** Words of a chore. */
export const MAX_CHORE = 9
/** `continue development of phase 4` names work, unlike a mere `continue`. */
export const GOES_ON_WITH =
  /^(?:continue|resume|proceed)(?: with)?(?: the)? (?:development|implementation|migration|refactoring|translation|implementing|developing|building|migrating|porting|writing|translating) (?!(?:it|that|this|them)\b)\S+ \S/i

/** Verbs that make even two words a request. */
export const WORK =
  /^(?:add|audit|build|change|clean|convert|create|debug|delete|deploy|design|document|execute|explain|find|fix|generate|implement|improve|install|investigate|make|migrate|move|optimi[sz]e|port|publish|refactor|remove|rename|replace|review|rewrite|set ?up|simplify|split|test|translate|update|upgrade|work on|write)\b/i

export const ASKS =
  /^(?:what|what['’]?s|why|how|who|where|when|which|is|are|was|were|does|do|did|has|have|am i|can i|so)\b/i
const ASKS_FOREIGN =
  /^[¿]?(?:perché|come mai|cosa|quale|quando|dove|chi|pourquoi|comment|quel(?:le)?s?|quand|où|qui|est-ce que|warum|wieso|was|wie|welche[rsn]?|wann|wo|wer|por qu[ée]|qué|c[óo]mo|cuál|cuándo|dónde|quién|porque|por que|o que|qual|quando|onde|quem|почему|как|что|где|когда|кто|зачем)(?!\p{L})/iu

/** Typical comments on an answer. */
const CHAT =
  /^(?:(?:no,? )?(?:you )?(?:do not|don['’]t) (?:need|have) to\b|(?:that'?s|it'?s|this is|that is|it is) (?:not|wrong|good|fine|ok(?:ay)?|great|weird|better|right)|(?:that|it|this)(?: now)? (?:works|looks|sounds|seems|would be) (?:good|great|fine|ok(?:ay)?|nice|now|perfect|well|right)|i see|i think so|got it|makes sense|never ?mind|sounds|you're|are you|because|or|we were|i was|i (?:don['’]?t|do not) know)\b|\bwhere (?:did|were|was) (?:we|you|i)\b/i

/** `it's not that, instead, create a folder` */
const NAMES_WORK =
  /[,;:] (?:(?!if\b)\w+,? )?(?:add|build|change|create|delete|fix|implement|make|move|put|remove|rename|replace|rewrite|update|use|write)\b/i

/** Openings that only ask to look at or tell something. */
export const LOOKS =
  /^(?:give (?:me )?an? |list|show|describe|summari[sz]e|check|echo|shell|say|tell|read|look|see|open|print|find out|are|is|was|were|do|does|did|what(?:['’]?s)?|who|when|where|which|how|why)\b/i

/** A file path and nothing else. */
export const PATH = /^(?:~|[A-Za-z]:|[\w.-]+)?[\\/][\w.\\/-]+$/

/** Polite words before a verb; the request stays the same. */
const POLITE =
  /^(?:(?:can|could|would|will) (?:you|we)|(?:please )?help (?:me|us)(?: to)?|let'?s|i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to)\s+(?:please |also |now |maybe )*/i

/** The line begins with a verb of looking, with or without polite words. */
export function onlyLooks(line: string): boolean {
  return LOOKS.test(line.replace(POLITE, ''))
}

/** A command of the agent's program or of the repository; in Codex, a skill. Not a path. */
export const COMMAND = /^(?:\/|\$(?=[a-z]))[\w:-]+(?:\.\w+)?(?=\s|$)/
/** `/review-page`, `/pm:plan`: names that people give to their own commands, unlike most of the programs' own. */
const OWN_COMMAND = /^\/\w+[:-]/
/** Commands of the programs that need no further work. */
export const ASKS_NOTHING = new Set(['/init', '/model', '/agents', '/mcp', '/config', '/plugin'])
/** A command's own description, when the user added nothing. */
const PURPOSE = /^(?:[a-z]{4,}ing the|Execute) [^:.]*$/
/** The same description, before the user's words. */
export const PURPOSE_BEFORE = /^(?:[a-z]{4,}ing the|Execute) [^:.]*: /

/** Text that a program printed. */
export const LOG =
  /^(?:[{[<│╭╰●⎿✻]|[✖✕] \d+ (?:problems?|errors?)\b|[~❯➜$] |(?:\([\w-]+\) )*[\w.-]+@[\w.-]+[: ][^$#%\n]{0,80}[$#%] |[\w./-]+\.\w+:\d+ |[\w.-]+-\d+ +\| |(?:INFO|WARN(?:ING)?|DEBUG)[: ]|Unknown (?:skill|slash command): |<\?xml|#!\/|remote: |[.#][\w.#-]+ ?\{|vite v[\d.]+ (?:building|dev|preview)|RUN +v\d|Duration +[\d.]+m?s\b|(?:Tests|Test Files) +\d+ (?:passed|failed|skipped)|std(?:out|err) \| \S+\.\w+ >|(?:GET|POST|PUT|HEAD) \S+ \d{3} in \d+m?s\b|Traceback \(most |For further information visit \S+:\/\/)/

/** A shell's error message, or the header of a generated file. */
const SHELL_ERROR =
  /^(?:(?:[\w./~-]+: ){1,3}(?:is a directory|no such file or directory|(?:command )?not found|permission denied|missing (?:\w+ ){0,2}operand|(?:invalid|unrecognized) option)\b|try '[^']+ --help'|\W{0,4}this (?:is an|file is) auto-?generated\b)/i

/** A line for a shell, which people also type to an agent. */
export const SHELL =
  /^(?:!\s*\w.*|(?:cd|ls|cat|echo|export|git|gh|npm|npx|pnpm|yarn|pip3?|docker|firebase|curl|sudo|python3?|node) [-\w./~'"$:\\]+(?: [!-~]+){0,4}(?: # .*)?|sudo [\w./-]+(?: (?=\S*[/:=.-])\S+)+)$/

/** A line for a shell that changes what is installed, which is work, unlike most others. */
const INSTALLS =
  /^(?:sudo )?(?:npm|pnpm|yarn|pip3?|brew|apt(?:-get)?|cargo|gem) (?:-\S+ )*(?:i|install|add|uninstall|remove|update|upgrade)\b/

/** A timestamp at the start of a line. */
export const STAMP = /^\[?\d{1,4}[-:.]\d[-\d:.TZ]*\]?\s+/

export const ADDRESS = /^\S+:\/\/\S+$/

export const ERROR =
  /^(?:[⨯✘] |\W{0,9}(?:[\w.]*(?:error|exception)(?:\[\w+\])?(?::|\] )|fatal:|failed\b))/i

type Kind = 'request' | 'question' | 'command' | 'nothing'

export function kindOf(prompt: string): Kind {
  const line = prompt.replace(POLITE, '')
  const count = countWords(line)
  if (PURPOSE.test(prompt)) return 'command'
  const [name] = COMMAND.exec(line) ?? []
  if (name !== undefined) return line === name || ASKS_NOTHING.has(name) ? 'command' : 'request'
  // What to do with the file is said elsewhere.
  if (PATH.test(line)) return 'question'
  const isAsked = WORK.test(line)
  if (isNone(line) || count < (isAsked ? 2 : 3) || !(isAsked || isProse(line))) return 'nothing'
  const asks = ASKS.test(prompt) || ASKS_FOREIGN.test(prompt)
  return asks && /[?？]\s*$/.test(line) ? 'question' : 'request'
}

/** Chat, a chore, or program output, regardless of length. */
export function isNone(line: string): boolean {
  const isPrinted =
    [LOG, SHELL_ERROR, STAMP, ADDRESS].some((pattern) => pattern.test(line)) ||
    (SHELL.test(line) && !INSTALLS.test(line))
  return isPrinted || isChat(line) || isChore(line)
}

/** A comment, unless it goes on to name work, or a later sentence asks for something. */
function isChat(line: string): boolean {
  const asks = (sentence: string) => asksForWork(sentence) || /[?？]$/.test(sentence)
  return CHAT.test(line) && !NAMES_WORK.test(line) && !sentencesOf(line).slice(1).some(asks)
}

function isChore(line: string): boolean {
  return beginsAsChore(line) && countWords(line) <= MAX_CHORE
}

export function beginsAsChore(line: string): boolean {
  return CHORE.test(line) && !GOES_ON_WITH.test(line)
}

/** A path, or at least two plain words: not only names, numbers, keys, or code. */
export function isProse(line: string): boolean {
  return (
    /[^\0-\x7f]/.test(line) ||
    /^[\w.-]*\/[\w./-]+(?: |$)/.test(line) ||
    (line.match(/(?<![^\s(“"])[a-z]+(?=[\s,.!?;)”"]|$)/gi) ?? []).length > 1
  )
}

/** The line tells a newcomer what to do, which takes more than a few words. Korean needs fewer. */
export function isTaskLine(line: string): boolean {
  const min = /\p{Script=Hangul}/u.test(line) ? MIN_TASK - 2 : MIN_TASK
  const isClear = isWork(line) || OWN_COMMAND.test(line) || countWords(line) >= min
  return kindOf(line) === 'request' && isClear
}

export const MIN_TASK = 6

/** The line begins with what is to be done. */
export function isWork(line: string): boolean {
  const asked = line.replace(POLITE, '')
  return WORK.test(asked) || GOES_ON_WITH.test(asked)
}

/** `can you fix this?` means nothing without what was said before. */
export function onlyPoints(line: string): boolean {
  return /^\w+ (?:it|this|that|them|these|those)(?: \w+)?[^\p{L}\p{N}]*$/iu.test(
    line.replace(POLITE, ''),
  )
}

/** The sentence contains words that ask for something, anywhere in it. */
export function asksForWork(sentence: string): boolean {
  return isWork(sentence) || WANTS.test(sentence)
}

const WANTS =
  /\b(?:i(?:'d| would) like|(?<!do )i (?:need|want)|please|c(?:an|ould) (?:you|we)|help me)\b/i

export function isLog(line: string): boolean {
  return (
    LOG.test(line) ||
    SHELL_ERROR.test(line) ||
    STAMP.test(line) ||
    SHELL.test(line) ||
    ERROR.test(line)
  )
}
