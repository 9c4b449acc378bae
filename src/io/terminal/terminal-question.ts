/** A question on the terminal itself, whatever standard input and output are. */

import { closeSync, openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import { ask } from './question.ts'

/** Undefined where the process has no terminal. */
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
  try {
    return openSync('/dev/tty', flags)
  } catch {
    return undefined
  }
}
