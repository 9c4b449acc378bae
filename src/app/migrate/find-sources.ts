/** Which files `migrate` reads: the named files, or the files in places where teams keep hand-written state. */

import { isCandidate } from '../../core/migrate/candidates.ts'
import type { Needed } from '../../core/migrate/ledger-like.ts'
import { isReadable, neededIn, saysEnough } from '../../core/migrate/ledger-like.ts'
import { readSource } from '../../core/migrate/read-source.ts'
import { readSourceText } from '../../core/migrate/source-text.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { MigrateContext, MigrateRequest } from './migrate-source.ts'
import { isOwnDocument } from './migrate-source.ts'

export interface Sources {
  readonly paths: readonly string[]
  /** Files that look like ledgers but are left alone until somebody names them. */
  readonly left: readonly string[]
}

export async function findSources(
  context: MigrateContext,
  { files, isAll = false }: MigrateRequest,
): Promise<Sources> {
  if (files !== undefined) return namedSources(files, context)
  const { root, sources } = context
  const listed = (await sources.list([])).toSorted()
  const known = listed.filter((path) => isCandidate(path, root))
  const isKnown = new Set(known)
  const others = listed.filter((path) => {
    const needed = neededIn(path, root)
    return needed !== undefined && !isKnown.has(path) && looksLikeOne(path, needed, context)
  })
  if (!isAll) return { paths: known, left: others }
  return { paths: [...known, ...others].toSorted(), left: [] }
}

/**
 * A named file as it is; for a named folder, its files that look like sources, or the folder itself if there
 * are none.
 */
async function namedSources(files: readonly string[], context: MigrateContext): Promise<Sources> {
  const paths: string[] = []
  for (const file of files) {
    const inside = await filesIn(file, context)
    if (inside === undefined || inside.length === 0) paths.push(file === '' ? '.' : file)
    else paths.push(...inside)
  }
  return { paths, left: [] }
}

/** Undefined if the path is not a folder of this repository. */
async function filesIn(path: string, context: MigrateContext): Promise<string[] | undefined> {
  const { root, sources } = context
  if (path.startsWith('../') || path.startsWith('/') || path === '..') return undefined
  if (path !== '' && !isFolder(path, context)) return undefined
  const listed = (await sources.list(path === '' ? [] : [path])).toSorted()
  return listed.filter((file) => {
    if (isCandidate(file, root)) return file !== ledgerPaths(root).current || path === ''
    return isReadable(file, root) && looksLikeOne(file, neededIn(file, root) ?? 2, context)
  })
}

function isFolder(path: string, { sources }: MigrateContext): boolean {
  const found = sources.read(path)
  return 'problem' in found && found.problem === 'folder'
}

function looksLikeOne(path: string, needed: Needed, { sources }: MigrateContext): boolean {
  const file = sources.read(path)
  if ('problem' in file) return false
  const content = readSourceText(file.bytes)
  if ('problem' in content || isOwnDocument(content.text)) return false
  return saysEnough(readSource(path, content.text, false), needed)
}
