/** Entries of calls that say more than that a tool ran: commands, questions to the user. Pure. */

import { foldLine, shorten } from '../text/markdown-to-text.ts'
import type { AskedQuestion, ToolUse, TranscriptEntry } from './agent-signal.ts'
import type { Fields } from './json-fields.ts'
import { asFields, listIn, objectsIn, textIn } from './json-fields.ts'

type ToolEntry = Extract<TranscriptEntry, { readonly kind: 'tool' }>

/** A call in a few words: its command, or its name and the file. */
export function callLabel({ name, files }: ToolUse, command: string | undefined): string {
  if (command !== undefined) {
    return `\`${shorten(foldLine(command.replaceAll('`', "'").replace(/\n[^]*/, ' …')), MAX_LABEL)}\``
  }
  const [file] = files
  return file === undefined ? name : `${name} ${foldLine(file.slice(file.lastIndexOf('/') + 1))}`
}

const MAX_LABEL = 120

/** The end of an output has the result. */
const MAX_OUTPUT = 4000

/** A call that ran: `output` undefined: nothing is known of how it ended. */
export function ranEntry(
  tool: ToolUse,
  command: string | undefined,
  output: string | undefined,
): ToolEntry {
  const label = callLabel(tool, command)
  if (command === undefined || output === undefined) return { kind: 'tool', tool, label }
  const ran = { command: command.slice(0, MAX_OUTPUT), output: output.slice(-MAX_OUTPUT) }
  return { kind: 'tool', tool, label, ran }
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
