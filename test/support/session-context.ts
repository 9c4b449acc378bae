/**
 * A `SessionContext` for tests: the real one, except for processes, clock and log, and with states that are not
 * locked.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionContext } from '../../src/app/shadow/session-context.ts'
import type { SessionStore } from '../../src/app/shadow/session-ports.ts'
import { newSession } from '../../src/core/session/change-session.ts'
import { parseSessionState, renderSessionState } from '../../src/core/session/session-file.ts'
import type { SessionState } from '../../src/core/session/session-state.ts'
import { isFinished } from '../../src/core/session/session-state.ts'
import { openRepository } from '../../src/io/git/repository.ts'
import { openSessionContext } from '../../src/io/sessions/session-context.ts'
import { unbound } from './checkpoint-context.ts'

export const AT = '2026-01-10T12:00:00Z'

/** The context of one worktree. It is cheap: open a new one after every change of HEAD, as each command does. */
export async function sessionContext(
  folder: string,
  env: NodeJS.ProcessEnv,
  about: Partial<SessionContext> = {},
): Promise<SessionContext> {
  // Nobody closes these contexts, so no long-lived child is started.
  const repository = await openRepository(folder, env)
  const real = await openSessionContext(folder, env, repository)
  const { commonDir } = repository.place
  return {
    ...real,
    repository,
    refs: unbound(real.refs),
    sessions: fileStore(join(commonDir, 'ledger-git', 'sessions')),
    processes: { owner: () => undefined, lifeOf: () => 'gone', ancestors: () => [] },
    clock: { now: () => Date.parse(AT) },
    log: () => {},
    say: () => {},
    ...about,
  }
}

function fileStore(folder: string): SessionStore {
  mkdirSync(folder, { recursive: true })
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const read = (id: string) =>
    existsSync(fileOf(id)) ? parseSessionState(readFileSync(fileOf(id), 'utf8')).state : undefined
  const all = () => readdirSync(folder).flatMap((name) => read(name.replace(/\.json$/, '')) ?? [])
  const list = () => ({ sessions: all(), damaged: [] })
  return {
    list,
    look: list,
    listOpen: () => all().filter((state) => !isFinished(state)),
    read,
    change: async (id, change) => {
      const { state, result } = await change(read(id))
      if (state === undefined) rmSync(fileOf(id), { force: true })
      else writeFileSync(fileOf(id), renderSessionState(state))
      return result
    },
  }
}

/** Saves a state unchanged. */
export async function keepState(
  { sessions }: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  return sessions.change(state.id, async () => ({ state, result: state }))
}

/** A session in its first turn, at the HEAD of the context's worktree. */
export async function sessionHere(
  context: SessionContext,
  id: string,
  about: Partial<SessionState> = {},
): Promise<SessionState> {
  const { place, history } = context.repository
  const name = place.gitDir === place.commonDir ? '' : (place.gitDir.split('/').at(-1) ?? '')
  const worktree = { path: place.top ?? place.gitDir, name }
  const { oid: base } = await history.head()
  const state = newSession({ id, agent: 'claude', worktree, base, owner: undefined }, AT)
  return keepState(context, { ...state, ...about })
}
