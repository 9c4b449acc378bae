/** Collects errors, so that a part of the fleet that cannot be gathered does not hide the others. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ErrorFact } from '../../core/fleet/fleet-facts.ts'

export type Errors = ReturnType<typeof collectErrors>

export function collectErrors() {
  const found: ErrorFact[] = []
  return {
    found,
    /** Runs an action; if it fails, adds an entry and returns undefined. */
    attempt: async <T>(part: ErrorFact['part'], subject: string, action: () => Promise<T> | T) => {
      try {
        return await action()
      } catch (error) {
        found.push({ part, subject, ...describe(error) })
        return undefined
      }
    },
  }
}

/** Describes failures of the repository or the machine; any other error is a bug and is thrown on. */
function describe(error: unknown): { message: string; command: string | undefined } {
  if (error instanceof LedgerError) return { message: error.message, command: error.next }
  if (error instanceof Error && 'syscall' in error) {
    // Drop the path at the end: it belongs to this machine, and the subject already says what the error is about.
    const why = error.message.replace(/, \w+ '[^]*$/, '')
    return { message: `its files cannot be read (${why})`, command: undefined }
  }
  throw error
}
