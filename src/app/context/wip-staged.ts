/**
 * What was staged of the files in a commit of work in progress. The commit holds their versions but does not say which
 * of them were in the index before; undoing the commit needs that.
 */

import type { Blob, MarkedEntry } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isObject, isText, parseJson } from '../../core/text/json-values.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** How many commits are remembered: only HEAD can be undone, then the commit below it, and so on. */
const MAX_COMMITS = 50

type Staged = readonly { readonly path: ByteName; readonly blob: Blob | null }[]

/** Call this before the commit lands, so that it can be undone completely, whatever happens next. */
export function keepStaged(
  context: SessionContext,
  commit: string,
  entries: readonly MarkedEntry[],
): void {
  const staged: Staged = entries.flatMap(({ path, before, isClean }) =>
    isClean ? [] : [{ path, blob: before ?? null }],
  )
  if (staged.length === 0) return
  const lines = [...linesIn(context).slice(1 - MAX_COMMITS), JSON.stringify({ commit, staged })]
  context.plans.write(fileOf(context), `${lines.join('\n')}\n`, 0o600)
}

/** By path; undefined if a deletion was staged. */
export type StagedBlobs = ReadonlyMap<ByteName, Blob | undefined>

export function stagedBefore(context: SessionContext, commit: string): StagedBlobs {
  const all = linesIn(context).map((line) => parseJson(line))
  const found = all.findLast((one) => isObject(one) && one['commit'] === commit)
  const staged = isObject(found) ? found['staged'] : undefined
  // An unreadable entry is treated like a missing one: the files come back unstaged.
  if (!Array.isArray(staged) || !staged.every(isStaged)) return new Map()
  return new Map(staged.map(({ path, blob }) => [path, blob ?? undefined]))
}

function isStaged(value: unknown): value is Staged[number] {
  if (!isObject(value) || !isText(value['path'])) return false
  const { blob } = value
  return blob === null || (isObject(blob) && isText(blob['oid']) && isText(blob['mode']))
}

function linesIn(context: SessionContext): string[] {
  const text = context.plans.read(fileOf(context)) ?? ''
  return text.split('\n').filter((line) => line.endsWith('}'))
}

function fileOf({ repository }: SessionContext): string {
  return `${repository.place.commonDir}/ledger-git/wip-staged`
}
