/** One answer of `doctor`. */

export interface Finding {
  /** Stable: scripts select by it (docs/doctor.md lists all). */
  readonly name: string
  readonly status: 'ok' | 'warning' | 'broken'
  /** For people. */
  readonly message: string
  /** The one command or step that mends it; null where there is nothing to mend. */
  readonly fix: string | null
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message, fix: null }
}

export function warning(name: string, message: string, fix: string): Finding {
  return { name, status: 'warning', message, fix }
}

export function broken(name: string, message: string, fix: string): Finding {
  return { name, status: 'broken', message, fix }
}

export const INSTALL = 'ledger-git install'
export const UPGRADE = 'npm install ledger-git@latest'

/** True where `finding` is there and says that something is amiss. */
export function isAmiss(finding: Finding | undefined): finding is Finding & { fix: string } {
  return finding !== undefined && finding.status !== 'ok'
}
