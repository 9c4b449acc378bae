/** Which formatters a repository uses, and what keeps each of them out of the ledger's folder. */

import type { Formatter } from '../../core/setup/formatters.ts'
import { FORMATTERS, ignoresFolder, packagesIn, putInList } from '../../core/setup/formatters.ts'
import { formatterBlock } from '../../core/setup/install-texts.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import type { FilesPort } from '../ports.ts'
import type { InstallWriter } from './install-writer.ts'

/** `path`: from the top of the worktree. */
export type Shield =
  | { readonly state: 'there' }
  | { readonly state: 'block'; readonly path: string }
  | { readonly state: 'file'; readonly path: string; readonly text: string }
  | {
      readonly state: 'entry'
      readonly path: string
      readonly text: string
      readonly piece: string
    }
  /** Only a person can: where, and what to write. */
  | { readonly state: 'hand'; readonly advice: string }

/** The formatters that somebody has set up at the top of the worktree. */
export function usedFormatters(files: FilesPort, top: string): Formatter[] {
  const packages = packagesIn(files.read(`${top}/package.json`))
  return FORMATTERS.filter(
    (formatter) =>
      formatter.files.some((name) => files.kind(`${top}/${name}`) === 'file') ||
      formatter.packages.some((name) => packages.has(name)) ||
      Object.entries(formatter.marks ?? {}).some(([name, mark]) =>
        mark.test(files.read(`${top}/${name}`) ?? ''),
      ),
  )
}

/** What keeps a formatter away from the folder `root`, or would. */
export function shieldOf(
  { files: names, marks = {}, away }: Formatter,
  files: FilesPort,
  top: string,
  root: string,
): Shield {
  const read = (name: string) => files.read(`${top}/${name}`)
  if (away.kind === 'block') {
    const text = read(away.file)
    const isThere = ignoresFolder(text, root) && !hasBlock(text ?? '')
    return isThere ? { state: 'there' } : { state: 'block', path: away.file }
  }
  const own = names.filter((name) => files.kind(`${top}/${name}`) === 'file')
  if (away.kind === 'entry') return entryShield(own[0] ?? '', read(own[0] ?? ''), away, root)
  // Settings that name the folder know what to do with it.
  const settings = [...own, ...Object.keys(marks)].map(read)
  if (settings.some((text) => text?.includes(root) === true)) return { state: 'there' }
  if (away.kind === 'hand') {
    return { state: 'hand', advice: `add ${away.line.replace('{root}', root)} to ${away.file}` }
  }
  const path = `${root}/${away.file}`
  const text = read(path)
  if (text === undefined || words(text) === words(away.text)) {
    return { state: 'file', path, text: text ?? away.text }
  }
  return { state: 'hand', advice: `make ${path} say ${words(away.text)}` }
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function entryShield(
  path: string,
  text: string | undefined,
  { keys, glob }: { readonly keys: readonly string[]; readonly glob: string },
  root: string,
): Shield {
  const value = `${root}${glob}`
  const edit = putInList(text ?? '', keys, value, root)
  if (edit.state === 'there') return edit
  if (edit.state === 'put') return { state: 'entry', path, text: edit.text, piece: edit.piece }
  return {
    state: 'hand',
    advice: `add "${value}" to ${keys.join('.')} in ${path}, which ${edit.why}`,
  }
}

/** Keeps every formatter away that is used here. */
export function keepFormattersAway(
  files: FilesPort,
  writer: InstallWriter,
  top: string,
  root: string,
): { readonly notes: string[]; readonly commit: string[] } {
  const notes: string[] = []
  const written = new Set<string>()
  for (const formatter of usedFormatters(files, top)) {
    const shield = shieldOf(formatter, files, top, root)
    const what = `keeps ${formatter.name} away from the ledger`
    if (shield.state === 'hand') notes.push(`to keep ${formatter.name} away: ${shield.advice}`)
    if (shield.state === 'there' || shield.state === 'hand' || written.has(shield.path)) continue
    written.add(shield.path)
    const path = `${top}/${shield.path}`
    if (shield.state === 'block') writer.block(path, formatterBlock(root), what, 'end')
    else
      writer.formatter(path, shield.text, shield.state === 'entry' ? shield.piece : undefined, what)
  }
  return { notes, commit: [...written] }
}
