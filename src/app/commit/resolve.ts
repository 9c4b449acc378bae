/**
 * Repairs the result of a merge: handoffs in conflict are merged again, and a conflicted or stale `current.md` is
 * regenerated from the index's events.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { refuseNewerFormat } from '../ledger/freshness.ts'
import { ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import type { ResolvedHandoff } from '../merge/resolve-handoffs.ts'
import { resolveHandoffs } from '../merge/resolve-handoffs.ts'
import type { LedgerContext } from '../ports.ts'
import type { CommitContext } from './commit-ledger.ts'
import { commitLedger } from './commit-ledger.ts'
import { followIndex, renderOutOfGit, stageCurrent } from './refresh-current.ts'

export interface Resolution {
  /** True if the index's `current.md` was regenerated. */
  readonly staged: boolean
  /** True if the worktree's `current.md` was rewritten. */
  readonly isWritten: boolean
  /** Why there is nothing to regenerate. */
  readonly reason: string | undefined
  readonly commit: string | undefined
  readonly path: string
  /** The handoffs that were unmerged. */
  readonly handoffs: readonly ResolvedHandoff[]
  /** Where git put one side of `current.md` if only the other side is a regular file (`current.md~HEAD`). */
  readonly aside: readonly string[]
}

export async function resolveLedger(
  context: CommitContext,
  { commit: isCommit }: { commit: boolean },
): Promise<Resolution> {
  const { repository, settings } = context
  const path = ledgerPaths(settings.root).current
  const before = await repository.worktree.read(path)
  if (before !== undefined) refuseNewerFormat(Buffer.from(before).toString('utf8'))
  const { unmerged } = await placeOfIndex(repository, settings.root)
  const events = unmerged.map(nameToText).filter((name) => name !== path)
  if (events.length > 0) {
    throw new LedgerError(
      'EVENTS_UNMERGED',
      `${events.map((name) => oneLine(name, '')).join(', ')} is unmerged: event files are immutable, so keep the right one whole`,
      'git checkout --ours (or --theirs) -- FILE, git add FILE, then ledger-git resolve',
    )
  }
  if (unmerged.length > 0 && settings.mode === 'untracked') {
    // Another branch still tracks the file; on this branch it stays untracked.
    await repository.index.change([{ path: textToName(path), after: undefined }])
  }
  const handoffs = await resolveHandoffs(context)
  const { isChanged, state } = await stageCurrent(context)
  // A text that people keep by hand is left unchanged.
  if (state.expected !== undefined) await followIndex(context)
  else await renderOutOfGit(context)
  const after = await repository.worktree.read(path)
  const isWritten = after !== undefined && !Buffer.from(after).equals(before ?? Buffer.alloc(0))
  const reason = state.expected === undefined ? state.reason : undefined
  const commit = isCommit ? await commitStaged(context, isChanged) : undefined
  const aside = await filesAside(context, path)
  return { staged: isChanged, isWritten, reason, commit, path, handoffs, aside }
}

async function filesAside(
  { repository, settings }: LedgerContext,
  path: string,
): Promise<string[]> {
  const listed = await repository.index.list(settings.root)
  const unmerged = listed.filter(({ stage }) => stage !== 0).map((entry) => nameToText(entry.path))
  return [...new Set(unmerged)].filter((name) => name.startsWith(`${path}~`))
}

async function commitStaged(
  context: CommitContext,
  isStaged: boolean,
): Promise<string | undefined> {
  try {
    return await commitLedger(context, 'refresh current.md')
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'COMMIT_SKIPPED' || !isStaged) throw error
    throw new LedgerError(
      'COMMIT_SKIPPED',
      `${error.message}; current.md is regenerated and staged`,
      'git commit, or the --continue that git status names',
    )
  }
}
