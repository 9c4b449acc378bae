/** What `pattern` (global) finds in a text as JSON, YAML and JavaScript escape it: `\u202e`. */
export function escapeUnits(text: string, pattern: RegExp): string {
  return text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
