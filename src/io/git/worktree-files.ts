/**
 * Files of the worktree as git would store them: through its clean filters, named by path.
 *
 * What is no file there counts as none: a folder, a submodule, a pipe, a path that leaves the worktree
 * or leads through a link. A symbolic link is stored as git does, by the text of its target.
 */

import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './exec.ts'

type Kind = 'file' | 'link' | 'none'

export interface FileStore {
  /** Runs at the top. */
  readonly git: Git
  readonly top: string
  blobs(contents: readonly Uint8Array[]): Promise<string[]>
}

/** `paths`: UTF-8, from the top. Ids in the same order. */
export async function storeFiles(
  store: FileStore,
  paths: readonly string[],
): Promise<(string | undefined)[]> {
  const folders = new Map<string, boolean>()
  const kinds = paths.map((path) => kindOf(store.top, path, folders))
  const oids = new Map<string, string | undefined>()
  const files = paths.filter((_, i) => kinds[i] === 'file')
  const hashed = await hashAll(store.git, files)
  for (const [i, path] of files.entries()) oids.set(path, hashed[i])
  const links = paths
    .filter((_, i) => kinds[i] === 'link')
    .flatMap((path) => linkAt(path, join(store.top, path)))
  const stored = await store.blobs(links.map(({ target }) => target))
  for (const [i, { path }] of links.entries()) oids.set(path, stored[i])
  return paths.map((path) => oids.get(path))
}

function kindOf(top: string, path: string, folders: Map<string, boolean>): Kind {
  const parts = path.split('/')
  if (parts.some((part) => part === '' || /^(?:\.{1,2}|\.git)$/i.test(part))) return 'none'
  if (path.includes('\0')) return 'none'
  for (let i = 1; i < parts.length; i++) {
    if (!isOwnFolder(top, parts.slice(0, i).join('/'), folders)) return 'none'
  }
  const found = look(join(top, path))
  if (found?.isFile() === true) return 'file'
  return found?.isSymbolicLink() === true ? 'link' : 'none'
}

/** A folder, and neither a link nor the top of a submodule. */
function isOwnFolder(top: string, folder: string, folders: Map<string, boolean>): boolean {
  const known = folders.get(folder)
  if (known !== undefined) return known
  const path = join(top, folder)
  const is = look(path)?.isDirectory() === true && look(join(path, '.git')) === undefined
  folders.set(folder, is)
  return is
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // a file where a folder should be, a name that is too long
  }
}

async function hashAll(git: Git, paths: readonly string[]): Promise<(string | undefined)[]> {
  if (paths.length === 0) return []
  const input = paths.map((path) => `${quotePath(path)}\n`).join('')
  const result = await git.run([...HASH, '--stdin-paths'], { input })
  if (result.status === 0) return result.stdout.toString('latin1').trimEnd().split('\n')
  // One went meanwhile, may not be read, or its filter failed: the others are not to blame.
  return Promise.all(paths.map((path) => hashOne(git, path)))
}

/** Where a filter fails, the bytes as they are: better than to believe that the file was deleted. */
async function hashOne(git: Git, path: string): Promise<string | undefined> {
  const input = `${quotePath(path)}\n`
  for (const filters of [[], ['--no-filters']]) {
    const result = await git.run([...HASH, ...filters, '--stdin-paths'], { input })
    if (result.status === 0) return result.stdout.toString('latin1').trimEnd()
  }
  return undefined
}

/** safecrlf: a file that `git add` would warn of, or refuse, has an id all the same. */
const HASH = ['-c', 'core.safecrlf=false', 'hash-object', '-w']

function linkAt(path: string, file: string): { path: string; target: Buffer }[] {
  try {
    return [{ path, target: readlinkSync(file, 'buffer') }]
  } catch {
    return [] // gone meanwhile
  }
}

/** Git reads a path a line, unless it begins with a quote: then as C would. */
function quotePath(path: string): string {
  // oxlint-disable-next-line no-control-regex
  if (!/^"|[\x00-\x1f]/.test(path)) return path
  // oxlint-disable-next-line no-control-regex
  const quoted = path.replace(/["\\\x00-\x1f]/g, (char) => {
    return `\\${char.charCodeAt(0) < 0x20 ? char.charCodeAt(0).toString(8).padStart(3, '0') : char}`
  })
  return `"${quoted}"`
}
