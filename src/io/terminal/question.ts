/** A question at the terminal. */

import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'
import { LedgerError } from '../../core/errors/errors.ts'

/** True for yes. Control-C and Control-D answer nothing: throws `INTERRUPTED`. */
export async function ask(
  question: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<boolean> {
  const terminal = createInterface({ input, output })
  const gone = new Promise<undefined>((resolve) => {
    for (const event of ['SIGINT', 'close']) terminal.once(event, () => resolve(undefined))
  })
  try {
    // Some releases of Node reject here, others never answer.
    const asked = terminal.question(`${question} [y/N] `).catch(() => undefined)
    const answer = await Promise.race([asked, gone])
    if (answer !== undefined) return /^y(?:es)?$/i.test(answer.trim())
    output.write('\n')
    throw new LedgerError('INTERRUPTED', 'interrupted at the question: nothing was written')
  } finally {
    terminal.close()
  }
}
