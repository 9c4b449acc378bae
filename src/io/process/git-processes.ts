/**
 * The git processes of this machine: those above this process, which run a hook, and those of other people that are
 * active in one worktree. git tells hooks neither its command line nor who started it, and holds no lock while an
 * editor is open, so the process table is searched.
 */

import { readdirSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessIdentity } from '../../core/session/session-state.ts'
import type { ProcessInfo } from './process-table.ts'
import {
  ancestorInfo,
  ancestorWords,
  askProgram,
  askPs,
  commandWords,
  hasProc,
  identify,
  processesAbove,
} from './process-table.ts'

export interface CommitProcess {
  readonly pid: number
  readonly words: readonly string[]
  /** True when a git that replays commits started it (`git rebase`, `git cherry-pick --continue` …). */
  readonly isStartedByGit: boolean
}

/**
 * The nearest ancestor that is `git … commit …`. A pre-commit hook is told nothing about `--allow-empty` and
 * `--amend`, which decide whether a commit without other changes will be made at all.
 */
export function findCommitProcess(): CommitProcess | undefined {
  for (const { pid, words, parent } of gitsAbove()) {
    if (words.includes('commit')) {
      // An alias runs its command as a child, too, but that commit is the user's.
      return { pid, words, isStartedByGit: isReplay(wordsOfGit(ancestorInfo(parent))) }
    }
  }
  return undefined
}

const REPLAYS = new Set(['rebase', 'cherry-pick', 'revert', 'am'])

function isReplay(words: readonly string[]): boolean {
  return isGit(words) && REPLAYS.has(commandOf(words) ?? '')
}

/** True if the nearest git above this process was asked to replay commits. */
export function isReplayCommand(): boolean {
  return isReplay(findGitWords() ?? [])
}

/** The git process that runs this hook: the one that commits, else the nearest. */
export function findCommitter(): ProcessIdentity | undefined {
  const pid = findCommitProcess()?.pid ?? gitsAbove()[0]?.pid
  return pid === undefined ? undefined : identify(pid, ancestorInfo)
}

/**
 * True if the git that started this hook is gone: it was killed, and the hook goes on. git's own variable shows
 * that there was one; other programs run hooks without it. A table that does not show all processes proves nothing.
 */
export function isOrphan(env: NodeJS.ProcessEnv): boolean {
  if (env['GIT_EXEC_PATH'] === undefined) return false
  const above = processesAbove()
  const { pid, parent } = above.at(-1) ?? { pid: process.pid, parent: process.ppid }
  return (pid === 1 || parent === 1) && !above.some((one) => isGit(wordsOfGit(one)))
}

/** The command line of the nearest git above this process. */
export function findGitWords(): readonly string[] | undefined {
  return gitsAbove()[0]?.words
}

/** Hook managers put a few shells between git and the hook. */
const MAX_BETWEEN = 8

function gitsAbove(): (ProcessInfo & { readonly words: readonly string[] })[] {
  return processesAbove(process.pid, ancestorInfo, MAX_BETWEEN)
    .map((info) => ({ ...info, words: wordsOfGit(info) }))
    .filter(({ words }) => isGit(words))
}

/** None if it is another program: by `ps`, its name shows that, and its words would cost another process. */
function wordsOfGit(info: ProcessInfo | undefined): readonly string[] {
  if (info === undefined || !(hasProc() || info.name === 'git')) return []
  return ancestorWords(info.pid)
}

function isGit(words: readonly string[]): boolean {
  return basename(words[0] ?? '') === 'git'
}

/** Options of git itself whose value is the next word. */
const TAKES_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env'])

/** `commit` of `git -C folder commit -m text`. */
function commandOf(words: readonly string[]): string | undefined {
  let at = 1
  while (words[at]?.startsWith('-') === true) at += TAKES_VALUE.has(words[at] ?? '') ? 2 : 1
  return words[at]
}

