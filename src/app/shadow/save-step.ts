/**
 * A step: what a session has done since the last condensation, saved as a shadow commit, and with it the
 * pending events of its worktree. A step that would say what the chain says already is none.
 */

import { withFilesTouched } from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { ShadowKey } from '../../core/shadow/shadow-name.ts'
import type { ShadowRecord } from '../../core/shadow/shadow-record.ts'
import type { Chain, ChainContents } from './shadow-chain.ts'
import { changeChain, findChain } from './shadow-chain.ts'
import type { PendingEvents } from './shadow-events.ts'
import { storePendingEvents, uncommitted } from './shadow-events.ts'
import type { Asked } from './shadow-files.ts'
import { collectFiles, sessionPaths } from './shadow-files.ts'
import { absorbLeftovers, leaveChain } from './shadow-moves.ts'
import type { SessionContext } from './session-context.ts'
import type { ShadowFiles } from './shadow-session.ts'
import {
  homeOf,
  NO_FILES,
  readShadowSession,
  versionsOf,
  writeShadowSession,
} from './shadow-session.ts'
import { storeTranscript } from './shadow-transcript.ts'

/** What tools named since the last step. */
export type Step = Asked

/** Throws `LOCKED` when the chain never rests; the state is then as it was. */
export async function saveStep(
  context: SessionContext,
  state: SessionState,
  step: Step,
): Promise<{ state: SessionState; saved: boolean }> {
  const scanner = await context.secrets()
  const home = await homeOf(context, state)
  const tree = home?.sessions.get(state.id)
  const before = tree === undefined ? undefined : await readShadowSession(context, tree)
  const files = await filesOf(context, state, step, before ?? NO_FILES)
  const pending = await storePendingEvents(context, scanner)
  const touched = withFilesTouched(state, pathsOf(context, files))
  const next = files.more > 0 ? { ...touched, hasMoreFiles: true } : touched
  const transcript = await storeTranscript(context, state, before?.transcript, scanner)
  const { prompts } = state
  const part = await writeShadowSession(context, next, { ...files, transcript, prompts }, scanner)
  const saved = await putPart(context, next, part, pending, home)
  return { state: saved ? { ...next, steps: next.steps + 1 } : next, saved }
}

async function filesOf(
  context: SessionContext,
  state: SessionState,
  step: Step,
  before: ShadowFiles,
): Promise<ShadowFiles> {
  const known = pathsOf(context, before)
  const all = [...known, ...state.filesTouched]
  const { paths, differing } = await sessionPaths(context, state, step, all)
  const was = new Set(known)
  const wasThere = (path: string) => was.has(path) || differing.has(path)
  return collectFiles(context, paths, before, wasThere, await context.secrets())
}

function pathsOf({ repository }: SessionContext, files: ShadowFiles): string[] {
  return versionsOf(files, repository.place.format).map(({ path }) => path)
}

/** Puts the session's part where its base is, and takes it out of where it was. */
async function putPart(
  context: SessionContext,
  state: SessionState,
  part: string,
  pending: PendingEvents,
  home: Chain | undefined,
): Promise<boolean> {
  const key: ShadowKey = { base: state.base, worktree: state.worktree.name }
  const record: ShadowRecord = { ...key, path: state.worktree.path }
  const { ref, chain } = await findChain(context, key)
  if (chain === undefined) await absorbLeftovers(context, record)
  const isStray = home !== undefined && home.ref !== ref
  const saved = await changeChain(context, record, {
    why: `step: session ${state.id}, turn ${state.turn}`,
    joined: isStray ? [home.commit] : [],
    apply: (now) => withPart(context, now, state.id, part, pending),
  })
  if (isStray) await leaveChain(context, home.record, state.id, record)
  return saved
}

async function withPart(
  context: SessionContext,
  now: ChainContents,
  id: string,
  part: string,
  pending: PendingEvents,
): Promise<ChainContents> {
  const gone = new Map([...now.events].filter(([name]) => !pending.events.has(name)))
  const events = new Map([...(await uncommitted(context, gone)), ...pending.events])
  return { sessions: new Map([...now.sessions, [id, part]]), events, leftOut: pending.leftOut }
}
