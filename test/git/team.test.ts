/** Random teams: after any history, every commit of every branch is fresh and has the right content. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { IS_LONG } from '../support/long.ts'
import { readSnapshots } from '../support/oracle.ts'
import { Team } from '../support/team.ts'
import { EVENTS, expectCommandAgrees, expectOracle } from './scene.ts'

// LEDGER_TEAM_STEPS=400 LEDGER_TEAM_SEED=7 npx vitest run --project git test/git/team
const STEPS = Number(process.env['LEDGER_TEAM_STEPS'] ?? (IS_LONG ? 30 : 10))
const SEED = Number(process.env['LEDGER_TEAM_SEED'] ?? 0)
const SEEDS = SEED > 0 ? [SEED] : IS_LONG ? [1, 2, 3, 4] : [1]

test.each(SEEDS)(
  'team %i keeps every commit fresh',
  (seed) => {
    const team = new Team(seed)
    const told = () =>
      `LEDGER_TEAM_SEED=${seed} LEDGER_TEAM_STEPS=${STEPS}\n` +
      team.steps.map(({ member, what }, i) => `${i}: ${member}: ${what}`).join('\n')
    const seen = new Set<string>()
    try {
      for (let i = 0; i < STEPS; i++) {
        team.step()
        for (const member of team.members) expectCalm(member)
        checkNew(team.members, seen)
      }
      for (const member of team.members) expectCommandAgrees(member)
    } catch (error) {
      throw new Error(`${told()}\n${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
    checkNew([team.origin], seen)
  },
  60_000 + STEPS * 4000,
)

/** Nothing but pending events is left over. */
function expectCalm(member: Repo): void {
  const rest = member
    .status()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(`?? ${EVENTS}/`))
  expect(rest, member.folder).toEqual([])
}

/** Checks the commits that no earlier step has seen. */
function checkNew(repos: readonly Repo[], seen: Set<string>): void {
  for (const repo of repos) {
    const commits = repo
      .git('rev-list', '--branches', 'HEAD')
      .split('\n')
      .filter((commit) => commit !== '' && !seen.has(commit))
    for (const snapshot of readSnapshots(repo, commits)) expectOracle(snapshot)
    for (const commit of commits) seen.add(commit)
  }
}
