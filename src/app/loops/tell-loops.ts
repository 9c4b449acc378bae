/** From a checkpoint's document to the loops of this worktree: each gets where the last session stood. */

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

type Loops = readonly (Loop | ForeignLoop)[]

export async function loopsHere({ repository }: SessionContext): Promise<Loops> {
  return findLoops(await readLoopFiles(repository.worktree))
}

/** The loop of ours that this process is an iteration of. */
export function ownLoop({ env, repository }: SessionContext): OwnLoop | undefined {
  return readOwnLoop(env, repository.place.top)
}

/** What a loop gives its agent, and its state: no work, though a session's command may have written there. */
export function isLoopsOwn(context: SessionContext, path: string): boolean {
  return [RALPH_STATE, PROMPT, FIX_PLAN_PROMPT, ownLoop(context)?.prompt].includes(path)
}

/** Loops that a checkpoint tells: those at work, or all where somebody asks for it. */
export type Wanted = 'at work' | 'all'

/** Many repositories have a loop's state in a commit: one that is as HEAD has it ended long ago. */
async function loopsAtWork(context: SessionContext): Promise<readonly Loop[]> {
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

/** The iteration that a loop at work is in, where one of those here says it. */
export async function iterationHere(context: SessionContext): Promise<number | undefined> {
  const loops = await loopsAtWork(context)
  return loops.find(({ iteration }) => iteration !== undefined)?.iteration
}

/** The files that now say where to go on. `path`: of the document; `session`: that wrote it. */
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
  const names = new Set((await loopsAtWork(context)).map(({ dialect }) => dialect))
  const isTold = ({ dialect }: Loop) => wanted === 'all' || names.has(dialect)
  const edits = resumeEdits(read, handover, isTold)
  await writeEdits(worktree, edits)
  return edits.map((edit) => edit.path)
}

/** Undefined where the document is none. */
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
  // The loop's own files are no work.
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
 * For a loop's own script, after each iteration: whether a checkpoint waits to be gone on from. Then the
 * prompt has it already. Else the prompt is the task alone again. Without a state nothing is known to wait:
 * a script that goes on wherever this fails would never end.
 */
export async function stopLoop({ repository, say }: SessionContext): Promise<string | undefined> {
  const { worktree } = repository
  const read = await readLoopFiles(worktree)
  const text = read(RALPH_STATE)
  if (text === undefined) return undefined
  const state = readRalphState(text)
  if (state === undefined) {
    say(
      `ledger-git: ${RALPH_STATE} is broken or another program's: it says of no checkpoint whether it waits`,
    )
    say('  next: ledger-git ralph status, for the loops that are here')
    return undefined
  }
  const waits = state.checkpoint
  await writeEdits(
    worktree,
    waits === undefined ? clearEdits(read) : editOf(read, RALPH_STATE, withoutWaiting),
  )
  return waits?.handoffFile
}
