/**
 * The words of the user in a prompt that a command of the user's was expanded to. Claude Code marks such
 * texts; Codex and Gemini CLI send them as if the user had typed them. Pure.
 */

/** Commands with one text for every agent put the words into a fence, and say that they count. */
const FENCED =
  /^\s*(?:---\n[^]*?\n---\s*)?#+ User Input\s*\n+```\w*\n([^]*?)```\s*\n+You \*\*MUST\*\* consider the user input\b/

const FIRST_STEP = /^#+ (?:Outline|Goal|Execution Flow|Steps)\s*\n+(?:\d+[.)]\s+|[-*]\s+)?([^\n]+)/m

/** The prompt itself, where it is no such text; what the command says it does, where the user added nothing. */
export function withoutTemplate(prompt: string): string {
  const match = FENCED.exec(prompt)
  if (match === null) return prompt
  const words = (match[1] ?? '').trim()
  if (words !== '') return words
  const [, step] = FIRST_STEP.exec(prompt.slice(match[0].length)) ?? []
  return step?.trim() ?? prompt
}
