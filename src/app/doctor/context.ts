/** What every check of `doctor` gets. */

import type { Clock, FilesPort } from '../ports.ts'
import type { Setup } from '../setup/setup.ts'

export interface DoctorContext extends Setup {
  readonly files: FilesPort
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** `process.version` without the `v`. */
  readonly nodeVersion: string
  readonly version: string
}
