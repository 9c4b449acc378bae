/**
 * Extracts the user's words from a record in the user's name. Claude Code wraps its own texts in tags, and
 * the user's commands as well. Pure.
 */

import { parseFields, textIn } from '../text/json-fields.ts'
import { keepEnds } from './agent-signal.ts'

/** A background task has ended, and the agent continues. Older releases add a line after it. */
export const OWN_PROMPT = /^\s*<task-notification>/

/** Written in the user's name, or instead of a tool's answer. */
export const INTERRUPTED = /^\[Request interrupted by user/

/** Tags that the program puts around, or instead of, what the user typed. */
const TAGS = [
  'system-reminder|ide_[a-z_]+|[a-z-]+-hook|new-diagnostics',
  'command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|task-[a-z]+|teammate-message|cross-session-message',
].join('|')
const OPENING_TAG = new RegExp(`<(${TAGS})(?: (?:"[^"]*"|[^<>"])*)?>`, 'g')
/** Without a closing tag only at the beginning: what the user typed may name a tag. */
const NOT_THE_USER = new RegExp(
  `^(?:<(?:${TAGS})[ >]|Caveat: The messages below |\\[Image: source: [^\\]]*\\]$)`,
)

/** Commands that control the program, not the work: the model does not reply. */
const OF_THE_PROGRAM = new Set(
  [
    'add-dir agents bashes branch btw bug chrome clear color compact config context copy cost diff doctor',
    'effort exit export extra-usage fast feedback fork help hooks ide install-github-app keybindings login',
    'logout mcp memory mobile model output-style passes permissions plugin plugins privacy-settings quit',
    'rate-limit-options release-notes reload-plugins remote-control rename resume rewind sandbox settings',
    'skills stats status statusline stickers tasks terminal-setup theme todos upgrade usage vim voice',
  ].flatMap((names) => names.split(' ')),
)

/** The list that the web search tells the model to put at the end of its answer. */
const SOURCES =
  /\n[ \t]*(?:#{1,4} |\*\*)?Sources(?:\*\*:|:?\*\*|:)?[ \t]*(?:\n[ \t]*)?(?:\n[ \t]*[-*] \[[^\]\n]*\]\([^\n]*)+$/

/** The agent's words in a message. */
export function agentWords(text: string): string {
  return text.trim().replace(SOURCES, '').trimEnd()
}

/** The user's words in a record of the transcript, long ones without their middle. */
export function wordsOf(text: string): string {
  return keepEnds(userWords(text))
}

/** The user's words; empty if the text is the program's. A command defined by a repository or the user is a request. */
export function userWords(text: string): string {
  if (OWN_PROMPT.test(text)) return ''
  const [, name] = /<command-name>\s*\/?([^<\s]+)\s*<\/command-name>/.exec(text) ?? []
  if (name !== undefined) {
    const [, args = ''] = /<command-args>([^]*?)<\/command-args>/.exec(text) ?? []
    if (OF_THE_PROGRAM.has(name)) return ''
    // `/plan` alone only changes the mode; with arguments it is a request.
    return name === 'plan' ? args.trim() : `/${name} ${args.trim()}`.trim()
  }
  const words = unwrapped(text).trim()
  return NOT_THE_USER.test(words) ? '' : words
}

/** The text without tagged parts, but with what a team's lead asks. Takes linear time, also for unclosed tags. */
function unwrapped(text: string): string {
  const lastClosing = new Map<string, number>()
  const kept: string[] = []
  let at = 0
  for (const { 0: opening, 1: tag = '', index } of text.matchAll(OPENING_TAG)) {
    const closing = `</${tag}>`
    const last = lastClosing.get(tag) ?? text.lastIndexOf(closing)
    lastClosing.set(tag, last)
    if (index < at || last < index) continue
    const end = text.indexOf(closing, index)
    const body = text.slice(index + opening.length, end)
    kept.push(text.slice(at, index), tag === TEAM_MESSAGE ? leadRequest(opening, body) : '')
    at = end + closing.length
  }
  if (kept.length === 0) return text
  return [...kept, text.slice(at)].join('').replace(/\n{3,}/g, '\n\n')
}

const TEAM_MESSAGE = 'teammate-message'
/** The agent that leads a team of agents. What it writes to a member is a request; other members only report. */
export const TEAM_LEAD = 'team-lead'

/** A message's text, or the task that it assigns; empty for the program's own messages and those of other members. */
function leadRequest(opening: string, body: string): string {
  const text = body.trim()
  if (!opening.includes(`teammate_id="${TEAM_LEAD}"`)) return ''
  if (!text.startsWith('{"')) return text
  const message = parseFields(text) ?? {}
  if (textIn(message, 'type') !== 'task_assignment') return ''
  const parts = [textIn(message, 'subject'), textIn(message, 'description')]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

export function isCommand(text: string): boolean {
  return text.includes('<command-name>')
}

/** True for the output of a command that the program ran itself. */
export function isCommandOutput(text: string): boolean {
  return /^\s*<local-command-std(?:out|err)>/.test(text)
}

/** True for the summary with which the program replaces the conversation so far. */
export function isSummary(text: string): boolean {
  return /^This session is being continued from a previous conversation\b/.test(text)
}
