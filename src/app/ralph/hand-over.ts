/** From a checkpoint to the loops of this worktree: each gets where the last session stood. */

import { LedgerError } from '../../core/errors/errors.ts'
import { readContextHandoff } from '../../core/context/handoff-document.ts'
import { HANDOFFS, newestFirst } from '../../core/context/places.ts'
import { clearEdits, findLoops, LOOP_FILES, resumeEdits } from '../../core/ralph/dialects.ts'
import type { ForeignLoop, Handover, Loop } from '../../core/ralph/loop.ts'
import { isForeign } from '../../core/ralph/loop.ts'
import { readPoint } from '../../core/ralph/read-point.ts'
import { RALPH_STATE, readRalphState, withoutWaiting } from '../../core/ralph/ralph-state.ts'
import { editOf } from '../../core/ralph/loop.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { CheckpointRequest, WrittenCheckpoint } from '../context/write-checkpoint.ts'
import { writeContextCheckpoint } from '../context/write-checkpoint.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import { readLoopFiles, writeEdits } from './loop-files.ts'

type Loops = readonly (Loop | ForeignLoop)[]

export interface LoopCheckpoint {
  readonly written: WrittenCheckpoint
  readonly loops: Loops
  /** Files that now say where to go on. */
  readonly files: readonly string[]
}

export async function loopsHere({ repository }: SessionContext): Promise<Loops> {
  return findLoops(await readLoopFiles(repository.worktree))
}

/** The iteration that a loop is in, where one of those here says it. */
export function iterationOf(loops: Loops): number | undefined {
  for (const loop of loops) {
    if (!isForeign(loop) && loop.iteration !== undefined) return loop.iteration
  }
  return undefined
}

/** A checkpoint, and its hand-over to the loops that are here. */
export async function checkpointLoops(
  context: SessionContext,
  state: SessionState | undefined,
  request: CheckpointRequest,
  memory: readonly string[],
): Promise<LoopCheckpoint> {
  const loops = await loopsHere(context)
  const written = await writeContextCheckpoint(context, state, {
    ...request,
    iteration: request.iteration ?? iterationOf(loops),
  })
  const handover = await handoverOf(context, written.path, state?.id, memory)
  const { worktree } = context.repository
  const edits = handover === undefined ? [] : resumeEdits(await readLoopFiles(worktree), handover)
  await writeEdits(worktree, edits)
  return { written, loops, files: edits.map(({ path }) => path) }
}

/** `path`: of a checkpoint's document. Undefined where it is none. */
export async function handoverOf(
  context: SessionContext,
  path: string,
  session: string | undefined,
  memory: readonly string[],
): Promise<Handover | undefined> {
  const bytes = await context.repository.worktree.read(path)
  const handoff = bytes && readContextHandoff(Buffer.from(bytes).toString('utf8'))
  if (handoff === undefined) return undefined
  const point = readPoint(handoff, path, nowText(context))
  // The loop's own files are no work.
  const files = point.files.filter((file) => !LOOP_FILES.includes(file.path))
  return { point: { ...point, files }, memory, when: handoff.when, session }
}

/** Names of documents, to tell afterwards which are new. */
export function handoffsNow({ personal }: SessionContext): ReadonlySet<string> {
  return new Set(newestFirst(personal.list(HANDOFFS)))
}

/** The newest document since then; undefined where there is none. */
export function newHandoff(context: SessionContext, before: ReadonlySet<string>) {
  const name = newestFirst(context.personal.list(HANDOFFS)).find((one) => !before.has(one))
  return name === undefined ? undefined : `${HANDOFFS}/${name}`
}

/**
 * For a loop's own script, after each iteration: whether a checkpoint waits to be gone on from. Then the
 * prompt has it already. Else the prompt is the task alone again. Throws where no loop has such a state.
 */
export async function stopLoop({ repository }: SessionContext): Promise<string | undefined> {
  const { worktree } = repository
  const read = await readLoopFiles(worktree)
  const text = read(RALPH_STATE)
  const state = text === undefined ? undefined : readRalphState(text)
  if (state === undefined) {
    const what = text === undefined ? 'is not there' : "is another program's"
    throw new LedgerError(
      'RALPH_STATE_MISSING',
      `${RALPH_STATE} ${what}: nothing says whether a checkpoint waits`,
      'ledger-git ralph status, for the loops that are here',
    )
  }
  const waits = state.checkpoint
  await writeEdits(
    worktree,
    waits === undefined ? clearEdits(read) : editOf(read, RALPH_STATE, withoutWaiting),
  )
  return waits?.handoffFile
}
