/** What a command gets from the outside world; `compose/cli.ts` provides it. */

import type { GatherFleet } from '../../app/dashboard/fleet-feed.ts'
import type { FleetContext } from '../../app/fleet/fleet-context.ts'
import type { MigrationSources } from '../../app/migrate/migrate-source.ts'
import type { Clock, FilesPort, LedgerContext } from '../../app/ports.ts'
import type { AgentRun } from '../../app/ralph/loop-world.ts'
import type { LoadSecretScanner } from '../../app/secrets/find-secrets.ts'
import type { SessionContext } from '../../app/shadow/session-context.ts'
import type { Change } from '../../app/setup/install-record.ts'
import type { Setup } from '../../app/setup/setup.ts'
import type { TrackerContext } from '../../app/tracker/tracker-ports.ts'
import type { Private } from '../../core/dashboard/export-fleet.ts'
import type { PageParts } from '../../core/dashboard/page.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'

export type OpenRepository = LedgerContext

/** The fleet as a page. */
export interface Dashboard {
  /** What the page calls the repository. */
  readonly name: string
  readonly page: PageParts
  readonly gather: GatherFleet
  /** Serves until the process ends. Throws `PORT_IN_USE`. */
  serve(port: number): Promise<{ readonly url: string; readonly port: number }>
  /** Returns why no browser can be opened, or undefined if one was asked to open the page. */
  openBrowser(url: string): string | undefined
  /** The details of this machine that an exported fleet leaves out. */
  hidden(fleet: Fleet): Promise<Private>
  close(): void
}

export interface CliContext {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly clock: Clock
  readonly files: FilesPort
  /** Prints data, for pipes and people. */
  stdout(text: string): void
  /** Prints messages; the commands in them are shown as they can be typed here. */
  stderr(text: string): void
  /** `text` with its commands shown in the same way. */
  named(text: string): string
  /** A command to copy, in the form that can be typed here. */
  typed(command: string): string
  readonly isStdoutTty: boolean
  /** The width of the terminal in cells; undefined without a terminal. */
  readonly columns: number | undefined
  /** Redraws the last line of the terminal that messages go to; undefined if they go to no terminal. */
  readonly draw: ((line: string) => void) | undefined
  /** Shows a long text in the user's pager; false if there is no pager, or no terminal to see it on. */
  page(text: string): Promise<boolean>
  /**
   * Redraws lines on the terminal's alternate screen every `interval` milliseconds, until the user ends it.
   * Returns the exit status.
   */
  watch(
    frame: (size: { readonly columns: number }) => Promise<readonly string[]>,
    interval: number,
  ): Promise<number>
  /** True when a question can be asked and answered. */
  readonly canAsk: boolean
  ask(question: string): Promise<boolean>
  /** Asks on the terminal itself, below `lines`; undefined if there is no terminal. */
  askOnTerminal(lines: readonly string[], question: string): Promise<boolean | undefined>
  /** True in an agent's environment, or if an agent is among the parent processes. */
  isBelowAgent(): boolean
  /** Runs a shell command in a folder; its output goes to standard error. Returns its exit status. */
  runCommand(command: string, folder: string): Promise<number>
  /** Runs the user's command in the current folder; its output goes to standard error. */
  runAgent(
    words: readonly string[],
    input: string,
    env: Readonly<Record<string, string>>,
    more: { readonly timeLimit: number | undefined; readonly onStart: (pid: number) => void },
  ): Promise<AgentRun>
  /**
   * Takes the lock that allows one loop per worktree. While another loop runs there, it is not taken; `heldBy`: the
   * agent that a killed loop left running.
   */
  loopLock(): Promise<
    { setHeir(pid: number): void; release(): void } | { readonly heldBy: number | undefined }
  >
  stdin(): Promise<string>
  /** Opens the repository around `cwd`, once. */
  open(): Promise<OpenRepository>
  /** Hand-written files of the worktree, for `migrate`. */
  migrationSources(): Promise<MigrationSources>
  /** Rewrites our configuration files that git cannot read, and returns which. */
  fixConfig(): Promise<readonly Change[]>
  /** The repository around `cwd` as `install` and `doctor` see it; settings may be unreadable. */
  setup(): Promise<Setup>
  /** Like `setup`, but for another folder, while `action` runs. */
  withSetup<T>(folder: string, action: (setup: Setup) => Promise<T>): Promise<T>
  /** The text of a file in the package. */
  asset(path: string): string
  /** Loads the secret scanner. */
  readonly secrets: LoadSecretScanner
  /** What sessions need, opened on first use. */
  sessions(): Promise<SessionContext>
  /** What the fleet needs, opened on first use. */
  fleet(): Promise<FleetContext>
  /** The dashboard of the repository around `cwd`. */
  dashboard(): Promise<Dashboard>
  /** What reporting to an issue tracker needs. */
  tracker(): Promise<TrackerContext>
  expandGlob(pattern: string): Promise<string[]>
  /** Removes files that killed processes left more than an hour ago; never fails. */
  sweep(): Promise<void>
  /** Runs while holding the ledger's writer lock. */
  withLock<T>(path: string, action: () => Promise<T>): Promise<T>
}
