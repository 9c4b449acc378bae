/** What calls say beyond that a tool ran: commands, errors, questions to the user. Pure. */

import { foldLine, shorten } from '../text/markdown-to-text.ts'
import type { AskedQuestion } from './agent-signal.ts'
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

/** What a shell ran, and the end of what it printed. */
export function ranCommand(command: string, output: string): { command: string; output: string } {
  return { command: command.slice(0, MAX_OUTPUT), output: output.slice(-MAX_OUTPUT) }
}

/** What went wrong with a call: the first line that says more than that it did. */
export function errorLine(text: string): string {
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
