import { rigRepositories, uninstallFromRig } from '../../app/setup/gastown.ts'
import type { InstallReport } from '../../app/setup/install-record.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES } from '../../core/agents/agents.ts'
import type { Command } from '../command.ts'
import { flag, list, value } from '../command.ts'
import type { CliContext } from '../context.ts'
import { printReport } from './install.ts'

export const uninstall: Command = {
  name: 'uninstall',
  hot: true,
  describe: 'Take out everything that install wrote; events stay',
  examples: [
    ['ledger-git uninstall', 'this clone and its worktrees'],
    ['ledger-git uninstall --agent claude', 'disconnects Claude Code; all else stays'],
    ['ledger-git uninstall --gastown ~/gt/my-rig', 'a rig of Gas Town, with all its clones'],
  ],
  options: {
    'dry-run': flag('list the changes, make none'),
    gastown: {
      ...value('folder of a Gas Town rig (TOWN/RIG)'),
      requiresArg: true,
      conflicts: 'agent',
    },
    agent: {
      ...list('only disconnect this coding agent (repeat)'),
      choices: AGENT_NAMES,
      requiresArg: true,
    },
  },
  run: async (input) => {
    const { context } = input
    const dryRun = input.flag('dryRun')
    const rig = input.text('gastown')
    const agents = input.texts('agent') as AgentName[]
    if (rig === undefined && !dryRun) await context.mendConfig()
    const report = await (rig === undefined
      ? (await context.setup()).uninstall({ dryRun, agents })
      : uninstallRig(context.absolute(rig), dryRun, context))
    if (input.json) return input.print({ ...report, dryRun }, [])
    printReport(report, context)
    const state = agents.length === 0 ? 'installed' : 'connected'
    if (report.changes.length === 0) context.stdout(`not ${state}: nothing to change\n`)
  },
}

async function uninstallRig(
  rig: string,
  dryRun: boolean,
  context: CliContext,
): Promise<InstallReport> {
  const reports: InstallReport[] = []
  for (const folder of rigRepositories(rig, context.files)) {
    await context.withSetup(folder, async (setup) => {
      reports.push(await setup.uninstall({ dryRun }))
    })
  }
  const changes = [
    ...reports.flatMap((report) => report.changes),
    ...uninstallFromRig(rig, context.files, dryRun),
  ]
  return { changes, notes: reports.flatMap((report) => report.notes), commit: [] }
}
