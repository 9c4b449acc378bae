/** `install`: sets up a clone, a rig or a CI file, and prints what was changed. */

import { basename, dirname } from 'node:path'
import { CI_HOSTS } from '../../app/setup/ci-files.ts'
import { installRig } from '../../app/setup/gastown.ts'
import { install as installHere } from '../../app/setup/install.ts'
import type { Change, InstallReport } from '../../app/setup/install-record.ts'
import { AGENT_NAMES } from '../../core/agents/agents.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, list, nonEmpty } from '../command/command.ts'

export const install: Command = {
  name: 'install',
  writes: true,
  describe: 'Set this repository up: merge driver, hooks, attributes, an empty ledger',
  examples: [
    ['ledger-git install', 'once per clone; again after an update'],
    [
      'npm pkg set scripts.prepare="ledger-git install || exit 0"',
      'for everybody who runs npm install; with husky: "husky && ledger-git install || exit 0"',
    ],
    ['ledger-git install --ci github', 'also add a workflow that checks every pull request'],
    ['ledger-git install --agent claude', 'also follow the sessions of Claude Code'],
    ['ledger-git install --agent claude --context', 'and how full their context is'],
    ['ledger-git install --gastown ~/gt/my-rig', 'a rig of Gas Town, with all its clones'],
  ],
  options: {
    'dry-run': flag('list the changes without making them'),
    local: { ...flag('this clone only: no tracked file is written'), conflicts: 'ci' },
    ci: {
      ...list('also add a CI workflow that checks every change (repeatable)'),
      choices: CI_HOSTS,
      requiresArg: true,
    },
    agent: {
      ...list('also follow the sessions of this coding agent (repeatable)'),
      choices: AGENT_NAMES,
      requiresArg: true,
    },
    context: flag(
      'with --agent: hooks also follow how full the context is, and Claude Code shows it',
    ),
    user: flag("with --context: the status line goes into the user's settings"),
    gastown: {
      ...nonEmpty('folder of a Gas Town rig (TOWN/RIG)'),
      conflicts: ['agent', 'ci', 'context', 'local', 'user'],
    },
  },
  run: async (input) => {
    const { context } = input
    const dryRun = input.flag('dry-run')
    if (input.flag('context') && input.texts('agent').length === 0) {
      throw usage(
        '--context applies to the hooks of an agent, but no --agent is given',
        'ledger-git install --agent claude --context',
      )
    }
    if (input.flag('user') && !input.flag('context')) {
      throw usage(
        '--user says where the status line of --context goes, but --context is not given',
        'ledger-git install --agent claude --context --user',
      )
    }
    const rig = input.text('gastown')
    const report = await (rig === undefined
      ? installed(input, dryRun)
      : installRig({ ...context, folder: input.absolute(rig), dryRun }))
    if (report === undefined) return
    printReport(report, 'already installed', input)
    if (!input.json && !dryRun && report.commit.length > 0 && report.changes.length > 0) {
      const { fromHere, repository } = await input.openWorktree()
      const paths = report.commit.map((path) => shellWord(fromHere(path))).join(' ')
      const add = repository.isSparse ? 'git add --sparse' : 'git add'
      input.say(`next: ${add} ${paths} && git commit -m 'chore: set up ledger-git'`)
    }
  },
}

/** Undefined during an `npm install` outside a repository (a container, a tarball), which must not fail. */
async function installed(input: Input, dryRun: boolean): Promise<InstallReport | undefined> {
  const { context } = input
  const chosen = <T extends string>(option: string, known: readonly T[]) =>
    known.filter((name) => input.texts(option).includes(name))
  try {
    const fixed = dryRun ? [] : await context.fixConfig()
    const setup = await context.setup()
    // Without readable settings it is unknown where the ledger belongs.
    if (setup.settingsError !== undefined) throw setup.settingsError
    const report = await installHere(setup, {
      dryRun,
      local: input.flag('local'),
      ci: chosen('ci', CI_HOSTS),
      agents: chosen('agent', AGENT_NAMES),
      context: input.flag('context'),
      user: input.flag('user'),
    })
    return { ...report, changes: [...fixed, ...report.changes] }
  } catch (error) {
    const isNpm = /^(?:pre|post)?install$|^prepare$/.test(context.env['npm_lifecycle_event'] ?? '')
    if (!isNpm || !(error instanceof LedgerError)) throw error
    if (error.code !== 'NOT_A_REPOSITORY' && error.code !== 'GIT_MISSING') throw error
    input.say(`ledger-git: not installed: ${error.message}`)
    return undefined
  }
}

/** Prints `create path (what)` lines, or why nothing changes; notes go to stderr. A dry run and JSON name each file. */
export function printReport(report: InstallReport, state: string, input: Input): void {
  const { changes, notes } = report
  const isDry = input.flag('dry-run')
  const none = `${state}: nothing to change`
  const lines = changeLines(changes, `${input.context.cwd}/`, isDry)
  input.print({ ...report, dryRun: isDry }, lines.length === 0 ? none : lines)
  if (!input.json) for (const note of notes) input.say(`note: ${note}`)
}

/** More files than this in one folder are shown as one line. */
const MAX_FILES_LISTED = 3

/** Paths below the current folder are shortened. */
function changeLines(changes: readonly Change[], here: string, isEach: boolean): string[] {
  const folderOf = ({ change, path }: Change) => `${change.padEnd(6)} ${short(dirname(path))}/`
  const short = (path: string) => (path.startsWith(here) ? path.slice(here.length) : path)
  // The line of a `config` file names the keys that are set, so it is not merged with others.
  const hasKeys = ({ path }: Change) => basename(path) === 'config'
  const isLarge = (all: readonly Change[]) => !isEach && all.length > MAX_FILES_LISTED
  return changes.flatMap((one) => {
    const isOfFolder = (other: Change) => !hasKeys(other) && folderOf(other) === folderOf(one)
    const all = hasKeys(one) ? [one] : changes.filter(isOfFolder)
    if (!isLarge(all)) return `${one.change.padEnd(6)} ${short(one.path)} (${one.what})`
    if (all[0] !== one) return []
    return `${folderOf(one)} (${all.map(({ path }) => basename(path)).join(', ')})`
  })
}
