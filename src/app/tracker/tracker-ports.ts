/** What telling a tracker needs from the outside world, as types. `io/tracker/` implements them. */

import type { TrackedPlan } from '../../core/plan/parts.ts'
import type { Answer } from '../../core/tracker/answer.ts'
import type { KnownIssues } from '../../core/tracker/known-issues.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import type { TrackerSettings } from '../../core/tracker/tracker-settings.ts'
import type { Clock, RepositoryPort } from '../ports.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'

type Plans = readonly TrackedPlan[]

/** `<common-dir>/ledger-git/outbox/`, for its owner's eyes. */
export interface OutboxPort {
  /** In no order; files that cannot be read are named. */
  list(): { readonly items: readonly OutboxItem[]; readonly damaged: readonly string[] }
  write(item: OutboxItem): void
  /** Nothing where it is gone. */
  remove(item: OutboxItem): void
  readState(): OutboxState
  writeState(state: OutboxState): void
  readIssues(): KnownIssues
  writeIssues(issues: KnownIssues): void
  /** Plans whose parts are sub-issues. */
  readPlans(): Plans
  /** One process at a time. */
  changePlans(change: (plans: Plans) => Plans | Promise<Plans>): Promise<void>
  /** Runs it unless another process sends just now; undefined then. `isHeld`: nobody took our place. */
  locked<T>(action: (isHeld: () => boolean) => Promise<T>): Promise<T | undefined>
}

export interface OutboxState {
  /** The tracker takes nothing before (Unix time in milliseconds). */
  readonly pausedUntil: number
  /** It was said that there is no key. */
  readonly toldNoKey: boolean
}

/** An issue as it is now; ids are the tracker's own. */
export interface IssueView {
  readonly id: string
  readonly team: string
  readonly labels: readonly string[]
  readonly state: { readonly id: string; readonly name: string }
  readonly states: readonly { readonly id: string; readonly name: string }[]
  /** The comment and the sub-issue with the marker that was asked for. */
  readonly comment: string | undefined
  readonly subIssue: string | undefined
}

/** Nothing of it throws for what the network or the tracker does. Each is harmless when it happens twice. */
export interface IssueTracker {
  look(issue: string, marker: string): Promise<Answer<IssueView>>
  /** The id of the label of this name that the team can use; it is created where there is none. */
  label(team: string, name: string): Promise<Answer<string>>
  /** Other labels stay. */
  change(
    issue: string,
    change: { readonly label?: string | undefined; readonly state?: string | undefined },
  ): Promise<Answer<unknown>>
  /** One link for each address. */
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
  /** Where a file can be seen from outside, if a commit that holds it was pushed since. */
  linkOf(path: string, since: number): Promise<string | undefined>
  /** Sends what is in the outbox in a process that nobody waits for. False where `install` never ran. */
  startSender(): boolean
  /** One line for the log of sessions: ids and counts, never texts of people. */
  log(line: string): void
  /** For people, on standard error; undefined where nobody reads it. */
  readonly say: ((message: string) => void) | undefined
}
