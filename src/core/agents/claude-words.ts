/**
 * Extracts the user's words from a record in the user's name. Claude Code wraps its own texts in tags, and
 * the user's commands as well. Pure.
 */

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
const WRAPPED = new RegExp(`<(${TAGS})(?: [^<>]*)?>[^<]*(?:<(?!/\\1>)[^<]*)*(?:</\\1>|$)`, 'g')
const NOT_THE_USER = /^(?:Caveat: The messages below |\[Image: source: [^\]]*\]$)/

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

/** The user's words; empty if the text is the program's. A command defined by a repository or the user is a request. */
export function wordsOf(text: string): string {
  if (OWN_PROMPT.test(text)) return ''
  const [, name] = /<command-name>\s*\/?([^<\s]+)\s*<\/command-name>/.exec(text) ?? []
  if (name !== undefined) {
    const [, args = ''] = /<command-args>([^]*?)<\/command-args>/.exec(text) ?? []
    if (OF_THE_PROGRAM.has(name)) return ''
    // `/plan` alone only changes the mode; with arguments it is a request.
    return name === 'plan' ? args.trim() : keepEnds(`/${name} ${args.trim()}`).trim()
  }
  const words = keepEnds(text).replace(WRAPPED, '').trim()
  return NOT_THE_USER.test(words) ? '' : words
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
