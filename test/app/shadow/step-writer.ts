/** A separate process that saves steps: `node step-writer <worktree> <session> <count>`. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { carryForward } from '../../../src/app/shadow/shadow-moves.ts'
import { saveStep } from '../../../src/app/shadow/save-step.ts'
import { withFilesTouched } from '../../../src/core/session/change-session.ts'
import { keepState, sessionContext, sessionHere } from '../../support/session-context.ts'

const [folder = '', session = '', count = '0', leaves] = process.argv.slice(2)
let context = await sessionContext(folder, process.env)
let state = await sessionHere(context, session)
for (let n = 1; n <= Number(count); n++) {
  const file = `${session}-${n}.txt`
  writeFileSync(join(folder, file), `${file}\n`)
  context = await sessionContext(folder, process.env)
  // Names the file as a tool's hook does; an unnamed one could belong to any session in the same folder.
  const saved = await saveStep(context, withFilesTouched(state, [file]))
  state = await keepState(context, saved.state)
}
if (leaves !== undefined) await carryForward(context, state, { base: state.base, files: [] })
// Nothing closes the repository of a test's context, and git may wait for another question.
process.exit()
