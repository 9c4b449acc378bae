/** Commits and refs, read through git. */

import type { CommitInfo, Head, HistoryPort, MergeAnswer } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Blob } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'
import { splitNul } from '../process/exec.ts'

export class GitHistory implements HistoryPort {
  readonly #git: Git

  constructor(git: Git) {
    this.#git = git
  }

  async head(): Promise<Head> {
    const result = await this.#git.run([
      'rev-parse',
      'HEAD^{commit}',
      '--symbolic-full-name',
      'HEAD',
    ])
    const [oid = '', ref = ''] = result.stdout.toString('utf8').split('\n')
    if (result.status === 0) return { branch: ref === 'HEAD' ? undefined : branchName(ref), oid }
    // Before the first commit.
    const unborn = await this.#git.query(['symbolic-ref', '--quiet', 'HEAD'])
    return { branch: unborn === undefined ? undefined : branchName(unborn), oid: undefined }
  }

  async blobsAt(revision: string, paths: readonly string[]): Promise<Map<ByteName, Blob>> {
    if (paths.length === 0) return new Map()
    const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', revision, '--']
    const result = await this.#git.run([...args, ...paths])
    const blobs = new Map<ByteName, Blob>()
    for (const line of result.status === 0 ? splitNul(result.stdout) : []) {
      const [, mode = '', oid = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      if (path !== '') blobs.set(path, { mode, oid })
    }
    return blobs
  }

  async lastMove(): Promise<string | undefined> {
    return this.#git.query(['log', '-g', '-1', '--format=%gs', 'HEAD', '--'])
  }

  async resolve(revision: string): Promise<string> {
    const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${revision}^{commit}`]
    const oid = await this.#git.query(args)
    if (oid === undefined) throw await this.#unknown(revision)
    return oid
  }

  /** Without a commit no name leads to one. */
  async #unknown(revision: string): Promise<LedgerError> {
    const { oid, branch = 'HEAD' } = await this.head()
    if (oid !== undefined || revision.replace(/[~^@].*/s, '') !== 'HEAD') return unknown(revision)
    const other = await this.#git.query([
      'for-each-ref',
      '--count=1',
      '--format=%(refname)',
      'refs/heads',
    ])
    const isBare = (await this.#git.query(['rev-parse', '--is-bare-repository'])) === 'true'
    const first = isBare ? 'push a commit to it' : 'git commit'
    const next = other ? `git symbolic-ref HEAD ${other}` : first
    const message = `there is no commit on ${branch} yet, so HEAD names none`
    return new LedgerError('REVISION_UNKNOWN', message, isBare || !other ? next : first)
  }

  async range(range: string): Promise<string[]> {
    const result = await this.#git.run(['rev-list', '--reverse', '--end-of-options', range, '--'])
    if (result.status !== 0) throw unknown(range)
    return result.stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
  }

  async additions(folder: string): Promise<Map<string, CommitInfo>> {
    // -m: an event may first appear in a merge commit. NUL-separated, so names stay bytes.
    const format = '--format=%x01%H%x02%cI%x02%s'
    const args = ['log', '-m', '--diff-filter=A', '--no-renames', '--name-only', '-z', format]
    const result = await this.#git.run(['--literal-pathspecs', ...args, 'HEAD', '--', folder])
    const added = new Map<string, CommitInfo>()
    for (const block of result.stdout.toString('utf8').split('\u0001').slice(1)) {
      const [head = '', ...paths] = block.split('\0')
      const [oid = '', date = '', subject = ''] = head.split('\u0002')
      // Newest first: the oldest addition is the last one seen and wins.
      for (const path of paths) added.set(path.replace(/^\n/, ''), { oid, date, subject })
    }
    return added
  }

  async defaultBranch(): Promise<string | undefined> {
    const remote = await this.#git.query(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'])
    if (remote?.startsWith('refs/remotes/origin/') === true)
      return remote.slice('refs/remotes/origin/'.length)
    const configured = await this.#git.query(['config', '--get', 'init.defaultBranch'])
    const head = await this.head()
    const format = '--format=%(refname:lstrip=2)'
    const args = ['for-each-ref', format, 'refs/heads', 'refs/remotes/origin']
    // Here, or where we fetch from.
    const names = (await this.#git.text(args))
      .split('\n')
      .map((name) => name.replace(/^origin\//, ''))
    if (head.oid === undefined && head.branch !== undefined) names.push(head.branch)
    return [configured, 'main', 'master'].find((name) => name !== undefined && names.includes(name))
  }

  async mergeTrees(
    ours: string,
    theirs: string,
    { driver }: { driver: boolean },
  ): Promise<MergeAnswer> {
    const args = ['merge-tree', '--write-tree', '--no-messages', ours, theirs]
    const result = await this.#git.run(args, { env: driver ? {} : { LEDGER_GIT: '0' } })
    const tree = /^[0-9a-f]{40,64}/.exec(result.stdout.toString('utf8'))?.[0]
    return { tree, isClean: result.status === 0, said: result.stderr }
  }
}

function branchName(ref: string): string {
  return ref.replace(/^refs\/(?:heads\/)?/, '')
}

function unknown(revision: string): LedgerError {
  return new LedgerError(
    'REVISION_UNKNOWN',
    `${revision} does not name a commit of this repository`,
    'git log --oneline --all',
  )
}
