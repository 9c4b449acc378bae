/**
 * Whose process a hook runs for.
 *
 * An owner names the place where its number counts (`process-table.ts`). One of another container or
 * host, or of before a restart, cannot be judged: it is unknown, and the session's signs of life decide
 * alone. The same holds where the system hides other processes, and of a daemon.
 */

import type { ProcessPort } from '../../app/shadow/session-ports.ts'
import { commandWords, judge, processesAbove, processInfo, startIn } from './process-table.ts'

/** What stands between an agent and its hook: shells, the launcher, git, and what starts other programs. */
const BETWEEN = new Set(
  'sh dash bash zsh ash ksh fish busybox run env nice nohup timeout setsid npx git'.split(' '),
)

/** `from`, `look` and `wordsOf`: of another process than this one, or of another table, in tests. */
export function agentProcess(
  from = process.pid,
  look = processInfo,
  wordsOf = commandWords,
): ProcessPort {
  return {
    // The first process above that is no shell. The system's first one adopts orphans: it is nobody's.
    owner: () => {
      const found = processesAbove(from, look).find(({ name }) => !isBetween(name))
      if (found === undefined || found.pid <= 1 || found.name === 'systemd') return undefined
      return { pid: found.pid, startTime: startIn(found) }
    },
    lifeOf: ({ pid, startTime }) => {
      const life = judge(pid, startTime)
      return life === 'alive' && isDaemon(wordsOf(pid)) ? 'daemon' : life
    },
    ancestors: () => [from, ...processesAbove(from, look).map(({ pid }) => pid)],
  }
}

/** Codex runs the sessions of its terminals and editors in `codex app-server …`, which lives on. */
function isDaemon(words: readonly string[]): boolean {
  return words.includes('app-server') && /(?:^|\/)codex\b/.test(words.join('\n'))
}

/** A login shell has a dash before its name; npm gives itself its command line as name. */
function isBetween(name: string): boolean {
  return BETWEEN.has(name.replace(/^-/, '')) || /^npm (?:exec|run)/.test(name)
}
