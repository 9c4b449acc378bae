/** What every check of `doctor` gets. */

import type { LedgerError } from '../../core/errors.ts'
import type { Settings } from '../../core/settings.ts'
import type {
  Clock,
  FilesPort,
  GitVersions,
  HooksFolder,
  ProbePort,
  RepositoryPort,
} from '../ports.ts'
import type { InstallReport } from '../setup/install-record.ts'

export interface DoctorContext {
  readonly repository: RepositoryPort
  /** The defaults where the settings file cannot be read. */
  readonly settings: Settings
  readonly settingsError: LedgerError | undefined
  readonly files: FilesPort
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  readonly probes: ProbePort
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** `process.version` without the `v`. */
  readonly nodeVersion: string
  readonly version: string
  /** What `install` would change now; `local`: without tracked files. */
  planInstall(local: boolean): Promise<InstallReport>
  install(local: boolean): Promise<InstallReport>
}
