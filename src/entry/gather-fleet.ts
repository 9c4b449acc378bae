/** `dist/gather-fleet.js`: the process that the dashboard starts to look at the repository repeatedly. */

import { gatherOften } from '../compose/gather-often.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { fleetMarks } from '../io/server/fleet-marks.ts'
import type { ApartAnswer, ApartQuestion } from '../io/server/gather-apart.ts'

const gather = gatherOften(process.argv.slice(2), process.env)

process.on('message', (question: ApartQuestion) => {
  void answerTo(question).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())

async function answerTo(question: ApartQuestion): Promise<ApartAnswer> {
  try {
    if ('fleet' in question) return { fleet: await gather(question.fleet) }
    return { marks: fleetMarks(question.commonDir) }
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
