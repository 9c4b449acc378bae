/** What `install` wrote into the git folder: there, and as this release writes it? */

import { HOOK_BLOCK_VERSION } from '../../core/setup/install-texts.ts'
import { blocksOf, blockVersion } from '../../core/setup/marked-block.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { HOOKS } from '../hooks/run-hook.ts'
import { manifestPath, readManifest } from '../setup/install-record.ts'
import type { SetupContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, UPGRADE, warning } from './finding.ts'

export interface Installation {
  readonly isSetUp: boolean
  /** Absolute paths that `install` would change now. */
  readonly stale: ReadonlySet<string>
  /** The release that wrote them. */
  readonly writer: 'older' | 'this' | 'newer'
}

export async function lookAtInstallation(context: SetupContext): Promise<Installation> {
  const { files, repository } = context
  if (files.kind(manifestPath(repository.place.commonDir)) !== 'file') {
    return { isSetUp: false, stale: new Set(), writer: 'this' }
  }
  const { changes } = await context.install({ local: false, dryRun: true })
  const stale = new Set(changes.map(({ path }) => path))
  return { isSetUp: true, stale, writer: writerOf(stale, context) }
}

function writerOf(
  stale: ReadonlySet<string>,
  { files, repository, version }: SetupContext,
): Installation['writer'] {
  const wrote = readManifest(files, repository.place).version
  if (wrote !== version) return isAtLeast(wrote, version) ? 'newer' : 'older'
  const hooks = [...stale].filter((path) => HOOKS.some((hook) => path.endsWith(`/${hook}`)))
  const blocks = hooks.flatMap((path) => blocksOf(files.read(path) ?? ''))
  return blocks.some((block) => blockVersion(block) < HOOK_BLOCK_VERSION) ? 'older' : 'this'
}

export async function neverSetUp({ repository, settings }: SetupContext): Promise<Finding> {
  const path = ledgerPaths(settings.root).current
  const isShared = (await repository.attribute('merge', path)) === 'ledger'
  const what = isShared ? 'this repository uses ledger-git, but this clone' : 'this clone'
  return broken('installation', `${what} was never set up`, INSTALL)
}

/** Without these as they are, hooks do not what this release means. */
const SCRIPTS = /^ledger-git\/(?:hook|root|hooks\/.*)$/

export function installationFinding(
  { stale, writer }: Installation,
  { repository, version }: SetupContext,
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
  const own = ownPaths(stale, repository.place.commonDir)
  const scripts = own.filter((path) => SCRIPTS.test(path))
  if (scripts.length > 0) {
    const what = `not there, or not as ledger-git ${version} writes it: ${someOf(scripts)}`
    return broken(name, what, INSTALL)
  }
  return own.length === 0
    ? ok(name, `as ledger-git ${version} writes it`)
    : warning(name, `not as ledger-git ${version} writes it: ${someOf(own)}`, INSTALL)
}

/** From the shared git folder; hook files have findings of their own. */
function ownPaths(stale: ReadonlySet<string>, commonDir: string): string[] {
  return [...stale]
    .filter((path) => path.startsWith(`${commonDir}/`) && !path.startsWith(`${commonDir}/hooks/`))
    .map((path) => path.slice(commonDir.length + 1))
}

function someOf(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return `${paths.slice(0, 5).join(', ')}${more}`
}
