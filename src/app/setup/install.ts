/**
 * Sets up one repository for all its worktrees. Every change is listed, and recorded for `uninstall`.
 *
 * In other people's files we only add a marked block. A hook that cannot hold a block is kept whole, and our hook runs
 * it. Anything that belongs to more than this repository (a global hooks folder) is never written.
 */

import {
  CONFIG_HOOKS_SINCE,
  CONFIG_INCLUDE,
  configHooksText,
  configText,
  DRIVERS,
} from '../../core/setup/install-texts.ts'
import { attributesBlock, excludeBlock, ignoreBlock } from '../../core/setup/path-blocks.ts'
import { usedFormatters } from '../../core/setup/formatters.ts'
import { CONTEXT_FILES, filteredLedger } from './hidden-paths.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import { checkLedger } from '../ledger/check.ts'
import { isOutOfReach } from '../ledger/event-files.ts'
import { placeOfWorktree } from '../ledger/ledger-sources.ts'
import { planCiFiles } from './ci-files.ts'
import { localSettings, planAgents } from './install-agents.ts'
import { planHooks } from './install-hooks.ts'
import { planLedger } from './install-ledger.ts'
import type { InstallOptions } from './install-plan.ts'
import { InstallPlan } from './install-plan.ts'
import type { InstallReport } from './install-record.ts'
import { isPassing, launchText } from './launch-text.ts'
import { leaveOut } from './leave-out.ts'
import type { Setup } from './setup.ts'

/** A dry run does not wait for the lock. */
export function install(setup: Setup, options: InstallOptions): Promise<InstallReport> {
  return options.dryRun ? run(setup, options) : setup.locked(() => run(setup, options))
}

async function run(setup: Setup, options: InstallOptions): Promise<InstallReport> {
  const { dryRun, local } = options
  const { repository, settings, launch } = setup
  refuseArchive(launch.cli)
  const { commonDir, top } = repository.place
  const plan = new InstallPlan(setup, options)
  await planOwnFiles(plan, dryRun)
  const include = 'include.path = ledger-git/config'
  plan.block(`${commonDir}/config`, CONFIG_INCLUDE, include, 'config')
  const attributes = attributesBlock(setup.asset('gitattributes.template'), settings.root)
  const merge = 'merge=ledger for current.md, merge=ledger-handoff for handoffs'
  plan.block(`${commonDir}/info/attributes`, attributes, merge)
  const personal = plan.followsContext ? CONTEXT_FILES : []
  const exclude = excludeBlock(settings, [...localSettings(plan), ...personal])
  plan.block(`${commonDir}/info/exclude`, exclude, 'ignores local files')
  planHooks(plan)
  if (top !== undefined && !local) {
    plan.block(`${top}/.gitattributes`, attributes, merge)
    plan.commit.push('.gitattributes')
    const ignore = `${top}/.gitignore`
    if (settings.mode === 'tracked') plan.takeOut(ignore, 'no longer ignores current.md')
    else plan.block(ignore, ignoreBlock(settings.root), 'ignores current.md')
    // `git add` fails for a file that does not exist and that git never knew.
    const isGone = plan.changes.some(({ path, change }) => path === ignore && change === 'remove')
    if (!isGone || (await repository.index.list('.gitignore')).length > 0)
      plan.commit.push('.gitignore')
    const worktree = await (options.worktree ?? placeOfWorktree(repository, settings.root))
    await planLedger(top, worktree, plan, dryRun)
    await planCiFiles(options.ci ?? [], top, plan)
    planFormatters(top, plan)
  }
  const agentFiles = await planAgents(plan)
  await leaveOut(plan)
  if (!dryRun) {
    plan.apply()
    await keepStateOfHead(setup)
  }
  // A dry run without changes belongs to `status`, which reports filters itself.
  if (!dryRun || plan.changes.length > 0) {
    if (isPassing(launch.cli)) plan.notes.push(PASSING)
    const filtered = await filteredLedger(setup, settings.root)
    if (filtered !== undefined) plan.notes.push(`${filtered.what}; ${filtered.fix}`)
  }
  const isChanged = (path: string) =>
    plan.changes.some((change) => `${change.path}/`.startsWith(`${top}/${path}/`))
  const forAgents = agentFiles.filter(isChanged)
  noteBiome(forAgents, plan)
  for (const file of forAgents) {
    // A dry run has not written the file, so git cannot tell.
    if (dryRun || !(await isOutOfReach(file, repository))) plan.commit.push(file)
    else {
      plan.notes.push(
        `${file} cannot be committed (git ignores it, or its path goes through a link): it is for this clone only`,
      )
    }
  }
  return { changes: plan.changes, notes: plan.notes, commit: plan.commit.filter(isChanged) }
}

const PASSING =
  'hooks start the copy in a cache that may be emptied; to keep one: npm install --save-dev ledger-git && npx ledger-git install'

