/**
 * Files of the worktree as git would store them, through copies of the index: filters, line ends, links,
 * modes and submodules are left to git, and the real index is not touched.
 */

import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type {
  DifferingFile,
  StoredFile,
  TakenFiles,
  WorktreeFilesPort,
} from '../../app/shadow/git-ports.ts'
import type { Place } from '../../app/ports.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { attempt, bytePath, ifThere, orUnwritable } from '../files/files.ts'
import { isLeft } from '../files/left-behind.ts'
import { readBatch } from '../objects/batch-reader.ts'
import { Git, splitNul } from '../process/exec.ts'
import { worktreeStatus } from './git-changes.ts'
import { copyIndex } from './index-change.ts'

/** Milliseconds by which the time of a file may be behind the clock. */
const TICK = 10

type ShadowPlace = Pick<Place, 'gitDir' | 'commonDir'>

export class ShadowFiles implements WorktreeFilesPort {
  readonly #git: Git
  readonly #place: ShadowPlace

  /** `git` must run at the top of the worktree. */
  constructor(git: Git, place: ShadowPlace) {
    this.#place = place
    // Reading must not hold the index lock when the user needs it.
    this.#git = new Git(git.cwd, { ...git.env, GIT_OPTIONAL_LOCKS: '0' })
  }

  async differing(): Promise<DifferingFile[]> {
    // A file that was staged and deleted is neither in HEAD nor in the worktree. A name that ends with a slash is a
    // separate repository, often a worktree.
    const found = worktreeStatus(this.#git).filter(
      ({ code, path }) => code !== 'AD' && !path.endsWith('/'),
    )
    // Once a file is out of the index, git ignores it like any other file.
    const gone = found.flatMap(({ code, path }) => (code.startsWith('D') ? [path] : []))
    const ignored = new Set(await this.ignored(gone))
    const files = new Map(
      found.map(({ code, path }) => [path, { path, isNew: code === '??' || code === ' A' }]),
    )
    return [...files.values()].filter(({ path }) => !ignored.has(path))
  }

