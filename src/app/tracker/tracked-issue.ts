/** The issue to report on: named by the user, otherwise taken from the branch; only of the configured teams. */

import { issueInBranch, issueKey } from '../../core/tracker/issue-key.ts'
import type { RepositoryPort } from '../ports.ts'
import { readTracker } from './read-tracker.ts'
import type { TrackerContext } from './tracker-ports.ts'

export interface Named {
  /** As the user named it. */
  readonly issue: string | undefined
  readonly branch: string | undefined
}

/** Undefined without a tracker, or if none of its issues is meant. Reports a setting or issue that cannot be used. */
export async function trackedIssue(
  context: TrackerContext,
  { issue, branch }: Named,
): Promise<string | undefined> {
  const found = await readTracker(context)
  if (found.kind === 'wrong') context.say?.(`${found.why}\n  next: ${found.next}`)
  if (found.kind !== 'on') return undefined
  const { teams } = found.settings
  const key = issue === undefined ? issueInBranch(branch, teams) : issueKey(issue, teams)
  if (key === undefined && issue !== undefined) {
    const what = `${JSON.stringify(issue)} is not an issue of ${teams.join(', ')} (ledger.trackerTeams)`
    context.say?.(`${what}: nothing is sent to the tracker`)
  }
  return key
}

/** The issue of the current branch, for callers that only show it: no message is printed. */
export async function issueHere({
  repository,
  env,
}: {
  readonly repository: Pick<RepositoryPort, 'personalConfig' | 'history'>
  readonly env: TrackerContext['env']
}): Promise<string | undefined> {
  const found = await readTracker({ repository, env })
  if (found.kind !== 'on') return undefined
  return issueInBranch((await repository.history.head()).branch, found.settings.teams)
}
