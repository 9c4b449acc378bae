/** Aborts an action that reads the same text again and again and would therefore run for minutes or hours. */

import { runInNewContext } from 'node:vm'

/** Far more than an action needs that reads the text once, on any machine. */
const LIMIT = 60_000

/**
 * Returns the action's result, or throws if it was aborted. Unlike a test's own timeout, this aborts an action that
 * never waits.
 */
export function orGivenUp<T>(action: () => T): T {
  return runInNewContext('action()', { action }, { timeout: LIMIT }) as T
}
