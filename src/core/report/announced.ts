/** What the agent announced at the end of a turn but did not do. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { sentencesOf } from '../text/markdown-to-text.ts'
import { isCourtesy, isQuestion } from '../message/questions.ts'
import { promptLine } from '../prompt/prompt-line.ts'
import { isAgreement } from '../prompt/request.ts'
import type { SessionWork } from '../turn/session-work.ts'
import { changedFiles } from '../turn/changed-files.ts'
import { replyOf } from '../turn/outcome.ts'
import { turnsOf } from '../turn/turns.ts'

/** The announcement that ended the turn: a sentence that ends with a colon, or one such as `Let me …`. */
export function announcedIn(message: string): string | undefined {
  const [said, ...before] = sentencesOf(message.trimEnd().split('\n').at(-1) ?? '').toReversed()
  if (said === undefined || WAITS.test(said) || before.some(isOffer)) return undefined
  return /[:：]$/.test(said) || ANNOUNCES.test(said) ? said : undefined
}

function isOffer(sentence: string): boolean {
  return isQuestion(sentence) || isCourtesy(sentence) || /^if you\b/i.test(sentence)
}

const ANNOUNCES =
  /^(?:[\p{L}]+[,.!:]? ){0,2}(?:let me|let['’]s|i['’]ll|i will|i['’]?m (?:now )?going to|ich werde|lass mich|je vais|laisse[zr]?-moi|voy a|déjame|vou|deixe-me|vado a|сейчас я)\s|^.{0,4}(?:让我|我来|我将|我现在|接下来我)|(?:ていきます|を始めます|しましょう|하겠습니다)[。.!]?$/iu
/** The agent waits for the user or for a condition, so the sentence is not an announcement. */
const WAITS =
  /\b(?:know|wait|here|ready|when|once|after|if|unless|whenever|until|wenn|sobald|quand|si|cuando|quando)\b|以后|之后|如果/iu

/** The user asked for a change, or agreed to one, but no tool that could make it was used. */
export function wasOnlySaid({ entries, lastMessage, files }: SessionWork): boolean {
  if (!isLogComplete(entries, files)) return false
  // A log that lags behind may lack the calls as well.
  const said = entries.findLast(({ kind }) => kind === 'assistant')
  const words = said?.kind === 'assistant' ? said.text.trim() : ''
  if (lastMessage !== undefined && lastMessage.trim() !== words) return false
  const turn = turnsOf(entries).at(-1)
  if (turn === undefined) return false
  const isAgreed =
    /” to “.*[?？]”$/.test(replyOf(turn, LINE) ?? '') && isAgreement(turn.prompt.text)
  const isForChange = isAgreed || CHANGES.test(promptLine(turn.prompt.text, LINE))
  return isForChange && !turn.entries.some(mayHaveChanged)
}

/** The log records tool calls, and the hooks reported no changed file that the log lacks. */
function isLogComplete(entries: readonly TranscriptEntry[], files: readonly string[]): boolean {
  const logged = entries.flatMap(changedFiles)
  const isLogged = (file: string) => logged.some((one) => `/${one}`.endsWith(`/${file}`))
  return entries.some(({ kind }) => kind === 'tool') && files.every(isLogged)
}

/** Maximum length of a line, in UTF-16 units. */
const LINE = 200

const CHANGES =
  /^(?:add|build|change|clean|convert|create|delete|deploy|fix|implement|install|make|migrate|move|remove|rename|replace|rewrite|set ?up|update|upgrade)\b/i

function mayHaveChanged(entry: TranscriptEntry): boolean {
  if (entry.kind !== 'tool') return entry.kind === 'plan' || entry.kind === 'question'
  const { mayWrite, files, todos } = entry.tool
  return mayWrite || files.length > 0 || todos !== undefined || entry.ran !== undefined
}
