/** From the bytes of an event file to text. */

/** Larger files are skipped and named: parsing must stay bounded at merge time. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

/** UTF-8 without BOM (what is not UTF-8 becomes U+FFFD), every line end as LF. */
export function decodeEventText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes).replace(/\r\n?/g, '\n')
}
