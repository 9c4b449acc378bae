import { CI_HOSTS, ciFiles } from '../../app/setup/ci-files.ts'
import { isAdopted } from '../../app/setup/adoption.ts'
import { AGENT_TEXTS } from '../../app/agents/agent-files.ts'
import { installInRig, rigRepositories } from '../../app/setup/gastown.ts'
import type { Change, InstallReport } from '../../app/setup/install-record.ts'
import type { Setup } from '../../app/setup/setup.ts'
import { AGENT_NAMES } from '../../core/agents/agents.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input } from '../command.ts'
import { flag, list, value } from '../command.ts'
import type { CliContext } from '../context.ts'

export const install: Command = {
  name: 'install',
  hot: true,
  writes: true,
  describe: 'Set this repository up: merge driver, hooks, attributes, an empty ledger',
  examples: [
    ['ledger-git install', 'once a clone; again after an update'],
    ['ledger-git install --dry-run', 'what it would change'],
    ['npm pkg set scripts.prepare="ledger-git install"', 'for everybody who runs npm install'],
    ['ledger-git install --ci github', 'also a workflow that checks every pull request'],
    ['ledger-git install --agent claude', 'also follow the sessions of Claude Code'],
    ['ledger-git install --gastown ~/gt/my-rig', 'a rig of Gas Town, with all its clones'],
  ],
  options: {
    'dry-run': flag('list the changes, make none'),
    local: { ...flag('this clone only: no tracked file is written'), conflicts: 'ci' },
    ci: {
      ...list('also a workflow that checks every change (repeat)'),
      choices: CI_HOSTS,
      requiresArg: true,
    },
    agent: {
      ...list('also follow the sessions of this coding agent (repeat)'),
      choices: AGENT_NAMES,
      requiresArg: true,
    },
    gastown: {
      ...value('folder of a Gas Town rig (TOWN/RIG)'),
      requiresArg: true,
      conflicts: ['agent', 'ci', 'local'],
    },
  },
  run: async (input) => {
    const { context } = input
    const dryRun = input.flag('dryRun')
    const rig = input.text('gastown')
    const report = await (rig === undefined
      ? installHere(input, dryRun)
      : installRig(context.absolute(rig), dryRun, context))
    if (report === undefined) return
    if (input.json) return input.print({ ...report, dryRun }, [])
    printReport(report, context)
    if (report.changes.length === 0) context.stdout('already installed: nothing to change\n')
    else if (!dryRun && report.commit.length > 0) {
      const paths = report.commit.map((path) => shellWord(path)).join(' ')
      input.say(`next: git add ${paths} && git commit -m 'chore: set up ledger-git'`)
    }
  },
}

async function installHere(input: Input, dryRun: boolean): Promise<InstallReport | undefined> {
  const { context } = input
  const opened = await openForInstall(context, dryRun)
  if (opened === undefined) return undefined
  const { setup, mended } = opened
  const hosts = CI_HOSTS.filter((host) => input.texts('ci').includes(host))
  const ci = await ciFiles(hosts, { ...context, mainFile: gitlabFile(setup, context) }, setup)
  const agents = AGENT_NAMES.filter((agent) => input.texts('agent').includes(agent))
  const agentTexts = Object.fromEntries(
    Object.values(AGENT_TEXTS).map((name) => [name, context.template(name)]),
  )
  const local = input.flag('local')
  const report = await setup.install({ dryRun, local, teamFiles: ci.files, agents, agentTexts })
  const notes = [...report.notes, ...ci.notes]
  return { ...report, changes: [...mended, ...report.changes], notes }
}

/** Every repository of the rig, then Gas Town's own two files. */
async function installRig(
  rig: string,
  dryRun: boolean,
  context: CliContext,
): Promise<InstallReport> {
  const reports: InstallReport[] = []
  let isReady = true
  for (const folder of rigRepositories(rig, context.files)) {
    await context.withSetup(folder, async (setup) => {
      refuseBadSettings(setup)
      reports.push(await setup.install({ dryRun, local: true }))
      isReady &&= await isAdopted(setup.repository)
    })
  }
  const texts = {
    setupHook: context.template('gastown-setup-hook'),
    overlay: context.template('gastown-overlay.toml'),
  }
  const changes = [
    ...reports.flatMap((report) => report.changes),
    ...installInRig(rig, texts, context.files, dryRun),
  ]
  const notes = new Set(reports.flatMap((report) => report.notes))
  if (!isReady) notes.add(NOT_ADOPTED)
  return { changes, notes: [...notes], commit: [] }
}

const NOT_ADOPTED =
  'the repository itself does not use ledger-git yet: in one clone run ledger-git install, commit ' +
  'what it lists, and push it to the default branch'

function gitlabFile({ repository }: Setup, { files }: CliContext) {
  const { top } = repository.place
  return top === undefined ? undefined : files.read(`${top}/.gitlab-ci.yml`)
}

/** Undefined in an `npm install` outside a repository (a container, a tarball): that must not fail. */
async function openForInstall(
  context: CliContext,
  dryRun: boolean,
): Promise<{ setup: Setup; mended: readonly Change[] } | undefined> {
  try {
    const mended = dryRun ? [] : await context.mendConfig()
    const setup = await context.setup()
    refuseBadSettings(setup)
    return { setup, mended }
  } catch (error) {
    const isNpm = /^(?:pre|post)?install$|^prepare$/.test(context.env['npm_lifecycle_event'] ?? '')
    if (!isNpm || !(error instanceof LedgerError)) throw error
    if (error.code !== 'NOT_A_REPOSITORY' && error.code !== 'GIT_MISSING') throw error
    context.stderr(`ledger-git: not installed: ${error.message}\n`)
    return undefined
  }
}

/** Nobody knows where the ledger is to be. */
function refuseBadSettings({ settingsError }: Setup): void {
  if (settingsError !== undefined) throw settingsError
}

/** `create path (what)`, one line a change; notes go to stderr. */
export function printReport(report: InstallReport, context: CliContext): void {
  for (const { change, path, what } of report.changes) {
    context.stdout(`${change.padEnd(6)} ${path} (${what})\n`)
  }
  for (const note of report.notes) context.stderr(`note: ${note}\n`)
}
