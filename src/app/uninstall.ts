/** Takes out what `install` wrote, and nothing else. */

import { CONFIG_INCLUDE } from '../core/install-texts.ts'
import { removeBlock } from '../core/marked-block.ts'
import type { Change, InstallReport, Recorded } from './install-record.ts'
import { readManifest } from './install-record.ts'
import type { FilesPort } from './ports.ts'
import { HOOKS } from './run-hook.ts'

export interface UninstallContext {
  readonly files: FilesPort
  readonly commonDir: string
  readonly gitDir: string
  readonly top: string | undefined
  readonly hooksFolder: string
  readonly isTracked: (path: string) => Promise<boolean>
  readonly dryRun: boolean
}

/** Takes out what `install` wrote. Events and committed ledgers are the user's and stay. */
export async function uninstall(context: UninstallContext): Promise<InstallReport> {
  const { files, commonDir, dryRun } = context
  const recorded = readManifest(files, context).edits
  // Without a record, the markers tell what is ours.
  const edits = recorded.length > 0 ? recorded : knownBlocks(context)
  const changes: Change[] = []
  for (const edit of edits.toReversed()) {
    const text = files.read(edit.path)
    if (text === undefined) continue
    const rest = await textWithout(edit, text, context)
    if (rest === text) continue
    const change = rest === undefined ? 'remove' : 'edit'
    changes.push({ path: edit.path, change, what: WHAT[edit.kind] })
    if (dryRun) continue
    if (rest === undefined) files.remove(edit.path)
    else files.write(edit.path, rest)
  }
  if (!dryRun) for (const folder of foldersOf(edits, commonDir)) files.removeFolder(folder)
  return { changes, notes: [], commit: [] }
}

const WHAT = { own: 'written by install', ledger: 'empty ledger', block: 'block of ledger-git' }

/** What stays of a file; undefined when nothing of the user's is in it. */
async function textWithout(
  edit: Recorded,
  text: string,
  context: UninstallContext,
): Promise<string | undefined> {
  if (edit.kind === 'own') return undefined
  if (edit.kind === 'ledger') {
    const isOurs = text === edit.inserted && !(await context.isTracked(edit.path))
    return isOurs ? undefined : text
  }
  const rest = removeBlock(text, edit.inserted)
  const isLeftover = rest !== text && !edit.existed && /^(?:#![^\n]*\n)?\s*$/.test(rest)
  return isLeftover ? undefined : rest
}

/** Where blocks can be when the record of the install is gone. */
function knownBlocks({ commonDir, top, hooksFolder }: UninstallContext): Recorded[] {
  const block = (path: string, inserted?: string): Recorded => ({
    path,
    kind: 'block',
    existed: true,
    ...(inserted === undefined ? {} : { inserted }),
  })
  return [
    block(`${commonDir}/config`, CONFIG_INCLUDE),
    block(`${commonDir}/info/attributes`),
    block(`${commonDir}/info/exclude`),
    ...HOOKS.map((hook) => block(`${hooksFolder}/${hook}`)),
    ...(top === undefined ? [] : [block(`${top}/.gitattributes`)]),
  ]
}

/** Folders that install may have made, deepest first. */
function foldersOf(edits: readonly Recorded[], commonDir: string): string[] {
  const folders = new Set([`${commonDir}/ledger-git`])
  for (const { path, kind, existed } of edits) {
    if (existed) continue
    // The ledger's folders may have been made from the top of the worktree down.
    const parts = path.split('/')
    const shortest = kind === 'ledger' ? 2 : parts.length - 1
    for (let length = parts.length - 1; length >= shortest; length--) {
      folders.add(parts.slice(0, length).join('/'))
    }
  }
  return [...folders].sort((a, b) => b.length - a.length)
}
