/** The real outside world for the dashboard: a process that lives longer than what it looks at may. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname } from 'node:path'
import type { FleetQuestion, GatherFleet } from '../app/dashboard/fleet-feed.ts'
import { FleetFeed } from '../app/dashboard/fleet-feed.ts'
import type { FleetContext, FleetMemory } from '../app/fleet/fleet-context.ts'
import { gatherFleetAt, momentOf } from '../app/fleet/fleet-at.ts'
import { gatherFleet } from '../app/fleet/gather-fleet.ts'
import type { Place } from '../app/ports.ts'
import type { Dashboard } from '../cli/command/context.ts'
import { AGENT_NAMES } from '../core/agents/agents.ts'
import { LedgerError } from '../core/errors/errors.ts'
import type { Private } from '../core/dashboard/export-fleet.ts'
import type { PageParts } from '../core/dashboard/page.ts'
import type { Fleet } from '../core/fleet/fleet.ts'
import { LongLivedReader } from '../io/objects/long-lived-reader.ts'
import { startServer } from '../io/server/dashboard-server.ts'
import { FleetWatch } from '../io/server/fleet-watch.ts'
import { browserObstacle, openBrowser } from '../io/server/open-browser.ts'
import { openRepository, Repository } from '../io/git/repository.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'
import { openFleet } from './fleet.ts'
import { asset } from './setup.ts'

export interface DashboardHost {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly packageRoot: string
  readonly isTerminal: boolean
  readonly say: (message: string) => void
}

/** Throws what opening the repository throws. */
export async function openDashboard(host: DashboardHost): Promise<Dashboard> {
  const { cwd, env, packageRoot, isTerminal, say } = host
  const repository = await openRepository(cwd, env)
  const { place } = repository
  const name = nameOf(place)
  const page: PageParts = {
    script: asset(packageRoot, 'dist/dashboard.js'),
    style: asset(packageRoot, 'dist/dashboard.css'),
  }
  const looks = new Looks([cwd, place.top ?? place.gitDir, mainFolder(place)], env)
  const clock = { now: () => Date.now() }
  return {
    name,
    page,
    serve: async (port) => {
      const token = randomBytes(16).toString('hex')
      const feed = new FleetFeed(looks.gather, clock, randomBytes(4).toString('hex'))
      const server = await startServer({ page, feed, token, name, canStep: true }, port)
      const watch = new FleetWatch(feed, server, place.commonDir)
      process.once('exit', () => watch.close())
      // The file that opens the browser goes with the process.
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
    gather: looks.gather,
    hidden: (fleet) => hiddenIn(fleet, repository, env),
    close: () => {
      looks.close()
      repository.close()
    },
  }
}

/** Looks at one repository again and again. It may go, and come back as another one. */
class Looks {
  readonly #folders: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  #opened: Promise<{ context: FleetContext; close(): void }> | undefined
  #memory: FleetMemory | undefined

  /** `folders`: any that is still there will do. */
  constructor(folders: readonly string[], env: NodeJS.ProcessEnv) {
    this.#folders = folders
    this.#env = env
  }

  readonly gather: GatherFleet = async ({ at, isWholeTimeline = false }: FleetQuestion) => {
    const limits = isWholeTimeline ? { timeline: Infinity } : {}
    const wasOpen = this.#opened !== undefined
    try {
      return await this.#look(at, limits)
    } catch (error) {
      this.close()
      const isWord = error instanceof LedgerError && error.exitCode === 2
      if (!wasOpen || isWord) throw error
    }
    // The folder that it was opened in may be gone, and the repository still there.
    return this.#look(at, limits)
  }

  async #look(at: string | undefined, limits: { timeline?: number }): Promise<Fleet> {
    const { context } = await (this.#opened ??= this.#open())
    if (at !== undefined) return gatherFleetAt(context, await momentOf(context, at), { limits })
    const { fleet, memory } = await gatherFleet(context, { limits }, this.#memory)
    this.#memory = memory
    return fleet
  }

  close(): void {
    const opened = this.#opened
    this.#opened = undefined
    this.#memory = undefined
    void opened?.then(({ close }) => close()).catch(() => {})
  }

  async #open() {
    const folder = this.#folders.find((each) => existsSync(each)) ?? this.#folders[0] ?? '.'
    const { git, place } = await openRepository(folder, this.#env)
    const repository = new Repository(git, place, (git, place) => new LongLivedReader(git, place))
    const sessions = await openSessionContext(folder, this.#env, repository)
    const context = { ...(await openFleet(repository, sessions)), repository }
    const close = () => {
      sessions.close()
      repository.close()
    }
    return { context, close }
  }
}

function mainFolder({ commonDir }: Place): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
}

function nameOf(place: Place): string {
  return basename(mainFolder(place)).replace(/\.git$/, '')
}

/** Names of people are those of git's configuration, of this machine, and of whoever made commits. */
async function hiddenIn(
  { worktrees }: Fleet,
  { git, place }: Repository,
  env: NodeJS.ProcessEnv,
): Promise<Private> {
  const authors = await git.run(['log', '--all', '--format=%aN%n%cN'])
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

/** A user without an entry in the system's list has no name. */
function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
