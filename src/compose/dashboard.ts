/** Connects the dashboard to the outside world. Its process may outlive the folders that it looks at. */

import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { FleetFeed } from '../app/dashboard/fleet-feed.ts'
import type { Place } from '../app/ports.ts'
import type { Dashboard } from '../cli/command/context.ts'
import { AGENT_NAMES } from '../core/agents/agents.ts'
import type { Private } from '../core/dashboard/export-fleet.ts'
import type { PageParts } from '../core/dashboard/page.ts'
import type { Fleet } from '../core/fleet/fleet.ts'
import { startServer } from '../io/server/dashboard-server.ts'
import { GatherApart } from '../io/server/gather-apart.ts'
import { browserObstacle, openBrowser } from '../io/server/open-browser.ts'
import type { Repository } from '../io/git/repository.ts'
import { openRepository } from '../io/git/repository.ts'
import { asset } from './setup.ts'

export interface DashboardHost {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly packageRoot: string
  readonly isTerminal: boolean
  /** The name by which commands are typed here. */
  readonly program: string
  readonly say: (message: string) => void
}

/** Throws what opening the repository throws. */
export async function openDashboard(host: DashboardHost): Promise<Dashboard> {
  const { cwd, env, packageRoot, isTerminal, program, say } = host
  const repository = await openRepository(cwd, env)
  const { place } = repository
  const name = nameOf(place)
  const page: PageParts = {
    script: asset(packageRoot, 'dist/dashboard.js'),
    style: asset(packageRoot, 'dist/dashboard.css'),
  }
  const folders = [cwd, place.top ?? place.gitDir, mainFolder(place)]
  const apart = new GatherApart(join(packageRoot, 'dist/gather-fleet.js'), folders, env)
  const clock = { now: () => Date.now() }
  return {
    name,
    page,
    serve: async (port) => {
      const token = randomBytes(16).toString('hex')
      const marksOf = () => apart.marksOf(place.commonDir)
      const feed = new FleetFeed(apart.gather, marksOf, clock, randomBytes(4).toString('hex'))
      const server = await startServer({ page, feed, token, name, program }, port)
      process.once('exit', () => apart.close())
      // Exits on these signals, so that the file that opens the browser is removed with the process.
      process.once('SIGTERM', () => process.exit(143))
      process.once('SIGHUP', () => process.exit(129))
      return { port: server.port, url: `http://127.0.0.1:${server.port}/#t=${token}` }
    },
    openBrowser: (url) => {
      const obstacle = browserObstacle(env, process.platform, isTerminal)
      if (obstacle !== undefined) return obstacle
      openBrowser(url, env, (why) => say(`ledger-git: no browser was opened: ${why}`))
      return undefined
    },
    gather: apart.gather,
    hidden: (fleet) => hiddenIn(fleet, repository, env),
    close: () => {
      apart.close()
      repository.close()
    },
  }
}

function mainFolder({ commonDir }: Place): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
}

function nameOf(place: Place): string {
  return basename(mainFolder(place)).replace(/\.git$/, '')
}

/** What to hide. The names of people come from git's configuration, this machine, and the commits. */
async function hiddenIn(
  { worktrees }: Fleet,
  { git, place }: Repository,
  env: NodeJS.ProcessEnv,
): Promise<Private> {
  const authors = await git.run(['log', '--all', '--no-show-signature', '--format=%aN%n%cN'])
  const names = [
    await git.query(['config', 'user.name']),
    env['USER'],
    env['LOGNAME'],
    systemUser(),
    ...authors.stdout.toString('utf8').split('\n'),
  ]
  const agents = new Set<string>(AGENT_NAMES)
  const people = new Set(
    names.flatMap((name) => {
      const said = name?.trim() ?? ''
      return said === '' || agents.has(said.toLowerCase()) ? [] : [said]
    }),
  )
  const folders = new Map<string, string>()
  if (env['HOME'] !== undefined) folders.set(env['HOME'], '~')
  folders.set(place.commonDir, '.git')
  for (const { path } of worktrees) folders.set(path, basename(path))
  return { folders: [...folders], people: [...people] }
}

/** Undefined for a user without an entry in the system's list. */
function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
