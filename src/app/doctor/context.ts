/** What every check of `doctor` gets. */

import type { Clock, FilesPort } from '../ports.ts'
import type { Setup } from '../setup/setup.ts'

/** What `status` looks at as well. */
export interface SetupContext extends Setup {
  readonly files: FilesPort
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

export interface DoctorContext extends SetupContext {
  readonly clock: Clock
  /** `process.version` without the `v`. */
  readonly nodeVersion: string
}
