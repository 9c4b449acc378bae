/** Gathers the fleet of one repository repeatedly. What follows from object ids is kept between the calls. */

import { existsSync } from 'node:fs'
import type { GatherFleet } from '../app/dashboard/fleet-feed.ts'
import { gatherFleetAt, momentOf } from '../app/fleet/fleet-at.ts'
import type { FleetContext, FleetMemory } from '../app/fleet/fleet-context.ts'
import { gatherFleet } from '../app/fleet/gather-fleet.ts'
import { WHOLE_LISTS } from '../core/fleet/build-fleet.ts'
import { openRepository, Repository } from '../io/git/repository.ts'
import { LongLivedReader } from '../io/objects/long-lived-reader.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'
import { openFleet } from './fleet.ts'

/** `folders`: the first one that still exists is used. The repository stays open until the process ends. */
export function gatherOften(folders: readonly string[], env: NodeJS.ProcessEnv): GatherFleet {
  let opened: Promise<FleetContext> | undefined
  let memory: FleetMemory | undefined
  return async ({ at, isWholeTimeline = false, hasWholeLists = false, allBranches = false }) => {
    const limits = {
      ...(hasWholeLists && WHOLE_LISTS),
      ...(isWholeTimeline && { timeline: Infinity }),
      ...(allBranches && { branches: Infinity }),
    }
    const context = await (opened ??= open(folders, env))
    if (at !== undefined) return gatherFleetAt(context, await momentOf(context, at), limits)
    const seen = await gatherFleet(context, limits, memory)
    memory = seen.memory
    return seen.fleet
  }
}

async function open(folders: readonly string[], env: NodeJS.ProcessEnv): Promise<FleetContext> {
  const folder = folders.find((each) => existsSync(each)) ?? folders[0] ?? '.'
  const { git, place } = await openRepository(folder, env)
  const repository = new Repository(git, place, (git, place) => new LongLivedReader(git, place))
  const sessions = await openSessionContext(folder, env, repository)
  return { ...(await openFleet(repository, sessions)), repository }
}
