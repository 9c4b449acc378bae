/**
 * Git's own hooks, for the sessions of this worktree and the session that runs git: which sessions a commit
 * belongs to, and how each session's state changes.
 *
 * Only open sessions are examined; if there are none, a commit costs nothing here.
 */

import { AGENTS } from '../../core/agents/agents.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import type { FileChange } from '../../core/checkpoint/condensation.ts'
import { contributedFiles } from '../../core/checkpoint/condensation.ts'
import type { LinkCandidate, Maker } from '../../core/checkpoint/commit-links.ts'
import { linkedSessions } from '../../core/checkpoint/commit-links.ts'
import { withCommit, withFilesTouched, withRewritten } from '../../core/session/change-session.ts'
import { POST_COMMIT_TTL } from '../../core/session/liveness.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn, owes } from '../../core/session/session-state.ts'
import { readCheckpoints } from '../../core/checkpoint/trailers.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { hasTimedOut, isHere, quietly, worktreeOf } from '../shadow/session-context.ts'
import { changesOf, changesOfIndex, messageOf } from '../checkpoint/read-commit.ts'
import type { LinkRequest } from '../checkpoint/link-commit.ts'
import { linkCommit } from '../checkpoint/link-commit.ts'
import { LOCK_TIMEOUT_MS } from './change-session.ts'
import {
  condense,
  followMissedCommits,
  followSession,
  withMissedCommits,
} from './follow-session.ts'
import { sessionOfProcess } from '../shadow/session-here.ts'
import type { Chains } from '../shadow/shadow-chain.ts'
import { readChains } from '../shadow/shadow-chain.ts'
import { mayHaveTouched, touchedAmong } from '../shadow/shadow-files.ts'
import { migrateShadow } from '../shadow/shadow-moves.ts'
import { interruptedAt, mayHaveWritten } from '../shadow/turn-log.ts'

export type PreparedMessage = Omit<LinkRequest, 'candidates' | 'changes' | 'maker'>

/** prepare-commit-msg: adds the trailer of the checkpoint that this commit's sessions will write. */
export async function linkMessage(
  context: SessionContext,
  message: PreparedMessage,
): Promise<void> {
  const { states, maker } = await sessionsBeside(context)
  if (states.length === 0) return
  const changes = await changesOfIndex(context)
  const candidates = await candidatesOf(context, { states, maker }, changes)
  await linkCommit(context, { ...message, candidates, changes, maker })
}

/** post-commit: HEAD is a new commit. */
export async function followCommit(
  context: SessionContext,
  { isSequence }: { readonly isSequence: boolean },
): Promise<void> {
  const { states, maker } = await sessionsBeside(context)
  const { oid: head } = await context.repository.history.head()
  if (states.length === 0 || head === undefined) return
  const ids = readCheckpoints(await messageOf(context.repository, head))
  const { changes, parent } = await changesOf(context, head)
  const parts = (await candidatesOf(context, { states, maker }, changes)).map((known) => {
    const files = contributedFiles(known.touched, changes)
    return { ...known, files, hasPart: isMadeBy(maker, known) || files.length > 0 }
  })
  const linked = linkedSessions(ids, parts)
  const condensed = new Set<CheckpointId>()
  for (const part of parts) {
    const isLinked = linked.has(part.id) && !isSequence
    // An idle session that has nothing to do with the commit: its next turn will start at whatever HEAD is then.
    if (part.phase === 'idle' && !isLinked && !part.hasPart && !owes(part)) continue
    await change(context, part.id, async (before) => {
      // The session itself made the commit, so its shell may have written files.
      const state = isMadeBy(maker, before) ? { ...before, mayHaveWritten: true } : before
      // The checkpoint also names files that no tool named, such as those that a script wrote.
      const known = isLinked ? withFilesTouched(state, part.files) : state
      const after = await follow(context, known, { head, parent, part, isLinked, isSequence })
      const written = after?.lastCheckpoint
      if (written !== undefined && written !== state.lastCheckpoint) condensed.add(written)
      return after
    })
  }
  if (condensed.size === 0) return
  const { includeSessions } = await import('../checkpoint/condense-session.ts')
  await includeSessions(context, [...condensed], parts)
}

type Candidate = LinkCandidate & SessionState

/** What is known about each session; a session that cannot be read does not stop the others. */
async function candidatesOf(
  context: SessionContext,
  { states, maker }: Beside,
  changes: readonly FileChange[],
): Promise<Candidate[]> {
  const paths = new Set(changes.map(({ path }) => path))
  let read: Promise<Chains> | undefined
  const chains = () => (read ??= readChains(context, worktreeOf(context).name))
  const found = await Promise.all(
    states.map((state) =>
      quietly(context, refusal(state.id), async () => {
        // An idle session is ended by the next session start, which also reports it.
        const isTimedOut = state.phase !== 'idle' && hasTimedOut(context, state, POST_COMMIT_TTL)
        const isQuiet = () => !isMadeBy(maker, state) && !mayHaveWritten(context, state)
        // Paths of another worktree say nothing here.
        const touched =
          isHere(context, state) && mayHaveTouched(state, paths)
            ? await touchedAmong(context, await chains(), state, changes, isTimedOut || isQuiet())
            : []
        return { ...state, isTimedOut, touched }
      }),
    ),
  )
  return found.filter((one) => one !== undefined)
}

