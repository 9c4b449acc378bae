/** The handoffs of the worktree, `<root>/<name>/current.md`, in name order. */

import { compareBytes } from '../../core/event/event.ts'
import type { NamedHandoff } from '../../core/handoff/choose.ts'
import { handoffOfBranch } from '../../core/handoff/choose.ts'
import { readHandoff } from '../../core/handoff/handoff.ts'
import { ledgerPaths, RESERVED } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'

export interface HandoffText {
  readonly name: string
  /** Relative to the top of the worktree. */
  readonly path: string
  readonly text: string
  /** False if bytes were lost in decoding; such a file is never written. */
  readonly isUtf8: boolean
}

export interface HandoffFile extends HandoffText, NamedHandoff {}

export function handoffPath(root: string, name: string): string {
  return ledgerPaths(root === '' ? name : `${root}/${name}`).current
}

export async function readHandoffs(
  { worktree }: RepositoryPort,
  root: string,
): Promise<HandoffText[]> {
  const names = worktree.folders(root).filter((name) => !RESERVED.has(name))
  const files = await Promise.all(
    names.sort(compareBytes).map(async (name): Promise<HandoffText[]> => {
      const path = handoffPath(root, name)
      const bytes = await worktree.read(path)
      if (bytes === undefined) return []
      const text = Buffer.from(bytes).toString('utf8')
      return [{ name, path, text, isUtf8: Buffer.from(text).equals(bytes) }]
    }),
  )
  return files.flat()
}

export async function listHandoffs(
  repository: RepositoryPort,
  root: string,
): Promise<HandoffFile[]> {
  const files = await readHandoffs(repository, root)
  return files.map((file) => ({ ...file, handoff: readHandoff(file.text) }))
}

/** The worktree's handoff for a branch. */
export async function handoffOn(
  repository: RepositoryPort,
  root: string,
  branch: string | undefined,
): Promise<NamedHandoff | undefined> {
  return handoffOfBranch(await listHandoffs(repository, root), branch)
}
