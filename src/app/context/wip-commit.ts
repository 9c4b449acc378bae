/**
 * Commits work in progress, and undoes such a commit. The commit is built from HEAD and the session's own versions
 * without using the index, and the user's hooks are run. Branch and index move together or not at all.
 */

import type { Blobs } from '../../core/commit/commit-mark.ts'
import { isSame, pathsTo } from '../../core/commit/commit-mark.ts'
import { isContextHandoff } from '../../core/context/places.ts'
import { planWip, wipMessage, wipSession } from '../../core/context/wip.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import { messageOf } from '../checkpoint/read-commit.ts'
import { land, requireSafe } from '../commit/commit-ledger.ts'
import { settleMarks } from '../commit/settle-marks.ts'
import { isLoopsOwn } from '../loops/tell-loops.ts'
import { readCommit } from '../shadow/git-trees.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { readChains } from '../shadow/shadow-chain.ts'
import type { ShadowFiles } from '../shadow/shadow-session.ts'
import { shadowOf } from '../shadow/shadow-session.ts'
import type { StagedBlobs } from './wip-staged.ts'
import { keepStaged, stagedBefore } from './wip-staged.ts'

/** The session's files in the shadow data, as it is now. */
export async function ownFiles(context: SessionContext, state: SessionState): Promise<ShadowFiles> {
  return shadowOf(context, await readChains(context, state.worktree.name), state)
}

/**
 * `before`: the session's files before this turn's step; a file that was dirty but is not among them is shared. Returns
 * an `obstacle` if there is no commit although there was something to commit.
 */
export async function commitWip(
  context: SessionContext,
  settings: Settings,
  state: SessionState,
  { subject, before }: { readonly subject: string; readonly before: ShadowFiles },
) {
  const { repository } = context
  const own = await ownFiles(context, state)
  const secret = own.leftOut.map(({ path, reason }) => ({ path, why: reason }))
  try {
    await settleMarks(repository, context.say)
    const refusal = (reason: string) => new LedgerError('COMMIT_SKIPPED', reason)
    const parent = await requireSafe(repository, settings, refusal)
    const { entries, leftOut } = await planHere(context, settings, state, own, before)
    const all = [...secret, ...leftOut]
    if (entries.length === 0) return { commit: undefined, leftOut: all, obstacle: undefined }
    const built = await repository.withHeadIndex(async (temporary) => {
      const { index, commits } = temporary
      await index.change(entries)
      const { message, refusal } = await commits.askHooks(wipMessage(subject, state.id))
      if (refusal !== undefined) return { refusal }
      const after = await index.blobs(...pathsTo(entries))
      const hooked = entries.map((entry) => ({ ...entry, after: after.get(entry.path) }))
      return { entries: hooked, tree: await index.writeTree(), message, refusal }
    })
    if (built.refusal !== undefined) {
      return { commit: undefined, leftOut: all, obstacle: built.refusal }
    }
    const commit = await repository.commits.create(built.tree, parent, built.message)
    keepStaged(context, commit, entries)
    await land(context, { commit, parent, subject, entries: built.entries, pending: [] })
    return { commit, leftOut: all, obstacle: undefined }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { commit: undefined, leftOut: secret, obstacle: error.message }
  }
}

async function planHere(
  context: SessionContext,
  settings: Settings,
  state: SessionState,
  { files, deleted }: ShadowFiles,
  before: ShadowFiles,
) {
  const { repository } = context
  const isWork = (path: string) => !isContextHandoff(path, settings) && !isLoopsOwn(context, path)
  const paths = [...files.keys(), ...deleted].filter(isWork)
  const names = paths.map(nameOfPath)
  const [index, head] = [
    await repository.index.blobs(...pathsOf(names)),
    await repository.history.blobsAt('HEAD', pathsOf(names)),
  ]
  const wasOthers = new Set(state.dirtyBefore)
  return planWip(
    paths.map((path) => ({
      path,
      own: files.get(path),
      head: head.get(nameOfPath(path)),
      index: index.get(nameOfPath(path)),
      isOthersToo: wasOthers.has(path) && !before.files.has(path) && !before.deleted.includes(path),
    })),
  )
}

/** Throws `WIP_NOT_FOUND` if HEAD is not such a commit or a remote has it. */
export async function undoWip(
  context: SessionContext,
  settings: Settings,
): Promise<{ readonly commit: string; readonly parent: string }> {
  const { repository } = context
  await settleMarks(repository, context.say)
  const commit = await requireSafe(repository, settings, (reason) =>
    notFound(`no commit of work in progress was undone: ${reason}`, 'git status'),
  )
  const session = wipSession(await messageOf(repository, commit))
  if (session === undefined) {
    throw notFound('HEAD is not a commit of work in progress by ledger-git', 'git log -1')
  }
  if (await context.changes.isOnRemote(commit)) {
    throw notFound(
      'the commit of work in progress was pushed',
      'git revert HEAD, or continue from it',
    )
  }
  const { parents } = await readCommit(repository, commit)
  const [parent] = parents
  if (parent === undefined) throw notFound('the commit has no parent', 'git log -1')
  const changes = await context.changes.between(commit, parent)
  const staged = stagedBefore(context, commit)
  const changed = changes.map(({ path }) => nameOfPath(path))
  const paths = [...new Set([...changed, ...staged.keys()])]
  const [now, old] = [
    await repository.history.blobsAt(commit, pathsOf(paths)),
    await repository.history.blobsAt(parent, pathsOf(paths)),
  ]
  const entries = paths
    .map((path) => ({ path, before: now.get(path), isClean: true, after: old.get(path) }))
    .filter(({ before, after }) => !isSame(before, after))
    // The index already holds it.
    .filter(({ path, before }) => !staged.has(path) || !isSame(before, staged.get(path)))
  await land(context, { commit: parent, parent: commit, subject: 'undo wip', entries, pending: [] })
  await stageAgain(context, { staged, now, old })
  return { commit, parent }
}

/** If a hook changed a file on its way into the commit, restores what the index had before the hook. */
async function stageAgain(
  { repository }: SessionContext,
  { staged, now, old }: Readonly<Record<'now' | 'old', Blobs>> & { readonly staged: StagedBlobs },
): Promise<void> {
  const others = [...staged].filter(([path, blob]) => !isSame(now.get(path), blob))
  const entries = others.map(([path, after]) => ({ path, after }))
  // Git may have pruned objects that no commit names.
  const read = await Promise.all(
    entries.map(({ after }) => after && repository.objects.read(after.oid)),
  )
  if (read.length === 0 || entries.some(({ after }, i) => after && read[i] === undefined)) return
  await repository.changeIndex(async ({ index }) => {
    const found = await index.blobs(...pathsTo(entries))
    await index.change(entries.filter(({ path }) => isSame(found.get(path), old.get(path))))
  })
}

/** The pathspecs for these paths. */
function pathsOf(names: readonly ByteName[]): string[] {
  return pathsTo(names.map((path) => ({ path })))
}

function notFound(what: string, next: string): LedgerError {
  return new LedgerError('WIP_NOT_FOUND', what, next)
}
