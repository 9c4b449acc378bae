/**
 * What a child of ours reads on its standard input: a file.
 *
 * Node's pipes to children are sockets, and one whose writing end is done is half-closed (shutdown(2)).
 * Sandboxes in which agents run commands refuse that, and the child would wait for its input's end for ever.
 */

import { closeSync } from 'node:fs'
import { openNamelessFile } from './nameless-file.ts'

/** What belongs at the place of standard input in Node's `stdio`. */
export type ChildInput = number | 'ignore' | 'pipe'

/** `pipe`: there is no room for a file; outside of sandboxes a pipe does as well. */
export function openChildInput(input: string | Uint8Array): ChildInput {
  if (input.length === 0) return 'ignore'
  return openNamelessFile(typeof input === 'string' ? Buffer.from(input) : input) ?? 'pipe'
}

export function closeChildInput(input: ChildInput): void {
  if (typeof input === 'number') closeSync(input)
}
