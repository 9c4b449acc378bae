/**
 * A context checkpoint: saves everything, writes it down for the next session, and announces it.
 *
 * The order makes sure that an interruption leaves more than there was before: a step of shadow data, a commit of work
 * in progress, the document, the loops that wait for it, an event, messages to the issue tracker, and a copy for a
 * memory tool on this machine. Nothing waits for the network.
 */

import type { ContextHandoff } from '../../core/context/handoff-document.ts'
import { renderContextHandoff, titleOf } from '../../core/context/handoff-document.ts'
import { MEMORY_KEY, MEMORY_TOOL } from '../../core/ralph/memory.ts'
import { trackerNote } from '../../core/context/tracker-note.ts'
import { wipSubject } from '../../core/context/wip.ts'
import { contextHandoffName } from '../../core/context/places.ts'
import { redactTexts } from '../../core/secrets/redact-texts.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { addEvent } from '../commit/add-event.ts'
import { trackProgress } from '../estimate/plan-progress.ts'
import { handoffOn } from '../handoff/read-handoffs.ts'
import type { Wanted } from '../loops/tell-loops.ts'
import { iterationHere, ownLoop, tellLoops } from '../loops/tell-loops.ts'
import { nameOf } from '../report/name-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'
import { saveStep } from '../shadow/save-step.ts'
import { tellIssue } from '../tracker/put-in-outbox.ts'
import { trackedIssue } from '../tracker/tracked-issue.ts'
import type { Asked } from './gather-handoff.ts'
import { gatherHandoff } from './gather-handoff.ts'
import { commitWip, ownFiles } from './wip-commit.ts'

export interface CheckpointRequest extends Asked {
  /** Who asks: a person or agent with a command, a hook, or a loop. */
  readonly by: 'typed' | 'hook' | 'loop'
  readonly iteration?: number | undefined
  /** Which loops of this worktree are informed; by default the active ones. */
  readonly loops?: Wanted
  /** Make no commit, whatever the settings say. */
  readonly noWip?: boolean
}

/** `state`: the session concerned; undefined if a person asks and no session is active here. */
export async function writeContextCheckpoint(
  context: SessionContext,
  state: SessionState | undefined,
  asked: CheckpointRequest,
) {
  const known = asked.iteration ?? ownLoop(context)?.iteration
  const request = { ...asked, iteration: known ?? (await iterationHere(context)) }
  const before = state && (await ownFiles(context, state))
  const step = state && (await quietly(context, 'no step', () => saveStep(context, state)))
  const saved = step?.state ?? state
  const issue = await issueOf(context, request)
  const gathered = await gatherHandoff(context, saved, {
    ...request,
    issue: issue ?? request.issue,
  })
  const wip =
    saved === undefined || before === undefined || !mayCommit(context, request)
      ? { commit: undefined, leftOut: [], obstacle: undefined }
      : await commitWip(context, request.settings, saved, {
          subject: wipSubject({ ...gathered, iteration: request.iteration }),
          before,
        })
  const handoff = { ...gathered, wip: wip.commit, leftOut: wip.leftOut }
  const { settings, loops: wanted = 'at work' } = request
  const path = await writeDocument(context, handoff, settings)
  const loops = await quietly(context, 'loops not told', () =>
    tellLoops(context, path, saved?.id, { settings, wanted }),
  )
  const event = await writeEvent(context, saved, handoff, request)
  const told = issue && (await tellTracker(context, issue, { handoff, path, request }))
  await quietly(context, 'progress not told', () => trackProgress(context))
  const isRemembered = await quietly(context, 'not remembered', () => saveMemory(context, handoff))
  return {
    handoff,
    /** Relative to the top of the worktree. */
    path,
    /** Files of loops that now say where to continue. */
    loops: loops ?? [],
    /** The event's path. */
    event,
    /** A memory tool accepted it. */
    isRemembered: isRemembered ?? false,
    /** The issue on which the tracker is informed. */
    issue: told,
    /** Why there is no commit although one was wanted and there was something to commit. */
    obstacle: wip.obstacle,
    /** The work is saved in shadow data. */
    isSaved: step !== undefined,
    /** The session's state after the step. */
    state: saved,
  }
}

