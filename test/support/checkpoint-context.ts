/** The dependencies of checkpoints, on real git. States are kept in memory, and refs can be tampered with. */

import type { SessionContext } from '../../src/app/shadow/session-context.ts'
import type { RefPort, SessionStore } from '../../src/app/shadow/session-ports.ts'
import type { SessionState } from '../../src/core/session/session-state.ts'
import { isFinished } from '../../src/core/session/session-state.ts'
import { openRepository } from '../../src/io/git/repository.ts'
import { openSessionContext } from '../../src/io/sessions/session-context.ts'

export type TestContext = SessionContext & {
  readonly states: Map<string, SessionState>
  readonly logged: string[]
  close(): void
}

export async function checkpointContext(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<TestContext> {
  // No long-lived child process: nobody would close it.
  const repository = await openRepository(folder, env)
  const real = await openSessionContext(folder, env, repository)
  const states = new Map<string, SessionState>()
  const logged: string[] = []
  return {
    ...real,
    repository,
    refs: unbound(real.refs),
    sessions: storeOf(states),
    clock: { now: () => Date.UTC(2026, 0, 10, 12) },
    log: (line) => void logged.push(line),
    states,
    logged,
    close: () => repository.close(),
  }
}

/** An object whose methods a test can replace one by one. */
export function unbound(refs: RefPort): RefPort {
  return {
    read: (name) => refs.read(name),
    move: (...args) => refs.move(...args),
    remove: (name, from) => refs.remove(name, from),
    list: (prefix) => refs.list(prefix),
    broken: (prefix) => refs.broken(prefix),
    holdOf: (branch) => refs.holdOf(branch),
  }
}

function storeOf(states: Map<string, SessionState>): SessionStore {
  const list = () => ({ sessions: [...states.values()], damaged: [] })
  return {
    list,
    look: list,
    listOpen: () => [...states.values()].filter((state) => !isFinished(state)),
    read: (id) => states.get(id),
    change: async (id, change) => {
      const { state, result } = await change(states.get(id))
      if (state === undefined) states.delete(id)
      else states.set(id, state)
      return result
    },
  }
}
