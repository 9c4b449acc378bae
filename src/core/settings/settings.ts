/**
 * The settings of one repository, with their defaults. Hooks load this file even if there is nothing to parse, so it
 * uses no library. The names and meanings of settings are in `settings-table.ts`.
 */

export const SETTINGS_FILE = '.ledger-git.yaml'

export interface Settings {
  /** Folder of the ledger, relative to the top of the repository, without a slash at either end. */
  readonly root: string
  /** `untracked`: `current.md` stays out of git; hooks render it into the worktree. */
  readonly mode: 'tracked' | 'untracked'
  /** Milliseconds by which an event may be ahead of the local clock and still count in the clock rule. */
  readonly maxDriftMillis: number
  /** Branches that ledger-git itself never commits to. */
  readonly protectedBranches: readonly string[]
  /** `file`: `event add` also rewrites `current.md`; `memory`: only commits and merges do. */
  readonly onEvent: 'memory' | 'file'
  /** Milliseconds after which an event may leave `events/` for the archive. */
  readonly archiveAfterMillis: number
  /** Milliseconds that archived events are kept; undefined: forever. */
  readonly archiveKeepMillis: number | undefined
  /** Milliseconds between events about a running session; undefined: only its end is reported. */
  readonly checkpointIntervalMillis: number | undefined
  /** `on`: at the end of a turn, an agent that recorded nothing of its work is asked to do so, once. */
  readonly ask: 'on' | 'off'
  /** False: checkpoints are never pushed automatically. */
  readonly pushCheckpoints: boolean
  /** Milliseconds that pushing checkpoints may delay a `git push`. */
  readonly pushTimeoutMillis: number
  /** `auto`: agents' hooks keep one if there is a `conductor/`; `off`: commands do not keep one either. */
  readonly activeLedger: 'auto' | 'on' | 'off'
  /** True: git does not ignore archived active ledgers. */
  readonly shareActiveLedgers: boolean
  /** Milliseconds that archived active ledgers are kept; undefined: forever. */
  readonly activeLedgerKeepMillis: number | undefined
  /** When a context checkpoint commits work in progress: if a command asks for it, also if a hook does, or never. */
  readonly contextWip: 'typed' | 'commit' | 'shadow'
  /** Folder for the documents of context checkpoints, in the form of `root`. */
  readonly handoffs: string
  /** A commit includes the documents of context checkpoints. */
  readonly commitsContext: boolean
  /** Rising percentages of the effective limit at which L1, L2, and L3 begin. */
  readonly contextLevels: readonly [l1: number, l2: number, l3: number]
  /** Tokens that a context may hold; undefined: the known compaction limit of the agent's program. */
  readonly contextLimit: number | undefined
  /** The memory tool that the next iteration of a loop is told to query. */
  readonly contextMemory: 'off' | 'claude-mem'
  /** Queries that it is told to use; empty: those of the current release. */
  readonly memoryTools: readonly string[]
}

export const DEFAULT_SETTINGS: Settings = {
  root: 'thoughts/shared/handoffs',
  mode: 'tracked',
  maxDriftMillis: 5 * 60_000,
  protectedBranches: [],
  onEvent: 'memory',
  archiveAfterMillis: 7 * 86_400_000,
  archiveKeepMillis: undefined,
  checkpointIntervalMillis: 30 * 60_000,
  ask: 'off',
  pushCheckpoints: true,
  pushTimeoutMillis: 10_000,
  activeLedger: 'auto',
  shareActiveLedgers: false,
  activeLedgerKeepMillis: undefined,
  contextWip: 'typed',
  handoffs: '.claude/handoffs',
  commitsContext: true,
  contextLevels: [70, 85, 95],
  contextLimit: undefined,
  contextMemory: 'off',
  memoryTools: [],
}

const UNITS: readonly (readonly [name: string, millis: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]

/** Parses `90s`, `5m`, `2h`, `7d` to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*(ms|s|m|h|d)$/.exec(text.trim())
  const unit = UNITS.find(([name]) => name === match?.[2])
  return unit === undefined ? undefined : Number(match?.[1]) * unit[1]
}

/** The shortest text that `parseDuration` reads back as this value. */
export function renderDuration(millis: number): string {
  if (millis === 0) return '0s'
  const [name, size] = UNITS.find(([, size]) => millis % size === 0) ?? ['ms', 1]
  return `${millis / size}${name}`
}
