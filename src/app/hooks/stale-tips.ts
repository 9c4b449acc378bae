/** Finds the branches in a push whose ledger is stale. */

import { LedgerError } from '../../core/errors/errors.ts'
import { isNullOid } from '../../core/git/objects.ts'
import type { Freshness } from '../ledger/freshness.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { placeOfRevision } from '../ledger/ledger-sources.ts'
import { settingsOfRevision } from '../ledger/read-settings.ts'
import type { RepositoryPort, Say } from '../ports.ts'

/** `lines`: standard input of pre-push. */
export async function staleTips(repository: RepositoryPort, lines: readonly string[], say: Say) {
  const judged: Judged = new Map()
  // All at once, because lookups that are requested together share one git call.
  const tips = pushedTips(lines).map(async ({ oid, ref }) => {
    const { fresh, reason } = await tipFreshness(repository, oid, judged, say)
    return fresh ? [] : [{ oid, ref, reason }]
  })
  return (await Promise.all(tips)).flat()
}

export interface PushedTip {
  readonly oid: string
  /** The ref on the remote. */
  readonly ref: string
}

/** Branches that a push creates or moves. `lines`: standard input of pre-push. */
export function pushedTips(lines: readonly string[]): PushedTip[] {
  return lines.flatMap((line) => {
    const [, oid, ref] = line.split(' ')
    if (oid === undefined || !ref?.startsWith('refs/heads/') || isNullOid(oid)) return []
    return [{ oid, ref }]
  })
}

type Judged = Map<string, Promise<Pick<Freshness, 'fresh' | 'reason'>>>

/** Branches with the same ledger are checked only once. */
async function tipFreshness(
  repository: RepositoryPort,
  oid: string,
  judged: Judged,
  say: Say,
): Promise<Pick<Freshness, 'fresh' | 'reason'>> {
  try {
    const { root, mode } = await settingsOfRevision(repository, oid)
    const place = await placeOfRevision(repository, oid, root)
    const { current, entries, eventsTree } = place
    const ledger = JSON.stringify([mode, current ?? null, entries === undefined, eventsTree])
    const known = judged.get(ledger) ?? freshnessOf(repository.objects, place, mode)
    judged.set(ledger, known)
    return await known
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'FORMAT_TOO_NEW') throw error
    say(`ledger-git: not checked: ${error.message}\n  next: ${error.next}`)
    return { fresh: true, reason: '' }
  }
}
