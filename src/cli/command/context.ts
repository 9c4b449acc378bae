/** What a command gets from the outside world; `compose/cli.ts` fills it in. */

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
  /** Why no browser can be opened; undefined where one was asked to. */
  openBrowser(url: string): string | undefined
  /** What of this machine an exported fleet does not tell. */
  hidden(fleet: Fleet): Promise<Private>
  close(): void
}

export interface CliContext {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly clock: Clock
  readonly files: FilesPort
  /** Data, for pipes and people. */
  stdout(text: string): void
  /** Talk; it names commands as they can be typed here. */
  stderr(text: string): void
  /** The same, for what is printed about commands. */
  named(text: string): string
  /** A command to copy, as it can be typed here. */
  typed(command: string): string
  readonly isStdoutTty: boolean
  /** Cells of a line of the terminal; undefined where there is none. */
  readonly columns: number | undefined
  /** Draws the last line of the terminal that messages go to anew; undefined where there is none. */
  readonly draw: ((line: string) => void) | undefined
  /** Shows a long text in the user's pager; false where there is none, or nothing to see it on. */
  page(text: string): Promise<boolean>
  /**
   * Shows lines anew in the terminal's second screen, every so many milliseconds, until somebody ends it.
   * Returns the exit status.
   */
  watch(
    frame: (size: { readonly columns: number }) => Promise<readonly string[]>,
    interval: number,
  ): Promise<number>
  /** True when a question can be asked and answered. */
  readonly canAsk: boolean
  ask(question: string): Promise<boolean>
  /** The same on the terminal itself, below lines; undefined where there is none. */
  askOnTerminal(lines: readonly string[], question: string): Promise<boolean | undefined>
  /** True in an agent's environment, or below its process. */
  isBelowAgent(): boolean
  /** Runs a shell's command in a folder; what it prints is talk. Returns its exit status. */
  runCommand(command: string, folder: string): Promise<number>
  /** A process of the user's in the current folder; what it prints is talk. */
  runAgent(
    words: readonly string[],
    input: string,
    env: Readonly<Record<string, string>>,
    timeLimit: number | undefined,
  ): Promise<AgentRun>
  /** For one loop in a worktree; undefined while another one runs there. */
  loopLock(): Promise<{ release(): void } | undefined>
  stdin(): Promise<string>
  /** Opens the repository around `cwd`, once. */
  open(): Promise<OpenRepository>
  /** Hand-written files of the worktree, for `migrate`. */
  migrationSources(): Promise<MigrationSources>
  /** Writes our configuration anew where git cannot read it; says which files. */
  fixConfig(): Promise<readonly Change[]>
  /** The repository around `cwd` as `install` and `doctor` see it; settings may be unreadable. */
  setup(): Promise<Setup>
  /** The same for another folder, while `action` runs. */
  withSetup<T>(folder: string, action: (setup: Setup) => Promise<T>): Promise<T>
  /** A text of the package. */
  asset(path: string): string
  /** Loads the detector of secrets. */
  readonly secrets: LoadSecretScanner
  /** What sessions need, opened on first use. */
  sessions(): Promise<SessionContext>
  /** What the fleet needs, opened on first use. */
  fleet(): Promise<FleetContext>
  /** The dashboard of the repository around `cwd`. */
  dashboard(): Promise<Dashboard>
  /** What telling an issue tracker needs. */
  tracker(): Promise<TrackerContext>
  expandGlob(pattern: string): Promise<string[]>
  /** Removes what killed processes left, an hour after; never fails. */
  sweep(): Promise<void>
  /** Runs while holding the ledger's writer lock. */
  withLock<T>(path: string, action: () => Promise<T>): Promise<T>
}
