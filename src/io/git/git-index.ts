/** The index, through git alone: formats, locks, sparse folders and `GIT_INDEX_FILE` are left to git. */

import type { FileChange, IndexEntry, IndexPort, ListedFiles } from '../../app/ports.ts'
import type { Blobs } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'
import { splitNul } from '../process/exec.ts'

/** Newer gits print advice when an index that lists whole folders has to list files again. */
const QUIET = ['-c', 'advice.sparseIndexExpanded=false']

const UNTRACKED = ['-o', '--exclude-standard']

export class GitIndex implements IndexPort {
  readonly #git: Git

  constructor(git: Git) {
    this.#git = git
  }

  async list(...paths: readonly string[]): Promise<IndexEntry[]> {
    return (await this.#look(['-s'], paths)).entries
  }

  async listAll(...paths: readonly string[]): Promise<ListedFiles> {
    return this.#look(['-s', ...UNTRACKED], paths, (args) => this.#git.outputInParallel(args))
  }

  async untracked(folder: string): Promise<ByteName[]> {
    return (await this.#look(UNTRACKED, [folder])).untracked
  }

  /** `-s`: the index; `-o`: files that are not in it. */
  async #look(
    options: readonly string[],
    paths: readonly string[],
    ask = (args: readonly string[]) => this.#git.output(args),
  ): Promise<ListedFiles> {
    // -t tells which entries are outside a sparse checkout, and which the worktree has changed (-m).
    const args = ['--literal-pathspecs', 'ls-files', ...options, '-m', '-t', '-z', '--', ...paths]
    const lines = splitNul(await ask(args))
    const entries = lines.flatMap((line) => (/^[C?]/.test(line) ? [] : entryOf(line)))
    const untracked = lines.flatMap((line) => (line.startsWith('? ') ? [line.slice(2)] : []))
    // After `git add -N`, a file that no commit of this index will have is listed as changed.
    if (!lines.some((line) => line.startsWith('C '))) return { entries, untracked }
    const intended = await intendedPaths(this.#git, paths)
    const names = new Set(intended)
    return {
      entries: entries.filter(({ path }) => !names.has(path)),
      untracked: [...untracked, ...intended],
    }
  }

  async saying(words: string, folder: string): Promise<ReadonlySet<ByteName> | undefined> {
    const args = ['grep', '--cached', '-F', '-l', '-z', '--no-color', '-e', words, '--', folder]
    const { status, stdout } = await this.#git.runInParallel(['--literal-pathspecs', ...args])
    return status > 1 ? undefined : new Set(splitNul(stdout))
  }

  async blobs(...paths: readonly string[]): Promise<Blobs> {
    const merged = (await this.list(...paths)).filter(({ stage }) => stage === 0)
    return new Map(
      merged.map(({ path, mode, oid, skipWorktree }) => [path, { mode, oid, skipWorktree }]),
    )
  }

  async change(entries: Parameters<IndexPort['change']>[0]): Promise<void> {
    const removed = entries.flatMap(({ path, after }) => (after === undefined ? [path] : []))
    await this.#update(['--force-remove', '--stdin'], removed)
    const put = entries.flatMap(({ path, after }) =>
      after === undefined ? [] : { path, ...after },
    )
    const lines = put.map(({ mode, oid, path }) => `${mode} ${oid} 0\t${path}`)
    await this.#update(['--index-info'], lines)
    // --index-info clears the flag; without it a sparse worktree would show the file as deleted.
    const sparse = put.filter(({ skipWorktree }) => skipWorktree === true)
    await this.#update(
      ['--skip-worktree', '--stdin'],
      sparse.map(({ path }) => path),
    )
  }

  async addFiles(paths: readonly ByteName[]): Promise<void> {
    await this.#update(['--add', '--stdin'], paths)
  }

  async #update(options: readonly string[], lines: readonly ByteName[]): Promise<void> {
    if (lines.length === 0) return
    const input = Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1')
    await this.#git.output([...QUIET, 'update-index', '-z', ...options], { input })
  }

  async equalsHead(...paths: readonly string[]): Promise<boolean> {
    const args = ['--literal-pathspecs', 'diff-index', '--cached', '--quiet', 'HEAD', '--']
    return (await this.#git.run([...args, ...paths])).status === 0
  }

  async changes(folder: string): Promise<FileChange[]> {
    // No lock is taken, which `status` would need only to refresh the index.
    const args = ['--no-optional-locks', '--literal-pathspecs', 'status', '--porcelain', '-z']
    const more = ['--untracked-files=no', '--no-renames', '--ignore-submodules=all', '--', folder]
    return splitNul(await this.#git.outputInParallel([...args, ...more])).flatMap((line) => {
      const [inIndex = '', inWorktree = ''] = line
      if (/U|AA|DD/.test(inIndex + inWorktree)) return []
      const [isStaged, isEdited] = ['MAT'.includes(inIndex), 'MT'.includes(inWorktree)]
      return isStaged || isEdited ? { path: line.slice(3), isStaged, isEdited } : []
    })
  }

  async differsFromHead(): Promise<boolean> {
    return (await this.#git.run(['diff', '--cached', '--quiet', '--no-ext-diff'])).status !== 0
  }

  async refresh(...paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    // Best effort: without it git only compares the content once more.
    await this.#git.run(['--literal-pathspecs', 'add', '--refresh', '--', ...paths])
  }

  async writeTree(): Promise<string> {
    return this.#git.text(['write-tree'])
  }
}

function entryOf(line: string): IndexEntry {
  const match = /^(.) 0?(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line)
  if (match === null) throw new Error(`unexpected git ls-files line: ${line}`)
  const [, tag = '', mode = '', oid = '', stage = '', path = ''] = match
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { mode, oid, path, name, stage: Number(stage), skipWorktree: tag === 'S' }
}

/** Paths that `git add -N` announced: in the index, in no tree yet. */
async function intendedPaths(git: Git, paths: readonly string[]): Promise<ByteName[]> {
  const args = ['diff-files', '--diff-filter=A', '--name-only', '-z', '--', ...paths]
  const result = await git.run(['--literal-pathspecs', ...args])
  return result.status === 0 ? splitNul(result.stdout) : []
}
