/**
 * Claude Code: hooks in `.claude/settings.json`, transcripts below `~/.claude/projects/`.
 *
 * Time-outs: 600 s by default, 30 s for UserPromptSubmit, and 1.5 s for all SessionEnd hooks together.
 * Answers to SessionEnd and PreCompact are ignored. The model sees text of up to 10,000 characters;
 * longer text goes into a file.
 */

import type { Agent } from './agent.ts'
import { withoutEffects } from './call-entries.ts'
import { readTool } from './claude-tools.ts'
import { toldLines } from './claude-told.ts'
import { readLines } from './claude-transcript.ts'
import { agentWords, OWN_PROMPT, userWords } from './claude-words.ts'
import { fieldsIn, own } from '../text/json-fields.ts'

/** Tools for files, commands, to-dos and subagents, under the names of older and newer releases. */
const FOLLOWED_TOOLS =
  'Edit|MultiEdit|Write|NotebookEdit|Bash|TodoWrite|TaskCreate|TaskUpdate|Task|Agent'

export const claude: Agent = {
  title: 'Claude Code',
  variable: 'CLAUDECODE',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  file: '.claude/settings.json',
  localFile: '.claude/settings.local.json',
  perSecond: 1,
  texts: {
    '.claude/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.claude/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.claude/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
    // Older releases do not offer skills as commands; newer ones prefer the skill of the same name.
    '.claude/commands/ledger.md': 'agents/claude-command.md',
    '.claude/commands/create_handoff.md': 'agents/claude-create-handoff.md',
    '.claude/commands/resume_handoff.md': 'agents/claude-resume-handoff.md',
  },
  contextTexts: {
    '.claude/commands/checkpoint.md': 'agents/claude-checkpoint.md',
    '.claude/commands/handoff.md': 'agents/claude-handoff.md',
    '.claude/commands/orient.md': 'agents/claude-orient.md',
    '.claude/commands/shard.md': 'agents/claude-shard.md',
    '.claude/commands/ralph.md': 'agents/claude-ralph.md',
  },
  // Only events that every release knows: one unknown event makes a release ignore the whole settings file.
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'UserPromptSubmit', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'PostToolUse',
      kind: 'tool_used',
      matcher: FOLLOWED_TOOLS,
      seconds: 10,
      reads: 'context and message',
    },
    { event: 'PreCompact', kind: 'before_compaction', seconds: 20 },
    { event: 'Stop', kind: 'turn_end', seconds: 30, reads: 'message', asks: 'block' },
    { event: 'SubagentStop', kind: 'subagent_end', seconds: 10 },
    // All hooks of this event share 1.5 s, unless one asks for more.
    { event: 'SessionEnd', kind: 'session_end', seconds: 10 },
  ],
  contextHook: {
    event: 'PostToolUse',
    kind: 'tool_used',
    // All other tools: those that read, search or fetch, and MCP tools.
    matcher: `^(?!(?:${FOLLOWED_TOOLS})$)`,
    seconds: 10,
    reads: 'context and message',
  },
  otherEvents: { PostToolUseFailure: 'tool_used', StopFailure: 'turn_end' },
  switchFiles: ['.claude/settings.local.json', '.claude/settings.json'],
  switchIn: (settings) => {
    const value = own(settings, 'disableAllHooks')
    if (value === undefined) return undefined
    return value === true ? 'disableAllHooks: true' : 'on'
  },
  lastMessage: 'last_assistant_message',
  ownPrompt: OWN_PROMPT,
  readPrompt: userWords,
  readMessage: agentWords,
  readTool: (name, payload, hook) => {
    const tool = readTool(name, fieldsIn(payload, 'tool_input'), own(payload, 'tool_response'))
    // A failed tool did not write the files that it names; a shell may have done part of its work.
    return hook === 'PostToolUseFailure' ? withoutEffects(tool) : tool
  },
  readLines,
  // The output of hooks and subagents while they run: a third of long transcripts.
  unusedLine: '"type":"progress"',
  toldLines,
}
