/** The settings of one repository, with their defaults. `parse-settings.ts` reads them. */

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
}

export const DEFAULT_SETTINGS: Settings = {
  root: 'thoughts/shared/handoffs',
  mode: 'tracked',
  maxDriftMillis: 5 * 60_000,
  protectedBranches: [],
  onEvent: 'memory',
}

/** `90s`, `5m`, `2h`, `7d` in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*(ms|s|m|h|d)$/.exec(text.trim())
  if (match === null) return undefined
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? '']
  return unit === undefined ? undefined : Number(match[1]) * unit
}
