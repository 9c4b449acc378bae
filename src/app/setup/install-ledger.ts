/** What `install` writes into the ledger's folder. */

import { LedgerError } from '../../core/errors/errors.ts'
import { encodeTree, hashObject } from '../../core/git/objects.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import { eventsOf, ledgerPaths } from '../ledger/ledger-sources.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import { ignoredLedger, leftLedger, outsideLedger } from './hidden-paths.ts'
import type { InstallPlan } from './install-plan.ts'

/** Creates an empty ledger, so that no later commit adds or deletes `current.md`: git calls no driver for those. */
export async function planLedger(
  top: string,
  place: WorktreePlace,
  plan: InstallPlan,
  dryRun: boolean,
): Promise<void> {
  const { repository, settings, files } = plan.setup
  const { current, events } = ledgerPaths(settings.root)
  const outside = await outsideLedger(plan.setup, settings.root)
  if (outside !== undefined) {
    if (!dryRun) throw new LedgerError('FILE_UNWRITABLE', outside.what, outside.fix)
    plan.notes.push(`${outside.what}; ${outside.fix}`)
    return
  }
  if (settings.mode === 'untracked' && place.index.current !== undefined) {
    plan.notes.push(
      `${current} is still in git; mode: untracked keeps it out: git rm --cached ${current}`,
    )
  }
  if (place.current !== undefined && place.entries === undefined) {
    const text = files.read(`${top}/${current}`) ?? ''
    if (!text.includes('\n_synthesized:\n') && !(await readsAsNothing(text))) {
      plan.notes.push(
        `${current} is kept by hand and is left unchanged until the first event; ledger-git migrate makes an event of it`,
      )
      return
    }
  }
  const left = await leftLedger(plan.setup, settings.root)
  if (left !== undefined) {
    plan.notes.push(`${left.what}; next: ${left.fix}`)
    return
  }
  const add = (path: string, content: string) =>
    plan.put({ path: `${top}/${path}`, kind: 'ledger', content, what: 'empty ledger' })
  if (place.entries === undefined) add(`${events}/.gitkeep`, '')
  if (place.current === undefined) {
    const { format } = repository.place
    const keep = {
      mode: '100644',
      name: '.gitkeep',
      oid: hashObject('blob', Buffer.alloc(0), format),
    }
    const entries = place.entries ?? [keep]
    const eventsTree = hashObject('tree', encodeTree(entries), format)
    const set = await eventsOf(repository.objects, { ...place, entries, eventsTree })
    add(current, renderEvents(set))
  }
  const { events: hidden } = await ignoredLedger(plan.setup.probes, settings.root)
  if (hidden === undefined) plan.commit.push(settings.root)
  else plan.notes.push(`${hidden.what}; ${hidden.fix}`)
}

/** Loaded on demand, because reading a hand-kept ledger needs parsers, which `status` should not wait for. */
async function readsAsNothing(text: string): Promise<boolean> {
  const { saysNothing } = await import('../../core/migrate/read-source.ts')
  return saysNothing(text)
}
