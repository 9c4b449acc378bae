/**
 * Sets one repository up, for all its worktrees; every change is listed, and recorded for `uninstall`.
 *
 * Files of others get a marked block and nothing else; a hook that no block can stand in is kept whole
 * and run by ours. What belongs to more than this repository (a global hooks folder) is never written.
 */

import { encodeTree, hashObject } from '../../core/git/objects.ts'
import {
  CONFIG_HOOKS_SINCE,
  CONFIG_INCLUDE,
  configHooksText,
  configText,
  DRIVERS,
} from '../../core/setup/install-texts.ts'
import { attributesBlock, excludeBlock, ignoreBlock } from '../../core/setup/path-blocks.ts'
import { usedFormatters } from '../../core/setup/formatters.ts'
import { CONTEXT_FILES, filteredLedger, ignoredLedger, leftLedger } from './hidden-paths.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import { checkLedger } from '../ledger/check.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import { isOutOfReach } from '../ledger/event-files.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import { planCiFiles } from './ci-files.ts'
import { localSettings, planAgents } from './install-agents.ts'
import { planHooks } from './install-hooks.ts'
import type { InstallOptions } from './install-plan.ts'
import { InstallPlan } from './install-plan.ts'
import type { InstallReport } from './install-record.ts'
import { leaveOut } from './leave-out.ts'
import type { Setup } from './setup.ts'

/** A dry run waits for nobody. */
export function install(setup: Setup, options: InstallOptions): Promise<InstallReport> {
  return options.dryRun ? run(setup, options) : setup.locked(() => run(setup, options))
}

async function run(setup: Setup, options: InstallOptions): Promise<InstallReport> {
  const { dryRun, local } = options
  const { repository, settings, launch } = setup
  refuseArchive(launch.cli)
  const { commonDir, top } = repository.place
  const plan = new InstallPlan(setup, options)
  await planOwnFiles(plan)
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
    // Git adds no file that is gone and was never there.
    const isGone = plan.changes.some(({ path, change }) => path === ignore && change === 'remove')
    if (!isGone || (await repository.index.list('.gitignore')).length > 0)
      plan.commit.push('.gitignore')
    const worktree = options.worktree ?? (await placeOfWorktree(repository, settings.root))
    await planLedger(top, worktree, plan)
    await planCiFiles(options.ci ?? [], top, plan)
    planFormatters(top, plan)
  }
  const agentFiles = await planAgents(plan)
  await leaveOut(plan)
  if (!dryRun) {
    plan.apply()
    await keepStateOfHead(setup)
  }
  // A dry run without a change is that of `status`, which tells by itself.
  if (!dryRun || plan.changes.length > 0) {
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
        `${file} cannot be committed (git ignores it, or a link leads to it): it is for this clone only`,
      )
    }
  }
  return { changes: plan.changes, notes: plan.notes, commit: plan.commit.filter(isChanged) }
}

/** Only a Node that Yarn has patched reads what lies in its archives, and git starts a plain one. */
function refuseArchive(cli: string): void {
  if (!cli.includes('.zip/')) return
  throw new LedgerError(
    'PACKAGE_IN_ARCHIVE',
    `git's hooks cannot start a command that lies in an archive: ${cli}`,
    'put "nodeLinker: node-modules" into .yarnrc.yml, run yarn install, then ledger-git install',
  )
}

/** So that the first merge of a clone reads what is new, as every later one does. */
async function keepStateOfHead({ repository, settings }: Setup): Promise<void> {
  try {
    await checkLedger(repository, settings, { kind: 'rev', rev: 'HEAD' })
  } catch (error) {
    // No commit yet, or a ledger that `doctor` speaks of.
    if (!(error instanceof LedgerError)) throw error
  }
}

/** What reads a ledger that people keep loads parsers, which no `status` waits for. */
async function readsAsNothing(text: string): Promise<boolean> {
  const { saysNothing } = await import('../../core/migrate/read-source.ts')
  return saysNothing(text)
}

