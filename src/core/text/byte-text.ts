/**
 * Converts any bytes to text and back.
 *
 * Bytes from 0x80 on in text that is not UTF-8 become U+DC80 to U+DCFF (like Python's surrogateescape). Nothing is
 * lost, even if text of ours is inserted.
 */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeBytes(bytes: Uint8Array): string {
  const latin = () => Buffer.from(bytes).toString('latin1')
  const escape = (c: string) => String.fromCharCode(0xdc00 + c.charCodeAt(0))
  return decodeUtf8(bytes) ?? latin().replace(/[\u0080-\u00ff]/g, escape)
}

/** Undefined if the bytes are not UTF-8. A leading byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
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