/** In our own loop, a hook commits, too, because nobody is there to run a command. */
function mayCommit(
  context: SessionContext,
  { by, noWip = false, settings }: CheckpointRequest,
): boolean {
  if (noWip || settings.contextWip === 'shadow') return false
  return settings.contextWip === 'commit' || by !== 'hook' || ownLoop(context) !== undefined
}

async function writeDocument(
  { repository }: SessionContext,
  handoff: ContextHandoff,
  { handoffs }: Settings,
): Promise<string> {
  const text = renderContextHandoff(handoff)
  const path = `${handoffs}/${contextHandoffName(handoff, text)}`
  // An existing file of this name has the same text, except for a 1 in 65,536 chance within the same minute.
  await repository.worktree.create(path, text)
  return path
}

/** Writes one event, for the branch's handoff if there is one; undefined if there is nothing to say. */
async function writeEvent(
  context: SessionContext,
  state: SessionState | undefined,
  handoff: ContextHandoff,
  { settings, words = {}, reason }: CheckpointRequest,
): Promise<string | undefined> {
  return quietly(context, 'no event of the checkpoint', async () => {
    const { repository } = context
    const { redact } = await context.secrets()
    const { branch } = await repository.history.head()
    // Without a session the handoff says what others said on the branch.
    const { now, next } = state === undefined ? { now: undefined, next: [] } : handoff
    const known = next.length === 0 ? undefined : next
    const said = { ...words, now: words.now ?? now, next: words.next ?? known }
    if (Object.values(said).every(isNothing)) return undefined
    const stream = words.stream ?? (await handoffOn(repository, settings.root, branch))?.name
    const about = { type: 'checkpoint', reason, stream, session: state?.id }
    const fields = redactTexts({ ...said, ...about }, redact)
    const agent = state === undefined ? undefined : nameOf(context, state)
    const { path } = await addEvent(
      { ...context, settings },
      { fields, agent, afterwards: 'leave' },
    )
    return path
  })
}

/** The issue, if it belongs to the tracker's teams; undefined without a tracker. */
async function issueOf(
  context: SessionContext,
  { issue }: CheckpointRequest,
): Promise<string | undefined> {
  return quietly(context, 'no issue of the checkpoint', async () => {
    const { branch } = await context.repository.history.head()
    return trackedIssue(await context.tracker(), { issue, branch })
  })
}

async function tellTracker(
  context: SessionContext,
  issue: string,
  {
    handoff,
    path,
    request: { iteration },
  }: { handoff: ContextHandoff; path: string; request: CheckpointRequest },
): Promise<string | undefined> {
  const { level, percent } = handoff
  const [title, text] = [titleOf(handoff), trackerNote(handoff)]
  return quietly(context, 'the tracker is not told', async () =>
    tellIssue(await context.tracker(), { issue, branch: undefined }, [
      { kind: 'checkpoint', title, level, percent, iteration, path, text },
      { kind: 'link', title, path },
    ]),
  )
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Hands a copy to the memory tool, only if the user enabled that in git's configuration. True if it was accepted. */
async function saveMemory(
  { repository, saveMemory: save, folder, log }: SessionContext,
  handoff: ContextHandoff,
): Promise<boolean> {
  const asked = await repository.personalConfig(MEMORY_KEY)
  if (asked?.kind !== 'value' || asked.value !== MEMORY_TOOL) return false
  const top = repository.place.top ?? folder
  const project = top.slice(top.lastIndexOf('/') + 1)
  const failed = await save({
    title: titleOf(handoff),
    text: renderContextHandoff(handoff),
    project,
  })
  if (failed !== undefined) log(`checkpoint not given to ${MEMORY_TOOL}: ${failed}`)
  return failed === undefined
}
