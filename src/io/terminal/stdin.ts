/** Standard input, all of it. */

import { readSync } from 'node:fs'
import { LedgerError } from '../../core/errors/errors.ts'

/** Reads what programs send; bytes that are not UTF-8 become U+FFFD. Node's stream would take 5 ms to load. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for (let length = 1; length > 0;) {
      const chunk = Buffer.alloc(65_536)
      length = readSync(0, chunk)
      chunks.push(chunk.subarray(0, length))
    }
  } catch {
    chunks.push(await readBytes()) // reading does not block here
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads what people send: text in which a character would be lost is refused. */
export async function readText(): Promise<string> {
  const bytes = await readBytes()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lines = bytes.toString('utf8').split('\n')
    const line = lines.findIndex((one) => one.includes('\ufffd')) + 1
    throw new LedgerError(
      'EVENT_INVALID',
      `standard input is not UTF-8 (line ${line})`,
      'convert it first: iconv -t UTF-8',
    )
  }
}

async function readBytes(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
