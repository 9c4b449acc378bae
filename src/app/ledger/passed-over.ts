/**
 * A `current.md` that exists in the worktree although git was told to skip it (`git update-index --skip-worktree`).
 * We never write such a file: its content belongs to the user, and git refuses to switch to a branch that would
 * change it.
 */

import { textToName } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { RepositoryPort } from '../ports.ts'
import { isLeftOut, ledgerPaths, placeOfIndex } from './ledger-sources.ts'

/** Undefined if git does not skip the file, if there is no file, or if it equals the index's version. */
export async function passedOver(
  repository: RepositoryPort,
  root: string,
): Promise<{ readonly message: string; readonly fix: string } | undefined> {
  const place = await placeOfIndex(repository, root)
  const { current } = ledgerPaths(root)
  if (!isLeftOut(place) || (await repository.worktree.read(current)) === undefined) return undefined
  const [oid] = await repository.worktree.hashFiles([textToName(current)], false)
  if (oid === place.current?.oid) return undefined
  return {
    message:
      'current.md is stale, but git was told to skip it (skip-worktree), so nothing updates it',
    fix: `git update-index --no-skip-worktree ${shellWord(current)} && ledger-git resolve`,
  }
}
