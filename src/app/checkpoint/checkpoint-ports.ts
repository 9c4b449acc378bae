/** What checkpoints need from git beyond the session ports, as types. `io/git/` implements them. */

import type { FilesPort } from '../ports.ts'
import type { SessionContext } from '../session/session-ports.ts'

/** Why a branch must not be moved behind somebody's back. */
export type BranchHold =
  | { readonly kind: 'symbolic'; readonly target: string }
  | { readonly kind: 'checked-out'; readonly worktree: string }

export interface BranchPort {
  /** `ref`: full, `refs/heads/…`; it need not exist. */
  holdOf(ref: string): Promise<BranchHold | undefined>
}

/** A path whose content or mode is not the same; an object id is undefined where there is no file. */
export interface FileChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface ChangesPort {
  /** The index that `GIT_INDEX_FILE` names, against a tree. */
  ofIndex(tree: string): Promise<readonly FileChange[]>
  between(from: string, to: string): Promise<readonly FileChange[]>
  /** Commits of HEAD and all branches that have this text in their message and are not before `base`. */
  saying(text: string, base: string | undefined): Promise<readonly string[]>
}

/**
 * - `new`: the remote has no such branch. `forward`: it is behind, or was. `same`: nothing to do.
 * - `rejected`: it has commits that are not in what was pushed.
 */
export type PushAnswer =
  | { readonly kind: 'new' | 'forward' | 'same' | 'rejected' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * One ref of one remote: no hooks, no questions, no longer than asked, and never longer than the
 * process itself. `remote`: a name or a URL, as git gave it to the hook.
 */
export interface CheckpointRemote {
  /** `isTrial`: asks the remote and changes nothing, neither there nor here. */
  push(
    remote: string,
    commit: string,
    ref: string,
    options: { readonly isTrial: boolean; readonly timeout: number },
  ): Promise<PushAnswer>
  /** Fetches the remote's `ref` into the local ref `into`. A reason when it could not. */
  fetch(remote: string, ref: string, into: string, timeout: number): Promise<string | undefined>
}

/** Writing to the branch. */
export interface BranchContext extends Pick<
  SessionContext,
  'repository' | 'refs' | 'objects' | 'clock' | 'random'
> {
  readonly branches: BranchPort
}

/** Writing what sessions say. */
export interface CheckpointContext extends BranchContext, Pick<SessionContext, 'secrets'> {}

export interface PushContext extends BranchContext, Pick<SessionContext, 'log'> {
  readonly remote: CheckpointRemote
}

export interface LinkContext extends Pick<
  SessionContext,
  'repository' | 'sessions' | 'random' | 'log'
> {
  readonly files: Pick<FilesPort, 'read' | 'write' | 'remove'>
}
