/**
 * `context.md` of a checkpoint: what a session was about, for people who look at its commits later.
 *
 * Texts of people and agents are block quotes, so that none of their lines can be mistaken for ours.
 */

import { cutText } from '../session/bounds.ts'
import { foldLine, shorten } from '../text/markdown-to-text.ts'
import type { SessionState } from '../session/session-state.ts'
import type { Todo } from '../session/todos.ts'

export interface CheckpointStory {
  readonly branch: string | undefined
  readonly firstPrompt: string | undefined
  readonly lastMessage: string | undefined
  readonly commits: readonly { readonly oid: string; readonly subject: string }[]
  /** What could not be collected, one sentence each. */
  readonly missing: readonly string[]
}

const LIMITS = { title: 100, prompt: 4000, message: 8000, line: 300, list: 200 } as const
const BOXES: Record<Todo['status'], string> = { completed: 'x', in_progress: '>', pending: ' ' }

/** The text of `context.md`; empty sections are left out. */
export function checkpointText(
  { id, agent, todos, filesTouched }: SessionState,
  story: CheckpointStory,
): string {
  const asked = foldLine(story.firstPrompt ?? '')
  const title = asked === '' ? `Session ${line(id)}` : shorten(asked, LIMITS.title)
  const about = [
    `- Session: ${line(id)}`,
    `- Agent: ${line(agent)}`,
    ...(story.branch === undefined ? [] : [`- Branch: ${line(story.branch)}`]),
    ...story.missing.map((sentence) => `- Missing: ${line(sentence)}`),
  ]
  const parts = [
    `# ${title}\n`,
    `${about.join('\n')}\n`,
    section('First prompt', quoted(story.firstPrompt ?? '', LIMITS.prompt)),
    section('Last message', quoted(story.lastMessage ?? '', LIMITS.message)),
    section('To-dos', list(todos.map(({ text, status }) => `[${BOXES[status]}] ${text}`))),
    section('Commits', list(story.commits.map(({ oid, subject }) => `${oid} ${subject}`))),
    section('Files', list(filesTouched)),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${heading}\n\n${lines.join('\n')}\n`
}

function list(items: readonly string[]): string[] {
  const shown = items.slice(0, LIMITS.list).map((item) => `- ${line(item)}`)
  const hidden = items.length - shown.length
  return hidden === 0 ? shown : [...shown, `- … and ${hidden} more`]
}

function line(text: string): string {
  return shorten(foldLine(text), LIMITS.line)
}

function quoted(text: string, limit: number): string[] {
  const lines = cutText(text.trim(), limit).split(/\r\n|[\n\r\u2028\u2029]/)
  if (lines.every((one) => foldLine(one) === '')) return []
  // Indentation is kept: the text may be code.
  return lines.map((one) => `> ${/^[ \t]*/.exec(one)?.[0] ?? ''}${foldLine(one)}`.trimEnd())
}