  async ignored(paths: readonly ByteName[]): Promise<ByteName[]> {
    // git would fail on a path behind a link or in a submodule.
    const plain = paths.filter((path) => this.#isReachable(path))
    if (plain.length === 0) return []
    const args = ['check-ignore', '-z', '--stdin']
    return splitNul((await this.#git.run(args, { input: nulTerminated(plain) })).stdout)
  }

  async look(paths: readonly ByteName[]): Promise<(number | undefined)[]> {
    return paths.map((path) => this.#look(path))
  }

  async changedSince(paths: readonly ByteName[], millis: number): Promise<ByteName[]> {
    return paths.filter((path) => this.#changedAt(path) > millis - TICK)
  }

  async take(paths: readonly ByteName[]): Promise<TakenFiles> {
    const folder = this.#newFolder()
    const dispose = () => rmSync(folder, { recursive: true, force: true })
    try {
      const git = this.#scratch(folder)
      const files = paths.length === 0 ? [] : this.#store(git, paths)
      return { files, dispose, contents: async (oids) => contentsOf(git, oids) }
    } catch (error) {
      dispose()
      throw error
    }
  }

  /** Next to what is kept, where nobody else looks; what a killed process left is removed after an hour. */
  #newFolder(): string {
    const folder = join(this.#place.commonDir, 'ledger-git', 'scratch')
    return orUnwritable(folder, () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const path of readdirSync(folder).map((name) => join(folder, name)))
        if (isLeft(path)) rmSync(path, { recursive: true, force: true })
      return mkdtempSync(join(folder, `_${process.pid}-`))
    })
  }

  /** git with a temporary index and a temporary object folder. */
  #scratch(folder: string): Git {
    const { gitDir, commonDir } = this.#place
    const copy = join(folder, 'index')
    mkdirSync(join(folder, 'objects'))
    copyIndex(this.#own('GIT_INDEX_FILE', join(gitDir, 'index')), copy)
    const others = this.#git.env['GIT_ALTERNATE_OBJECT_DIRECTORIES']
    // A path with a colon or a quote needs git's quoting.
    const objects = JSON.stringify(this.#own('GIT_OBJECT_DIRECTORY', join(commonDir, 'objects')))
    return new Git(this.#git.cwd, {
      ...this.#git.env,
      GIT_INDEX_FILE: copy,
      GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: others ? `${objects}${delimiter}${others}` : objects,
    })
  }

  /** Where git has its index or its objects: the path in the variable, else the usual one. */
  #own(variable: string, usual: string): string {
    return resolve(this.#git.cwd, this.#git.env[variable] ?? usual)
  }

  #store(git: Git, paths: readonly ByteName[]): (StoredFile | undefined)[] {
    const seen = paths.filter((path) => this.#look(path) !== undefined)
    const options = ['--add', '--remove', '--replace', '--ignore-skip-worktree-entries']
    const update = (some: readonly ByteName[]) =>
      git.runNow(['update-index', ...options, '-z', '--stdin'], { input: nulTerminated(some) })
        .status === 0
    // One unreadable file makes git fail for all of them.
    const read = update(seen) ? seen : seen.filter((path) => update([path]))
    const entries = listEntries(git, read)
    return paths.map((path) => entries.get(path))
  }

  #look(path: ByteName): number | undefined {
    if (!this.#isReachable(path)) return undefined
    const found = ifThere(() => lstatSync(this.#absolute(path)))
    if (found?.isFile() || found?.isSymbolicLink()) return found.size
    return found?.isDirectory() && this.#isRepository(path) ? 0 : undefined
  }

  #changedAt(path: ByteName): number {
    const found = attempt(() => lstatSync(this.#absolute(path)))
    // Unlike the modification time, this also changes when a file is moved here.
    if (found !== undefined || path === '') return found?.ctimeMs ?? 0
    return this.#changedAt(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
  }

  /** False behind a link, in another repository, and below something that is not a folder. */
  #isReachable(path: ByteName): boolean {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      const found = ifThere(() => lstatSync(this.#absolute(folder)))
      if (found === undefined) return true // nothing exists there
      if (!found.isDirectory() || this.#isRepository(folder)) return false
    }
    return true
  }

  #isRepository(folder: ByteName): boolean {
    return existsSync(this.#absolute(`${folder}/.git`))
  }

  #absolute(path: ByteName): Buffer {
    return bytePath(this.#git.cwd, path)
  }
}

/** The number of paths that fit into one command line. */
const FEW = 200

function listEntries(git: Git, paths: readonly ByteName[]): Map<ByteName, StoredFile> {
  const asked = new Set(paths)
  // Names that are not UTF-8 cannot be arguments of a command here.
  const isPlain = paths.length <= FEW && paths.every((path) => /^[ -~]*$/.test(path))
  const some = isPlain ? ['--', ...paths] : []
  const listed = git.runNow(['--literal-pathspecs', 'ls-files', '-s', '-z', ...some]).stdout
  const entries = new Map<ByteName, StoredFile>()
  for (const line of paths.length === 0 ? [] : splitNul(listed)) {
    const match = /^0?(\d+) ([0-9a-f]+) 0\t(.*)$/s.exec(line)
    const [, mode = '', oid = '', path = ''] = match ?? []
    if (match !== null && asked.has(path)) entries.set(path, { mode, oid })
  }
  return entries
}

async function contentsOf(git: Git, oids: readonly string[]): Promise<(Uint8Array | undefined)[]> {
  if (oids.length === 0) return []
  const input = oids.map((oid) => `${oid === '' ? 'none' : oid}\n`).join('')
  const output = await git.output(['cat-file', '--batch'], { input })
  const objects = readBatch(output) ?? []
  return objects.map((object) => (object?.type === 'blob' ? object.content : undefined))
}

function nulTerminated(paths: readonly ByteName[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}
