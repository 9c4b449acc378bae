/**
 * Files that only merge commits added. A rebase leaves merge commits out or creates them again, and drops what our hooks
 * had added to them.
 */

import { isOwnHandoff } from '../../core/context/places.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { nameToText } from '../../core/git/objects.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import type { LedgerContext } from '../ports.ts'

/** Makes events and documents pending again that the branch had before the rebase. */
export async function bringBackLeftOut({
  repository: { history, objects, worktree },
  settings,
  say,
}: LedgerContext): Promise<void> {
  const { events } = ledgerPaths(settings.root)
  const old = history.beforeRebase()
  const added = await history.addedByMerges(`HEAD..${old}`, [events, settings.handoffs])
  const paths = added.map(nameToText)
  const [before, now] = await Promise.all([
    history.blobsAt(old, paths),
    history.blobsAt('HEAD', paths),
  ])
  let count = 0
  for (const [path, { oid }] of before) {
    const bytes = now.has(path) ? undefined : (await objects.read(oid))?.content
    if (bytes === undefined) continue
    const name = nameToText(path)
    const file = fileOfPath(path)
    const isOurs = name.startsWith(`${events}/`) ? isEventFileName(file) : isOwnHandoff(file, bytes)
    if (!isOurs || !(await worktree.create(name, bytes))) continue
    say(`ledger-git: ${name} is pending again: only a merge commit that the rebase left out had it`)
    count += 1
  }
  if (count === 0) return
  const [it, what] = count === 1 ? ['it', 'the file'] : ['them', 'the files']
  say(
    `  next: your next commit takes ${it} along; if another branch still has ${it}, delete ${what} first:\n` +
      '  otherwise git refuses to merge or switch to that branch',
  )
}
