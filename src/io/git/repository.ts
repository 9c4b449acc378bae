/** One repository, seen from one worktree (or bare). */

import type { PersonalValue } from '../../core/settings/personal-value.ts'
import type {
  IndexChange,
  IndexPort,
  ObjectWriter,
  Place,
  RepositoryPort,
  RevisionReader,
} from '../../app/ports.ts'
import type { MergeText } from '../../app/ports/merge-text.ts'
import type { CommitPort, HistoryPort, MarkStore } from '../../app/ports/history.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { encodeTree } from '../../core/git/objects.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { discover } from './discover.ts'
import { Git } from '../process/exec.ts'
import { gitCommits } from './git-commits.ts'
import { gitHistory } from './git-history.ts'
import { GitIndex } from './git-index.ts'
import { GitWorktree } from './git-worktree.ts'
import { changeIndexFile, prepareIndexFile, removeDeadIndexLock } from './index-change.ts'
import { markFiles } from './mark-files.ts'
import { openTextMerge } from './text-merge.ts'
import { gitObjectWriter } from '../objects/object-writer.ts'
import { openBatchReader } from '../objects/open-reader.ts'

export class Repository implements RepositoryPort {
  readonly place: Place
  /** Runs at the top of the worktree, or in the git folder of a bare repository. */
  readonly git: Git
  readonly index: GitIndex
  readonly worktree: GitWorktree
  readonly history: HistoryPort
  readonly commits: CommitPort
  readonly marks: MarkStore
  readonly objects: RevisionReader
  readonly writer: ObjectWriter

  constructor(git: Git, place: Place, openReader: OpenReader = openBatchReader) {
    this.place = place
    this.git = git
    this.index = new GitIndex(git)
    this.worktree = new GitWorktree(git)
    this.history = gitHistory(git, place)
    this.commits = gitCommits(git, place)
    this.marks = markFiles(place.gitDir)
    this.objects = openReader(git, place)
    this.writer = gitObjectWriter(git, place.format)
  }

  get indexFile(): string | undefined {
    const file = this.git.env['GIT_INDEX_FILE']
    return file === join(this.place.gitDir, 'index') ? undefined : file
  }

  get isSparse(): boolean {
    return existsSync(join(this.place.gitDir, 'info/sparse-checkout'))
  }

  get isCommitIndex(): boolean {
    return this.indexFile?.endsWith('.lock') === true
  }

  withOwnIndex(): Repository {
    return this.indexFile === undefined ? this : this.#withIndex(undefined)
  }

  async changeIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T> {
    // git made this index for one commit, and holds the real one until that commit is made.
    if (this.isCommitIndex) return action(this)
    return changeIndexFile(...this.#index(), (copy) => action(this.#withIndex(copy)))
  }

  async prepareIndex(action: (index: IndexPort) => Promise<void>): Promise<IndexChange> {
    return prepareIndexFile(...this.#index(), (copy) => action(this.#withIndex(copy).index))
  }

  async withHeadIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T> {
    const file = `${this.#index()[1]}-${randomBytes(4).toString('hex')}`
    try {
      const repository = this.#withIndex(file)
      await repository.git.output(['read-tree', 'HEAD'])
      return await action(repository)
    } finally {
      for (const path of [file, `${file}.lock`]) rmSync(path, { force: true })
    }
  }

  /** The index's file, and the beginning of the names of its copies. */
  #index(): [string, string] {
    const { gitDir } = this.place
    const file = this.indexFile ?? join(gitDir, 'index')
    return [file, join(gitDir, `ledger-git-index-${process.pid}`)]
  }

  clearDeadLock(): void {
    removeDeadIndexLock(join(this.place.gitDir, 'index.lock'))
  }

  #withIndex(file: string | undefined): Repository {
    const git = new Git(this.git.cwd, { ...this.git.env, GIT_INDEX_FILE: file })
    return new Repository(git, this.place, () => this.objects)
  }

  async writeBlob(content: string | Uint8Array): Promise<string> {
    const [oid = ''] = this.writer.blobs([content])
    this.writer.flush()
    return oid
  }

  async writeTree(entries: readonly TreeEntry[]): Promise<string> {
    // Unchecked, as its sides are: git checks new trees, since 2.40 as strictly as fsck does.
    const args = ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin']
    return this.git.text(args, { input: encodeTree(entries) })
  }

  async mergeBases(a: string, b: string): Promise<string[]> {
    const result = await this.git.run(['merge-base', '--all', a, b])
    return result.status === 0 ? result.stdout.toString('utf8').trim().split('\n') : []
  }

  async config(key: string): Promise<string | undefined> {
    return this.git.query(['config', '--get', key])
  }

  async personalConfig(key: string): Promise<PersonalValue | undefined> {
    const { readPersonalConfig } = await import('./personal-config.ts')
    return readPersonalConfig(this.git, this.place.commonDir, key)
  }

  async configs(keys: readonly string[]): Promise<(string | undefined)[]> {
    const values = new Map<string, string>()
    for (const entry of (await this.git.text(['config', '--list', '-z'])).split('\0')) {
      const [key = '', ...value] = entry.split('\n')
      values.set(key, value.join('\n'))
    }
    return keys.map((key) => values.get(key.toLowerCase()))
  }

  async attribute(name: string, ...paths: readonly string[]): Promise<string[]> {
    const words = (await this.git.text(['check-attr', '-z', name, '--', ...paths])).split('\0')
    return paths.map((_, i) => words[3 * i + 2] ?? 'unspecified')
  }

  readonly mergeText: MergeText = (sides) => openTextMerge(this.git)(sides)

  close(): void {
    this.objects.close()
  }
}

/** Chooses a reader. By default git reads, which loads the least code. */
export type OpenReader = (git: Git, place: Place) => RevisionReader

/** Opens the repository around `cwd`. */
export async function openRepository(
  cwd: string,
  env: NodeJS.ProcessEnv,
  openReader?: OpenReader,
): Promise<Repository> {
  const asked = new Git(cwd, env)
  const place = await discover(asked)
  const git = new Git(place.top ?? place.gitDir, absoluteEnvironment(env, place, cwd))
  return new Repository(git, place, openReader)
}

/** Relative paths in git's variables are relative to the old folder: make them absolute. */
function absoluteEnvironment(env: NodeJS.ProcessEnv, place: Place, cwd: string): NodeJS.ProcessEnv {
  const result = { ...env }
  if (env['GIT_DIR'] !== undefined) result['GIT_DIR'] = place.gitDir
  if (env['GIT_WORK_TREE'] !== undefined && place.top !== undefined) {
    result['GIT_WORK_TREE'] = place.top
  }
  const index = env['GIT_INDEX_FILE']
  if (index !== undefined && !index.startsWith('/')) result['GIT_INDEX_FILE'] = `${cwd}/${index}`
  return result
}
