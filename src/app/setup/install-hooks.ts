/** The part of `install` that concerns hook files: into which it writes, and what it says of the others. */

import { hookHeader } from '../../core/setup/hook-script.ts'
import { CONFIG_HOOKS_SINCE, hookBlock, wrapperBlock } from '../../core/setup/install-texts.ts'
import { hasHalfBlock, withoutHalfBlocks } from '../../core/setup/half-block.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { FilesPort, GitVersions, HooksFolder, RepositoryPort } from '../ports.ts'
import type { HookRoute } from './hook-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { foreignNote, managerNotes } from './install-notes.ts'
import type { InstallWriter } from './install-writer.ts'

interface HooksContext {
  readonly repository: RepositoryPort
  readonly files: FilesPort
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  readonly local: boolean
}

interface HooksReport {
  readonly notes: readonly string[]
  /** Tracked folders, from the top of the worktree. */
  readonly commit: readonly string[]
}

/** Writes hook files where a git of this machine needs them. */
export function installHooks(context: HooksContext, writer: InstallWriter): HooksReport {
  const { hooks, files, gits, repository, local } = context
  const { top, commonDir } = repository.place
  const needsFiles = [gits.running, ...gits.others].some(
    (version) => !isAtLeast(version, CONFIG_HOOKS_SINCE),
  )
  if (hooks.owner === 'foreign') {
    return { notes: needsFiles ? [foreignNote(hooks)] : [], commit: [] }
  }
  const isInTree =
    `${hooks.path}/`.startsWith(`${top}/`) && !`${hooks.path}/`.startsWith(`${commonDir}/`)
  if (isInTree && local) return { notes: [], commit: [] }
  const notes: string[] = []
  const written: HookRoute[] = []
  for (const route of hookRoutes({ files, hooks, top })) {
    const text = files.read(route.file) ?? ''
    const hasOurs = hasBlock(text) || hasHalfBlock(text)
    if (!needsFiles && !hasOurs && !mustBeLast(route, files)) continue
    if (route.hook === 'pre-commit' && route.way !== 'none') {
      writer.own(`${commonDir}/ledger-git/pre-commit-file`, '', 'our part of pre-commit comes last')
    }
    notes.push(...installHook(route, context, writer))
    written.push(route)
  }
  if (needsFiles) notes.push(...managerNotes(written))
  const commit = top !== undefined && isInTree ? [hooks.path.slice(top.length + 1)] : []
  return { notes, commit }
}

/** Git runs its configuration before the hook file: only a block in the user's own comes after it. */
function mustBeLast({ hook, way, file }: HookRoute, files: FilesPort): boolean {
  return hook === 'pre-commit' && way === 'block' && files.kind(file) === 'file'
}

/** Returns what is to be said when the hook cannot be installed. */
function installHook(
  route: HookRoute,
  { files, hooks }: HooksContext,
  writer: InstallWriter,
): string[] {
  const { hook, entry, file, kept, reason, way, manager } = route
  const leftAlone = `left alone, the ${hook} hook is not installed`
  if (way === 'none') return [`${file} ${reason}: ${leftAlone}`]
  if (way === 'wrap') {
    if (files.kind(kept) !== 'absent') {
      return [`${file} ${reason}, and ${kept} is there already: ${leftAlone}`]
    }
    const ours = `${hook} hook, which then runs yours`
    const theirs = `your ${hook} hook (it ${reason})`
    writer.wrap(file, kept, wrapperBlock(hook), { ours, theirs })
    return []
  }
  const text = files.read(file)
  // husky's files are run by `sh -e`; git's need an interpreter line of their own.
  const start = text === undefined && hooks.owner !== 'husky' ? '#!/bin/sh\n' : ''
  const isWrapped = files.kind(kept) !== 'absent'
  const block = isWrapped ? wrapperBlock(hook) : hookBlock(hook)
  const where = { after: text === undefined ? start : hookHeader(withoutHalfBlocks(text, block)) }
  writer.block(file, block, `${hook} hook`, where, { start, mode: 0o755 })
  // pre-commit runs NAME.legacy before its own: ours comes last from the file that it writes anew.
  const written = manager === 'pre-commit' && hook === 'pre-commit' ? files.read(entry) : undefined
  if (written !== undefined) {
    writer.block(entry, block, `${hook} hook, after pre-commit`, { after: hookHeader(written) })
  }
  return []
}