/** What belongs to this clone alone. The scripts that run by themselves have a mode; others are sourced. */
async function planOwnFiles(plan: InstallPlan): Promise<void> {
  const { repository, settings, asset, launch, files, gits } = plan.setup
  const folder = `${repository.place.commonDir}/ledger-git`
  const own = (name: string, content: string, what: string, mode?: number) =>
    plan.put({ path: `${folder}/${name}`, kind: 'own', content, what, mode })
  own('run', asset('githooks/run'), 'finds Node and the command', 0o755)
  const what = 'runs one hook, for git’s configuration and for hook managers'
  own('hook', asset('githooks/hook'), what, 0o755)
  own('launch', `${launch.node}\n${launch.cli}\n`, 'recorded node and command')
  own('root', `${settings.root}\n`, 'folder of the ledger')
  const taken = settings.commitsContext ? `${settings.handoffs}\n` : ''
  own('handoffs', taken, 'folder of the context documents that a commit takes along')
  for (const hook of HOOKS) {
    own(`hooks/${hook}`, asset(`githooks/${hook}`), `the ${hook} shim`)
  }
  // Last: it knows what older shims do not.
  own('hooks/start', asset('githooks/start'), 'the start of every shim')
  // Once there, always there: an older git ignores it, and a newer one may come back.
  const hasConfigHooks = files.kind(`${folder}/config-hooks`) === 'file'
  if (hasConfigHooks || isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    own('config-hooks', configHooksText(HOOKS), 'hooks for git 2.54 and newer')
  }
  if (plan.followsContext) own('context/followed', '', 'hooks follow how full contexts are')
  const alias = !(await hasOwnAlias(plan.setup))
  own('config', configText({ alias }), `${CONFIG_KEYS}${alias ? ', alias.ledger' : ''}`)
}

/** The user has an `alias.ledger`, which ours would hide: this repository's configuration comes last. */
async function hasOwnAlias({ probes }: Setup): Promise<boolean> {
  const words = ['config', '--show-origin', '--get-all', 'alias.ledger']
  const { status, said } = await probes.run('git', words, probes.env)
  // What git says besides, with GIT_TRACE or of a file that it may not read, is no origin.
  const others = /^(?!"?file:(?:.*\/)?ledger-git\/config"?\t)"?(?:file|blob|command line):.*\t/m
  return status === 0 && others.test(said)
}

/** What our own configuration sets. */
const CONFIG_KEYS = [
  ...DRIVERS.flatMap(({ name }) => [`merge.${name}.driver`, `merge.${name}.name`]),
  'core.filesRefLockTimeout',
  'reftable.lockTimeout',
].join(', ')

/** Keeps every formatter away that is used here. */
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

/** Unlike other formatters it takes tabs by default, and changes front matter: no form of ours suits all of them. */
function noteBiome(paths: readonly string[], plan: InstallPlan): void {
  const { files, repository, settings } = plan.setup
  const used = usedFormatters(
    (file) => files.read(`${repository.place.top}/${file}`),
    settings.root,
  )
  if (paths.length === 0 || !used.some(({ name }) => name === 'biome')) return
  const folders = [...new Set(paths.map((path) => path.split('/')[0]))].join(' ')
  plan.notes.push(
    `biome has a form of its own for the files in ${folders}, and biome ci fails until they have it: ` +
      `npx biome format --write ${folders} before you commit, or leave them out in its settings`,
  )
}

/** So that no later commit creates or deletes `current.md`: git calls no driver for those. */
async function planLedger(top: string, place: WorktreePlace, plan: InstallPlan): Promise<void> {
  const { repository, settings, files } = plan.setup
  const { current, events } = ledgerPaths(settings.root)
  if (settings.mode === 'untracked' && place.index.current !== undefined) {
    plan.notes.push(
      `${current} is still in git; mode: untracked keeps it out: git rm --cached ${current}`,
    )
  }
  if (place.current !== undefined && place.entries === undefined) {
    const text = files.read(`${top}/${current}`) ?? ''
    if (!text.includes('\n_synthesized:\n') && !(await readsAsNothing(text))) {
      plan.notes.push(
        `${current} is kept by hand and stays as it is until the first event; ledger-git migrate makes an event of it`,
      )
      return
    }
  }
  const left = await leftLedger(plan.setup, settings.root)
  if (left !== undefined) {
    plan.notes.push(`${left.what}; next: ${left.fix}`)
    return
  }
  const add = (path: string, content: string) =>
    plan.put({ path: `${top}/${path}`, kind: 'ledger', content, what: 'empty ledger' })
  if (place.entries === undefined) add(`${events}/.gitkeep`, '')
  if (place.current === undefined) {
    const { format } = repository.place
    const keep = {
      mode: '100644',
      name: '.gitkeep',
      oid: hashObject('blob', Buffer.alloc(0), format),
    }
    const entries = place.entries ?? [keep]
    const eventsTree = hashObject('tree', encodeTree(entries), format)
    const set = await eventsOf(repository.objects, { ...place, entries, eventsTree })
    add(current, renderEvents(set))
  }
  const { events: hidden } = await ignoredLedger(plan.setup.probes, settings.root)
  if (hidden === undefined) plan.commit.push(settings.root)
  else plan.notes.push(`${hidden.what}; ${hidden.fix}`)
}
