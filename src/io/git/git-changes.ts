/** What changed between commits, trees and the index; which commits contain a text. */

import type { ChangesPort } from '../../app/shadow/git-ports.ts'
import type { FileChange } from '../../core/checkpoint/condensation.ts'
import { changedLines } from '../../core/context/changed-lines.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isNullOid, nameToText } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'
import { LOG, splitNul } from '../process/exec.ts'

/** How far back to look: moves of HEAD, and commits above its base. */
const MAX_MOVES = 200
const MAX_COMMITS = 10_000

export function gitChanges(git: Git): ChangesPort {
  const changes = async (command: readonly string[], ...trees: readonly string[]) => {
    // A rename counts as one removed and one added file, whatever the user's settings are.
    const options = ['--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
    const fields = splitNul(await git.output([...command, ...options, ...trees]))
    const found: FileChange[] = []
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [, , before = '', after = '', status] = (fields[at] ?? '').split(' ')
      // Unmerged paths are listed twice; the other line has the content.
      if (status === 'U') continue
      found.push({
        path: nameToText(fields[at + 1] ?? ''),
        before: isNullOid(before) ? undefined : before,
        after: isNullOid(after) ? undefined : after,
      })
    }
    return found
  }
  return {
    // A file that `git add -N` announced is in no commit of this index.
    ofIndex: (tree) => changes(['diff-index', '--cached', '--ita-invisible-in-index'], tree),
    between: (from, to) => changes(['diff-tree', '-r'], from, to),
    saying: async (text, base) => {
      const words = [...LOG, '--format=%H', '--fixed-strings', `--grep=${text}`]
      const where = ['HEAD', '--branches', ...(base === undefined ? [] : ['--not', base])]
      // Before the first commit, or if the base is gone, nothing is found.
      return git.lines([...words, ...where, '--'])
    },
    isOnRemote: async (commit) => {
      const args = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes']
      return (await git.lines(args)).length > 0
    },
    status: async () =>
      worktreeStatus(git).map(({ code, path }) => ({ code, path: nameToText(path) })),
    linesAtWork: async (paths) => {
      if (paths.length === 0) return new Map()
      const diff = ['--literal-pathspecs', '-c', 'core.quotePath=false', 'diff', '--unified=0']
      const options = ['--no-color', '--no-ext-diff', '--no-renames', '--no-relative']
      const what = ['--src-prefix=a/', '--dst-prefix=b/', 'HEAD', '--', ...paths]
      const { status, stdout } = await git.run([...diff, ...options, ...what])
      return status === 0 ? changedLines(stdout.toString('utf8')) : new Map()
    },
    committedSince: async (base) => {
      const log = [...LOG, '--walk-reflogs', `--max-count=${MAX_MOVES}`, '--format=%H %gs']
      const moves = await git.lines([...log, 'HEAD', '--'])
      const end = moves.findIndex((move) => move.split(' ', 1)[0] === base)
      // HEAD never was at `base`, as far as is known, so it is not known what came since.
      if (base !== undefined && end === -1) return []
      const made = moves.slice(0, base === undefined ? undefined : end).flatMap((move) => {
        const [, commit] = /^([0-9a-f]+) commit(?: \((?:initial|amend)\))?: /.exec(move) ?? []
        return commit ?? []
      })
      if (made.length === 0) return []
      const not = base === undefined ? [] : ['--not', base]
      const there = await git.text(['rev-list', `--max-count=${MAX_COMMITS}`, 'HEAD', ...not, '--'])
      const held = new Set(there.split('\n'))
      return [...new Set(made)].filter((commit) => held.has(commit)).toReversed()
    },
  }
}

/** What differs from HEAD, as `git status --short` reports it; untracked files one by one. */
export function worktreeStatus(git: Git): { readonly code: string; readonly path: ByteName }[] {
  // Changed files inside a submodule are its own business; a different commit of the submodule is a change.
  const options = ['--untracked-files=all', '--no-renames', '--ignore-submodules=dirty']
  const lines = splitNul(git.outputNow(['status', '--porcelain=v1', '-z', ...options]))
  return lines.map((line) => ({ code: line.slice(0, 2), path: line.slice(3) }))
}
