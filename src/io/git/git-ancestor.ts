/**
 * The command line of the git that runs a hook.
 *
 * Git tells a pre-commit hook nothing about `--allow-empty` and `--amend`, which decide whether a
 * commit without other changes will be made at all, nor whether a rebase or cherry-pick started it.
 * Reads the process table; undefined when it cannot.
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Committer } from '../../core/commit/commit-mark.ts'
import { processInfo as identityOf, startIn } from '../sessions/process-table.ts'

/** Hook managers put a few shells between git and the hook. */
const MAX_DEPTH = 8

export interface CommitProcess {
  readonly pid: number
  readonly words: readonly string[]
  /** True when git itself started it (`git rebase`, `git cherry-pick --continue` …). */
  readonly isStartedByGit: boolean
}

/** The nearest ancestor that is `git … commit …`. */
export function findCommitProcess(): CommitProcess | undefined {
  for (const { pid, words, parent } of gitsAbove()) {
    if (!words.includes('commit')) continue
    const starter = processInfo(parent)
    return { pid, words, isStartedByGit: starter !== undefined && isGit(starter.words) }
  }
  return undefined
}

/** The process of the git that runs this hook: the one that commits, else the nearest. */
export function findCommitter(): Committer | undefined {
  const pid = findCommitProcess()?.pid ?? gitsAbove().next().value?.pid
  const info = pid === undefined ? undefined : identityOf(pid)
  return info && { pid: info.pid, startTime: startIn(info) }
}

/** More than anybody nests. */
const MAX_CHAIN = 64

/**
 * True where the git that started this hook is gone: it was killed, and the hook goes on. Git's own
 * variable tells that there was one; other programs run hooks without it.
 */
export function isOrphan(env: NodeJS.ProcessEnv): boolean {
  if (env['GIT_EXEC_PATH'] === undefined) return false
  let pid = process.ppid
  for (let depth = 0; pid > 1; depth++) {
    const info = processInfo(pid)
    // A git above, or a table that does not show all: nobody can say that it is gone.
    if (info === undefined || isGit(info.words) || depth === MAX_CHAIN) return false
    pid = info.parent
  }
  return pid === 1
}

/** What the nearest git above this process was asked for: `commit`, `revert` … */
export function findGitCommand(): string | undefined {
  const words = findGitWords()
  return words === undefined ? undefined : commandOf(words)
}

/** The words of the nearest git above this process. */
export function findGitWords(): readonly string[] | undefined {
  return gitsAbove().next().value?.words
}

/** As far up as hooks and their managers reach, nearest first. */
function* gitsAbove(): Generator<ProcessInfo, undefined> {
  let pid = process.ppid
  for (let depth = 0; depth < MAX_DEPTH && pid > 1; depth++) {
    const found = processInfo(pid)
    if (found === undefined) return undefined
    if (isGit(found.words)) yield found
    pid = found.parent
  }
  return undefined
}

interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly words: readonly string[]
}

/** Options of git itself whose value is the next word. */
const TAKES_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env'])

/** `commit` of `git -C folder commit -m text`. */
export function commandOf(words: readonly string[]): string | undefined {
  let at = 1
  while (words[at]?.startsWith('-') === true) at += TAKES_VALUE.has(words[at] ?? '') ? 2 : 1
  return words[at]
}

function isGit(words: readonly string[]): boolean {
  return basename(words[0] ?? '') === 'git'
}

function processInfo(pid: number): ProcessInfo | undefined {
  return fromProc(pid) ?? fromPs(pid)
}

export function fromProc(pid: number): ProcessInfo | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // "pid (name) state ppid …"; the name may hold anything, so read from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return { pid, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), words }
  } catch {
    return undefined
  }
}

/** macOS. Words with spaces come apart, which does no harm here. */
function fromPs(pid: number): ProcessInfo | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const match = status === 0 ? /^\s*(\d+)\s+(.*)$/m.exec(stdout) : null
  return match === null
    ? undefined
    : { pid, parent: Number(match[1]), words: (match[2] ?? '').split(' ') }
}
