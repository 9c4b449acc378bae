/** The blocks about paths that `install` writes: attributes, and what git and formatters ignore. Pure. */

import { ACTIVE_FILE, ACTIVE_FOLDER, ARCHIVE_FOLDER } from '../active-ledger/places.ts'
import type { Settings } from '../settings/settings.ts'
import { markedBlock } from './marked-block.ts'

/** The attribute lines for a ledger below `root`. */
export function attributesBlock(template: string, root: string): string {
  const lines = template
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{root}')) return line
      const [pattern = '', ...attributes] = line.split(' ')
      return [attributePattern(pattern, root), ...attributes].join(' ')
    })
  return markedBlock(lines.join('\n'))
}

/** The pattern anchored at the top, with glob characters escaped, and quoted if necessary. */
export function attributePattern(pattern: string, root: string): string {
  const path = pattern.replace('{root}', () => `/${literalGlob(root)}`)
  return /[\s"\\]/.test(path)
    ? `"${path.replace(/["\\]/g, (character) => `\\${character}`)}"`
    : path
}

/**
 * Local files that git must not show: the active ledger; its archives, unless they are shared; locks; leftovers of
 * killed writes; and `more`.
 */
export function excludeBlock(
  { root, shareActiveLedgers }: Pick<Settings, 'root' | 'shareActiveLedgers'>,
  more: readonly string[] = [],
): string {
  const lines = [
    `/${ACTIVE_FILE}`,
    `/${ACTIVE_FOLDER}/.LEDGER.lock*`,
    ...(shareActiveLedgers ? [] : [`/${ARCHIVE_FOLDER}/`]),
    `/${literalGlob(root)}/.synth.lock`,
    `/${literalGlob(root)}/.synth.lock.*`,
    '.ledger-git-*.tmp',
    ...more.map((path) => `/${path}`),
  ]
  return markedBlock(lines.join('\n'))
}

/** The block without the lines for these paths, which git will show again. */
export function withoutExcluded(block: string, paths: readonly string[]): string {
  const gone = new Set(paths.map((path) => `/${path}`))
  return block
    .split('\n')
    .filter((line) => !gone.has(line.trimEnd()))
    .join('\n')
}

/** `mode: untracked`: the tracked `.gitignore` keeps `current.md` out of git for the whole team. */
export function ignoreBlock(root: string): string {
  return markedBlock(`/${literalGlob(root)}/current.md`)
}

/** Keeps a formatter out of the ledger's folder. */
export function formatterBlock(root: string): string {
  return markedBlock(`/${literalGlob(root)}/`)
}

/** The path as a pattern that matches nothing else. */
function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]]/g, (character) => `\\${character}`)
}
