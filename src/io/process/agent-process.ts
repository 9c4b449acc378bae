/**
 * The process that a hook runs for: the owner of a session.
 *
 * An owner names the place where its process number is valid (`process-table.ts`). An owner in another container or
 * on another host, or from before a restart, cannot be judged: it is unknown, and the session's signs of life alone
 * decide. The same applies if the system hides other processes, and to a daemon.
 */

import type { ProcessPort } from '../../app/shadow/session-ports.ts'
import {
  ancestorInfo,
  commandWords,
  judge,
  processesAbove,
  recentInfo,
  startIn,
} from './process-table.ts'

/** Programs between an agent and its hook: shells, the launcher, git, and programs that start other programs. */
const BETWEEN = new Set(
  'sh dash bash zsh ash ksh fish busybox run env nice nohup timeout setsid npx git'.split(' '),
)

/** `from`, `look` and `wordsOf`: another process than this one, or another process table, for tests. */
export function agentProcess(
  from = process.pid,
  look = ancestorInfo,
  wordsOf = commandWords,
): ProcessPort {
  const daemons = new Map<string, boolean>()
  const isKnownDaemon = (pid: number, startTime: string) => {
    const key = `${pid} ${startTime}`
    const isOne = daemons.get(key) ?? isDaemon(wordsOf(pid))
    daemons.set(key, isOne)
    return isOne
  }
  return {
    // The first process above that is not one of these. The system's first process adopts orphans: it is no owner.
    owner: () => {
      const found = processesAbove(from, look).find(({ name }) => !isBetween(name))
      if (found === undefined || found.pid <= 1 || found.name === 'systemd') return undefined
      return { pid: found.pid, startTime: startIn(found) }
    },
    lifeOf: ({ pid, startTime }) => {
      const life = judge(pid, startTime, recentInfo)
      return life === 'alive' && isKnownDaemon(pid, startTime) ? 'daemon' : life
    },
    ancestors: () => [from, ...processesAbove(from, look).map(({ pid }) => pid)],
  }
}

/** Codex runs the sessions of its terminals and editors in `codex app-server …`, which keeps running. */
function isDaemon(words: readonly string[]): boolean {
  return words.includes('app-server') && /(?:^|\/)codex\b/.test(words.join('\n'))
}

/** A login shell has a dash before its name; npm uses its command line as its name. */
function isBetween(name: string): boolean {
  return BETWEEN.has(name.replace(/^-/, '')) || /^npm (?:exec|run)/.test(name)
}
