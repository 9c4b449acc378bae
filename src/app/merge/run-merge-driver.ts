/** Git's merge driver protocol: replace `%A`, then exit with 0 (clean) or 1 (conflict). */

import { LedgerError } from '../../core/errors/errors.ts'
import { hashObject } from '../../core/git/objects.ts'
import { replacedByHand } from '../../core/ledger/kept-by-hand.ts'
import { isRendered } from '../../core/ledger/provenance.ts'
import { twiceLine } from '../../core/ledger/decided-twice.ts'
import type { MergeDependencies } from './merge-ledger.ts'
import { mergeLedger } from './merge-ledger.ts'
import type { MergeTexts } from '../ports/merge-text.ts'

export interface MergeFiles {
  read(): MergeTexts
  /** Replaces `%A` atomically. */
  write(text: string | Uint8Array): void
  /** Git's own three-way text merge, with conflict markers. */
  textMerge(texts: MergeTexts): Uint8Array
}

export interface DriverRequest {
  readonly files: MergeFiles
  /** Path of `current.md` from the top of the tree (`%P`). */
  readonly path: string
  /** True when `LEDGER_GIT=0`. */
  readonly disabled: boolean
  open(): MergeDependencies
  say(message: string): void
}

/** At most this many lines about keys that both sides decided. */
const MAX_TWICE_LINES = 10

/**
 * Returns the exit status for git. On failure the file never holds our side without conflict markers, and the
 * status is never one at which git would abort.
 */
export async function runMergeDriver(request: DriverRequest): Promise<0 | 1> {
  const { files, say, path } = request
  if (!request.disabled) {
    const deps = request.open()
    try {
      const texts = files.read()
      const merged = await mergeLedger(deps, texts)
      files.write(merged.text)
      for (const oid of await changedByHand(deps, texts)) say(replacedByHand(path, oid))
      // The merge is done: failing to list double decisions is not worth a conflict.
      const twice = await merged.decidedTwice().catch(() => [])
      for (const one of twice.slice(0, MAX_TWICE_LINES)) say(`ledger-git: ${twiceLine(one)}`)
      const more = twice.length - MAX_TWICE_LINES
      if (more > 0) say(`ledger-git: and ${more} more keys`)
      return 0
    } catch (error) {
      say(explain(error, path))
    } finally {
      deps.objects.close()
    }
  }
  files.write(files.textMerge(files.read()))
  return 1
}

/** Blobs that no rendering can restore: hand edits of current.md since the common ancestor. */
async function changedByHand(
  { index, format }: MergeDependencies,
  { base, ours, theirs }: MergeTexts,
): Promise<string[]> {
  const sides = [ours, theirs]
    .filter((side) => index !== undefined && !Buffer.from(base).equals(side))
    .map((side) => ({ side, text: Buffer.from(side).toString() }))
    .filter(({ text }) => text.trim() !== '' && !isRendered(text))
  if (sides.length === 0) return []
  // If the module cannot be loaded, name every side: the merge is done, and no text may disappear without a message.
  const source = await import('../../core/migrate/read-source.ts').catch(() => undefined)
  return sides
    .filter(({ text }) => source?.saysNothing(text) !== true)
    .map(({ side }) => hashObject('blob', side, format))
}

function explain(error: unknown, path: string): string {
  const reason = error instanceof Error ? error.message : String(error)
  const next =
    (error instanceof LedgerError ? error.next : undefined) ??
    'finish the other files, then: ledger-git resolve'
  return `ledger-git: ${path} was merged as text: ${reason}\n  next: ${next}`
}
