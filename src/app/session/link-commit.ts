/**
 * Puts the trailers of a commit's checkpoints into the message that git is about to use.
 *
 * Laws. An id is in the state of every session that it is promised to before the message has it. Merges,
 * squashes and sequences are left alone: their messages are others'. An amended commit keeps the
 * trailers it has. A message that carries somebody else's trailer already is theirs to link.
 */

import { LedgerError } from '../../core/errors.ts'
import { withPendingCheckpoint } from '../../core/session/change-session.ts'
import type { CheckpointId } from '../../core/session/checkpoint-id.ts'
import { checkpointIdFrom } from '../../core/session/checkpoint-id.ts'
import type { LinkCandidate, LinkPlan, Maker } from '../../core/session/commit-links.ts'
import { planLinks } from '../../core/session/commit-links.ts'
import { readCommitWords } from '../../core/session/commit-words.ts'
import type { CommitFiles } from '../../core/session/condensation.ts'
import type { MessageRules } from '../../core/session/trailers.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import {
  addCheckpoint,
  addCheckpointToDraft,
  commentPrefix,
  dropLoneCheckpoint,
  readCheckpoints,
  removeCheckpoints,
} from '../../core/session/trailers.ts'
import type { RepositoryPort } from '../ports.ts'
import type { LinkContext } from './checkpoint-ports.ts'
import { messageOf } from './commit-message.ts'

/** Milliseconds that a commit waits for a session that somebody else is changing. */
const PATIENCE = 2000

export interface LinkRequest {
  /** Absolute path of the message that git prepared: the hook's first argument. */
  readonly messageFile: string
  /** The second: `message`, `template`, `merge`, `squash`, `commit`, or none. */
  readonly source: string | undefined
  /** The third: the commit that the message is of. */
  readonly sourceCommit: string | undefined
  /** The `git commit` at work, as the process table has it. */
  readonly words: readonly string[] | undefined
  /** A merge, rebase, cherry-pick or revert is in progress. */
  readonly isSequence: boolean
  /** False where git says so with `GIT_EDITOR=:`. */
  readonly opensEditor: boolean
  /** A commit-msg hook of ours will run: only then may an empty draft get a trailer. */
  readonly hasMessageHook: boolean
  readonly candidates: readonly LinkCandidate[]
  /** The index against HEAD (`commitFilesOfIndex`), for an amendment as well. */
  readonly commit: CommitFiles
  readonly maker: Maker
}

export async function linkCommit(context: LinkContext, request: LinkRequest): Promise<void> {
  const { source, isSequence, messageFile } = request
  if (isSequence || source === 'merge' || source === 'squash') return
  const message = context.files.read(messageFile)
  if (message === undefined) return
  const words = readCommitWords(request.words ?? [])
  const rules = await messageRules(context.repository, message, words.cleanup, request.opensEditor)
  const isAmend = words.isAmend || isAmendBySource(request)
  const given = readCheckpoints(message, rules.comment)
  const kept = isAmend ? await trailersOfHead(context.repository) : []
  if (!isAmend && source !== 'commit' && !given.every((id) => isPromised(request, id))) return
  const planned = await promise(context, request, isAmend)
  const ids = [...new Set([...kept, ...planned])]
  // The trailer alone would make a message of what git takes for an abort.
  const isDraft = request.opensEditor && request.hasMessageHook && !words.skipsVerify
  const add = isDraft ? addCheckpointToDraft : addCheckpoint
  const linked = ids.reduce((text, id) => add(text, id, rules), message)
  if (linked !== message) context.files.write(messageFile, linked)
}

/** Without the process table: what git passes for `commit --amend` alone. */
function isAmendBySource({ source, sourceCommit, words }: LinkRequest): boolean {
  return words === undefined && source === 'commit' && sourceCommit === 'HEAD'
}

