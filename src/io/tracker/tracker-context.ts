/** `TrackerContext`, connected to the outside world. */

import type { Clock } from '../../app/ports.ts'
import type { LoadSecretScanner } from '../../app/secrets/find-secrets.ts'
import type { TrackerContext } from '../../app/tracker/tracker-ports.ts'
import type { Repository } from '../git/repository.ts'
import { startDetached } from '../process/start-apart.ts'
import { handoffLink } from './handoff-link.ts'
import { linearTracker } from './linear-tracker.ts'
import { outboxFiles } from './outbox-files.ts'

export interface TrackerWorld {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly secrets: LoadSecretScanner
  log(line: string): void
  readonly say: TrackerContext['say']
}

export function trackerContext(repository: Repository, world: TrackerWorld): TrackerContext {
  const { git, place } = repository
  const { env, clock } = world
  return {
    ...world,
    repository,
    outbox: outboxFiles(place.commonDir),
    openTracker: ({ endpoint }, key) => linearTracker({ endpoint, key, clock }),
    linkOf: (path, since) => handoffLink(git, path, since),
    startSender: () => startDetached(place, ownEnvironment(env), ['tracker', 'flush', '--due']),
  }
}

/** Variables that the launcher removed from a hook for the sake of speed (`githooks/run`): whom to trust. */
const REMOVED_VARIABLES = {
  LEDGER_GIT_NODE_EXTRA_CA_CERTS: 'NODE_EXTRA_CA_CERTS',
  LEDGER_GIT_NODE_OPTIONS: 'NODE_OPTIONS',
} as const

function ownEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = { ...env }
  for (const [kept, name] of Object.entries(REMOVED_VARIABLES)) own[name] ??= env[kept]
  return own
}
