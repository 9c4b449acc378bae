/** Every event of the worktree that is not what it was written as, and the command that helps. */

import { nameToText } from '../../core/git/objects.ts'
import { isEmptied } from '../../core/event/event-integrity.ts'
import type { DamageCode } from '../../core/event/problem.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { acceptedIn } from '../ledger/acceptances.ts'
import { changedEvents } from '../commit/changed-events.ts'
import {
  fileOfPath,
  placeOfRevision,
  placeOfWorktree,
  sortPending,
} from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import { waysOut } from '../commit/settle-events.ts'
import { lostEvents } from '../commit/settle-marks.ts'
import { damagedEvents } from '../ledger/verify-events.ts'

export interface DamagedEvent {
  readonly file: string
  readonly code: DamageCode
  /** The command that helps. */
  readonly next: string
}

export async function findDamage(
  repository: RepositoryPort,
  settings: Settings,
): Promise<DamagedEvent[]> {
  const pending = await damagedPending(repository, settings)
  const changed = await changedSince(repository, settings)
  const known = new Set([...pending, ...changed].map(({ file }) => file))
  const committed = await rewritten(repository, settings)
  return [
    ...pending,
    ...changed,
    ...committed.filter(({ file }) => !known.has(file)),
    ...(await missing(repository)),
  ]
}

/** Whoever deleted one on purpose says `event drop`. */
async function missing(repository: RepositoryPort): Promise<DamagedEvent[]> {
  return (await lostEvents(repository)).map((path) => {
    const file = fileOfPath(path)
    return { file, code: 'missing', next: `ledger-git event restore ${shellWord(file)}` }
  })
}

async function damagedPending(
  repository: RepositoryPort,
  { root }: Settings,
): Promise<DamagedEvent[]> {
  const { damaged } = await sortPending(repository, root)
  return Promise.all(
    damaged.map(async (path): Promise<DamagedEvent> => {
      const bytes = (await repository.worktree.readBytesName(path)) ?? new Uint8Array()
      const code = isEmptied(bytes) ? 'empty' : 'torn'
      const [next = ''] = await waysOut(repository, path, bytes)
      return { file: fileOfPath(path), code, next }
    }),
  )
}

/** In the index or the worktree; what a formatter did the next commit would undo by itself. */
async function changedSince(
  repository: RepositoryPort,
  settings: Settings,
): Promise<DamagedEvent[]> {
  const { formatted, changed } = await changedEvents(repository, settings)
  const byFile = new Map<string, DamagedEvent>()
  for (const { file, path, committed, now } of [...formatted, ...changed]) {
    const code = isEmptied(now) ? 'empty' : committed === undefined ? 'torn' : 'changed'
    const restore = `ledger-git event restore ${shellWord(file)}`
    const [next = restore] = committed === undefined ? await waysOut(repository, path, now) : []
    byFile.set(nameToText(path), { file, code, next })
  }
  return [...byFile.values()]
}

async function rewritten(repository: RepositoryPort, settings: Settings): Promise<DamagedEvent[]> {
  const head = await placeOfRevision(repository, 'HEAD', settings.root)
  const damaged = await damagedEvents(repository.objects, head)
  if (damaged.length === 0) return []
  const worktree = await placeOfWorktree(repository, settings.root)
  const isAccepted = await acceptedIn(repository.objects, worktree)
  const isThere = new Set(
    (worktree.entries ?? []).map(({ name, oid }) => `${oid} ${nameToText(name)}`),
  )
  return damaged
    .filter((one) => isThere.has(`${one.oid} ${one.file}`) && !isAccepted(one))
    .map(({ file }) => ({
      file,
      code: 'rewritten' as const,
      next: `ledger-git event accept ${shellWord(file)}`,
    }))
}
