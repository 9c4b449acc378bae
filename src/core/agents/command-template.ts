/**
 * Finds the user's words in the expanded text of a custom command. Claude Code marks such texts; Codex and
 * Gemini CLI send them as if the user had typed them. Pure.
 */

import { sentencesOf } from '../text/markdown-to-text.ts'

/** Commands with one text for all agents put the user's words into a fence and tell the agent to consider them. */
const FENCED =
  /^\s*(?:---\n[^]*?\n---\s*)?#+ User Input\s*\n```\w*\n([^]*?)```\s*\nYou \*\*MUST\*\* consider the user input\b/

/** The placeholder in the fence, if the command's file was sent unexpanded. */
const PLACEHOLDER = /^(?:\$ARGUMENTS|\{\{args\}\})$/

/** Other commands name a workflow or role file for the agent to follow; its name is the command's name. */
const FOLLOWS = /^\s*(?:IT IS CRITICAL THAT YOU FOLLOW|You must fully embody this agent)/i
const FOLLOWED = /(?<![\w-])([\w-]+)\/workflow\.\w+|agents\/(?:[\w-]+\/){0,9}([\w-]+)\.md/

/** The command's purpose: the first sentence below its heading, unless a list of steps comes first. */
const PURPOSE =
  /^#+ (?:Outline|Goal)\s*\n(?:Goal: )?(?!\d+[.)]\s|[-*]\s|The text the user typed\b)([^\n]+)/m
/** If there is only a list of steps, the step that names the result: `3. **Execute plan workflow**: …`. */
const STEP =
  /^\d+[.)] (?:\*\*)?(Execute (?!the |this |these |all |`)(?:(?! following )[^*:\n`])+|For each [^:.\n`]* create an? [^:.\n`]+)/m
const NAME = /^The text the user typed after `(\/[\w.:-]+)`/m
/** UTF-16 units up to which a purpose is put before the user's words. */
const MAX_PURPOSE = 60
/** UTF-16 units of words such as `UC011`, which need the purpose: put behind them if it is long. */
const MAX_NAME = 30

/**
 * The user's words, preceded by the command's name or purpose. A prompt that is not an expanded command is returned
 * unchanged.
 */
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
  if (words === '' || purpose === '') return `${purpose}${words}`
  if (purpose.length <= MAX_PURPOSE) return `${purpose}: ${words}`
  return words.length <= MAX_NAME ? `${words}: ${purpose}` : words
}

/** Empty if the text does not state one. */
function purposeIn(text: string): string {
  const [, purpose = ''] = PURPOSE.exec(text) ?? STEP.exec(text) ?? []
  const [sentence = ''] = sentencesOf(purpose.trim())
  return sentence.replace(/^you are (?=\w+ing\b)/i, '').replace(/\.$| (?:at|in) `[^`]*`\.?$/, '')
}
