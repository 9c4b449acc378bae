/**
 * Temporary files and folders that killed processes of ours left behind. One is removed if it is older than an hour
 * and the process whose number its name holds is gone. Those of a living process stay, however old they are.
 */

import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../process/process-table.ts'
import { attempt, namesIfAny } from './files.ts'

/** In milliseconds. */
const HOUR = 3_600_000

/** The forms of the names, with the number of the process. */
const FORMS = {
  /** `files.ts`: next to what it writes. */
  written: /^\.ledger-git-(?<pid>\d+)-\w+\.tmp$/,
  /** `git-commits.ts`, `index-change.ts`: next to the index of a worktree. */
  index: /^ledger-git-index-(?<pid>\d+)-\w+(?:\.lock|\.sign)?$/,
  /** `shadow-files.ts` */
  scratch: /^_(?<pid>\d+)-\w+$/,
  /** `probes.ts`, `trial-commit.ts` */
  doctor: /^ledger-git-doctor-(?<pid>\d+)-\w{6}$/,
}

/** `folders`: other folders that we write files into. */
export function findLeftBehind(commonDir: string, folders: readonly string[]): string[] {
  const own = `${commonDir}/ledger-git`
  const linked = namesIfAny(`${commonDir}/worktrees`).map(
    (name) => `${commonDir}/worktrees/${name}`,
  )
  const inOwn = namesBelow(own).map((name) => `${own}/${name}`)
  return [
    ...inOwn.filter((path) => FORMS.written.test(nameOf(path))),
    ...within(`${own}/scratch`, 'scratch'),
    ...[commonDir, ...linked].flatMap((folder) => within(folder, 'index')),
    ...linked.flatMap((folder) => within(`${folder}/ledger-git/commits`, 'written')),
    ...linked.flatMap((folder) => within(`${folder}/ledger-git/kept`, 'written')),
    ...within(tmpdir(), 'doctor').filter(isOwn),
    ...[...new Set([commonDir, `${commonDir}/info`, `${commonDir}/hooks`, ...folders])].flatMap(
      (folder) => within(folder, 'written'),
    ),
  ]
    .filter(isLeft)
    .toSorted()
}

/** Returns what it removed; what another user left, only that user can remove. */
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
  // If the clock was set back, the file seems to come from the future.
  return Math.abs(Date.now() - mtimeMs) > HOUR && !isAlive(path)
}

function isAlive(path: string): boolean {
  const name = nameOf(path)
  const found = Object.values(FORMS).map((form) => form.exec(name))
  const pid = Number(found.find((one) => one !== null)?.[1])
  return Number.isSafeInteger(pid) && pid > 0 && isRunning(pid)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Everybody shares the folder for temporary files. */
function isOwn(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

function within(folder: string, form: keyof typeof FORMS): string[] {
  return namesIfAny(folder).flatMap((name) => (FORMS[form].test(name) ? [join(folder, name)] : []))
}

/** The paths of everything below a folder. */
export function namesBelow(folder: string): string[] {
  const all = attempt(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return all ?? namesIfAny(folder) // something was removed meanwhile
}
