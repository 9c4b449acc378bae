/**
 * Converts any bytes to text and back.
 *
 * Bytes from 0x80 on in text that is not UTF-8 become U+DC80 to U+DCFF (like Python's surrogateescape). Nothing is
 * lost, even if text of ours is inserted.
 */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const text = Buffer.from(bytes).toString('latin1')
    return text.replace(/[\u0080-\u00ff]/g, (c) => String.fromCharCode(0xdc00 + c.charCodeAt(0)))
  }
}

/** The inverse of `decodeBytes`. */
export function encodeBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  const bytesOf = (escaped: string) => Array.from(escaped, (c) => c.charCodeAt(0) - 0xdc00)
  const parts = text.split(/([\udc80-\udcff]+)/u)
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part) : Buffer.from(bytesOf(part)))),
  )
}
