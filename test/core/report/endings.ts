/** Transcripts of Claude Code, line by line, as Claude Code writes them. */

import { AGENTS } from '../../../src/core/agents/agents.ts'
import type { SessionWork } from '../../../src/core/turn/session-work.ts'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'

let calls = 0

const record = (type: 'user' | 'assistant', content: unknown, more: object = {}) =>
  JSON.stringify({ type, message: { role: type, content }, ...more })

export const user = (text: string) => record('user', text)
export const agent = (text: string) => record('assistant', [{ type: 'text', text }])

/** A tool call; without `result`, nothing answers the call. */
export function call(
  name: string,
  input: object,
  result?: { content: string; is_error?: boolean },
  value?: unknown,
): string[] {
  calls += 1
  const id = `toolu_${calls}`
  const use = record('assistant', [{ type: 'tool_use', id, name, input }])
  if (result === undefined) return [use]
  const answer = { type: 'tool_result', tool_use_id: id, ...result }
  return [use, record('user', [answer], { toolUseResult: value })]
}

export const NO = {
  is_error: true,
  content:
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
}
export const noBut = (words: string) => ({
  is_error: true,
  content: `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${words}`,
})
export const stopped = (tool = '') =>
  record('user', [{ type: 'text', text: `[Request interrupted by user${tool}]` }])

export const STOPPED = '[Request interrupted by user for tool use]'
export const failure = (text: string) =>
  record('assistant', [{ type: 'text', text }], { isApiErrorMessage: true })
export const queued = (prompt: string) =>
  JSON.stringify({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt, commandMode: 'prompt' },
  })
export const command = (name: string, args: string) =>
  user(
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
  )
export const localOutput = (text: string) =>
  user(`<local-command-stdout>${text}</local-command-stdout>`)
export const recap = (content: string) =>
  JSON.stringify({ type: 'system', subtype: 'away_summary', content })
export const title = (aiTitle: string) => JSON.stringify({ type: 'ai-title', aiTitle })

export const entriesOf = (...lines: (string | string[])[]): TranscriptEntry[] =>
  AGENTS.claude.readLines(lines.flat())

/** A session in which nothing happened. */
export const NO_WORK: SessionWork = {
  entries: [],
  untold: [],
  todos: undefined,
  commits: [],
  files: [],
  tops: ['/home/ada/api', '/a'],
  lastMessage: undefined,
  questions: [],
  firstPrompt: undefined,
  ledgerHasGoal: true,
}
