/** What reporting to a tracker needs from the outside world, as types. Implemented in `io/tracker/`. */

import type { TrackedPlan } from '../../core/plan/parts.ts'
import type { Answer } from '../../core/tracker/answer.ts'
import type { KnownIssues } from '../../core/tracker/known-issues.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import type { TrackerSettings } from '../../core/tracker/tracker-settings.ts'
import type { Clock, RepositoryPort } from '../ports.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'

type Plans = readonly TrackedPlan[]

/** `<common-dir>/ledger-git/outbox/`, readable only by its owner. */
export interface OutboxPort {
  /** Items in no particular order; files that cannot be read are named. */
  list(): { readonly items: readonly OutboxItem[]; readonly damaged: readonly string[] }
  write(item: OutboxItem): void
  /** Does nothing if the item is already gone. */
  remove(item: OutboxItem): void
  readState(): OutboxState
  writeState(state: OutboxState): void
  readIssues(): KnownIssues
  writeIssues(issues: KnownIssues): void
  /** Plans whose parts are sub-issues. */
  readPlans(): Plans
  /** Only one process at a time. */
  changePlans(change: (plans: Plans) => Plans | Promise<Plans>): Promise<void>
  /** Runs `action`, or returns undefined if another process is sending. `isHeld`: we still hold the lock. */
  locked<T>(action: (isHeld: () => boolean) => Promise<T>): Promise<T | undefined>
}

export interface OutboxState {
  /** The tracker accepts nothing before this time (Unix time in milliseconds). */
  readonly pausedUntil: number
  /** The user has been told that there is no key. */
  readonly toldNoKey: boolean
}

/** The present state of an issue; ids are the tracker's own. */
export interface IssueView {
  readonly id: string
  readonly team: string
  readonly labels: readonly string[]
  readonly state: { readonly id: string; readonly name: string }
  readonly states: readonly { readonly id: string; readonly name: string }[]
  /** The comment and the sub-issue with the requested marker. */
  readonly comment: string | undefined
  readonly subIssue: string | undefined
}

/** No method throws because of the network or the tracker. Repeating a call is harmless. */
export interface IssueTracker {
  look(issue: string, marker: string): Promise<Answer<IssueView>>
  /** The id of the team's label with this name; the label is created if there is none. */
  label(team: string, name: string): Promise<Answer<string>>
  /** Other labels are kept. */
  change(
    issue: string,
    change: { readonly label?: string | undefined; readonly state?: string | undefined },
  ): Promise<Answer<unknown>>
  /** Keeps one link per URL. */
  link(
    issue: string,
    link: { readonly url: string; readonly title: string },
  ): Promise<Answer<unknown>>
  comment(
    issue: string,
    comment: { readonly id: string; readonly body: string },
  ): Promise<Answer<unknown>>
  rewrite(comment: string, body: string): Promise<Answer<unknown>>
  createSubIssue(
    parent: Pick<IssueView, 'id' | 'team'>,
    issue: { readonly id: string; readonly title: string; readonly description: string },
  ): Promise<Answer<unknown>>
}

export interface TrackerContext {
  readonly repository: Pick<RepositoryPort, 'personalConfig'>
  readonly outbox: OutboxPort
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly secrets: LoadSecretScanner
  openTracker(settings: TrackerSettings, key: string): IssueTracker
  /** URL at which a file can be seen, if a commit that holds it was pushed since. */
  linkOf(path: string, since: number): Promise<string | undefined>
  /** Sends what is in the outbox in a background process. False if `install` never ran. */
  startSender(): boolean
  /** Writes a line to the session log: ids and counts, never people's texts. */
  log(line: string): void
  /** Writes a message for people to standard error; undefined if nobody reads it. */
  readonly say: ((message: string) => void) | undefined
}
