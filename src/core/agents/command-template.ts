/**
 * The words of the user in a prompt that a command of the user's was expanded to. Claude Code marks such
 * texts; Codex and Gemini CLI send them as if the user had typed them. Pure.
 */

import { sentencesOf } from '../text/markdown-to-text.ts'

/** Commands with one text for every agent put the words into a fence, and say that they count. */
const FENCED =
  /^\s*(?:---\n[^]*?\n---\s*)?#+ User Input\s*\n```\w*\n([^]*?)```\s*\nYou \*\*MUST\*\* consider the user input\b/

/** What stands in the fence of a text that was sent as it is in its file. */
const PLACEHOLDER = /^(?:\$ARGUMENTS|\{\{args\}\})$/

/** Others name a file of steps, or a role's, for the agent to follow: that is the command's name. */
const FOLLOWS = /^\s*(?:IT IS CRITICAL THAT YOU FOLLOW|You must fully embody this agent)/i
const FOLLOWED = /(?<![\w-])([\w-]+)\/workflow\.\w+|agents\/(?:[\w-]+\/){0,9}([\w-]+)\.md/

/** What it is for, by its first sentence; those behind it, and a list of steps, do not say that. */
const PURPOSE =
  /^#+ (?:Outline|Goal)\s*\n(?:Goal: )?(?!\d+[.)]\s|[-*]\s|The text the user typed\b)([^\n]+)/m
/** Of a list of steps alone, what it leads to: `3. **Execute plan workflow**: …`. */
const STEP =
  /^\d+[.)] (?:\*\*)?(Execute (?!the |this |these |all |`)(?:(?! following )[^*:\n`])+|For each [^:.\n`]* create an? [^:.\n`]+)/m
const NAME = /^The text the user typed after `(\/[\w.:-]+)`/m
/** UTF-16 units of a purpose that stands before the user's words. */
const MAX_PURPOSE = 60

/** The prompt itself, where it is no such text; else the words with the command's name, or with what it is for. */
export function withoutTemplate(prompt: string): string {
  const [, workflow, role] = (FOLLOWS.test(prompt) && FOLLOWED.exec(prompt)) || []
  const name = workflow ?? role
  if (name !== undefined) return `/${name}`
  const match = FENCED.exec(prompt)
  if (match === null) return prompt
  const words = (match[1] ?? '').trim().replace(PLACEHOLDER, '')
  const text = prompt.slice(match[0].length)
  const [, command] = NAME.exec(text) ?? []
  if (command !== undefined) return `${command} ${words}`.trim()
  const purpose = purposeIn(text)
  if (words === '') return purpose
  return purpose === '' || purpose.length > MAX_PURPOSE ? words : `${purpose}: ${words}`
}

/** Empty where it does not say. */
function purposeIn(text: string): string {
  const [, purpose = ''] = PURPOSE.exec(text) ?? STEP.exec(text) ?? []
  const [sentence = ''] = sentencesOf(purpose.trim())
  return sentence.replace(/^you are (?=\w+ing\b)/i, '').replace(/\.$| (?:at|in) `[^`]*`\.?$/, '')
}
