/** Decodes the bytes of an event file. */

import { AFTER_GUARD, GUARD_START } from './rename-guard.ts'

/** Larger files are skipped and reported, so that parsing time during a merge stays bounded. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

const UTF8 = new TextDecoder('utf-8')
const LINE_BREAK = 10

/**
 * UTF-8 without BOM (invalid bytes become U+FFFD), with LF line ends and without the guard line, which has no
 * content and would take half of the memory.
 */
export function decodeEventText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const guard = buffer.lastIndexOf(`\n${GUARD_START}`) + 1
  const end = guard === 0 ? -1 : buffer.indexOf(LINE_BREAK, guard)
  const rest = buffer.toString('latin1', end === -1 ? buffer.length : end + 1)
  const isGuard = end !== -1 && AFTER_GUARD.test(rest)
  const text = isGuard ? UTF8.decode(buffer.subarray(0, guard)) + rest : UTF8.decode(buffer)
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
