/** Whether git can work in a worktree at all: by its files, as git itself may not notice. */

import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { WorktreeDamage } from '../../app/setup/setup.ts'
import type { ObjectFormat } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { attempt, isMissing, readRegularFile } from '../files/files.ts'

/** `path`: as git lists it. `isMain`: all others were added to it. */
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
    const message = `${lead}: its HEAD says nothing; once that is mended: git switch to its branch`
    return { message, command: `printf '%s\\n' ${lastCommit(gitDir)} >${shellWord(head)}` }
  }
  const index = join(gitDir, 'index')
  if (!isDamaged(index, format)) return undefined
  const file = shellWord(index)
  const command = `mv ${file} ${shellWord(`${index}.damaged`)} && git -C ${shellWord(path)} reset`
  return { message: `${lead}: its index is damaged`, command }
}

/** A folder that may not be looked into, or whose file system does not answer, is not gone. */
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

/** What git takes for one. A loss of power leaves it empty, or full of zeros. */
const HEAD = /^(?:ref:\s*refs\/|[0-9a-f]{40})/

/** Where HEAD was when git last moved it; where nobody kept that, what a person has to fill in. */
function lastCommit(gitDir: string): string {
  const log = attempt(() => readRegularFile(join(gitDir, 'logs', 'HEAD')))?.toString('latin1') ?? ''
  const moves = [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)]
  return moves.at(-1)?.[1] ?? "'ref: refs/heads/BRANCH'"
}

/** One stands in a linked worktree that git still looks for at `path`, where a plain `mv` took it away. */
export function isMovedHere(path: string, { top, gitDir, commonDir }: Place): boolean {
  if (top === undefined || gitDir === commonDir) return false
  const listed = dirname(resolve(gitDir, firstLine(join(gitDir, 'gitdir'))))
  return resolve(path) === listed && !existsSync(join(listed, '.git'))
}

/** Until that is mended, `git worktree prune` deletes what git knows of it. */
function moved(path: string, { top = path }: Place): WorktreeDamage {
  const message = `git looks for ${basename(top)} where it was before it was moved`
  return { message, command: `git worktree repair ${shellWord(top)}` }
}

export function worktreeGitDir(path: string, isMain: boolean, commonDir: string): string {
  return isMain ? commonDir : resolve(path, firstLine(join(path, '.git')).replace(/^gitdir: /, ''))
}

/** Follows links, and opens no pipe, which would wait for a writer. */
export function firstLine(path: string): string {
  const text = attempt(() => (statSync(path).isFile() ? readFileSync(path, 'utf8') : ''))
  return text?.replace(/\n[^]*/, '') ?? ''
}

/** Of one that was cut off git reads zeros past its end; the hash that ends the file tells, if it has one. */
function isDamaged(index: string, format: ObjectFormat): boolean {
  const bytes = attempt(() => readRegularFile(index))
  if (bytes === undefined) return false
  const length = format === 'sha256' ? 32 : 20
  const [content, end] = [bytes.subarray(0, -length), bytes.subarray(-length)]
  if (content.length < HEADER_LENGTH || content.toString('latin1', 0, 4) !== 'DIRC') return true
  return end.some((byte) => byte !== 0) && !createHash(format).update(content).digest().equals(end)
}

const HEADER_LENGTH = 12
