/** Files of one worktree, named from its top. */

import { accessSync, constants, lstatSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LedgerError } from '../../core/errors/errors.ts'
import type { WorktreePort } from '../../app/ports.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import {
  attempt,
  bytePath,
  foldersAbove,
  foldersIn,
  ifThere,
  orUnreadable,
  readRegularFile,
  writeFileAtomic,
} from '../files/files.ts'
import type { Git } from '../process/exec.ts'
import { GitIndex } from './git-index.ts'

export class GitWorktree implements WorktreePort {
  readonly #git: Git

  /** `git` must run at the top of the worktree. */
  constructor(git: Git) {
    this.#git = git
  }

  requireOpen(folder: string): void {
    const path = join(this.#git.cwd, folder)
    orUnreadable(folder, () =>
      ifThere(() => {
        if (lstatSync(path).isDirectory()) accessSync(path, constants.R_OK | constants.X_OK)
      }),
    )
  }

  async untracked(folder: string): Promise<ByteName[]> {
    this.requireOpen(folder)
    const depth = Buffer.from(folder).toString('latin1').length + 1
    const untracked = await new GitIndex(this.#git).untracked(folder)
    return untracked.filter((path) => !path.slice(depth).includes('/') && this.#isRegular(path))
  }

  async hashFiles(paths: readonly ByteName[], write: boolean): Promise<string[]> {
    if (paths.length === 0) return []
    const input = Buffer.from(paths.map((path) => `${path}\n`).join(''), 'latin1')
    const args = ['hash-object', ...(write ? ['-w'] : []), '--stdin-paths']
    return (await this.#git.text(args, { input })).split('\n')
  }

  isExecutable(path: ByteName): boolean {
    const found = lstatSync(this.#absolute(path), { throwIfNoEntry: false })
    return ((found?.mode ?? 0) & 0o100) !== 0
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return orUnreadable(path, () => readRegularFile(join(this.#git.cwd, path)))
  }

  isThere(path: string): boolean {
    return attempt(() => lstatSync(join(this.#git.cwd, path))) !== undefined
  }

  async readBytesName(path: ByteName): Promise<Uint8Array | undefined> {
    return orUnreadable(nameToText(path), () => readRegularFile(this.#absolute(path)))
  }

  async leadsOut(path: string): Promise<{ folder: string; isLink: boolean } | undefined> {
    return (await import('./leads-out.ts')).leadsOut(this.#git.cwd, path)
  }

  folders(path: string): string[] {
    // Others are not UTF-8.
    return foldersIn(join(this.#git.cwd, path)).filter((name) => !name.includes('\ufffd'))
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    refuseLinks(this.#git.cwd, path)
    writeFileAtomic(join(this.#git.cwd, path), content)
  }

  async checkOut(path: string, oid: string): Promise<void> {
    const content = await this.#git.output(['cat-file', '--filters', `--path=${path}`, oid])
    await this.write(path, content)
  }

  async remove(path: ByteName): Promise<void> {
    refuseLinks(this.#git.cwd, nameToText(path))
    const file = this.#absolute(path)
    rmSync(file, { force: true })
    const folder = file.subarray(0, file.lastIndexOf(0x2f))
    attempt(() => rmdirSync(folder)) // not empty, or already gone
  }

  async create(path: string, content: string | Uint8Array): Promise<boolean> {
    refuseLinks(this.#git.cwd, path)
    const { createFileAtomic } = await import('../files/create-file.ts')
    return createFileAtomic(join(this.#git.cwd, path), content)
  }

  #isRegular(path: ByteName): boolean {
    // A path with a line break cannot be passed to hash-object; nobody names an event like that.
    if (path.includes('\n')) return false
    return lstatSync(this.#absolute(path), { throwIfNoEntry: false })?.isFile() === true
  }

  #absolute(path: ByteName): Buffer {
    return bytePath(this.#git.cwd, path)
  }
}

/** A branch may turn a folder into a link to anywhere: nothing is written through a link. */
export function refuseLinks(top: string, path: string): void {
  for (const folder of foldersAbove(path)) {
    const found = lstatSync(join(top, folder), { throwIfNoEntry: false })
    if (found === undefined) return
    if (found.isDirectory()) continue
    const what = found.isSymbolicLink() ? 'a symbolic link' : 'not a folder'
    throw new LedgerError(
      'FILE_UNWRITABLE',
      `${folder} is ${what}: the ledger is not written through it`,
      `replace ${folder} with a folder`,
    )
  }
}
