/**
 * Everything the session use cases need, on the real outside world. Hooks of agents and of git wait for
 * it: nothing is loaded here that not every one of them needs, and git is asked once.
 */

import { randomBytes } from 'node:crypto'
import type { SessionContext } from '../../app/session/session-ports.ts'
import { withoutControls } from '../../core/text/strip-control-chars.ts'
import { GitObjectWriter } from '../objects/object-writer.ts'
import { GitRefs } from '../git/git-refs.ts'
import { openCatFileReader } from '../objects/cat-file-reader.ts'
import type { Git } from '../git/exec.ts'
import { openRepository, Repository } from '../git/repository.ts'
import { agentPort } from './agent-port.ts'
import { Processes } from './processes.ts'
import { sessionLog } from './session-log.ts'
import { FileSessionStore } from './session-store.ts'

export async function openSessionContext(
  cwd: string,
  env: NodeJS.ProcessEnv,
  opened?: Repository,
): Promise<SessionContext & { readonly git: Git; close(): void }> {
  const { git, place } = opened ?? (await openRepository(cwd, env))
  // Chains of trees and commits are read one after the other: one child for all of them.
  const repository = new Repository(git, place, openCatFileReader)
  const clock = { now: () => Date.now() }
  return {
    git,
    repository,
    sessions: new FileSessionStore(place.commonDir),
    refs: new GitRefs(git),
    objects: new GitObjectWriter(git, place.top),
    processes: new Processes(),
    agents: agentPort,
    secrets: async () => (await import('../secrets/secret-scanner.ts')).secretScanner,
    clock,
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    log: sessionLog(place.commonDir, clock.now),
    say: (message) => void process.stderr.write(`${withoutControls(message)}\n`),
    close: () => repository.close(),
  }
}