/** Only a Node patched by Yarn can read files inside its archives, and git starts an unpatched Node. */
function refuseArchive(cli: string): void {
  if (!cli.includes('.zip/')) return
  throw new LedgerError(
    'PACKAGE_IN_ARCHIVE',
    `git's hooks cannot start a command that is inside an archive: ${cli}`,
    'put "nodeLinker: node-modules" into .yarnrc.yml, run yarn install, then ledger-git install',
  )
}

/** Fills the cache, so that the first merge in a clone reads only new events, as every later one does. */
async function keepStateOfHead({ repository, settings }: Setup): Promise<void> {
  try {
    await checkLedger(repository, settings, { kind: 'rev', rev: 'HEAD' })
  } catch (error) {
    // There is no commit yet, or `doctor` will report what is wrong with the ledger.
    if (!(error instanceof LedgerError)) throw error
  }
}

/** Files that belong only to this clone. Scripts that are executed get a mode; the others are sourced. */
async function planOwnFiles(plan: InstallPlan, dryRun: boolean): Promise<void> {
  const { repository, settings, asset, files, gits } = plan.setup
  const folder = `${repository.place.commonDir}/ledger-git`
  const own = (name: string, content: string, what: string, mode?: number) =>
    plan.put({ path: `${folder}/${name}`, kind: 'own', content, what, mode })
  own('run', asset('githooks/run'), 'finds Node and the command', 0o755)
  const what = 'runs one hook, for git’s configuration and for hook managers'
  own('hook', asset('githooks/hook'), what, 0o755)
  own('launch', await launchText(plan.setup, dryRun), 'recorded node and command')
  own('root', `${settings.root}\n`, 'folder of the ledger')
  const taken = settings.commitsContext ? `${settings.handoffs}\n` : ''
  own('handoffs', taken, 'folder of the context documents that a commit takes along')
  for (const hook of HOOKS) {
    own(`hooks/${hook}`, asset(`githooks/${hook}`), `the ${hook} shim`)
  }
  // Written last, because it relies on the new shims.
  own('hooks/start', asset('githooks/start'), 'the start of every shim')
  // Once written, the file is kept: an older git ignores it, and a newer git may be used again later.
  const hasConfigHooks = files.kind(`${folder}/config-hooks`) === 'file'
  if (hasConfigHooks || isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    own('config-hooks', configHooksText(HOOKS), 'hooks for git 2.54 and newer')
  }
  if (plan.followsContext) own('context/followed', '', 'hooks follow how full contexts are')
  const alias = !(await hasOwnAlias(plan.setup))
  own('config', configText({ alias }), `${CONFIG_KEYS}${alias ? ', alias.ledger' : ''}`)
}

/** True if the user has their own `alias.ledger`; ours would override it, since repository configuration comes last. */
async function hasOwnAlias({ probes }: Setup): Promise<boolean> {
  const words = ['config', '--show-origin', '--get-all', 'alias.ledger']
  const { status, said } = await probes.run('git', words, probes.env)
  // Match only lines with an origin: git also prints other output, for example with GIT_TRACE or for unreadable files.
  const others = /^(?!"?file:(?:.*\/)?ledger-git\/config"?\t)"?(?:file|blob|command line):.*\t/m
  return status === 0 && others.test(said)
}

/** The keys that our configuration sets. */
const CONFIG_KEYS = [
  ...DRIVERS.flatMap(({ name }) => [`merge.${name}.driver`, `merge.${name}.name`]),
  'core.filesRefLockTimeout',
  'reftable.lockTimeout',
].join(', ')

/** Keeps every formatter that is used here away from the ledger. */
function planFormatters(top: string, plan: InstallPlan): void {
  const { files, settings } = plan.setup
  const planned = new Set<string>()
  for (const formatter of usedFormatters((file) => files.read(`${top}/${file}`), settings.root)) {
    const { name, advice, edit } = formatter
    if (advice !== undefined) plan.notes.push(`to keep ${name} away: ${advice}`)
    if (edit === undefined || planned.has(edit.path)) continue
    planned.add(edit.path)
    const { block, content = '', pieces } = edit
    const path = `${top}/${edit.path}`
    const what = `keeps ${name} away from the ledger`
    if (block === undefined) plan.put({ path, kind: 'formatter', content, pieces, what })
    else plan.block(path, block, what)
    plan.commit.push(edit.path)
  }
}

/** Unlike other formatters, biome defaults to tabs and changes front matter, so no format of ours suits them all. */
function noteBiome(paths: readonly string[], plan: InstallPlan): void {
  const { files, repository, settings } = plan.setup
  const used = usedFormatters(
    (file) => files.read(`${repository.place.top}/${file}`),
    settings.root,
  )
  if (paths.length === 0 || !used.some(({ name }) => name === 'biome')) return
  const folders = [...new Set(paths.map((path) => path.split('/')[0]))].join(' ')
  plan.notes.push(
    `biome formats the files in ${folders} differently, and biome ci fails until they are formatted so: ` +
      `npx biome format --write ${folders} before you commit, or exclude them in its settings`,
  )
}
