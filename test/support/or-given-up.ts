/** Ends an action that looks at the same text again and again, and so would run for minutes or hours. */

import { runInNewContext } from 'node:vm'

/** Far more than an action takes that looks once, on whatever machine. */
const LIMIT = 60_000

/** What it gives, or an error that it was given up; unlike a test's own limit this ends one that never waits. */
export function orGivenUp<T>(action: () => T): T {
  return runInNewContext('action()', { action }, { timeout: LIMIT }) as T
}
