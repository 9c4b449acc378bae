/** `dist/gather-fleet.js`: what the dashboard starts to look at the repository again and again. */

import { gatherOften } from '../compose/gather-often.ts'
import { LedgerError } from '../core/errors/errors.ts'
import type { FleetQuestion } from '../app/dashboard/fleet-feed.ts'
import type { GatherAnswer } from '../io/server/gather-apart.ts'

const gather = gatherOften(process.argv.slice(2), process.env)

process.on('message', (question: FleetQuestion) => {
  void answerTo(question).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())

async function answerTo(question: FleetQuestion): Promise<GatherAnswer> {
  try {
    return { fleet: await gather(question) }
  } catch (error) {
    if (error instanceof LedgerError) {
      const { code, message, next } = error
      return { error: { code, message, next } }
    }
    return {
      error: { code: null, message: error instanceof Error ? error.message : String(error) },
    }
  }
}
