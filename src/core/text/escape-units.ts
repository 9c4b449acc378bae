/** Escapes what `pattern` (global) matches, in the form of JSON, YAML, and JavaScript: `\u202e`. */
export function escapeUnits(text: string, pattern: RegExp): string {
  return text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