/** A session that is locked, or whose file cannot be written, is left unchanged; the others are still handled. */
async function change(
  context: SessionContext,
  id: string,
  action: (state: SessionState) => Promise<SessionState | undefined>,
): Promise<void> {
  const changed = async (state: SessionState | undefined) => ({
    state: state && (await action(state)),
    result: undefined,
  })
  await quietly(context, refusal(id), () => context.sessions.change(id, changed, LOCK_TIMEOUT_MS))
}

function refusal(id: string): string {
  return `session ${id}: commit not followed`
}

interface Made {
  readonly head: string
  readonly parent: string | undefined
  readonly part: LinkCandidate
  readonly isLinked: boolean
  readonly isSequence: boolean
}

async function follow(
  context: SessionContext,
  before: SessionState,
  { head, parent, part, isLinked, isSequence }: Made,
): Promise<SessionState | undefined> {
  let state = before
  // Earlier commits that no hook followed: if this commit is linked, they get the same checkpoint.
  if (!isSequence && parent !== state.base) {
    state = await (isLinked ? withMissedCommits : followMissedCommits)(context, state)
  }
  const { pendingCheckpoint: checkpoint } = state
  if (isLinked && checkpoint !== undefined) state = withCommit(state, { commit: head, checkpoint })
  // Nobody will end this turn, so treat it as over for this commit. The phase is not stored: the turn may continue.
  if (part.isTimedOut) state = { ...state, phase: 'ended' }
  // Nothing else may ever happen to this session here, and earlier commits wait for its checkpoint.
  const owesCheckpoint =
    state.phase === 'ended' && !isLinked && !isSequence && state.awaiting.length > 0
  const about = { isSequence, isForeign: !isLinked }
  const after = owesCheckpoint
    ? await condense(context, state)
    : await followSession(context, state, { type: 'git_commit' }, about)
  if (after === undefined || !part.isTimedOut) return after
  return { ...after, phase: after.awaiting.length > 0 ? 'active_committed' : 'active' }
}

/** post-rewrite: updates links and bases to the rewritten commits. */
export async function followRewrite(context: SessionContext, lines: string): Promise<void> {
  const pairs = lines.split('\n').map((line) => line.split(' '))
  const rewritten = new Map(
    pairs.flatMap(([from, to]) => (from && to ? [[from, to] as const] : [])),
  )
  const { oid: head } = await context.repository.history.head()
  const isConcerned = (state: SessionState) =>
    isHere(context, state) || state.commits.some(({ commit }) => rewritten.has(commit))
  for (const { id } of context.sessions.listOpen().filter(isConcerned)) {
    await change(context, id, async (state) => {
      const follows = head !== undefined && isHere(context, state)
      const moved = follows ? await migrateShadow(context, state, head) : state
      return { ...withRewritten(moved, rewritten), base: moved.base }
    })
  }
}

interface Beside {
  readonly states: readonly SessionState[]
  readonly maker: Maker
}

function isMadeBy(maker: Maker, { id }: Pick<SessionState, 'id'>): boolean {
  return maker.kind === 'session' && maker.id === id
}

/** Like `findBeside`, after ending turns that users interrupted: no agent hook reports that they are over. */
async function sessionsBeside(context: SessionContext): Promise<Beside> {
  const beside = findBeside(context)
  const stopped = beside.states.filter(
    (one) =>
      isOpenTurn(one) && !isMadeBy(beside.maker, one) && interruptedAt(context, one) !== undefined,
  )
  for (const { id } of stopped) {
    await change(context, id, async (state) =>
      isOpenTurn(state) ? followSession(context, state, { type: 'turn_end' }) : state,
    )
  }
  return stopped.length === 0 ? beside : findBeside(context)
}

/** The sessions of this worktree and the session that makes the commit: an agent may commit in another worktree. */
function findBeside(context: SessionContext): Beside {
  const open = context.sessions.listOpen()
  const made = sessionOfProcess(context, open)
  const states = open.filter((one) => isHere(context, one) || one.id === made?.id)
  if (made !== undefined) return { states, maker: { kind: 'session', id: made.id } }
  // No session matches the process. The environment may still say that an agent is running.
  const isAgent = Object.values(AGENTS).some(({ variable }) => context.env[variable])
  return { states, maker: { kind: isAgent ? 'agent' : 'anybody' } }
}
