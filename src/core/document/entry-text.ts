/** Writes values of front matter as people write them. */

import { isPlain, scalar } from '../event/yaml-text.ts'

/** A value on one line: plain as people write it (`2026-01-31T09:00:00Z`, `flow:3-x`), else quoted. */
export function entryText(value: string | number | null | readonly string[]): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return isBare(value) ? value : scalar(value)
  return `[${value.map((item) => (/[,[\]{}]/.test(item) ? JSON.stringify(item) : entryText(item))).join(', ')}]`
}

/** A colon inside a word has no meaning in YAML, except between digits. */
function isBare(text: string): boolean {
  return isPlain(text.replaceAll(':', '-')) && !/[:#]$|:\s|^[\d:.]+$/.test(text)
}
