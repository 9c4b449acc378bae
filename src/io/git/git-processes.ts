/**
 * Gits of other people at work in one worktree.
 *
 * A commit of the ledger's own moves the branch; a `git commit` whose editor is open would then fail.
 * Git keeps no lock that would tell, so the process table is asked.
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { commandOf, fromProc } from './git-ancestor.ts'

/**
 * Commands that leave HEAD alone: a git that does anything else (an alias, too) may be about to move
 * it. What we start ourselves is among them.
 */
const HARMLESS = new Set(
  (
    'add annotate archive blame branch bundle cat-file check-attr check-ignore check-ref-format clone ' +
    'column commit-graph commit-tree config count-objects credential credential-cache ' +
    'credential-cache--daemon daemon describe diff diff-files diff-index diff-tree difftool fetch ' +
    'fetch-pack for-each-ref format-patch fsck fsmonitor--daemon gc get-tar-commit-id grep hash-object ' +
    'help http-fetch index-pack init interpret-trailers log ls-files ls-remote ls-tree mailinfo ' +
    'maintenance merge-base merge-file merge-index merge-tree mktree multi-pack-index mv name-rev notes ' +
    'pack-objects pack-refs patch-id prune prune-packed push range-diff read-tree receive-pack reflog ' +
    'remote repack replace rerere rev-list rev-parse rm send-pack shortlog show show-branch ' +
    'show-index show-ref sparse-checkout status stripspace submodule symbolic-ref tag unpack-file ' +
    'unpack-objects update-index update-ref update-server-info upload-pack var verify-commit ' +
    'verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
)

/**
 * What a git of somebody else is doing in the worktree `top` that may move HEAD; undefined when there is
 * none. A git that waits for this very process in a `post-…` hook has moved it already.
 */
export function gitAtWork(top: string): string | undefined {
  const done = gitsDone()
  for (const { pid, words, folder } of gits()) {
    const command = commandOf(words) ?? ''
    if (folder === top && !HARMLESS.has(command) && !done.has(pid)) return `git ${command}`
  }
  return undefined
}

interface GitProcess {
  readonly pid: number
  readonly words: readonly string[]
  readonly folder: string | undefined
}

function gits(): GitProcess[] {
  let names: string[]
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return gitsFromPs()
  }
  return names.flatMap((name) => {
    const words = wordsOf(name)
    if (basename(words[0] ?? '') !== 'git') return []
    return { pid: Number(name), words, folder: folderOf(name) }
  })
}

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // gone, or another user's
  }
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** macOS: the folder is asked only of gits that may matter. */
function gitsFromPs(): GitProcess[] {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const ask = (program: string, args: string[]) =>
    spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout ?? ''
  return ask('ps', ['-xo', 'pid=,args='])
    .split('\n')
    .flatMap((line) => {
      const [, number = '', text = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
      const words = text.split(' ')
      if (basename(words[0] ?? '') !== 'git' || HARMLESS.has(commandOf(words) ?? '')) return []
      const folder = /^n(.*)$/m.exec(ask('lsof', ['-a', '-d', 'cwd', '-Fn', '-p', number]))?.[1]
      return { pid: Number(number), words, folder }
    })
}

/** Gits above this process that run it in a hook that comes after the fact. */
function gitsDone(): Set<number> {
  const done = new Set<number>()
  let isAfter = false
  for (let pid = process.ppid; pid > 1;) {
    const info = fromProc(pid)
    if (info === undefined) break
    if (basename(info.words[0] ?? '') !== 'git') {
      isAfter ||= info.words.some((word) => /(?:^|\/)post-[a-z]+$/.test(word))
    } else if (isAfter) done.add(pid)
    pid = info.parent
  }
  return done
}
