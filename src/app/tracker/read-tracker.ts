/** This repository's tracker, as named by git's configuration and the environment. */

import type { ReadTracker, TrackerSettings } from '../../core/tracker/tracker-settings.ts'
import {
  ENDPOINT_VARIABLE,
  readTrackerSettings,
  TRACKER_KEYS,
} from '../../core/tracker/tracker-settings.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { TrackerContext } from './tracker-ports.ts'

type Asked = Pick<TrackerContext, 'repository' | 'env'>

type Name = keyof typeof TRACKER_KEYS

/** A value that a commit could have set is refused, whatever it says. */
export async function readTracker({ repository, env }: Asked): Promise<ReadTracker> {
  const ask = async (name: Name) =>
    [name, await repository.personalConfig(TRACKER_KEYS[name])] as const
  const first = await ask('tracker')
  // If no tracker is set up, the other keys do not matter, and one git call is enough.
  if (first[1] === undefined) return { kind: 'off' }
  const found = [first, ...(await Promise.all([ask('teams'), ask('state'), ask('endpoint')]))]
  const values: Partial<Record<Name, string>> = {}
  for (const [name, value] of found) {
    if (value?.kind === 'refused') {
      const key = TRACKER_KEYS[name]
      const why = `${key} is not used: it is set in ${value.origin}, which a commit can change`
      return { kind: 'wrong', why, next: `remove it there; git config ${key} VALUE sets yours` }
    }
    if (value !== undefined) values[name] = value.value
  }
  const { tracker, teams, state, endpoint } = values
  const named = env[ENDPOINT_VARIABLE]?.trim()
  const address = named === undefined || named === '' ? endpoint : named
  return readTrackerSettings({ tracker, teams, state, endpoint: address })
}

/** For commands that are useless without a tracker. Throws `TRACKER_MISSING`. */
export async function trackerNeeded(context: Asked): Promise<TrackerSettings> {
  const found = await readTracker(context)
  if (found.kind === 'on') return found.settings
  if (found.kind === 'wrong') throw new LedgerError('TRACKER_MISSING', found.why, found.next)
  throw new LedgerError(
    'TRACKER_MISSING',
    'no issue tracker is set up here',
    `git config ${TRACKER_KEYS.tracker} linear && git config ${TRACKER_KEYS.teams} ANV, with your teams`,
  )
}
