/** Splits a plan into shards, whose files are in a folder beside it. */

import { LedgerError, usage } from '../../core/errors/errors.ts'
import { SHARD_PERCENT, tokensBelow } from '../../core/estimate/verdict.ts'
import type { Shard } from '../../core/plan/shard.ts'
import { shardPlan } from '../../core/plan/shard.ts'
import { isOurShard } from '../../core/plan/shard-text.ts'
import { shardFolder } from '../../core/plan/shard-folder.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { sizesInPlan } from './estimate-task.ts'
import { learntRates } from './learnt-rates.ts'
import type { PlanFile } from './plan-file.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface ShardFile extends Shard {
  /** Actual or intended path: relative to the top of the worktree, or as typed if the plan is outside. */
  readonly file: string
}

/** `shown`: the plan's path as typed. A single shard is the plan itself. */
export function planShards(
  context: SessionContext,
  file: PlanFile,
  shown: string,
  { into, window }: { readonly into: number | undefined; readonly window: number },
): ShardFile[] {
  const { plan, text, path = shown } = file
  const shards = shardPlan(plan, text, {
    limit: tokensBelow(SHARD_PERCENT, window),
    into,
    parent: oneLine(path, ''),
    sizes: sizesInPlan(context, file),
    rates: learntRates(context),
  })
  if (shards.length === 1) return shards.map((shard) => ({ ...shard, file: path }))
  const width = String(shards.length).length
  const ending = plan.form === 'stories' ? 'json' : 'md'
  return shards.map((shard, i) => {
    const number = String(i + 1).padStart(width, '0')
    return { ...shard, file: `${shardFolder(path)}/${number}-${nameOf(shard.title)}.${ending}` }
  })
}

function nameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return words.slice(0, 48).replace(/-+$/, '') || 'shard'
}

/**
 * Writes the shards, and removes those of an earlier split. A file that is not ours or that somebody changed is never
 * touched; in that case nothing is written. Returns the removed paths.
 */
export async function writeShards(
  { repository, personal }: SessionContext,
  { path }: PlanFile,
  shards: readonly ShardFile[],
): Promise<string[]> {
  const { worktree } = repository
  if (path === undefined) {
    throw usage(
      'the plan is outside of the worktree: its shards cannot be written there',
      'copy it into the worktree, or leave --write out',
    )
  }
  const wanted = new Map(shards.length === 1 ? [] : shards.map(({ file, text }) => [file, text]))
  const folder = shardFolder(path)
  const there = personal
    .list(folder)
    .map((name) => `${folder}/${name}`)
    .filter((file) => wanted.has(file) || /\/\d+-[a-z0-9-]+\.(?:md|json)$/.test(file))
  const old: string[] = []
  for (const file of there) {
    const bytes = await worktree.read(file)
    const text = bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
    if (text !== undefined && isOurShard(text)) old.push(file)
    else throw inTheWay(file)
  }
  for (const [file, text] of wanted) await worktree.write(file, text)
  const gone = old.filter((file) => !wanted.has(file))
  for (const file of gone) await worktree.remove(Buffer.from(file).toString('latin1'))
  return gone
}

function inTheWay(file: string): LedgerError {
  return new LedgerError(
    'SHARD_IN_THE_WAY',
    `${oneLine(file, '')} is not a shard as ledger-git wrote it: nothing was written`,
    'copy what is new in it into the plan, and move it away',
  )
}
