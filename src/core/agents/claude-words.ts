/**
 * What the user said, out of a record in the user's name: Claude Code wraps its own texts in tags, and puts
 * a command of the user's in tags as well. Pure.
 */

import { keepEnds } from './agent-signal.ts'

/** A task in the background has ended, and the agent goes on. Older releases wrote a line behind it. */
export const OWN_PROMPT = /^\s*<task-notification>/

/** In the user's name, and in place of a tool's answer. */
export const INTERRUPTED = /^\[Request interrupted by user/

/** What the program wraps around, or puts in place of, what the user typed. */
const TAGS = [
  'system-reminder|ide_[a-z_]+|[a-z-]+-hook|new-diagnostics',
  'command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|task-[a-z]+|teammate-message|cross-session-message',
].join('|')
const WRAPPED = new RegExp(`<(${TAGS})(?: [^<>]*)?>[^<]*(?:<(?!/\\1>)[^<]*)*(?:</\\1>|$)`, 'g')
const NOT_THE_USER = /^(?:Caveat: The messages below |\[Image: source: [^\]]*\]$)/

/** Commands that change the program, not the work: no reply of the model follows. */
const OF_THE_PROGRAM = new Set(
  [
    'add-dir agents bashes branch btw bug chrome clear color compact config context copy cost diff doctor',
    'effort exit export extra-usage fast feedback fork help hooks ide install-github-app keybindings login',
    'logout mcp memory mobile model output-style passes permissions plugin plugins privacy-settings quit',
    'rate-limit-options release-notes reload-plugins remote-control rename resume rewind sandbox settings',
    'skills stats status statusline stickers tasks terminal-setup theme todos upgrade usage vim voice',
  ].flatMap((names) => names.split(' ')),
)

/** Empty where the record is the program's. A command of a repository or of the user's is a request. */
export function wordsOf(text: string): string {
  if (OWN_PROMPT.test(text)) return ''
  const [, name] = /<command-name>\s*\/?([^<\s]+)\s*<\/command-name>/.exec(text) ?? []
  if (name !== undefined) {
    const [, args = ''] = /<command-args>([^]*?)<\/command-args>/.exec(text) ?? []
    if (OF_THE_PROGRAM.has(name)) return ''
    // Only the mode changes, unless something is asked in it.
    return name === 'plan' ? args.trim() : keepEnds(`/${name} ${args.trim()}`).trim()
  }
  const words = keepEnds(text).replace(WRAPPED, '').trim()
  return NOT_THE_USER.test(words) ? '' : words
}

export function isCommand(text: string): boolean {
  return text.includes('<command-name>')
}

/** What a command printed that the program carried out itself. */
export function isCommandOutput(text: string): boolean {
  return /^\s*<local-command-std(?:out|err)>/.test(text)
}

/** The program asked the model for it, and goes on with it in place of what was said. */
export function isSummary(text: string): boolean {
  return /^This session is being continued from a previous conversation\b/.test(text)
}
