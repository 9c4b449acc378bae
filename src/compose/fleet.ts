/** Connects the fleet to the outside world. */

import type { FleetContext } from '../app/fleet/fleet-context.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { gitFleet } from '../io/git/git-fleet.ts'
import type { Repository } from '../io/git/repository.ts'
import { readSettingsAnyway } from './setup.ts'

export async function openFleet(
  found: Repository,
  sessions: SessionContext,
): Promise<FleetContext> {
  return {
    ...sessions,
    // One broken settings file must not hide all worktrees: each commit has its own settings.
    settings: (await readSettingsAnyway(found)).settings,
    fleet: gitFleet(found.git, found.place),
  }
}
