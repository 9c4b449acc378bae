/** Versions, the launcher, and what `install` would write today. */

import { isAtLeast } from '../../core/version.ts'
import { ledgerPaths } from '../ledger-places.ts'
import { manifestPath } from '../setup/install-record.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, warning } from './finding.ts'

const OLDEST = { git: '2.34', node: '20.19' }

export async function checkPrograms(context: DoctorContext): Promise<Finding[]> {
  return [
    gitVersion(context),
    nodeVersion(context),
    environment(context),
    ...(await installation(context)),
  ]
}

function gitVersion({ gits }: DoctorContext): Finding {
  const others = gits.others.filter((version) => version !== gits.running)
  const also = others.length === 0 ? '' : `; also on this machine: ${others.join(', ')}`
  return isAtLeast(gits.running, OLDEST.git)
    ? ok('git-version', `git ${gits.running}${also}`)
    : broken(
        'git-version',
        `git ${gits.running} is too old${also}`,
        `install git ${OLDEST.git} or newer`,
      )
}

function nodeVersion({ nodeVersion }: DoctorContext): Finding {
  return isAtLeast(nodeVersion, OLDEST.node)
    ? ok('node-version', `Node ${nodeVersion}`)
    : broken(
        'node-version',
        `Node ${nodeVersion} is too old`,
        `install Node ${OLDEST.node} or newer`,
      )
}

function environment({ env }: DoctorContext): Finding {
  return env['LEDGER_GIT'] === '0'
    ? warning('environment', 'LEDGER_GIT=0 switches hooks and driver off here', 'unset LEDGER_GIT')
    : ok('environment', 'nothing switches ledger-git off')
}

async function installation(context: DoctorContext): Promise<Finding[]> {
  const { repository, settings, files, version } = context
  const { commonDir } = repository.place
  if (files.kind(manifestPath(commonDir)) !== 'file') {
    const path = ledgerPaths(settings.root).current
    const isShared = (await repository.attribute('merge', path)) === 'ledger'
    const what = isShared ? 'this repository uses ledger-git, but this clone' : 'this clone'
    return [broken('installation', `${what} was never set up`, INSTALL)]
  }
  const { changes } = await context.install({ local: true, dryRun: true })
  const own = `${commonDir}/ledger-git/`
  const stale = changes.map(({ path }) =>
    path.startsWith(own) ? path.slice(commonDir.length + 1) : path,
  )
  const current =
    stale.length === 0
      ? ok('installation', `as ledger-git ${version} writes it`)
      : warning(
          'installation',
          `not as ledger-git ${version} writes it: ${stale.slice(0, 5).join(', ')}${stale.length > 5 ? ` and ${stale.length - 5} more` : ''}`,
          INSTALL,
        )
  return [current, await launcher(context), await launcherWithoutPath(context)]
}

/** Can the recorded Node and command still be started? */
async function launcher({ repository, files, probes, version }: DoctorContext): Promise<Finding> {
  const name = 'launcher'
  const { commonDir, top, gitDir } = repository.place
  const program = `${commonDir}/ledger-git/run`
  if (files.kind(program) !== 'file') return broken(name, `${program} is gone`, INSTALL)
  if ((files.mode(program) & 0o111) === 0) {
    return broken(name, `${program} has no run bit`, INSTALL)
  }
  const [node = '', cli = ''] = (files.read(`${commonDir}/ledger-git/launch`) ?? '').split('\n')
  const gone = [node, cli].filter((path) => files.kind(path) === 'absent')
  const { status, said } = await probes.run(program, ['--version'], {
    cwd: top ?? gitDir,
    env: probes.env,
  })
  if (status !== 0) return broken(name, `it cannot start ledger-git: ${said}`, INSTALL)
  if (gone.length > 0) {
    return warning(name, `${gone.join(' and ')} is gone; another was found`, INSTALL)
  }
  return said === version
    ? ok(name, `starts ledger-git ${said}`)
    : warning(name, `hooks start ledger-git ${said}, you typed ${version}`, INSTALL)
}

/** As a GUI client, cron or a service starts git: hardly any PATH, no nvm. */
async function launcherWithoutPath({ repository, probes, env }: DoctorContext): Promise<Finding> {
  const name = 'launcher-without-path'
  const { commonDir, top, gitDir } = repository.place
  const bare = { HOME: env['HOME'], PATH: '/usr/bin:/bin' }
  const program = `${commonDir}/ledger-git/run`
  const options = { cwd: top ?? gitDir, env: bare }
  const { status, said } = await probes.run(program, ['--version'], options)
  return status === 0
    ? ok(name, 'starts as from a GUI client too')
    : broken(name, `cannot start with PATH=/usr/bin:/bin, as from a GUI client: ${said}`, INSTALL)
}
