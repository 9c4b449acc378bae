/** Somebody else writes checkpoints just now, and never ends: their branch cannot be moved until it is released. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHECKPOINTS_REF } from '../../../src/core/checkpoint/checkpoint.ts'
import type { Repo } from '../../support/git-repo.ts'

export function holdCheckpoints(repo: Repo): () => void {
  const lock = join(repo.folder, '.git', `${CHECKPOINTS_REF}.lock`)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  return () => rmSync(lock)
}
