/** One part of the fleet that cannot be gathered does not keep the others from being shown. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ErrorFact } from '../../core/fleet/fleet-facts.ts'

export interface Errors {
  readonly found: ErrorFact[]
  /** Runs it; what keeps it from being done becomes an entry, and undefined comes back. */
  attempt<T>(
    part: ErrorFact['part'],
    subject: string,
    action: () => Promise<T> | T,
  ): Promise<T | undefined>
}

export function collectErrors(): Errors {
  const found: ErrorFact[] = []
  return {
    found,
    attempt: async (part, subject, action) => {
      try {
        return await action()
      } catch (error) {
        found.push({ part, subject, ...told(error) })
        return undefined
      }
    },
  }
}

/** A bug stays a bug: only what the repository or the machine says is told. */
function told(error: unknown): { message: string; command: string | undefined } {
  if (error instanceof LedgerError) return { message: error.message, command: error.next }
  if (error instanceof Error && 'syscall' in error) {
    // Without the path that it ends with: it is of this machine, and the subject says what it is about.
    const why = error.message.replace(/, \w+ '[^]*$/, '')
    return { message: `its files cannot be read (${why})`, command: undefined }
  }
  throw error
}
