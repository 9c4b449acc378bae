/**
 * After a condensation: what no commit holds as the session left it begins a new chain, and everything of
 * the session that was condensed goes, out of the history, too.
 */

import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { listChains } from './shadow-chain.ts'
import { collectFiles } from './shadow-files.ts'
import { bringPart, leaveChain } from './shadow-moves.ts'
import type { SessionContext } from './session-context.ts'
import type { ShadowFiles } from './shadow-session.ts'
import { NO_FILES, shadowOf, writeShadowSession } from './shadow-session.ts'

export interface Carried {
  /** HEAD now. */
  readonly base: string | undefined
  /** Versions that no commit holds (`carriedForward`). */
  readonly files: readonly FileVersion[]
}

/**
 * `state` may be that of before or of after the condensation: its data is found wherever it is. Without
 * files the session leaves no shadow data: so it is discarded, too.
 */
export async function carryForward(
  context: SessionContext,
  state: SessionState,
  carried: Carried,
): Promise<void> {
  const to = { base: carried.base, worktree: state.worktree.name, path: state.worktree.path }
  const part = carried.files.length === 0 ? undefined : await carriedPart(context, state, carried)
  const { chains } = await listChains(context, to.worktree)
  const homes = chains.filter(({ sessions }) => sessions.has(state.id))
  const isCut = homes.some(({ record }) => record.base === to.base)
  const options = { why: `condensed session ${state.id}`, isJoined: false, isCut }
  const [first, ...others] = homes
  await bringPart(context, to, first, state.id, part, options)
  for (const home of others) await bringPart(context, to, home, state.id, part, options)
  for (const { record } of homes) {
    if (record.base !== to.base) await leaveChain(context, record, state.id, to, true)
  }
  if (part === undefined) await leaveChain(context, to, state.id, to, true)
}

/** The carried files as shadow data of their own, without transcript and prompts. */
async function carriedPart(
  context: SessionContext,
  state: SessionState,
  { base, files }: Carried,
): Promise<string> {
  const scanner = await context.secrets()
  const shadow: ShadowFiles = (await shadowOf(context, state)) ?? NO_FILES
  const wanted = new Map(files.map(({ path, blob }) => [path, blob]))
  const isStored = (path: string, blob: string | undefined) =>
    blob !== undefined && shadow.files.get(path)?.oid === blob
  const stored = [...shadow.files].filter(([path, { oid }]) => wanted.get(path) === oid)
  const named = shadow.leftOut.filter(({ path }) => wanted.has(path))
  const isNamed = new Set(named.map(({ path }) => path))
  // An open turn's versions are in no step yet.
  const fresh = files.filter(
    ({ path, blob }) => blob !== undefined && !isStored(path, blob) && !isNamed.has(path),
  )
  const now = await collectFiles(
    context,
    fresh.map(({ path }) => path),
    shadow,
    () => true,
    scanner,
  )
  const deleted = files.filter(({ blob }) => blob === undefined).map(({ path }) => path)
  const part = {
    files: new Map([...stored, ...now.files]),
    deleted: [...deleted, ...now.deleted],
    leftOut: [...named, ...now.leftOut],
    more: now.more,
    transcript: undefined,
    prompts: [],
  }
  const left = { ...state, base, filesTouched: [...wanted.keys()], prompts: [] }
  return writeShadowSession(context, left, part, scanner)
}
