/**
 * Temporary files and folders that killed processes left, wherever ours lie. One goes when it is older than
 * an hour and its process, whose number its name holds, is gone: a living one's stays however old it is.
 */

import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../process/process-table.ts'
import { attempt } from './files.ts'

/** In milliseconds. */
const HOUR = 3_600_000

/** Names, with the number of the process as `pid`, or in base 36 as `pid36`. */
const FORMS = {
  /** `files.ts`: beside what it writes. */
  written: /^\.ledger-git-(?<pid>\d+)-\w+\.tmp$/,
  /** `cache-files.ts` */
  cached: /^\.(?<pid36>[0-9a-z]+)-[0-9a-z]+\.tmp$/,
  /** `git-commits.ts`, `index-change.ts`: beside the index of a worktree. */
  index: /^ledger-git-index-(?<pid>\d+)-\w+(?:\.lock|\.sign)?$/,
  /** `githooks/run`: the number is its shell's. */
  merge: /^merge-(?<pid>\d+)-/,
  /** `shadow-files.ts` */
  scratch: /^_(?:(?<pid>\d+)-)?\w+$/,
  /** `probes.ts` */
  doctor: /^ledger-git-doctor-(?:(?<pid>\d+)-)?\w{6}$/,
}

/** `folders`: others that files of ours are written into. */
export function findLeftBehind(commonDir: string, folders: readonly string[]): string[] {
  const own = `${commonDir}/ledger-git`
  const linked = names(`${commonDir}/worktrees`).map((name) => `${commonDir}/worktrees/${name}`)
  const inOwn = namesBelow(own).map((name) => `${own}/${name}`)
  const inCache = inOwn.filter((path) => path.startsWith(`${own}/cache/`))
  return [
    ...inOwn.filter((path) => isOf('written', path)),
    ...inCache.filter((path) => isOf('cached', path)),
    ...within(`${own}/cache`, 'merge'),
    ...within(`${own}/scratch`, 'scratch'),
    ...[commonDir, ...linked].flatMap((folder) => within(folder, 'index')),
    ...linked.flatMap((folder) => within(`${folder}/ledger-git/commits`, 'written')),
    ...within(tmpdir(), 'doctor').filter(isOwn),
    ...[...new Set([commonDir, `${commonDir}/info`, `${commonDir}/hooks`, ...folders])].flatMap(
      (folder) => within(folder, 'written'),
    ),
  ]
    .filter(isLeft)
    .toSorted()
}

/** Says what it removed; what another user left, that user has to remove. */
export function removeLeftBehind(commonDir: string, folders: readonly string[]): string[] {
  return findLeftBehind(commonDir, folders).filter((path) => {
    attempt(() => rmSync(path, { recursive: true, force: true }))
    return !existsSync(path)
  })
}

/** True for one of these names whose process is gone, an hour after it was last written to. */
export function isLeft(path: string): boolean {
  const { mtimeMs } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs === undefined) return false
  // A clock that was set back makes it look as if it came from the future.
  return Math.abs(Date.now() - mtimeMs) > HOUR && !isAlive(path)
}

function isAlive(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const form = Object.values(FORMS).find((known) => known.test(name))
  const { pid, pid36 } = form?.exec(name)?.groups ?? {}
  const number = pid === undefined ? Number.parseInt(pid36 ?? '', 36) : Number(pid)
  return Number.isSafeInteger(number) && number > 0 && isRunning(number)
}

function isOf(form: keyof typeof FORMS, path: string): boolean {
  return FORMS[form].test(path.slice(path.lastIndexOf('/') + 1))
}

/** The folder for temporary files is everybody's. */
function isOwn(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

function within(folder: string, form: keyof typeof FORMS): string[] {
  return names(folder).flatMap((name) => (FORMS[form].test(name) ? [join(folder, name)] : []))
}

/** None where the folder is not there, or not ours to look into. */
function names(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? []
}

function namesBelow(folder: string): string[] {
  const all = attempt(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return all ?? names(folder) // something went while it was read
}
