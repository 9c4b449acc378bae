/**
 * Adds the trailers of a commit's checkpoints to the message that git is about to use.
 *
 * Rules:
 * - An id is stored in the state of every session to which it is promised before the message contains it.
 * - Merges, squashes and sequences are left alone: they reuse other commits' messages.
 * - An amended commit keeps its trailers.
 * - A message that already carries somebody else's trailer is left alone.
 */

import { withPendingCheckpoint } from '../../core/session/change-session.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { checkpointIdFrom } from '../../core/session/checkpoint-id.ts'
import type { LinkCandidate, LinkPlan, Maker } from '../../core/checkpoint/commit-links.ts'
import { planLinks } from '../../core/checkpoint/commit-links.ts'
import { readCommitWords } from '../../core/commit/parse-git-args.ts'
import type { FileChange } from '../../core/checkpoint/condensation.ts'
import type { MessageRules } from '../../core/checkpoint/trailers.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import {
  addCheckpoint,
  addCheckpointToDraft,
  commentPrefix,
  dropLoneCheckpoint,
  keptLines,
  readCheckpoints,
  removeCheckpoints,
} from '../../core/checkpoint/trailers.ts'
import type { RepositoryPort } from '../ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'
import { messageOf } from './read-commit.ts'

/** How long a commit waits for a session that another process is changing. */
const LOCK_TIMEOUT_MS = 2000

export interface LinkRequest {
  /** Absolute path of the message that git prepared: the hook's first argument. */
  readonly messageFile: string
  /** The hook's second argument: `message`, `template`, `merge`, `squash`, `commit`, or none. */
  readonly source: string | undefined
  /** The hook's third argument: the commit whose message is used. */
  readonly sourceCommit: string | undefined
  /** Command line of the running `git commit`, from the process table. */
  readonly words: readonly string[] | undefined
  /** A merge, rebase, cherry-pick or revert is in progress. */
  readonly isSequence: boolean
  /** False if `GIT_EDITOR=:`, which git sets to say so; a user may have set it, too. */
  readonly opensEditor: boolean
  /** Where the draft without our trailer is kept for `finishDraft`. */
  readonly draftFile: string
  /** Whether our commit-msg hook will run: only then may a draft get a trailer. */
  readonly hasMessageHook: () => Promise<boolean>
  readonly candidates: readonly LinkCandidate[]
  /** Differences between the index and HEAD, also for an amendment. */
  readonly changes: readonly FileChange[]
  readonly maker: Maker
}

export async function linkCommit(context: SessionContext, request: LinkRequest): Promise<void> {
  const { source, isSequence, messageFile } = request
  if (isSequence || source === 'merge' || source === 'squash') return
  const message = context.messages.read(messageFile)
  if (message === undefined) return
  const words = readCommitWords(request.words ?? [])
  // If the process table is not available: git passes these arguments only for `commit --amend`.
  const isAmendBySource = source === 'commit' && request.sourceCommit === 'HEAD'
  const isAmend = words.isAmend || (request.words === undefined && isAmendBySource)
  const plan = planOf(context, request, isAmend)
  if (plan.links.length === 0 && !isAmend) return
  // A message that was not given on the command line is meant for an editor, whatever `GIT_EDITOR` says.
  const isDraft = source === undefined || source === 'template'
  if (isDraft && (words.skipsVerify || !(await request.hasMessageHook()))) return
  const rules = await messageRules(
    context.repository,
    message,
    words.cleanup,
    isDraft || request.opensEditor,
  )
  const given = readCheckpoints(message, rules.comment)
  const kept = isAmend ? await trailersOfHead(context.repository) : []
  // Our own id may already be there, from an earlier hook.
  const promised = new Set(request.candidates.map((one) => one.pendingCheckpoint))
  if (!isAmend && source !== 'commit' && !given.every((id) => promised.has(id))) return
  const planned = await Promise.all(plan.links.map((link) => save(context, link)))
  const ids = [...new Set([...kept, ...planned.filter((id) => id !== undefined)])]
  const add = isDraft ? addCheckpointToDraft : addCheckpoint
  const linked = ids.reduce((text, id) => add(text, id, rules), message)
  if (linked === message) return
  // With our trailer, a draft that git would treat as empty (an abort) would no longer be empty: keep the original.
  if (isDraft) context.messages.write(request.draftFile, message)
  context.messages.write(messageFile, linked)
}

async function trailersOfHead(repository: RepositoryPort): Promise<CheckpointId[]> {
  const { oid } = await repository.history.head()
  return oid === undefined ? [] : readCheckpoints(await messageOf(repository, oid))
}

function planOf(
  context: SessionContext,
  { candidates, changes, maker }: LinkRequest,
  isAmend: boolean,
): LinkPlan {
  const fresh = checkpointIdFrom(context.random(6))
  // Rewording a commit gives a session no part in it; new work does, whoever amends.
  const by: Maker = isAmend ? { kind: 'anybody' } : maker
  const plan = planLinks(candidates, changes, by, fresh)
  if (plan.unlinked !== undefined) context.log(`commit not linked: ${plan.unlinked}`)
  return plan
}

/** If the promise cannot be stored, the commit gets no link, which is better than a trailer that leads nowhere. */
function save(
  context: SessionContext,
  { session, checkpoint }: LinkPlan['links'][number],
): Promise<CheckpointId | undefined> {
  const promise = async (state: SessionState | undefined) => {
    const promised = state && withPendingCheckpoint(state, checkpoint)
    return { state: promised, result: promised?.pendingCheckpoint }
  }
  return quietly(context, `commit not linked to ${session}`, () =>
    context.sessions.change(session, promise, LOCK_TIMEOUT_MS),
  )
}

/** How git will treat the lines of this message. */
async function messageRules(
  repository: Pick<RepositoryPort, 'configs'>,
  message: string,
  cleanupWord: string | undefined,
  opensEditor: boolean,
): Promise<MessageRules> {
  const keys = ['core.commentChar', 'core.commentString', 'commit.cleanup']
  const [character, string, configured] = await repository.configs(keys)
  const cleanup = cleanupWord ?? configured ?? 'default'
  return {
    comment: commentPrefix(string ?? character, message),
    dropsComments: cleanup === 'strip' || (cleanup === 'default' && opensEditor),
  }
}

export interface DraftRequest extends Pick<LinkRequest, 'messageFile' | 'draftFile' | 'words'> {}

/**
 * For commit-msg: a draft that nobody edited loses our trailer, so that git aborts the commit as it would have without
 * us, whether the draft is empty or a template.
 */
export async function finishDraft(
  { messages, repository }: SessionContext,
  { messageFile, draftFile, words }: DraftRequest,
): Promise<void> {
  const draft = messages.read(draftFile)
  messages.remove(draftFile)
  const message = messages.read(messageFile)
  if (draft === undefined || message === undefined) return
  const { cleanup } = readCommitWords(words ?? [])
  const rules = await messageRules(repository, message, cleanup, true)
  const bare = removeCheckpoints(message, rules.comment)
  const isUntouched = keptLines(bare, rules).join('\n') === keptLines(draft, rules).join('\n')
  const left = isUntouched ? bare : dropLoneCheckpoint(message, rules)
  if (left !== message) messages.write(messageFile, left)
}
