/** What stood in merge commits alone: a rebase leaves them out or makes them anew, and drops what they took in. */

import { isOwnHandoff } from '../../core/context/places.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { nameToText } from '../../core/git/objects.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import type { LedgerContext } from '../ports.ts'

/** Events and documents that the branch had before the rebase are pending again. */
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
    `  next: your next commit takes ${it} along; where another branch still has ${it}, delete ${what} first:\n` +
      '  else git merge and git switch to that branch refuse',
  )
}
