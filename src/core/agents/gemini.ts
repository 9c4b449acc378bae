/**
 * Gemini CLI: hooks in `.gemini/settings.json` (time-outs in milliseconds), transcripts below
 * `~/.gemini/tmp/<project>/chats/`.
 *
 * It does not wait for SessionEnd hooks. If standard output is empty, it takes standard error as the answer
 * and shows it to the user, so a hook with nothing to say must not write there either.
 */

import type { Agent } from './agent.ts'
import { withoutEffects } from './call-entries.ts'
import { withoutTemplate } from './command-template.ts'
import { readTool } from './gemini-tools.ts'
import { readLines } from './gemini-transcript.ts'
import { OWN_PROMPT } from './gemini-words.ts'
import { fieldsIn, listIn, own } from '../text/json-fields.ts'

/** The name of our hooks in Gemini's own commands. */
const HOOK_NAME = 'ledger-git'

export const gemini: Agent = {
  title: 'Gemini CLI',
  variable: 'GEMINI_CLI',
  file: '.gemini/settings.json',
  perSecond: 1000,
  hookName: HOOK_NAME,
  // Gemini reads this folder in addition to its own; Codex reads only this one.
  texts: {
    '.agents/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.agents/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.agents/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
  },
  note: 'Gemini CLI runs hooks only in trusted folders: /permissions shows whether this folder is trusted',
  cutsOffGit: '0.57 and newer',
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'BeforeAgent', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'AfterTool',
      kind: 'tool_used',
      matcher: '^(write_file|replace|run_shell_command|write_todos|invoke_agent)$',
      seconds: 10,
      reads: 'context and message',
    },
    // With `auto`, the event comes before every request to the model, and the program waits for the hook.
    {
      event: 'PreCompress',
      kind: 'before_compaction',
      matcher: 'manual',
      seconds: 20,
      reads: 'message',
    },
    { event: 'AfterAgent', kind: 'turn_end', seconds: 30, reads: 'message', asks: 'deny' },
    { event: 'SessionEnd', kind: 'session_end', seconds: 10, reads: 'message' },
  ],
  switchFiles: ['.gemini/settings.json'],
  switchIn: (settings) => {
    const config = fieldsIn(settings, 'hooksConfig')
    if (own(config, 'enabled') === false) return 'hooksConfig.enabled: false'
    // Hooks are listed by name; ours without a name are listed by their command.
    const isOurs = (name: unknown) => name === HOOK_NAME || / agent-hook gemini /.test(String(name))
    const isOff = listIn(config, 'disabled').some(isOurs)
    return isOff ? 'hooksConfig.disabled: has our hooks in it' : undefined
  },
  lastMessage: 'prompt_response',
  noMessage: /^\[no response text\]$/, // a turn that was interrupted
  ownPrompt: OWN_PROMPT,
  noCompaction: /^auto$/,
  readPrompt: withoutTemplate,
  readTool: (name, payload) => {
    const tool = readTool(name, fieldsIn(payload, 'tool_input'))
    const error = own(fieldsIn(payload, 'tool_response'), 'error') ?? undefined
    return error === undefined ? tool : withoutEffects(tool)
  },
  readLines,
}
