/** Passes a checkpoint document on to the loops of this worktree: each learns where the last session stopped. */

import { readContextHandoff } from '../../core/context/handoff-document.ts'
import { clearEdits, findLoops, LOOP_FILES, resumeEdits } from '../../core/ralph/dialects.ts'
import type { ForeignLoop, Handover, Loop } from '../../core/ralph/loop.ts'
import { editOf, isForeign } from '../../core/ralph/loop.ts'
import { memoryQueries } from '../../core/ralph/memory.ts'
import type { OwnLoop } from '../../core/ralph/own-loop.ts'
import { readOwnLoop } from '../../core/ralph/own-loop.ts'
import { readPoint } from '../../core/ralph/read-point.ts'
import { FIX_PLAN_PROMPT } from '../../core/ralph/fix-plan-loop.ts'
import { RALPH_STATE, readRalphState, withoutWaiting } from '../../core/ralph/ralph-state.ts'
import { PROMPT } from '../../core/ralph/state-loop.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'
import { readLoopFiles, writeEdits } from './loop-files.ts'

export async function loopsHere({
  repository,
}: SessionContext): Promise<readonly (Loop | ForeignLoop)[]> {
  return findLoops(await readLoopFiles(repository.worktree))
}

/** Our own loop, if this process is one of its iterations. */
export function ownLoop({ env, repository }: SessionContext): OwnLoop | undefined {
  return readOwnLoop(env, repository.place.top)
}

/** True for a loop's prompt or state: these are not work, even if a session's command has written to them. */
export function isLoopsOwn(context: SessionContext, path: string): boolean {
  return [RALPH_STATE, PROMPT, FIX_PLAN_PROMPT, ownLoop(context)?.prompt].includes(path)
}

/** The loops to inform of a checkpoint: the active ones, or all on request. */
export type Wanted = 'at work' | 'all'

/** Active loops. Many repositories commit a loop's state: a loop whose state equals HEAD's ended long ago. */
async function activeLoops(context: SessionContext): Promise<readonly Loop[]> {
  const found: Loop[] = []
  for (const loop of await loopsHere(context)) {
    if (isForeign(loop) || !loop.isAtWork) continue
    if (!loop.isState || !(await isAsCommitted(context, loop.file))) found.push(loop)
  }
  return found
}

async function isAsCommitted({ repository }: SessionContext, path: string): Promise<boolean> {
  const { history, worktree } = repository
  const { oid: head } = await history.head()
  if (head === undefined) return false
  const name = nameOfPath(path)
  const committed = (await history.blobsAt(head, [path])).get(name)
  if (committed === undefined) return false
  const [oid] = await worktree.hashFiles([name], false)
  return committed.oid === oid
}

/** The iteration of an active loop, if one of the loops here says it. */
export async function iterationHere(context: SessionContext): Promise<number | undefined> {
  const loops = await activeLoops(context)
  return loops.find(({ iteration }) => iteration !== undefined)?.iteration
}

/**
 * Returns the files that now say where to continue. `path`: path of the document; `session`: the session that wrote it.
 */
export async function tellLoops(
  context: SessionContext,
  path: string,
  session: string | undefined,
  { settings, wanted }: { readonly settings: Settings; readonly wanted: Wanted },
): Promise<readonly string[]> {
  const handover = await handoverOf(context, path, session, settings)
  if (handover === undefined) return []
  const { worktree } = context.repository
  const read = await readLoopFiles(worktree, [handover.prompt])
  const names = new Set((await activeLoops(context)).map(({ dialect }) => dialect))
  const isTold = ({ dialect }: Loop) => wanted === 'all' || names.has(dialect)
  const edits = resumeEdits(read, handover, isTold)
  await writeEdits(worktree, edits)
  return edits.map((edit) => edit.path)
}

/** Undefined if the file is not a checkpoint document. */
export async function handoverOf(
  context: SessionContext,
  path: string,
  session: string | undefined,
  settings: Settings,
): Promise<Handover | undefined> {
  const bytes = await context.repository.worktree.read(path)
  const handoff = bytes && readContextHandoff(Buffer.from(bytes).toString('utf8'))
  if (handoff === undefined) return undefined
  const point = readPoint(handoff, path, nowText(context))
  // The loop's own files are not work.
  const files = point.files.filter((file) => !LOOP_FILES.includes(file.path))
  return {
    point: { ...point, files },
    memory: memoryQueries(settings),
    when: handoff.when,
    session,
    prompt: ownLoop(context)?.prompt ?? PROMPT,
  }
}

/**
 * For a loop's own script, after each iteration: returns the checkpoint that waits to be continued from, if any; the
 * prompt already contains it. Otherwise the prompt is reset to the task alone. Without a state, no checkpoint is known
 * to wait, because a script that continues whenever this fails would never end.
 */
export async function stopLoop({ repository, say }: SessionContext): Promise<string | undefined> {
  const { worktree } = repository
  const read = await readLoopFiles(worktree)
  const text = read(RALPH_STATE)
  if (text === undefined) return undefined
  const state = readRalphState(text)
  if (state === undefined) {
    say(
      `ledger-git: ${RALPH_STATE} is broken or another program's: it does not say whether a checkpoint waits`,
    )
    say('  next: ledger-git ralph status, for the loops that are here')
    return undefined
  }
  const waiting = state.checkpoint
  await writeEdits(
    worktree,
    waiting === undefined ? clearEdits(read) : editOf(read, RALPH_STATE, withoutWaiting),
  )
  return waiting?.handoffFile
}
