/** Which formatters a repository uses, and what keeps each of them out of the ledger's folder. */

import type { Formatter } from '../../core/setup/formatters.ts'
import { FORMATTERS, ignoresFolder, packagesIn, putInList } from '../../core/setup/formatters.ts'
import { formatterBlock } from '../../core/setup/install-texts.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import type { InstallPlan } from './install-plan.ts'
import type { Setup } from './setup.ts'

export interface Shield {
  readonly isThere: boolean
  /** What only a person can do: where, and what to write. */
  readonly advice?: string
  /** From the top of the worktree: the file that `put` writes. */
  readonly path?: string
  /** Undefined where only a person can, and where settings of the user's do it. */
  readonly put?: (plan: InstallPlan, path: string, what: string) => void
}

const THERE: Shield = { isThere: true }

/** The formatters that somebody has set up at the top of the worktree. */
export function usedFormatters({ files }: Setup, top: string): Formatter[] {
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

/** What keeps a formatter away from the ledger's folder, or would. */
export function shieldOf(formatter: Formatter, { files, settings }: Setup, top: string): Shield {
  const { away, marks = {} } = formatter
  const { root } = settings
  const read = (name: string) => files.read(`${top}/${name}`)
  if (away.kind === 'block') {
    const text = read(away.file) ?? ''
    const isThere = hasBlock(text)
    if (!isThere && ignoresFolder(text, root)) return THERE
    const put: Shield['put'] = (plan, path, what) =>
      plan.block(path, formatterBlock(root), what, 'end')
    return { isThere, path: away.file, put }
  }
  const own = formatter.files.filter((name) => files.kind(`${top}/${name}`) === 'file')
  if (away.kind === 'entry') {
    const [path = ''] = own
    const value = `${root}${away.glob}`
    const edit = putInList(read(path) ?? '', away.keys, value, root)
    if (edit.state === 'there') return THERE
    if (edit.state === 'unreadable') {
      const list = away.keys.join('.')
      return { isThere: false, advice: `add "${value}" to ${list} in ${path}, which ${edit.why}` }
    }
    const put: Shield['put'] = (plan, full, what) =>
      plan.settings('formatter', full, edit.text, [edit.piece], what)
    return { isThere: false, path, put }
  }
  // Settings that name the folder know what to do with it.
  const settingsFiles = [...own, ...Object.keys(marks)]
  if (settingsFiles.some((name) => read(name)?.includes(root) === true)) return THERE
  if (away.kind === 'hand') {
    const line = away.line.replace('{root}', root)
    return { isThere: false, advice: `add ${line} to ${away.file}` }
  }
  const path = `${root}/${away.file}`
  const text = read(path)
  if (text !== undefined && words(text) !== words(away.text)) {
    return { isThere: false, advice: `make ${path} say ${words(away.text)}` }
  }
  const put: Shield['put'] = (plan, full, what) =>
    plan.file('formatter', full, text ?? away.text, what)
  return { isThere: text !== undefined, path, put }
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Keeps every formatter away that is used here. */
export function planFormatters(setup: Setup, top: string, plan: InstallPlan): void {
  const planned = new Set<string>()
  for (const formatter of usedFormatters(setup, top)) {
    const { advice, path, put } = shieldOf(formatter, setup, top)
    if (advice !== undefined) plan.notes.push(`to keep ${formatter.name} away: ${advice}`)
    if (path === undefined || planned.has(path)) continue
    planned.add(path)
    put?.(plan, `${top}/${path}`, `keeps ${formatter.name} away from the ledger`)
    plan.commit.push(path)
  }
}
