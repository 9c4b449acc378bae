/** Checkpoints as the fleet shows them. */

import type { CheckpointFacts } from '../../core/fleet/fleet-facts.ts'
import type { ListedCheckpoint } from '../checkpoint/read-checkpoints.ts'

export function checkpointFact({
  id,
  condensedAt,
  sessions,
  commits,
  files,
}: ListedCheckpoint): CheckpointFacts {
  return {
    id,
    ts: condensedAt,
    sessions: sessions.map(({ agent, branch }) => ({ agent, branch })),
    commits,
    files: files.length,
  }
}
