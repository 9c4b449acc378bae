/** Values of front matter as people write them. */

import { isPlain, scalar } from '../event/yaml-text.ts'

/** A value on one line: plain as people write it (`2026-01-31T09:00:00Z`, `flow:3-x`), else quoted. */
export function entryText(value: string | number | null | readonly string[]): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return isBare(value) ? value : scalar(value)
  return `[${value.map((item) => (/[,[\]{}]/.test(item) ? JSON.stringify(item) : entryText(item))).join(', ')}]`
}

/** A colon within a word means nothing to YAML, unless the word is a number with one. */
function isBare(text: string): boolean {
  return isPlain(text.replaceAll(':', '-')) && !/[:#]$|:\s|^[\d:.]+$/.test(text)
}
