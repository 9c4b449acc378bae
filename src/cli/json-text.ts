/** A documented JSON shape as text. */
export function jsonText(value: unknown): string {
  // JSON escapes C0 controls only; a terminal also obeys DEL and the C1 set.
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${text}\n`
}
