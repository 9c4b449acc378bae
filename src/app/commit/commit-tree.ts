/** Builds trees for commits without using the index: reads the previous tree and makes the next one from it. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Blobs, MarkedEntry } from '../../core/commit/commit-mark.ts'
import type { ByteName, ObjectFormat, TreeEntry } from '../../core/git/objects.ts'
import { nameToText, textToName, TREE_MODE } from '../../core/git/objects.ts'
import type { IndexPlace } from '../ledger/ledger-sources.ts'
import { fileOfPath, ledgerPaths, placeOfEntries } from '../ledger/ledger-sources.ts'
import { readTree } from '../ledger/ledger-tree.ts'
import type { RepositoryPort } from '../ports.ts'

type Trees = Pick<RepositoryPort, 'objects' | 'writer'>

/** What a tree holds at these paths, which may be folders; reads only the folders that lead to them. */
export async function blobsIn(
  { objects }: Pick<Trees, 'objects'>,
  tree: string,
  paths: readonly ByteName[],
  folder: ByteName = '',
): Promise<Blobs> {
  const found = new Map<ByteName, TreeEntry>()
  for (const entry of await readTree(objects, tree)) {
    const path = `${folder}${entry.name}`
    const isWanted = paths.some((one) => path === one || path.startsWith(`${one}/`))
    if (entry.mode !== TREE_MODE) {
      if (isWanted) found.set(path, entry)
    } else if (isWanted || paths.some((one) => one.startsWith(`${path}/`))) {
      for (const [name, below] of await blobsIn({ objects }, entry.oid, paths, `${path}/`)) {
        found.set(name, { name, ...below })
      }
    }
  }
  return new Map([...found].map(([path, { mode, oid }]) => [path, { mode, oid }]))
}

/** The ledger within the blobs that a commit is going to hold. */
export function placeOfBlobs(blobs: Blobs, root: string, format: ObjectFormat): IndexPlace {
  const { current, events } = ledgerPaths(root)
  const [file, folder] = [textToName(current), textToName(`${events}/`)]
  const ledger = [...blobs].filter(([path]) => path === file || path.startsWith(folder))
  const entries = ledger.map(([path, { mode, oid }]) => {
    return { path, name: fileOfPath(path), mode, oid, stage: 0, skipWorktree: false }
  })
  return placeOfEntries(entries, root, format)
}

type Changed = Pick<MarkedEntry, 'path' | 'after'>

/** Writes a tree with these entries added or removed; undefined if the tree becomes empty. */
export async function putIntoTree(
  { objects, writer }: Trees,
  tree: string | undefined,
  changed: readonly Changed[],
): Promise<string | undefined> {
  const old = tree === undefined ? [] : await readTree(objects, tree)
  const entries = new Map(old.map((entry) => [entry.name, entry]))
  const below = new Map<ByteName, Changed[]>()
  for (const { path, after } of changed) {
    const slash = path.indexOf('/')
    const [name, rest] = [path.slice(0, slash), path.slice(slash + 1)]
    if (slash !== -1) below.set(name, [...(below.get(name) ?? []), { path: rest, after }])
    else if (entries.get(path)?.mode === TREE_MODE) throw inTheWay(path)
    else if (after === undefined) entries.delete(path)
    else entries.set(path, { mode: after.mode, name: path, oid: after.oid })
  }
  for (const [name, inner] of below) {
    const before = entries.get(name)
    if (before !== undefined && before.mode !== TREE_MODE) throw inTheWay(name)
    const oid = await putIntoTree({ objects, writer }, before?.oid, inner)
    if (oid === undefined) entries.delete(name)
    else entries.set(name, { mode: TREE_MODE, name, oid })
  }
  return entries.size === 0 ? undefined : writer.tree([...entries.values()])
}

/** A file where the ledger needs a folder, or the reverse: what belongs to the user is not replaced. */
function inTheWay(name: ByteName): LedgerError {
  const what = `HEAD has something else by the name of ${nameToText(name)} where the ledger belongs`
  const next = 'git status; commit the change yourself: pending events go into your commit'
  return new LedgerError('COMMIT_SKIPPED', `the ledger was not committed: ${what}`, next)
}