/**
 * Commands that leave HEAD alone: a git that runs anything else, also an alias, may be about to move it. They include
 * what we start ourselves, and `git ledger`, whose commits are our own.
 */
const HARMLESS = new Set(
  (
    'add annotate archive blame branch bundle cat-file check-attr check-ignore check-ref-format clone ' +
    'column commit-graph commit-tree config count-objects credential credential-cache ' +
    'credential-cache--daemon daemon describe diff diff-files diff-index diff-tree difftool fetch ' +
    'fetch-pack for-each-ref format-patch fsck fsmonitor--daemon gc get-tar-commit-id grep hash-object ' +
    'help http-fetch index-pack init interpret-trailers ledger log ls-files ls-remote ls-tree mailinfo ' +
    'maintenance merge-base merge-file merge-index merge-tree mktree multi-pack-index mv name-rev notes ' +
    'pack-objects pack-refs patch-id prune prune-packed push range-diff read-tree receive-pack reflog ' +
    'remote repack replace rerere rev-list rev-parse rm send-pack shortlog show show-branch ' +
    'show-index show-ref sparse-checkout status stripspace submodule symbolic-ref tag unpack-file ' +
    'unpack-objects update-index update-ref update-server-info upload-pack var verify-commit ' +
    'verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
)

/**
 * The command that somebody else's git is running in the worktree `top`, if it may move HEAD; undefined if there is
 * none. A commit of the ledger would make a `git commit` fail whose editor is open. A git that waits for this very
 * process in a `post-…` hook has already moved HEAD.
 */
export function gitAtWork(top: string): string | undefined {
  for (const { pid, words } of gitsIn(top)) {
    const command = commandOf(words) ?? ''
    if (HARMLESS.has(command) || gitsDone().has(pid)) continue
    return `git ${command}`
  }
  return undefined
}

function gitsIn(top: string): { pid: number; words: readonly string[] }[] {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    // The folder first: reading the command line of a process that is mapping memory makes us wait.
    const pids = names.map(Number).filter((pid) => folderOf(pid) === top)
    return pids
      .map((pid) => ({ pid, words: commandWords(pid) }))
      .filter(({ words }) => isGit(words))
  } catch {
    return gitsFromPs(top)
  }
}

export function gitsFromPs(top: string): { pid: number; words: readonly string[] }[] {
  const gits = askPs('pid=,comm=', '-x')
    .split('\n')
    .flatMap((line) => /^\s*(\d+)\s+(?:.*\/)?git\s*$/.exec(line)?.[1] ?? [])
  const folders = gits.length === 0 ? new Map<number, string>() : foldersFromLsof(gits)
  return [...folders]
    .filter(([, folder]) => folder.normalize() === top.normalize())
    .map(([pid]) => ({ pid, words: commandWords(pid) }))
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // gone, or another user's
  }
}

/** lsof prints the bytes of other than ASCII letters as `\xc3\xa9`. */
function foldersFromLsof(pids: readonly string[]): Map<number, string> {
  const text = askProgram('lsof', ['-a', '-d', 'cwd', '-Fn', '-p', pids.join(',')])
  const bytes = /(?:\\x[0-9a-f]{2})+/g
  const decoded = (escaped: string) => Buffer.from(escaped.replaceAll('\\x', ''), 'hex').toString()
  const found = text.matchAll(/^p(\d+)\n(?:[^pn].*\n)*n(.*)$/gm)
  return new Map(
    [...found].map(([, pid, path = '']) => [Number(pid), path.replaceAll(bytes, decoded)]),
  )
}

/** Gits above this process that run it in a hook after the fact. */
function gitsDone(): Set<number> {
  const done = new Set<number>()
  let isAfter = false
  for (const { pid } of processesAbove()) {
    const words = ancestorWords(pid)
    if (!isGit(words)) isAfter ||= words.some((word) => /(?:^|\/)post-[a-z]+$/.test(word))
    else if (isAfter) done.add(pid)
  }
  return done
}
