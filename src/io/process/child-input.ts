/**
 * A file as standard input of a child process.
 *
 * Node's pipes to children are sockets, and Node ends the input by half-closing the socket (shutdown(2)). The
 * sandboxes of agents refuse that, and the child would wait forever for the end of its input.
 */

import { closeSync } from 'node:fs'
import { openNamelessFile } from './nameless-file.ts'

/** The entry for standard input in Node's `stdio`. */
export type ChildInput = number | 'ignore' | 'pipe'

/** `pipe` if there is no room for a file; outside of sandboxes a pipe works as well. */
export function openChildInput(input: string | Uint8Array): ChildInput {
  if (input.length === 0) return 'ignore'
  return openNamelessFile(typeof input === 'string' ? Buffer.from(input) : input) ?? 'pipe'
}

export function closeChildInput(input: ChildInput): void {
  if (typeof input === 'number') closeSync(input)
}
