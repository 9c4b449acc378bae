/** How sessions are written for people. */

import type { SeenSession } from '../app/session/view-sessions.ts'
import { safeText } from './format.ts'

/** `timed out` and `left behind` stand in place of the phase. */
export function phaseWord({ state, isTimedOut }: SeenSession): string {
  if (state.isLeftBehind) return 'left behind'
  return isTimedOut ? 'timed out' : state.phase
}

export function fileCount({ filesTouched, hasMoreFiles }: SeenSession['state']): string {
  return hasMoreFiles ? `over ${filesTouched.length} files` : count(filesTouched.length, 'file')
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** A path of somebody's, whole. */
export function safePath(path: string): string {
  return safeText(path, 4096)
}
