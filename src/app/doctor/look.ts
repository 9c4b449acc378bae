/**
 * What can be said about installation, driver and hooks without running any of them.
 *
 * `status` reports this, and `doctor` reports it before it tries things out, so the two cannot disagree.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { MergeDriver } from '../../core/setup/install-texts.ts'
import { DRIVERS } from '../../core/setup/install-texts.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { filteredLedger } from '../setup/hidden-paths.ts'
import { hookRoutes } from '../setup/hook-routes.ts'
import { install } from '../setup/install.ts'
import { readRecord, recordPath } from '../setup/install-record.ts'
import type { Setup, WorktreeInfo } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, someOf, UPGRADE, warning } from './finding.ts'
import type { Installation, SeenHook } from './look-at-hooks.ts'
import { lookAtHook, lookAtHooksFolder } from './look-at-hooks.ts'

export interface Seen {
  readonly installation: Installation
  /** Undefined if it looks right, so that it can be started. */
  readonly launcher: Finding | undefined
  /** `driver-config` and `attributes`. */
  readonly driver: readonly Finding[]
  readonly hooksFolder: Finding
  readonly hooks: readonly SeenHook[]
}

/**
 * Undefined if `install` never ran, since then there is nothing to examine. `worktree`: the worktree's ledger, if the
 * caller reads it anyway; git answers most questions meanwhile.
 */
export async function look(
  setup: Setup,
  worktrees: readonly WorktreeInfo[],
  worktree?: Promise<WorktreePlace>,
): Promise<Seen | undefined> {
  const { files, repository, version } = setup
  if (files.kind(recordPath(repository.place.commonDir)) !== 'file') return undefined
  const [{ changes }, commands, said] = await Promise.all([
    install(setup, { local: false, dryRun: true, ...(worktree && { worktree }) }),
    repository.configs(DRIVER_KEYS),
    askAttributes(worktrees, setup),
  ])
  const wrote = readRecord(files, repository.place).version
  const installation: Installation = {
    stale: new Set(changes.map(({ path }) => path)),
    writer: wrote === version ? 'this' : isAtLeast(wrote, version) ? 'newer' : 'older',
  }
  const hooks = hookRoutes(setup).map((route) => lookAtHook(route, installation, setup))
  return {
    installation,
    launcher: launcherFile(setup),
    driver: [
      ...(await driverConfig(commands, installation, setup)),
      attributes(said, worktrees, installation, setup),
    ],
    hooksFolder: lookAtHooksFolder(setup),
    hooks: await Promise.all(hooks),
  }
}

export async function neverSetUp({ repository, settings }: Setup): Promise<Finding> {
  const path = ledgerPaths(settings.root).current
  const isShared = (await repository.attribute('merge', path))[0] === 'ledger'
  const what = isShared ? 'this repository uses ledger-git, but this clone' : 'this clone'
  return broken('installation', `${what} was never set up`, INSTALL)
}

/** Names the folder of the ledger for the hooks. */
const ROOT_FILE = 'ledger-git/root'
/** If one of these differs, hooks do not behave as this release expects. */
const SCRIPTS = /^ledger-git\/(?:hook|root|hooks\/.*)$/

export function installationFinding(
  { stale, writer }: Installation,
  { files, repository, settings, version }: Setup,
): Finding {
  const name = 'installation'
  if (writer === 'newer') {
    const what = `a newer ledger-git than ${version} set this clone up: its hooks are not tried out`
    return warning(name, what, UPGRADE)
  }
  if (writer === 'older' && stale.size > 0) {
    const what = `an older ledger-git wrote ${someOf([...stale])}: hooks are not tried out`
    return warning(name, what, INSTALL)
  }
  // Only files in the shared git folder; hook files have their own findings.
  const { commonDir } = repository.place
  const own = [...stale]
    .filter((path) => path.startsWith(`${commonDir}/`) && !path.startsWith(`${commonDir}/hooks/`))
    .map((path) => path.slice(commonDir.length + 1))
  const scripts = own.filter((path) => SCRIPTS.test(path))
  // The file belongs to all worktrees and branches; `ledger.root` may have moved between two branches.
  const root = files.read(`${commonDir}/${ROOT_FILE}`)?.trimEnd() ?? ''
  if (scripts.join('') === ROOT_FILE && root !== '') {
    const what = `this clone is set up for the ledger in ${root}, but this branch has it in ${settings.root}`
    return broken(name, what, INSTALL)
  }
  if (scripts.length > 0) {
    const what = `missing, or not as ledger-git ${version} writes it: ${someOf(scripts)}`
    return broken(name, what, INSTALL)
  }
  return own.length === 0
    ? ok(name, `as ledger-git ${version} writes it`)
    : warning(name, `not as ledger-git ${version} writes it: ${someOf(own)}`, INSTALL)
}

