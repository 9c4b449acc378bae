/** Which issue the tracker is told of: as the user names it, else by the branch; of the configured teams only. */

import { issueInBranch, issueKey } from '../../core/tracker/issue-key.ts'
import type { RepositoryPort } from '../ports.ts'
import { readTracker } from './read-tracker.ts'
import type { TrackerContext } from './tracker-ports.ts'

export interface Named {
  /** As the user named it. */
  readonly issue: string | undefined
  readonly branch: string | undefined
}

/** Undefined without a tracker, and where none of its issues is meant; what cannot be used is named. */
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
    const what = `${JSON.stringify(issue)} is no issue of ${teams.join(', ')} (ledger.trackerTeams)`
    context.say?.(`${what}: the tracker is told nothing`)
  }
  return key
}

/** The issue of the branch that is checked out, for who only shows it: nothing is said. */
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
