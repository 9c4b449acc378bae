/** `--complete WORDS…`: what shells ask while a command line is typed. */

import { completionLines, valuesFrom } from './complete-values.ts'
import type { CommandTable } from './completion-words.ts'
import { askedAt } from './completion-words.ts'
import type { CliContext } from './command/context.ts'

/** `words`: behind the program, with the one that is begun. */
export async function complete(
  words: readonly string[],
  table: CommandTable,
  context: CliContext,
): Promise<void> {
  context.preferGit()
  const { candidates, source, before = '', behind = '' } = askedAt(words, table)
  const values = source === undefined ? [] : await valuesFrom(source, context)
  const all = [...candidates, ...values].map(({ value, about }) => ({
    value: `${before}${value}${behind}`,
    about,
  }))
  const lines = completionLines(all, words.at(-1) ?? '')
  context.stdout(lines.map((line) => `${line}\n`).join(''))
}