/** Checks for environment variables that switch everything off, so that no commit includes pending events. */
export function environment({ env, hooks }: Setup): Finding {
  const name = 'environment'
  if (env['LEDGER_GIT'] === '0') {
    return broken(name, 'LEDGER_GIT=0 switches hooks and driver off here', 'unset LEDGER_GIT')
  }
  return env['HUSKY'] === '0' && hooks.owner === 'husky'
    ? broken(name, 'HUSKY=0 switches husky off here, and our hooks with it', 'unset HUSKY')
    : ok(name, 'nothing switches ledger-git off')
}

/** Why the launcher cannot be started; undefined if it is worth trying. */
function launcherFile({ repository, files }: Setup): Finding | undefined {
  const program = `${repository.place.commonDir}/ledger-git/run`
  if (files.kind(program) !== 'file') return broken('launcher', `${program} is gone`, INSTALL)
  if ((files.mode(program) & 0o111) !== 0) return undefined
  return broken('launcher', `${program} is not executable`, INSTALL)
}

/** A file that this driver merges. */
export function mergedBy({ name }: MergeDriver, root: string): string {
  return name === 'ledger' ? ledgerPaths(root).current : ledgerPaths(`${root}/NAME`).current
}

const DRIVER_KEYS = DRIVERS.map(({ name }) => `merge.${name}.driver`)

/** The first driver with a problem. Empty if another release wrote it, which the `installation` finding reports. */
async function driverConfig(
  commands: readonly (string | undefined)[],
  installation: Installation,
  setup: Setup,
): Promise<Finding[]> {
  for (const [i, driver] of DRIVERS.entries()) {
    const problem = await driverProblem(driver, commands[i], installation, setup)
    if (problem !== undefined) return problem
  }
  return [ok('driver-config', `${DRIVER_KEYS.join(' and ')} are ours`)]
}

async function driverProblem(
  driver: MergeDriver,
  command: string | undefined,
  { stale, writer }: Installation,
  { repository, settings, probes }: Setup,
): Promise<Finding[] | undefined> {
  const name = 'driver-config'
  const key = `merge.${driver.name}.driver`
  const { commonDir, gitDir } = repository.place
  if (command === driver.command) return undefined
  if (command === undefined) {
    const path = mergedBy(driver, settings.root)
    const isNamed = (await repository.attribute('merge', path))[0] === driver.name
    const what = isNamed
      ? `${path} has merge=${driver.name}, but this clone has no such driver: git merges it as text`
      : `this clone has no ${key}`
    return [broken(name, what, INSTALL)]
  }
  const isOurs = stale.has(`${commonDir}/ledger-git/config`)
  if (isOurs && writer !== 'this') return []
  const env = { ...probes.env, GIT_DIR: gitDir }
  const { said } = await probes.run('git', ['config', '--show-scope', '--get', key], env)
  const unset = `git config --${said.split('\t')[0]} --unset-all ${key} && ${INSTALL}`
  return [broken(name, `${key} is set to something else: ${command}`, isOurs ? INSTALL : unset)]
}

/** What git says in each worktree; its message if it fails in one, which must not hide the other findings. */
async function askAttributes(
  worktrees: readonly WorktreeInfo[],
  { repository, settings: { root }, probes }: Setup,
) {
  const paths = DRIVERS.map((driver) => mergedBy(driver, root))
  try {
    const values = await Promise.all(worktrees.map((worktree) => probes.mergeIn(worktree, paths)))
    return { values, filtered: await filteredLedger({ repository }, root) }
  } catch (error) {
    if (error instanceof LedgerError) return error.message
    throw error
  }
}

/** Judges attributes in main, linked and sparse worktrees and in bare repositories. */
function attributes(
  said: Awaited<ReturnType<typeof askAttributes>>,
  worktrees: readonly WorktreeInfo[],
  { stale }: Installation,
  { repository, settings }: Setup,
): Finding {
  if (typeof said === 'string') return broken('unchecked', said, 'see the message')
  const { values, filtered } = said
  const own = `${repository.place.commonDir}/info/attributes`
  for (const [i, driver] of DRIVERS.entries()) {
    const path = mergedBy(driver, settings.root)
    const without = worktrees.flatMap((worktree, at) => {
      const value = values[at]?.[i] ?? ''
      return value === driver.name ? [] : `${worktree.path} (merge: ${value})`
    })
    if (without.length === 0) continue
    const what = `${path} has no merge=${driver.name} in ${without.join(', ')}`
    const overruled = `remove the line after ours that says otherwise, in ${own}`
    return broken('attributes', what, stale.has(own) ? INSTALL : overruled)
  }
  if (filtered !== undefined) return broken('attributes', filtered.what, filtered.fix)
  const count = `${worktrees.length} worktree${worktrees.length === 1 ? '' : 's'}`
  const wanted = DRIVERS.map(({ name }) => `merge=${name}`)
  return ok('attributes', `${wanted.join(' and ')} in ${count}`)
}
