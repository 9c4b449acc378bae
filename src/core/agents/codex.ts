/**
 * Codex: hooks in `.codex/hooks.json`, transcripts ("rollouts") below `~/.codex/sessions/YYYY/MM/DD/`.
 *
 * The events are named as in Claude Code. Its terminal interface runs sessions in a daemon, which tells of
 * an end a minute later, now and then twice, and perhaps when the next session has begun. An interrupted
 * turn has Interrupt in place of Stop. An answer to Stop must be JSON, and no answer may have unknown keys.
 */

import type { Agent } from './agent.ts'
import { undone } from './call-entries.ts'
import { outcomeOf, readTool } from './codex-tools.ts'
import { readLines } from './codex-transcript.ts'
import { messageWords, userWords } from './codex-words.ts'
import { own } from '../text/json-fields.ts'

export const codex: Agent = {
  title: 'Codex',
  variable: 'CODEX_SANDBOX',
  file: '.codex/hooks.json',
  perSecond: 1,
  texts: {
    '.agents/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.agents/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.agents/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
  },
  note:
    'Codex runs hooks only where you trust the project and each of the hooks: open Codex here, trust the folder, ' +
    'and type /hooks; codex exec passes over others without a word',
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'UserPromptSubmit', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'PostToolUse',
      kind: 'tool_used',
      matcher: 'Bash|apply_patch|update_plan',
      seconds: 10,
      reads: 'context and message',
    },
    { event: 'PreCompact', kind: 'before_compaction', seconds: 20 },
    { event: 'Stop', kind: 'turn_end', seconds: 30, reads: 'message', asks: 'block' },
    // In place of Stop; releases that do not know it pass it over. More is cut to this, as below.
    { event: 'Interrupt', kind: 'turn_end', seconds: 3 },
    { event: 'SubagentStop', kind: 'subagent_end', seconds: 10 },
    // More is cut to this, with a warning at every start.
    { event: 'SessionEnd', kind: 'session_end', seconds: 3 },
  ],
  otherEvents: { StopFailure: 'turn_end' },
  switchFiles: ['.codex/config.toml'],
  // The old name counts where the new one is not there.
  switchIn: (settings) => {
    const key = ['features.hooks', 'features.codex_hooks'].find((name) => name in settings)
    if (key === undefined) return undefined
    return own(settings, key) === false ? `${key} = false` : 'on'
  },
  lastMessage: 'last_assistant_message',
  readPrompt: userWords,
  readMessage: messageWords,
  readTool: (name, payload) => {
    const tool = readTool(name, own(payload, 'tool_input'))
    return outcomeOf(own(payload, 'tool_response')).end === 'failed' ? undone(tool) : tool
  },
  readLines,
}
