/**
 * Whose process a hook runs for.
 *
 * An owner names the place where its number counts (`process-table.ts`). One of another container or
 * host, or of before a restart, cannot be judged: it is unknown, and the session's signs of life decide
 * alone. The same holds where the system hides other processes, and of a daemon.
 */

import type { ProcessPort } from '../../app/shadow/session-ports.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import type { Owner } from '../../core/session/session-state.ts'
import type { ProcessInfo } from './process-table.ts'
import { commandWords, judge, processInfo, startIn } from './process-table.ts'

/** What stands between an agent and its hook: shells, the launcher, git, and what starts other programs. */
const BETWEEN = new Set(
  'sh dash bash zsh ash ksh fish busybox run env nice nohup timeout setsid npx git'.split(' '),
)

/** More than anybody nests; a table that changes while it is read might go round in circles. */
const MAX_DEPTH = 64

export class Processes implements ProcessPort {
  readonly #look: (pid: number) => ProcessInfo | undefined
  readonly #words: (pid: number) => readonly string[]
  readonly #from: number

  /** From another process than this one, or on another table, in tests. */
  constructor(from = process.pid, look = processInfo, words = commandWords) {
    this.#from = from
    this.#words = words
    this.#look = look
  }

  /** The first process above that is no shell. The system's first one adopts orphans: it is nobody's. */
  owner(): Owner | undefined {
    const found = this.#above().find(({ name }) => !isBetween(name))
    if (found === undefined || found.pid <= 1 || found.name === 'systemd') return undefined
    return { pid: found.pid, startTime: startIn(found) }
  }

  lifeOf({ pid, startTime }: Owner): OwnerLife {
    const life = judge(pid, startTime)
    return life === 'alive' && isDaemon(this.#words(pid)) ? 'daemon' : life
  }

  ancestors(): readonly number[] {
    return [this.#from, ...this.#above().map(({ pid }) => pid)]
  }

  #above(): ProcessInfo[] {
    const found: ProcessInfo[] = []
    let next = this.#look(this.#from)?.parent ?? 0
    while (next > 0 && found.length < MAX_DEPTH) {
      const info = this.#look(next)
      if (info === undefined) break
      found.push(info)
      next = info.parent
    }
    return found
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
