/** `FleetPort`: worktrees and branches as git lists them, and files of any worktree as they are on disk. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FleetPort, ListedWorktree } from '../../app/fleet/fleet-context.ts'
import type { Place } from '../../app/ports.ts'
import { isNullOid } from '../../core/git/objects.ts'
import { bytePath, ifThere, readRegularFile } from '../files/files.ts'
import { elsewhere, Git } from '../process/exec.ts'
import { GitIndex } from './git-index.ts'
import type { WorktreeRecord } from './list-worktrees.ts'
import { listWorktrees } from './list-worktrees.ts'
import {
  firstLine,
  isAbsent,
  isFolder,
  isMovedHere,
  worktreeDamage,
  worktreeGitDir,
} from './worktree-damage.ts'

export function gitFleet(git: Git, place: Place): FleetPort {
  const gitOf = (top: string) => new Git(top, elsewhere(git.env))
  return {
    worktrees: async () =>
      (await listWorktrees(git)).flatMap((record, i) =>
        record.isBare ? [] : lookAt(record, i === 0, place),
      ),
    branches: async () => {
      const format = '--format=%(refname:lstrip=2) %(objectname)'
      const lines = await git.text(['for-each-ref', '--sort=-committerdate', format, 'refs/heads'])
      return lines.split('\n').flatMap((line) => {
        const [name = '', head = ''] = line.split(' ')
        return head === '' ? [] : { name, head }
      })
    },
    unmerged: async (commit) => {
      const args = ['for-each-ref', `--no-merged=${commit}`, '--format=%(refname:lstrip=2)']
      return new Set((await git.text([...args, 'refs/heads'])).split('\n'))
    },
    distance: async (from, to) => {
      const args = ['rev-list', '--left-right', '--count', `${from}...${to}`, '--']
      const [behind = '', ahead = ''] = (await git.text(args)).split('\t')
      return { ahead: Number(ahead), behind: Number(behind) }
    },
    names: (folder) => ifThere(() => readdirSync(folder, { encoding: 'latin1' })) ?? [],
    bytes: (folder, name) => readRegularFile(bytePath(folder, name)),
    isLeftOut: (top, path) => {
      const args = ['--literal-pathspecs', 'ls-files', '-t', '--', path]
      const { status, stdout } = gitOf(top).runNow(args)
      return status === 0 ? stdout.toString('latin1').startsWith('S ') : undefined
    },
    index: (top) => new GitIndex(gitOf(top)),
  }
}

function lookAt(record: WorktreeRecord, isMain: boolean, place: Place): ListedWorktree {
  const { head, branch, locked } = record
  // If the git folder is elsewhere, git lists that folder instead of the worktree.
  const isHere = isMain && place.gitDir === place.commonDir
  const isMoved = !isMain && isMovedHere(record.path, place)
  const path = (isHere || isMoved ? place.top : undefined) ?? record.path
  const gitDir = worktreeGitDir(path, isMain, place.commonDir)
  // A linked worktree without its .git file can still be repaired, and pruning it would lose its index.
  const isGone = isMain ? isAbsent(path) : isAbsent(join(path, '.git')) && !isFolder(path)
  return {
    path,
    head: head === undefined || isNullOid(head) ? undefined : head,
    branch: branch?.replace(/^refs\/heads\//, '') ?? branchInProgress(gitDir),
    isMain,
    isGone,
    underWay: IN_PROGRESS.find(([file]) => existsSync(join(gitDir, file)))?.[1],
    locked,
    damage: isGone ? undefined : worktreeDamage(isMoved ? record.path : path, isMain, place),
  }
}

/** Operations in progress, by what is in the git folder until they are over. */
const IN_PROGRESS: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'rebasing'],
  ['rebase-apply/applying', 'applying patches'],
  ['rebase-apply', 'rebasing'],
  ['CHERRY_PICK_HEAD', 'cherry-picking'],
  ['REVERT_HEAD', 'reverting'],
  ['MERGE_HEAD', 'merging'],
  ['BISECT_LOG', 'bisecting'],
]

/** The branch of an operation in progress. HEAD is detached until it ends; then the branch moves or is checked out. */
function branchInProgress(gitDir: string): string | undefined {
  const names = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']
  const name = names.map((file) => firstLine(join(gitDir, file))).find((text) => text !== '')
  const isBranch = name !== undefined && name !== 'detached HEAD' && !/^[0-9a-f]{40,}$/.test(name)
  return isBranch ? name.replace(/^refs\/heads\//, '') : undefined
}
