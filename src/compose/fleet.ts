/** The real outside world for the fleet. */

import type { FleetContext } from '../app/fleet/fleet-context.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { DEFAULT_SETTINGS } from '../core/settings/settings.ts'
import { gitFleet } from '../io/git/git-fleet.ts'
import type { Repository } from '../io/git/repository.ts'

export async function openFleet(
  found: Repository,
  sessions: SessionContext,
): Promise<FleetContext> {
  return {
    ...sessions,
    settings: await settingsAnyway(found),
    fleet: gitFleet(found.git, found.place),
  }
}

/** One broken file does not hide all worktrees: each commit has its own settings. */
async function settingsAnyway(repository: Repository) {
  try {
    return await readSettings(repository)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return DEFAULT_SETTINGS
  }
}
