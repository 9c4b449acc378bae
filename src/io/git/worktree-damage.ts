/** Whether git can work in a worktree at all. The files are examined, since git itself may not notice. */

import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { WorktreeDamage } from '../../app/setup/setup.ts'
import type { ObjectFormat } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { attempt, isMissing, readRegularFile } from '../files/files.ts'

/** `path`: as git lists it. `isMain`: it is the worktree that all others were added to. */
export function worktreeDamage(
  path: string,
  isMain: boolean,
  place: Place,
): WorktreeDamage | undefined {
  const { commonDir, format } = place
  const lead = `git cannot work in ${basename(path)}`
  if (attempt(() => lstatSync(join(path, '.git'))) === undefined) {
    if (isMovedHere(path, place)) return moved(path, place)
    if (isMain || !isFolder(path) || !isAbsent(join(path, '.git'))) return undefined
    return { message: `${lead}: its .git file is missing`, command: 'git worktree repair' }
  }
  const gitDir = worktreeGitDir(path, isMain, commonDir)
  const head = join(gitDir, 'HEAD')
  if (!existsSync(head)) {
    const message = `${lead}: its .git file does not lead to the repository`
    return { message, command: 'git worktree repair' }
  }
  if (!HEAD.test(firstLine(head))) {
    const message = `${lead}: its HEAD names nothing; once that is fixed: git switch to its branch`
    return { message, command: `printf '%s\\n' ${lastCommit(gitDir)} >${shellWord(head)}` }
  }
  const index = join(gitDir, 'index')
  if (!isDamaged(index, format)) return undefined
  const file = shellWord(index)
  const command = `mv ${file} ${shellWord(`${index}.damaged`)} && git -C ${shellWord(path)} reset`
  return { message: `${lead}: its index is damaged`, command }
}

/** Nothing is there. A folder that cannot be read, or whose file system does not answer, is not gone. */
export function isAbsent(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    return isMissing(error)
  }
}

export function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) === true
}

/** What git accepts as HEAD. A power failure leaves it empty, or full of zeros. */
const HEAD = /^(?:ref:\s*refs\/|[0-9a-f]{40})/

/** The commit that HEAD was last moved to; if that was not logged, a placeholder for a person to fill in. */
function lastCommit(gitDir: string): string {
  const log = attempt(() => readRegularFile(join(gitDir, 'logs', 'HEAD')))?.toString('latin1') ?? ''
  const moves = [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)]
  return moves.at(-1)?.[1] ?? "'ref: refs/heads/BRANCH'"
}

/** We are in a linked worktree that git still looks for at `path`, from where a plain `mv` moved it. */
export function isMovedHere(path: string, { top, gitDir, commonDir }: Place): boolean {
  if (top === undefined || gitDir === commonDir) return false
  const listed = dirname(resolve(gitDir, firstLine(join(gitDir, 'gitdir'))))
  return resolve(path) === listed && !existsSync(join(listed, '.git'))
}

/** Until that is repaired, `git worktree prune` deletes what git knows of the worktree. */
function moved(path: string, { top = path }: Place): WorktreeDamage {
  const message = `git looks for ${basename(top)} where it was before it was moved`
  return { message, command: `git worktree repair ${shellWord(top)}` }
}

export function worktreeGitDir(path: string, isMain: boolean, commonDir: string): string {
  return isMain ? commonDir : resolve(path, firstLine(join(path, '.git')).replace(/^gitdir: /, ''))
}

/** The first line of a file, also through a link. Opens no pipe, which would wait for a writer. */
export function firstLine(path: string): string {
  const text = attempt(() => (statSync(path).isFile() ? readFileSync(path, 'utf8') : ''))
  return text?.replace(/\n[^]*/, '') ?? ''
}

/** git reads zeros past the end of a truncated index. The hash at the end of the file shows it, if there is one. */
function isDamaged(index: string, format: ObjectFormat): boolean {
  const bytes = attempt(() => readRegularFile(index))
  if (bytes === undefined) return false
  const length = format === 'sha256' ? 32 : 20
  const [content, end] = [bytes.subarray(0, -length), bytes.subarray(-length)]
  if (content.length < HEADER_LENGTH || content.toString('latin1', 0, 4) !== 'DIRC') return true
  return end.some((byte) => byte !== 0) && !createHash(format).update(content).digest().equals(end)
}

const HEADER_LENGTH = 12
