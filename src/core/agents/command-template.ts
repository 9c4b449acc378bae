/**
 * The words of the user in a prompt that a command of the user's was expanded to. Claude Code marks such
 * texts; Codex and Gemini CLI send them as if the user had typed them. Pure.
 */

import { sentencesOf } from '../text/markdown-to-text.ts'

/** Commands with one text for every agent put the words into a fence, and say that they count. */
const FENCED =
  /^\s*(?:---\n[^]*?\n---\s*)?#+ User Input\s*\n+```\w*\n([^]*?)```\s*\n+You \*\*MUST\*\* consider the user input\b/

/** Others name a file of steps, or a role's, for the agent to follow: that is the command's name. */
const FOLLOWS = /^\s*(?:IT IS CRITICAL THAT YOU FOLLOW|You must fully embody this agent)/i
const FOLLOWED = /(?<![\w-])([\w-]+)\/workflow\.\w+|agents\/(?:[\w-]+\/)*([\w-]+)\.md/

/** What it is for, by its first sentence; those behind it, and a list of steps, do not say that. */
const PURPOSE = /^#+ (?:Outline|Goal)\s*\n+(?!\d+[.)]\s|[-*]\s|The text the user typed\b)([^\n]+)/m

/**
 * The prompt itself, where it is no such text. Where the user added nothing: what the command is for; empty
 * where it does not say.
 */
export function withoutTemplate(prompt: string): string {
  const [, workflow, role] = (FOLLOWS.test(prompt) && FOLLOWED.exec(prompt)) || []
  const name = workflow ?? role
  if (name !== undefined) return `/${name}`
  const match = FENCED.exec(prompt)
  if (match === null) return prompt
  const words = (match[1] ?? '').trim()
  if (words !== '') return words
  const [, purpose = ''] = PURPOSE.exec(prompt.slice(match[0].length)) ?? []
  const [sentence = ''] = sentencesOf(purpose.trim())
  return sentence.replace(/^you are (?=\w+ing\b)/i, '')
}
