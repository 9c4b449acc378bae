/** One of several processes that write to the branch at the same time. Arguments: FOLDER NUMBER ROUNDS. */

import { writeCheckpoint } from '../../../src/app/checkpoint/write-checkpoint.ts'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { CheckpointSession } from '../../../src/core/checkpoint/checkpoint.ts'
import { checkpointContext } from '../../support/checkpoint-context.ts'

const [folder = '', number = '', rounds = ''] = process.argv.slice(2)
const context = await checkpointContext(folder, process.env)
const AT = '2026-01-10T12:00:00Z'

function record(session: string): CheckpointSession {
  const lists = { commits: [], files: [], prompts: [session], tasks: [] }
  const about = { agent: 'claude', addedAt: AT, condensedAt: AT, branch: undefined, turn: 1 }
  const log = { steps: 0, transcript: '{}\n', transcriptOffset: 0, isCut: false, context: session }
  return { session, ...about, ...lists, ...log }
}

for (let round = 0; round < Number(rounds); round++) {
  await writeCheckpoint(context, '0123456789ab' as CheckpointId, [record(`s${number}-${round}`)])
  const own = `b${number}${round}`.padEnd(12, '0') as CheckpointId
  await writeCheckpoint(context, own, [record('own')])
}
context.close()
