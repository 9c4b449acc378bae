/**
 * The settings of one repository, with their defaults. Hooks read this file where there is nothing to
 * parse, so it loads no library: what each setting is called and means is in `settings-table.ts`.
 */

export const SETTINGS_FILE = '.ledger-git.yaml'

export interface Settings {
  /** Folder of the ledger, relative to the repository's top, without a slash at either end. */
  readonly root: string
  /** `untracked`: `current.md` stays out of git; hooks render it into the worktree. */
  readonly mode: 'tracked' | 'untracked'
  /** Milliseconds an event may be ahead of the local clock before it is left out of the clock rule. */
  readonly maxDriftMillis: number
  /** Branches that ledger-git itself never commits to. */
  readonly protectedBranches: readonly string[]
  /** `file`: `event add` also rewrites `current.md`; `memory`: only commits and merges do. */
  readonly onEvent: 'memory' | 'file'
  /** Milliseconds after which an event may leave `events/` for the archive. */
  readonly archiveAfterMillis: number
  /** Milliseconds that archived events are kept; undefined: for good. */
  readonly archiveKeepMillis: number | undefined
  /** Milliseconds between events that tell of a running session; undefined: only its end tells. */
  readonly checkpointIntervalMillis: number | undefined
  /** `on`: at the end of a turn an agent that recorded nothing of its work is asked to, once. */
  readonly ask: 'on' | 'off'
  /** False: checkpoints never leave this clone by themselves. */
  readonly pushCheckpoints: boolean
  /** Milliseconds that pushing checkpoints may keep a `git push` waiting. */
  readonly pushTimeoutMillis: number
  /** `auto`: agents' hooks keep it where there is a `conductor/`; `off`: commands neither. */
  readonly activeLedger: 'auto' | 'on' | 'off'
  /** True: git does not ignore archived active ledgers. */
  readonly shareActiveLedgers: boolean
  /** Milliseconds that archived active ledgers are kept; undefined: for good. */
  readonly activeLedgerKeepMillis: number | undefined
  /** When a context checkpoint commits work in progress: asked for by a command, also by a hook, or never. */
  readonly contextWip: 'typed' | 'commit' | 'shadow'
  /** Folder of the documents of context checkpoints, as `root`. */
  readonly handoffs: string
  /** A commit takes the documents of context checkpoints along. */
  readonly commitsContext: boolean
  /** Percent of the effective limit at which L1, L2 and L3 begin; they rise. */
  readonly contextLevels: readonly [l1: number, l2: number, l3: number]
  /** Tokens that a context may hold; undefined: as the agent's program is known to compact. */
  readonly contextLimit: number | undefined
  /** The memory tool that the next iteration of a loop is told to ask. */
  readonly contextMemory: 'off' | 'claude-mem'
  /** What it is told to ask, in its own words; empty: the queries of the current release. */
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

/** `90s`, `5m`, `2h`, `7d` in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*(ms|s|m|h|d)$/.exec(text.trim())
  const unit = UNITS.find(([name]) => name === match?.[2])
  return unit === undefined ? undefined : Number(match?.[1]) * unit[1]
}

/** The shortest text that `parseDuration` reads back as this. */
export function renderDuration(millis: number): string {
  if (millis === 0) return '0s'
  const [name, size] = UNITS.find(([, size]) => millis % size === 0) ?? ['ms', 1]
  return `${millis / size}${name}`
}
