/**
 * A `current.md` that stands in the worktree, and that git was told to pass over (`git update-index --skip-worktree`):
 * nothing writes it, since what such a file says is the user's, and git refuses to switch to a branch that would change it.
 */

import { textToName } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { RepositoryPort } from '../ports.ts'
import { isLeftOut, ledgerPaths, placeOfIndex } from './ledger-sources.ts'

/** Undefined where git looks at it, where there is no file, and where it is as the index has it. */
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
      'current.md is stale, and git was told to pass it over (skip-worktree): nothing writes it',
    fix: `git update-index --no-skip-worktree ${shellWord(current)} && ledger-git resolve`,
  }
}
