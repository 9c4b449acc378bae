/**
 * A block of our lines in somebody else's file, between markers.
 *
 * Only the text between the markers is ever replaced or removed; what surrounds it is the user's.
 */

const START = '# >>> ledger-git'
const END = '# <<< ledger-git <<<'
const BLOCK = /(?<=^|\n)# >>> ledger-git\b[^\n]*\n(?:[^\n]*\n)*?# <<< ledger-git <<<(?:\r?\n|$)/

/** Wraps lines in markers; `version` tells a later release what wrote them. */
export function markedBlock(lines: string, version: number): string {
  return `${START} v${version} >>> (managed: ledger-git install, ledger-git uninstall)\n${lines.trimEnd()}\n${END}\n`
}

export function hasBlock(text: string): boolean {
  return BLOCK.test(text)
}

/** Replaces the block, or adds it. `inserted` is what `removeInserted` takes out again. */
export function putBlock(
  text: string,
  lines: string,
  where: 'end' | 'after-shebang',
): { text: string; inserted: string } {
  // A file that was checked out with CRLF keeps its line ends (hooks have none: git cannot run them).
  const old = BLOCK.exec(text)
  const isCrlf = where === 'end' && (old?.[0] ?? text).includes('\r\n')
  const block = isCrlf ? lines.replaceAll('\n', '\r\n') : lines
  if (old !== null) {
    return { text: text.replace(BLOCK, () => block), inserted: block }
  }
  if (where === 'end') {
    const inserted = text === '' || text.endsWith('\n') ? block : `\n${block}`
    return { text: text + inserted, inserted }
  }
  const shebang = /^#![^\n]*(?:\n|$)/.exec(text)?.[0] ?? ''
  const inserted = shebang === '' || shebang.endsWith('\n') ? block : `\n${block}`
  return { text: shebang + inserted + text.slice(shebang.length), inserted }
}

/** Takes out exactly what was inserted, else the block as its markers show it. */
export function removeBlock(text: string, inserted: string | undefined): string {
  if (inserted !== undefined && text.includes(inserted)) return text.replace(inserted, () => '')
  return text.replace(BLOCK, () => '')
}
