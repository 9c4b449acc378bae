/**
 * Codex: hooks in `.codex/hooks.json`, transcripts ("rollouts") below `~/.codex/sessions/YYYY/MM/DD/`.
 *
 * Events have the same names as in Claude Code. The terminal interface runs sessions in a daemon, which reports
 * the end of a session a minute late, sometimes twice, and perhaps after the next session has begun. An
 * interrupted turn sends Interrupt instead of Stop. An answer to Stop must be JSON, and no answer may have
 * unknown keys.
 */

import type { Agent } from './agent.ts'
import { withoutEffects } from './call-entries.ts'
import { outcomeOf, readTool } from './codex-tools.ts'
import { readLines } from './codex-transcript.ts'
import { COMPACTED, messageWords, userWords } from './codex-words.ts'
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
    'Codex runs hooks only if you trust the project and each of the hooks: open Codex here, trust the folder, ' +
    'and type /hooks; codex exec silently skips hooks that are not trusted',
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
    // Sent instead of Stop; releases that do not know it ignore it. Longer time-outs are cut to this one, as below.
    { event: 'Interrupt', kind: 'turn_end', seconds: 3 },
    { event: 'SubagentStop', kind: 'subagent_end', seconds: 10 },
    // Longer time-outs are cut to this one, with a warning at every start.
    { event: 'SessionEnd', kind: 'session_end', seconds: 3 },
  ],
  otherEvents: { StopFailure: 'turn_end' },
  switchFiles: ['.codex/config.toml'],
  // The old name counts if the new one is missing.
  switchIn: (settings) => {
    const key = ['features.hooks', 'features.codex_hooks'].find((name) => name in settings)
    if (key === undefined) return undefined
    return own(settings, key) === false ? `${key} = false` : 'on'
  },
  lastMessage: 'last_assistant_message',
  readPrompt: userWords,
  noMessage: new RegExp(`^${COMPACTED}$`),
  readMessage: messageWords,
  readTool: (name, payload) => {
    const tool = readTool(name, own(payload, 'tool_input'))
    return outcomeOf(own(payload, 'tool_response')).end === 'failed' ? withoutEffects(tool) : tool
  },
  readLines,
  // Written with each request to the model.
  unusedLine: '"type":"token_count"',
}
