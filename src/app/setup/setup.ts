/** One repository as `install`, `uninstall` and `doctor` work on it. The composition root makes it. */

import type { LedgerError } from '../../core/errors/errors.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { GitVersions, HooksFolder, ProbePort, RepositoryPort } from '../ports.ts'
import type { InstallOptions } from './install.ts'
import type { InstallReport } from './install-record.ts'

export interface Setup {
  readonly repository: RepositoryPort
  /** The defaults where the settings file cannot be read. */
  readonly settings: Settings
  readonly settingsError: LedgerError | undefined
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  readonly probes: ProbePort
  /** One at a time in each repository; a dry run waits for nobody. */
  install(options: InstallOptions): Promise<InstallReport>
  /** With `agents`, these are disconnected, and all else stays. */
  uninstall(options: {
    readonly dryRun: boolean
    readonly agents?: readonly AgentName[]
  }): Promise<InstallReport>
}
