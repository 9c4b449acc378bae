/**
 * A block of our lines in somebody else's file, between markers.
 *
 * Only the text between the markers is ever replaced or removed; the text around it is the user's.
 *
 * If a marker was deleted, or the file was cut in the middle of the block, half a block remains. Our lines next to the
 * remaining marker can be distinguished from the user's: they name us, or are lines of the current block. No line of a
 * block may therefore be one that anybody else could have written.
 */

const START = '# >>> ledger-git'
const END = '# <<< ledger-git <<<'

/** Incremented when the text of any block changes. A newer version replaces an older one, never the reverse. */
const BLOCK_VERSION = 1

// A start marker whose end was deleted must not swallow the lines up to the next block's end.
const BLOCK =
  /(?<=^|\n)# >>> ledger-git\b[^\n]*\n(?:(?!# >>> ledger-git\b)[^\n]*\n)*?# <<< ledger-git <<<(?:\r?\n|$)/g

/** Puts lines between markers. The version tells other releases which one wrote them. */
export function markedBlock(lines: string): string {
  return `${START} v${BLOCK_VERSION} >>> (managed: ledger-git install, ledger-git uninstall)\n${lines.trimEnd()}\n${END}\n`
}

export function hasBlock(text: string): boolean {
  return blocksOf(text).length > 0
}

/** The complete blocks of a file. There are several after a merge of two branches that both added one. */
export function blocksOf(text: string): string[] {
  return text.match(BLOCK) ?? []
}

/** The text before the first block; undefined if there is none. */
export function textBeforeBlock(text: string): string | undefined {
  const at = text.search(BLOCK)
  return at === -1 ? undefined : text.slice(0, at)
}

/** Where a new block goes: at the end, or after the given text at the start of the file. */
export type Position = 'end' | { readonly after: string }

/**
 * Replaces the block, or adds it. `inserted` is the text that `removeBlock` removes again. A block written by a newer
 * release is kept: team members on different releases must not fight over a tracked file.
 */
export function putBlock(
  text: string,
  lines: string,
  where: Position,
): { text: string; inserted: string } {
  // A file checked out with CRLF keeps its line endings. Hooks never have CRLF, because git could not run them.
  const old = blocksOf(text)
  const isCrlf = where === 'end' && (old[0] ?? text).includes('\r\n')
  const block = isCrlf ? lines.replaceAll('\n', '\r\n') : lines
  if (old.length > 0) {
    const kept = old.find(isNewerBlock) ?? block
    let put = kept
    const replaced = text.replace(BLOCK, () => {
      const now = put
      put = ''
      return now
    })
    return { text: replaced, inserted: kept }
  }
  const before = where === 'end' ? text : where.after
  const inserted = before === '' || before.endsWith('\n') ? block : `\n${block}`
  return { text: before + inserted + text.slice(before.length), inserted }
}

/** Removes exactly the inserted text if it is present, else the blocks between markers. */
export function removeBlock(text: string, inserted: string | undefined): string {
  if (inserted !== undefined && text.includes(inserted)) return text.replace(inserted, () => '')
  return text.replace(BLOCK, () => '')
}

/** True for a block that a later release wrote. */
export function isNewerBlock(block: string): boolean {
  return Number(/^# >>> ledger-git v(\d{1,6})\b/.exec(block)?.[1] ?? 0) > BLOCK_VERSION
}

/** Names that occur only in our lines, whatever release wrote them. */
const OUR_NAMES = /\bledger_git_|\bLEDGER_GIT_DONE\b|\bmerge=ledger\b|# (?:<<< )?ledger-git\b/

/** Lines that may be in anybody's hook. */
const COMMON = /^ *(?:fi|esac|else|exit 0|exec <\/dev\/null)$/

/** Makes each line of a hook's block one that nobody else could have written. */
export function markCommonLines(lines: string): string {
  const marked = lines.split('\n').map((line) => line.replace(COMMON, '$& # ledger-git'))
  return marked.join('\n')
}

/** True if a marker has no counterpart. */
export function hasHalfBlock(text: string): boolean {
  return /^# (?:>>> ledger-git\b|<<< ledger-git <<<)/m.test(text.replace(BLOCK, ''))
}

/** The text without half blocks. `block`: the current form of a block. Complete blocks are kept. */
export function withoutHalfBlocks(text: string, block: string): string {
  if (!hasHalfBlock(text)) return text
  const known = block.split('\n').filter((line) => line !== '')
  const whole = text.match(BLOCK) ?? []
  const between = text.split(BLOCK).map((part) => withoutHalves(part, known))
  return between.map((part, i) => part + (whole[i] ?? '')).join('')
}

/** Removes our lines as far as they directly follow a start marker or precede an end marker. */
function withoutHalves(text: string, block: readonly string[]): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const known = new Set(block.filter((line) => !COMMON.test(line)))
  const ours = new Set<number>()
  lines.forEach((line, i) => {
    const step = line.startsWith(START) ? 1 : line.startsWith(END) ? -1 : 0
    if (step === 0) return
    const left = step === 1 ? lines.slice(i) : lines.slice(0, i + 1).toReversed()
    let count = unmarkedCount(left, step === 1 ? block : block.toReversed())
    // A `fi` above an end marker without other lines of ours may be the user's.
    if (!left.slice(1, count).some((own) => isOwn(own, known))) count = 1
    while (isOwn(left[count] ?? '', known)) count++
    for (let j = 0; j < count; j++) ours.add(i + j * step)
  })
  return lines.filter((_, i) => !ours.has(i)).join('')
}

/** How many lines from the marker on match the block in order, ignoring our comments, which old blocks lack. */
function unmarkedCount(lines: readonly string[], block: readonly string[]): number {
  const other = block.findIndex(
    (line, i) => i > 0 && lines[i]?.trimEnd() !== line.replace(/ # ledger-git$/, ''),
  )
  return other === -1 ? block.length : other
}

function isOwn(line: string, known: ReadonlySet<string>): boolean {
  if (line === '' || line.startsWith(START) || line.startsWith(END)) return false
  const text = line.replace(/\r?\n$/, '')
  // The end of a file that was cut in the middle of a line.
  const isCut = !line.endsWith('\n')
  return (
    OUR_NAMES.test(text) ||
    known.has(text) ||
    (isCut && [...known].some((own) => own.startsWith(text)))
  )
}
