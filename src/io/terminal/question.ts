/** Questions to a person: on the standard streams, or on the terminal itself, whatever those are. */

import { closeSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'
import { ReadStream, WriteStream } from 'node:tty'
import { LedgerError } from '../../core/errors/errors.ts'
import { attempt } from '../files/files.ts'

/** True for yes. Throws `INTERRUPTED` on Control-C and Control-D, which answer nothing. */
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

/** Undefined if the process has no terminal. */
export async function askOnTerminal(
  lines: readonly string[],
  question: string,
): Promise<boolean | undefined> {
  const input = open('r')
  const output = input === undefined ? undefined : open('w')
  if (input === undefined || output === undefined) {
    if (input !== undefined) closeSync(input)
    return undefined
  }
  const [reader, writer] = [new ReadStream(input), new WriteStream(output)]
  try {
    writer.write(lines.map((line) => `${line}\n`).join(''))
    return await ask(question, reader, writer)
  } finally {
    reader.destroy()
    writer.destroy()
  }
}

function open(flags: 'r' | 'w'): number | undefined {
  return attempt(() => openSync('/dev/tty', flags))
}
