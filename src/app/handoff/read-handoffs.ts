/** The handoffs of the worktree, by name. */

import { compareBytes } from '../../core/event/event.ts'
import type { NamedHandoff } from '../../core/handoff/choose.ts'
import { handoffOfBranch } from '../../core/handoff/choose.ts'
import { readHandoff } from '../../core/handoff/handoff.ts'
import type { RepositoryPort } from '../ports.ts'

export interface HandoffFile {
  readonly name: string
  /** From the top of the worktree. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Folders of the ledger that are no handoff's. */
export const RESERVED = new Set(['events', 'archive'])

export function handoffPath(root: string, name: string): string {
  return `${root === '' ? '' : `${root}/`}${name}/current.md`
}

export async function readHandoffs(
  { worktree }: RepositoryPort,
  root: string,
): Promise<HandoffFile[]> {
  const names = worktree.folders(root).filter((name) => !RESERVED.has(name))
  const files = await Promise.all(
    names.sort(compareBytes).map(async (name): Promise<HandoffFile[]> => {
      const path = handoffPath(root, name)
      const bytes = await worktree.read(path)
      return bytes === undefined ? [] : [{ name, path, bytes }]
    }),
  )
  return files.flat()
}

export function textOfHandoff(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

/** The handoff of a branch among those of the worktree. */
export async function handoffOn(
  repository: RepositoryPort,
  root: string,
  branch: string | undefined,
): Promise<NamedHandoff | undefined> {
  const files = await readHandoffs(repository, root)
  const named = files.map(({ name, bytes }) => ({
    name,
    handoff: readHandoff(textOfHandoff(bytes)),
  }))
  return handoffOfBranch(named, branch)
}
