/** Every command, with the words that people type before its own name: `event` before `add`. */

import { COMMANDS, GROUPS } from '../../src/cli/command-table.ts'
import type { Command } from '../../src/cli/command/command.ts'

export interface NamedCommand {
  /** Such as `event add`. */
  readonly name: string
  readonly command: Command
}

export const ALL_COMMANDS: readonly NamedCommand[] = [
  ...COMMANDS.map((command) => ({ name: command.name, command })),
  ...Object.entries(GROUPS).flatMap(([group, { commands }]) =>
    commands.map((command) => ({ name: `${group} ${command.name}`, command })),
  ),
]
