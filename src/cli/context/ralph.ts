/** Commands of `ralph`: loops that feed an agent its task again. */

import type { Command } from '../command/command.ts'
import { ralphRun } from './ralph-run.ts'
import { ralphCheckpoint, ralphContext, ralphStatus, ralphStop } from './ralph-state.ts'

export const ralphCommands: readonly Command[] = [
  ralphRun,
  ralphStatus,
  ralphContext,
  ralphCheckpoint,
  ralphStop,
]
