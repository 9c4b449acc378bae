/** What calls say beyond that a tool ran: commands, errors, questions to the user. Pure. */

import { foldLine, shorten } from '../text/markdown-to-text.ts'
import type { Instant } from '../event/instant.ts'
import type { AskedQuestion, ToolUse, TranscriptEntry } from './agent-signal.ts'
import type { Fields } from './json-fields.ts'
import { asFields, listIn, objectsIn, textIn } from './json-fields.ts'

/** A shell command as a label. */
export function commandLabel(command: string): string {
  const line = command
    .replace(/^(?:\s*#[^\n]*\n)+/, '')
    .trim()
    .replaceAll('`', "'")
  return `\`${shorten(foldLine(line.replace(/\n[^]*/, ' …')), MAX_LABEL)}\``
}

const MAX_LABEL = 120

/** The end of an output has the result. */
const MAX_OUTPUT = 4000

/** How a call ended. */
export interface Outcome {
  /** `open`: it runs, or waits; `stopped`: the user stopped the turn in it. */
  readonly end: 'well' | 'failed' | 'refused' | 'stopped' | 'open'
  /** What it gave back, or what went wrong. */
  readonly text: string
  readonly at?: Instant | undefined
  /** A command that was answered before it was over: nobody knows yet what came of it. */
  readonly goesOn?: boolean
  /** What the user said when refusing it. */
  readonly said?: string | undefined
}

/** A call as entries: what it did, and how it ended. */
export function callEntries(
  tool: ToolUse,
  label: { label?: string },
  { end, text, at, said, goesOn = false }: Outcome,
): TranscriptEntry[] {
  switch (end) {
    case 'open':
      return [{ kind: 'tool', tool, ...label, isOpen: true }]
    case 'stopped':
      return [
        { kind: 'tool', tool: undone(tool), ...label, isOpen: true },
        { kind: 'interruption' },
      ]
    case 'refused':
      return [{ kind: 'refusal', label: label.label ?? tool.name, said }]
    case 'failed':
      return [{ kind: 'tool', tool: undone(tool), ...label, failed: errorLine(text) }]
    case 'well': {
      const command = goesOn ? undefined : tool.command
      const ran = command && {
        command: command.slice(0, MAX_OUTPUT),
        output: text.slice(-MAX_OUTPUT),
      }
      return [{ kind: 'tool', tool, ...label, ...(ran && { ran }), at }]
    }
  }
}

/** A call that did not end well: what it names was not written, and its list does not hold. */
export function undone({ name, mayWrite }: ToolUse): ToolUse {
  return { name, files: [], mayWrite, todos: undefined }
}

/** What went wrong with a call: the first line that says more than that it did. */
function errorLine(text: string): string {
  const lines = text
    .replace(/<\/?[a-z_]+>/g, '')
    .split('\n')
    .map(foldLine)
    .filter((line) => line !== '')
  const [first = 'failed', second] = lines
  const said = /^Exit code \d+$/.test(first) && second !== undefined ? `${first}, ${second}` : first
  return shorten(said, MAX_LABEL)
}

/** All agents' questions have these fields; `answerTo` gets the question and its text. */
export function askedQuestions(
  input: Fields,
  answerTo: (question: Fields, text: string) => string | undefined,
): AskedQuestion[] {
  return objectsIn(listIn(input, 'questions')).flatMap((question) => {
    const text = textIn(question, 'question')
    if (text === undefined) return []
    const options = listIn(question, 'options').flatMap((option) => {
      const label = typeof option === 'string' ? option : textIn(asFields(option) ?? {}, 'label')
      return label ?? []
    })
    return [{ about: textIn(question, 'header'), text, options, answer: answerTo(question, text) }]
  })
}
