/** The rows of a Markdown table. Pure. */

export function isRow(line: string): boolean {
  return line.trimStart().startsWith('|')
}

/** The line below a table's header. */
export function isRule(line: string): boolean {
  return RULE.test(line.trimStart())
}

const RULE = /^\|?(?:\s*:?-{2,}:?\s*\|)+/

/** The cells of a row. A bar after a backslash ends no cell. */
export function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll(String.raw`\|`, '|').trim())
}
