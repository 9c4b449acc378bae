/** Completion with names of handoffs, where a command line asks for one. */

import { LedgerError } from '../core/errors/errors.ts'
import { stripControlChars } from '../core/text/strip-control-chars.ts'
import type { CliContext } from './context.ts'

const TAKES_NAME = new Set(['update', 'phase', 'resume', 'show', 'check', 'complete'])

/** `words`: the line so far, with the program and the word that is begun. Undefined: nothing of ours. */
export async function completeNames(
  words: readonly string[],
  context: CliContext,
): Promise<string[] | undefined> {
  const [, group, command = '', word = ''] = words
  if (group !== 'handoff' || !TAKES_NAME.has(command)) return undefined
  if (words.length !== 4 || word.startsWith('-')) return undefined
  try {
    const { repository, settings } = await context.open()
    const { readHandoffs } = await import('../app/handoff/read-handoffs.ts')
    const names = (await readHandoffs(repository, settings.root)).map(({ name }) => name)
    // A shell splits what it is given into words.
    return names.filter(
      (name) => name.startsWith(word) && /^[\w.@+-]+$/.test(stripControlChars(name)),
    )
  } catch (error) {
    if (error instanceof LedgerError) return undefined
    throw error
  }
}