/** Our own id, from a hook that ran before this one. */
function isPromised({ candidates }: LinkRequest, id: CheckpointId): boolean {
  return candidates.some(({ pendingCheckpoint }) => pendingCheckpoint === id)
}

async function trailersOfHead(repository: RepositoryPort): Promise<CheckpointId[]> {
  const { oid } = await repository.history.head()
  return oid === undefined ? [] : readCheckpoints(await messageOf(repository, oid))
}

/** Plans the links and saves their ids; returns what the states say then. */
async function promise(
  context: LinkContext,
  { candidates, commit, maker }: LinkRequest,
  isAmend: boolean,
): Promise<CheckpointId[]> {
  const fresh = checkpointIdFrom(context.random(6))
  // Who only words a commit anew has no part in it: new work has, whoever amends.
  const by: Maker = isAmend ? { kind: 'anybody' } : maker
  const plan = planLinks(candidates, commit, by, fresh)
  if (plan.unlinked !== undefined) context.log(`commit not linked: ${plan.unlinked}`)
  const ids = await Promise.all(plan.links.map((link) => save(context, link)))
  return ids.filter((id) => id !== undefined)
}

async function save(
  { sessions, log }: LinkContext,
  { session, checkpoint }: LinkPlan['links'][number],
): Promise<CheckpointId | undefined> {
  try {
    const promise = (state: SessionState | undefined) => {
      if (state === undefined) return Promise.resolve({ state, result: undefined })
      const promised = withPendingCheckpoint(state, checkpoint)
      return Promise.resolve({ state: promised, result: promised.pendingCheckpoint })
    }
    return await sessions.change(session, promise, PATIENCE)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    // Better a commit without this link than one whose trailer leads nowhere.
    log(`commit not linked to ${session}: ${error.code}`)
    return undefined
  }
}

/** What git will make of the lines of this message. */
async function messageRules(
  repository: Pick<RepositoryPort, 'config'>,
  message: string,
  cleanupWord: string | undefined,
  opensEditor: boolean,
): Promise<MessageRules> {
  const [character, string, configured] = await Promise.all([
    repository.config('core.commentChar'),
    repository.config('core.commentString'),
    repository.config('commit.cleanup'),
  ])
  const cleanup = cleanupWord ?? configured ?? 'default'
  return {
    comment: commentPrefix(string ?? character, message),
    dropsComments: cleanup === 'strip' || (cleanup === 'default' && opensEditor),
  }
}

export interface MessageRequest {
  readonly messageFile: string
  readonly words: readonly string[] | undefined
  readonly opensEditor: boolean
  /** Text of the template that git was given (`commit.template`, `-t`), if any. */
  readonly template: string | undefined
}

/**
 * For commit-msg: a message with nothing of a person's in it loses our trailer, so that git aborts as it
 * would have without us. A template that nobody touched is nothing of a person's.
 */
export async function dropLoneTrailer(
  { files, repository }: Pick<LinkContext, 'files' | 'repository'>,
  { messageFile, words, opensEditor, template }: MessageRequest,
): Promise<void> {
  const message = files.read(messageFile)
  if (message === undefined) return
  const { cleanup } = readCommitWords(words ?? [])
  const rules = await messageRules(repository, message, cleanup, opensEditor)
  const bare = removeCheckpoints(message, rules.comment)
  const isUntouched = template !== undefined && isTemplate(bare, template, rules)
  const left = isUntouched ? bare : dropLoneCheckpoint(message, rules)
  if (left !== message) files.write(messageFile, left)
}

/** As git compares: the template, then nothing but white space, sign-offs and comments. */
function isTemplate(message: string, template: string, rules: MessageRules): boolean {
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => !(rules.dropsComments && line.startsWith(rules.comment)))
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
  const wanted = linesOf(template)
  const found = linesOf(message)
  const rest = found.slice(wanted.length)
  return (
    wanted.every((line, i) => found[i] === line) &&
    rest.every((line) => line.startsWith('Signed-off-by: '))
  )
}
