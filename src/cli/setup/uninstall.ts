/** `uninstall`: removes what `install` wrote. */

import { uninstallRig } from '../../app/setup/gastown.ts'
import { uninstall as uninstallHere } from '../../app/setup/uninstall.ts'
import { AGENT_NAMES } from '../../core/agents/agents.ts'
import type { Command } from '../command/command.ts'
import { flag, list, nonEmpty } from '../command/command.ts'
import { printReport } from './install.ts'

export const uninstall: Command = {
  name: 'uninstall',
  describe: 'Remove everything that install wrote; events stay',
  examples: [
    ['ledger-git uninstall', 'this clone and its worktrees'],
    ['ledger-git uninstall --agent claude', 'disconnects Claude Code; everything else stays'],
    ['ledger-git uninstall --gastown ~/gt/my-rig', 'a rig of Gas Town, with all its clones'],
  ],
  options: {
    'dry-run': flag('list the changes without making them'),
    gastown: {
      ...nonEmpty('folder of a Gas Town rig (TOWN/RIG)'),
      conflicts: 'agent',
    },
    agent: {
      ...list('only disconnect this coding agent (repeatable)'),
      choices: AGENT_NAMES,
      requiresArg: true,
    },
  },
  run: async (input) => {
    const { context } = input
    const dryRun = input.flag('dry-run')
    const rig = input.text('gastown')
    const agents = AGENT_NAMES.filter((agent) => input.texts('agent').includes(agent))
    if (rig === undefined && !dryRun) await context.fixConfig()
    const report = await (rig === undefined
      ? uninstallHere(await context.setup(), { dryRun, agents })
      : uninstallRig({ ...context, folder: input.absolute(rig), dryRun }))
    printReport(report, agents.length === 0 ? 'not installed' : 'not connected', input)
  },
}
