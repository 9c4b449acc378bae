/** Commits and refs, read through git. */

import { join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { CommitInfo, Head, HistoryPort } from '../../app/ports/history.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Blob } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { readTextIfAny } from '../files/files.ts'
import type { Git } from '../process/exec.ts'
import { LOG, splitNul } from '../process/exec.ts'

export function gitHistory(git: Git, place: GitDirs): HistoryPort {
  const head = async (): Promise<Head> => {
    const plain = headInFiles(place)
    if (plain !== undefined) return plain
    const result = await git.run(['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD'])
    const [oid = '', ref = ''] = result.stdout.toString('utf8').split('\n')
    if (result.status === 0) return { branch: ref === 'HEAD' ? undefined : branchName(ref), oid }
    // Before the first commit.
    const unborn = await git.query(['symbolic-ref', '--quiet', 'HEAD'])
    return { branch: unborn === undefined ? undefined : branchName(unborn), oid: undefined }
  }
  const branchesBelow = async (...folders: readonly string[]) => {
    const text = await git.text(['for-each-ref', '--format=%(refname:lstrip=2)', ...folders])
    return text.split('\n').filter((name) => name !== '')
  }
  /** The error for an unknown revision. A shallow clone, as CI makes it, may lack it. */
  const notHere = async (revision: string) => {
    const isShallow = (await git.query(['rev-parse', '--is-shallow-repository'])) === 'true'
    const next = isShallow ? 'git fetch --unshallow' : 'git log --oneline --all'
    const message = `${shellWord(revision)} does not name a commit of this repository`
    return new LedgerError('REVISION_UNKNOWN', message, next)
  }
  /** The same; before the first commit, HEAD names no commit. */
  const whyUnknown = async (revision: string) => {
    const { oid, branch = 'HEAD' } = await head()
    if (oid !== undefined || revision.replace(/[~^@].*/s, '') !== 'HEAD') return notHere(revision)
    const first = ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads']
    const other = await git.query(first)
    const isBare = (await git.query(['rev-parse', '--is-bare-repository'])) === 'true'
    const begin = isBare ? 'push a commit to it' : 'git commit'
    const next = other && isBare ? `git symbolic-ref HEAD ${other}` : begin
    const message = `there is no commit on ${branch} yet, so HEAD names none`
    return new LedgerError('REVISION_UNKNOWN', message, next)
  }
  return {
    head,
    blobsAt: async (revision, paths) => {
      if (paths.length === 0) return new Map()
      const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', revision, '--']
      const result = await git.run([...args, ...paths])
      const blobs = new Map<ByteName, Blob>()
      for (const line of result.status === 0 ? splitNul(result.stdout) : []) {
        const found = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line)
        const [, mode = '', oid = '', path = ''] = found ?? []
        if (path !== '') blobs.set(path, { mode, oid })
      }
      return blobs
    },
    lastMove: () => git.query([...LOG, '-g', '-1', '--format=%gs', 'HEAD', '--']),
    isMerging: async () => {
      // git finds MERGE_HEAD first if it exists; otherwise the name would mean a tag or branch.
      const args = ['-c', 'core.warnAmbiguousRefs=false', 'rev-parse', '--symbolic-full-name']
      return (await git.query([...args, 'MERGE_HEAD'])) === 'MERGE_HEAD'
    },
    resolve: async (revision) => {
      const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${revision}^{commit}`]
      const oid = await git.query(args)
      if (oid === undefined) throw await whyUnknown(revision)
      return oid
    },
    range: async (range) => {
      const result = await git.run(['rev-list', '--reverse', '--end-of-options', range, '--'])
      if (result.status !== 0) throw await notHere(range)
      return result.stdout.toString('utf8').split('\n').filter(Boolean)
    },
    unreachable: async (commits) => {
      const held = ['--not', '--exclude=refs/ledger/*', '--all']
      const result = await git.run(['rev-list', ...commits, ...held])
      if (result.status === 0) {
        const lost = new Set(result.stdout.toString('utf8').split('\n'))
        return commits.filter((commit) => lost.has(commit))
      }
      // A single commit that git has pruned makes the command fail.
      const found = ['rev-list', '--ignore-missing', ...commits]
      const there = await git.run([...found, '--no-walk'])
      if (there.status !== 0) return []
      const lost = new Set(await git.lines([...found, ...held]))
      const said = there.stdout.toString('utf8')
      return commits.filter((commit) => lost.has(commit) || !said.includes(commit))
    },
    reachable: async (paths) => {
      const found: ByteName[] = []
      // Full history: a stash keeps untracked files in a separate parent.
      const refs = ['--exclude=refs/ledger/*', '--all']
      const args = ['--literal-pathspecs', 'rev-list', '-1', ...refs, '--full-history', '--']
      for (const path of paths) {
        if ((await git.lines([...args, nameToText(path)])).length > 0) found.push(path)
      }
      return found
    },
    workSince: async (path) => {
      const last = await git.query(['--literal-pathspecs', ...LOG, '-1', '--format=%H', '--', path])
      const since = last === undefined || last === '' ? undefined : last
      const commits = since && (await git.query(['rev-list', '--count', `${since}..HEAD`, '--']))
      const [changed, untracked] = await Promise.all([
        git.run(['diff', '--name-only', '-z', '--no-ext-diff', since ?? 'HEAD', '--']),
        git.run(['ls-files', '-o', '-z', '--exclude-standard']),
      ])
      const names = [changed, untracked].flatMap(({ status, stdout }) =>
        status === 0 ? stdout.toString('utf8').split('\0') : [],
      )
      const files = names.filter((name) => name !== '')
      return { commits: commits === undefined ? undefined : Number(commits), files }
    },
    additions: async (folder) => {
      // -m: an event may first appear in a merge commit. NUL-separated, so names stay bytes.
      const format = '--format=%x01%H%x02%s'
      const args = [...LOG, '-m', '--diff-filter=A', '--no-renames', '--name-only', '-z', format]
      const result = await git.run(['--literal-pathspecs', ...args, 'HEAD', '--', folder])
      const added = new Map<string, CommitInfo>()
      for (const block of result.stdout.toString('utf8').split('\u0001').slice(1)) {
        const [first = '', ...paths] = block.split('\0')
        const [oid = '', subject = ''] = first.split('\u0002')
        // Newest first: the oldest addition is the last one seen and wins.
        for (const path of paths) added.set(path.replace(/^\n/, ''), { oid, subject })
      }
      return added
    },
    beforeRebase: () => {
      // `git reset` within a rebase moves ORIG_HEAD.
      const oid = lineIn(join(place.gitDir, 'rebase-merge/orig-head'))
      return OID.test(oid) ? oid : 'ORIG_HEAD'
    },
    addedByMerges: async (range, folders) => {
      const args = [...LOG, '--merges', '-c', '--diff-filter=A', '--no-renames', '--name-only']
      const paths = ['-z', '--format=', range, '--', ...folders]
      const result = await git.run(['--literal-pathspecs', ...args, ...paths])
      return result.status === 0 ? splitNul(result.stdout).filter((path) => path !== '') : []
    },
    defaultBranch: async () => {
      const start = 'refs/remotes/origin/'
      const remote = await git.query(['symbolic-ref', '--quiet', `${start}HEAD`])
      if (remote?.startsWith(start) === true) return remote.slice(start.length)
      const configured = await git.query(['config', '--get', 'init.defaultBranch'])
      const { oid, branch } = await head()
      // The branches here, and on the remote that we fetch from.
      const listed = await branchesBelow('refs/heads', 'refs/remotes/origin')
      const names = listed.map((name) => name.replace(/^origin\//, ''))
      if (oid === undefined && branch !== undefined) names.push(branch)
      const known = [configured, 'main', 'master']
      return known.find((name) => name !== undefined && names.includes(name))
    },
    branchNames: () => branchesBelow('refs/heads', 'refs/remotes'),
    mergeTrees: async (ours, theirs, { ledger }) => {
      // A driver that reports a conflict at once.
      const off = ledger ? [] : ['-c', 'merge.ledger.driver=false']
      const args = ['merge-tree', '--write-tree', '--no-messages', '--name-only', '-z']
      const { stdout, status, stderr } = await git.run([...off, ...args, ours, theirs])
      const [tree, ...conflicts] = splitNul(stdout)
      return { tree, isClean: status === 0, conflicts, said: stderr }
    },
  }
}

type GitDirs = Pick<Place, 'gitDir' | 'commonDir'>

/** Reads HEAD if git keeps it and its branch in files, which is nearly always so. Undefined if git must be asked. */
function headInFiles({ gitDir, commonDir }: GitDirs): Head | undefined {
  const text = lineIn(join(gitDir, 'HEAD'))
  if (OID.test(text)) return { branch: undefined, oid: text }
  const ref = /^ref: (refs\/heads\/.+)$/.exec(text)?.[1]
  const oid = ref && lineIn(join(commonDir, ref))
  return ref && oid && OID.test(oid) ? { branch: branchName(ref), oid } : undefined
}

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The line in a file. Empty also for a link: older gits made HEAD one. */
function lineIn(file: string): string {
  return readTextIfAny(file)?.replace(/\n$/, '') ?? ''
}

function branchName(ref: string): string {
  return ref.replace(/^refs\/(?:heads\/)?/, '')
}
