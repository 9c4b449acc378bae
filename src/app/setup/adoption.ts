/** Has the team taken ledger-git up? */

import { hasBlock } from '../../core/setup/marked-block.ts'
import type { RepositoryPort } from '../ports.ts'

/** True when HEAD has our attributes: new clones and worktrees come with them. */
export async function isAdopted(repository: RepositoryPort): Promise<boolean> {
  const file = await repository.objects.find('HEAD:.gitattributes')
  return file?.type === 'blob' && hasBlock(Buffer.from(file.content).toString('latin1'))
}
