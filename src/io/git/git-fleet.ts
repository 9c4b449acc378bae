/** `FleetPort`: worktrees and branches as git lists them, and files of any worktree as they lie there. */

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { FleetPort, ListedWorktree } from '../../app/fleet/fleet-context.ts'
import type { Place } from '../../app/ports.ts'
import { isNullOid } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { attempt, isMissing, readRegularFile } from '../files/files.ts'
import { Git } from '../process/exec.ts'
import { GitIndex } from './git-index.ts'

/** What would make git look at this worktree in place of another one. */
const OF_HERE = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_PREFIX: undefined,
}

export function gitFleet(git: Git, place: Place): FleetPort {
  const gitOf = (top: string) => new Git(top, { ...git.env, ...OF_HERE })
  return {
    worktrees: async () => {
      const listed = await git.run(['worktree', 'list', '--porcelain', '-z'])
      // Before 2.36 there are only lines; a path with a line break is then cut.
      const text =
        listed.status === 0
          ? listed.stdout.toString('utf8')
          : (await git.text(['worktree', 'list', '--porcelain'])).replaceAll('\n', '\0')
      return parseWorktrees(text, place)
    },
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
    names: (folder) => {
      try {
        return readdirSync(folder, { encoding: 'latin1' })
      } catch (error) {
        if (isNothing(error)) return []
        throw error
      }
    },
    bytes: (folder, name) =>
      readRegularFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])),
    isLeftOut: (top, path) => {
      const args = ['--literal-pathspecs', 'ls-files', '-t', '--', path]
      const { status, stdout } = gitOf(top).runNow(args)
      return status === 0 ? stdout.toString('latin1').startsWith('S ') : undefined
    },
    index: (top) => new GitIndex(gitOf(top)),
  }
}

/** Records of `git worktree list --porcelain -z`. A bare repository is none. */
function parseWorktrees(text: string, place: Place): ListedWorktree[] {
  const records = text.split('\0\0').filter((record) => record.startsWith('worktree '))
  return records.flatMap((record, i) => {
    const fields = new Map(
      record.split('\0').map((line): [string, string] => {
        const space = `${line} `.indexOf(' ')
        return [line.slice(0, space), line.slice(space + 1)]
      }),
    )
    if (fields.has('bare')) return []
    const head = fields.get('HEAD')
    const isMain = i === 0
    // With a git folder elsewhere, git lists that folder in place of the worktree.
    const isHere = isMain && place.gitDir === place.commonDir && place.top !== undefined
    const path = isHere ? (place.top ?? '') : (fields.get('worktree') ?? '')
    const gitDir = isMain ? place.commonDir : linkedGitDir(path)
    const isGone = isAbsent(isMain ? path : join(path, '.git'))
    return {
      path,
      head: head === undefined || isNullOid(head) ? undefined : head,
      branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? branchUnderWay(gitDir),
      isMain,
      isGone,
      underWay: UNDER_WAY.find(([file]) => existsSync(join(gitDir, file)))?.[1],
      locked: fields.get('locked'),
      damage: isMain || isGone ? undefined : damageOf(path, gitDir),
    }
  })
}

/** Of a linked worktree; the main one's is said by whatever is run there. */
function damageOf(path: string, gitDir: string): ListedWorktree['damage'] {
  if (attempt(() => lstatSync(join(path, '.git'))) === undefined) return undefined
  if (!existsSync(join(gitDir, 'HEAD'))) {
    const message = `git cannot work in ${basename(path)}: its .git file does not lead to the repository`
    return { message, command: 'git worktree repair' }
  }
  const index = join(gitDir, 'index')
  if (!existsSync(index) || startOf(index) === 'DIRC') return undefined
  const file = shellWord(index)
  const command = `mv ${file} ${shellWord(`${index}.damaged`)} && git -C ${shellWord(path)} reset`
  return { message: `git cannot work in ${basename(path)}: its index is damaged`, command }
}

function startOf(path: string): string | undefined {
  return attempt(() => readRegularFile(path)?.subarray(0, 4).toString('latin1'))
}

/** What git is in the middle of, by what lies in the git folder until it is over. */
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'rebasing'],
  ['rebase-apply/applying', 'applying patches'],
  ['rebase-apply', 'rebasing'],
  ['CHERRY_PICK_HEAD', 'cherry-picking'],
  ['REVERT_HEAD', 'reverting'],
  ['MERGE_HEAD', 'merging'],
  ['BISECT_LOG', 'bisecting'],
]

/** HEAD is detached meanwhile; the branch moves, or is checked out again, when it is over. */
function branchUnderWay(gitDir: string): string | undefined {
  const names = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']
  const name = names.map((file) => firstLine(join(gitDir, file))).find((text) => text !== '')
  const isBranch = name !== undefined && name !== 'detached HEAD' && !/^[0-9a-f]{40,}$/.test(name)
  return isBranch ? name.replace(/^refs\/heads\//, '') : undefined
}

function linkedGitDir(top: string): string {
  return resolve(top, firstLine(join(top, '.git')).replace(/^gitdir: /, ''))
}

/** Follows links, and opens no pipe, which would wait for a writer. */
function firstLine(path: string): string {
  const text = attempt(() => (statSync(path).isFile() ? readFileSync(path, 'utf8') : ''))
  return text?.replace(/\n[^]*/, '') ?? ''
}

/** A folder that may not be looked into, or whose file system does not answer, is not gone. */
function isAbsent(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    return isNothing(error)
  }
}

function isNothing(error: unknown): boolean {
  return isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR'
}
