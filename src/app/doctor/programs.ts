/** Versions, the environment, and the launcher. */

import { isAtLeast } from '../../core/text/version.ts'
import type { DoctorContext, SetupContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, warning } from './finding.ts'

const OLDEST = { git: '2.34', node: '20.19' }

export function checkPrograms(context: DoctorContext): Finding[] {
  return [gitVersion(context), nodeVersion(context), environment(context)]
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

/** What switches everything off, so that no commit takes an event along. */
export function environment({ env, hooks }: SetupContext): Finding {
  const name = 'environment'
  if (env['LEDGER_GIT'] === '0') {
    return broken(name, 'LEDGER_GIT=0 switches hooks and driver off here', 'unset LEDGER_GIT')
  }
  return env['HUSKY'] === '0' && hooks.owner === 'husky'
    ? broken(name, 'HUSKY=0 switches husky off here, and our hooks with it', 'unset HUSKY')
    : ok(name, 'nothing switches ledger-git off')
}

/** Why the launcher cannot be started; undefined where that is to be tried. */
export function launcherFile({ repository, files }: SetupContext): Finding | undefined {
  const name = 'launcher'
  const program = `${repository.place.commonDir}/ledger-git/run`
  if (files.kind(program) !== 'file') return broken(name, `${program} is gone`, INSTALL)
  if ((files.mode(program) & 0o111) !== 0) return undefined
  return broken(name, `${program} has no run bit`, INSTALL)
}

export async function checkLauncher(
  seen: Finding | undefined,
  context: DoctorContext,
): Promise<Finding[]> {
  if (seen !== undefined) return [seen]
  return [await launcher(context), await launcherWithoutPath(context)]
}

/** Can the recorded Node and command still be started? */
export async function launcher({
  repository,
  files,
  probes,
  version,
}: SetupContext): Promise<Finding> {
  const name = 'launcher'
  const { commonDir, top, gitDir } = repository.place
  const program = `${commonDir}/ledger-git/run`
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
