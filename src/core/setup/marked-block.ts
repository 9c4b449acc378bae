/**
 * A block of our lines in somebody else's file, between markers.
 *
 * Only the text between the markers is ever replaced or removed; what surrounds it is the user's.
 */

export const START = '# >>> ledger-git'
export const END = '# <<< ledger-git <<<'
// A start marker whose end was deleted must not swallow the lines up to the next block's end.
export const BLOCK =
  /(?<=^|\n)# >>> ledger-git\b[^\n]*\n(?:(?!# >>> ledger-git\b)[^\n]*\n)*?# <<< ledger-git <<<(?:\r?\n|$)/g

/** Wraps lines in markers; `version` tells a later release what wrote them. */
export function markedBlock(lines: string, version: number): string {
  return `${START} v${version} >>> (managed: ledger-git install, ledger-git uninstall)\n${lines.trimEnd()}\n${END}\n`
}

export function hasBlock(text: string): boolean {
  return blocksOf(text).length > 0
}

/** The blocks of a file, whole. More than one: a merge of two branches that both added it. */
export function blocksOf(text: string): string[] {
  return text.match(BLOCK) ?? []
}

/** What stands before the first block; undefined without one. */
export function textBeforeBlock(text: string): string | undefined {
  const at = text.search(BLOCK)
  return at === -1 ? undefined : text.slice(0, at)
}

/** Where a new block goes: at the end, or after this text, with which the file begins. */
export type Position = 'end' | { readonly after: string }

/**
 * Replaces the block, or adds it. `inserted` is what `removeBlock` takes out again. A block that a
 * newer release wrote stays: teammates on different releases must not fight over a tracked file.
 */
export function putBlock(
  text: string,
  lines: string,
  where: Position,
): { text: string; inserted: string } {
  // A file that was checked out with CRLF keeps its line ends (hooks have none: git cannot run them).
  const old = blocksOf(text)
  const isCrlf = where === 'end' && (old[0] ?? text).includes('\r\n')
  const block = isCrlf ? lines.replaceAll('\n', '\r\n') : lines
  if (old.length > 0) {
    const newer = old.find((found) => blockVersion(found) > blockVersion(block))
    const kept = newer ?? block
    let isFirst = true
    const replaced = text.replace(BLOCK, () => {
      const put = isFirst ? kept : ''
      isFirst = false
      return put
    })
    return { text: replaced, inserted: kept }
  }
  const before = where === 'end' ? text : where.after
  const inserted = before === '' || before.endsWith('\n') ? block : `\n${block}`
  return { text: before + inserted + text.slice(before.length), inserted }
}

/** Takes out exactly what was inserted, else the blocks as their markers show them. */
export function removeBlock(text: string, inserted: string | undefined): string {
  if (inserted !== undefined && text.includes(inserted)) return text.replace(inserted, () => '')
  return text.replace(BLOCK, () => '')
}

/** The version that a block was written with. */
export function blockVersion(block: string): number {
  return Number(/^# >>> ledger-git v(\d{1,6})\b/.exec(block)?.[1] ?? 0)
}
