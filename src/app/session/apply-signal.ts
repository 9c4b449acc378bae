/**
 * Applies what an agent's signal says besides its event: files, to-dos, tasks, the log's location, the last
 * message.
 */

import type { AgentSignal, ToolUse } from '../../core/agents/agent-signal.ts'
import {
  withFilesTouched,
  withLastMessage,
  withTask,
  withTodos,
  withTranscript,
} from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { applyTodos } from '../../core/session/todos.ts'
import { pathInWorktree } from '../../core/shadow/shadow-paths.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'

const MAX_QUESTION = 300

export async function applySignal(
  context: SessionContext,
  before: SessionState,
  { kind, tool, transcript, lastMessage, subagent, cwd }: AgentSignal,
): Promise<SessionState> {
  let state = before
  if (tool !== undefined) state = withFilesTouched(state, pathsOf(context, state, tool.files, cwd))
  if (mayChange(tool)) state = { ...state, mayHaveWritten: true }
  if (tool?.todos !== undefined) state = withTodos(state, applyTodos(state.todos, tool.todos))
  if (subagent !== undefined) {
    const task = { toolUseId: subagent.id, transcriptPath: subagent.transcript }
    return kind === 'subagent_end' ? withTask(state, task) : state
  }
  if (transcript !== undefined) state = withTranscript(state, transcript)
  if (lastMessage === undefined) return state
  // Loaded late, because a tool use never has a last message.
  const { questionsIn } = await import('../../core/message/questions.ts')
  return withLastMessage(state, lastMessage, questionsIn(lastMessage, MAX_QUESTION))
}

/**
 * True if the agent continues although its turn is over: another hook, or something it was waiting for, made it go on
 * without a prompt.
 */
export function goesOn({ phase }: SessionState, { kind, tool, subagent }: AgentSignal): boolean {
  return phase === 'idle' && kind === 'tool_used' && subagent === undefined && mayChange(tool)
}

function mayChange(tool: ToolUse | undefined): boolean {
  return tool !== undefined && (tool.mayWrite || tool.files.length > 0)
}

/** Files that a tool names, relative to the top of the worktree; files outside the repository are left out. */
function pathsOf(
  { tops, folder }: SessionContext,
  { worktree }: SessionState,
  files: readonly string[],
  cwd = folder,
): string[] {
  return files.flatMap((file) => pathInWorktree(file, [...tops, worktree.path], cwd) ?? [])
}

/** Updates the state's work time if the session has changed a file since `before`. */
export function withWorkTime(
  context: SessionContext,
  before: SessionState,
  after: SessionState,
  { kind, tool }: AgentSignal,
): SessionState {
  const known = new Set(before.filesTouched)
  const isWork =
    (tool !== undefined && tool.files.length > 0) ||
    // Files committed during the turn are no longer in `filesTouched`.
    (kind === 'turn_end' && before.awaiting.length > 0) ||
    after.filesTouched.some((path) => !known.has(path))
  return isWork ? { ...after, workedAt: nowText(context) } : after
}
