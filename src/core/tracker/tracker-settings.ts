/**
 * The tracker as the user configured it in git. It is off until both its name and the teams are set: a key that happens
 * to be in the environment is not consent. Pure.
 */

/** Keys in git's configuration. */
export const TRACKER_KEYS = {
  tracker: 'ledger.tracker',
  teams: 'ledger.trackerTeams',
  state: 'ledger.trackerState',
  endpoint: 'ledger.linearEndpoint',
} as const

/** The variable for the endpoint; it takes precedence over git's configuration. */
export const ENDPOINT_VARIABLE = 'LEDGER_LINEAR_ENDPOINT'

/** The variable for the key. It is read when something is sent, and never stored. */
export const KEY_VARIABLE = 'LINEAR_API_KEY'

const LINEAR = 'https://api.linear.app/graphql'

export interface TrackerSettings {
  /** In uppercase: `ANV`. */
  readonly teams: readonly string[]
  /** The name of the state to which a checkpoint moves its issue. */
  readonly state: string | undefined
  readonly endpoint: string
}

export type ReadTracker =
  | { readonly kind: 'on'; readonly settings: TrackerSettings }
  /** No tracker is configured. */
  | { readonly kind: 'off' }
  /** A tracker is configured but cannot be used like this. */
  | { readonly kind: 'wrong'; readonly why: string; readonly next: string }

export type GivenTracker = Readonly<Record<keyof typeof TRACKER_KEYS, string | undefined>>

export function readTrackerSettings(given: GivenTracker): ReadTracker {
  const { tracker, teams: names, state, endpoint = LINEAR } = given
  if (tracker === undefined) return { kind: 'off' }
  if (tracker !== 'linear') {
    return {
      kind: 'wrong',
      why: `${TRACKER_KEYS.tracker} is ${JSON.stringify(tracker)}: the only tracker is linear`,
      next: `git config ${TRACKER_KEYS.tracker} linear`,
    }
  }
  const teams = (names ?? '').split(/[\s,]+/).filter((name) => name !== '')
  const invalid = teams.find((name) => !/^[A-Za-z][A-Za-z0-9]{0,15}$/.test(name))
  if (teams.length === 0 || invalid !== undefined) {
    const what =
      invalid === undefined
        ? 'names no team'
        : `has ${JSON.stringify(invalid)}, which is not a team`
    return {
      kind: 'wrong',
      why: `${TRACKER_KEYS.teams} ${what}: a team is the part of an issue before the dash`,
      next: `git config ${TRACKER_KEYS.teams} ANV`,
    }
  }
  if (!isSafeEndpoint(endpoint)) {
    return {
      kind: 'wrong',
      why: 'the address of the tracker is neither https nor on this machine, or contains a password',
      next: `git config --unset ${TRACKER_KEYS.endpoint}, or unset ${ENDPOINT_VARIABLE}`,
    }
  }
  const known = [...new Set(teams.map((name) => name.toUpperCase()))]
  return { kind: 'on', settings: { teams: known, state, endpoint } }
}

/** The key is sent there, so the address must use https or be on this machine. */
function isSafeEndpoint(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}
