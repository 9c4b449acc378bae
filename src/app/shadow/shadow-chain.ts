/**
 * One chain of shadow commits: reads its tip, and moves its ref.
 *
 * Several sessions and processes write one chain at once. Every change is a function of what the tip
 * holds; when the ref has moved meanwhile, it is applied once more to what the other one left. So nobody's
 * part is lost, and somebody always gets ahead.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import {
  decodeCommit,
  decodeTree,
  nameToText,
  textToName,
  TREE_MODE,
} from '../../core/git/objects.ts'
import { isSessionId } from '../../core/session/session-state.ts'
import type { ShadowKey } from '../../core/shadow/shadow-name.ts'
import {
  isSameKey,
  longShadowName,
  mayBeOfWorktree,
  SHADOW_PREFIX,
  shadowName,
} from '../../core/shadow/shadow-name.ts'
import type { LeftOut, ShadowRecord } from '../../core/shadow/shadow-record.ts'
import {
  parseLeftOut,
  parseRecord,
  renderLeftOut,
  renderRecord,
} from '../../core/shadow/shadow-record.ts'
import type { SessionContext } from './session-context.ts'

/** The tip's tree, as deep as a chain is shared. */
export interface ChainContents {
  /** Trees of `sessions/<id>`. */
  readonly sessions: ReadonlyMap<string, string>
  readonly events: ReadonlyMap<string, string>
  /** Pending events that are named only. */
  readonly leftOut: readonly LeftOut[]
}

export interface Chain extends ChainContents {
  readonly ref: string
  readonly record: ShadowRecord
  readonly commit: string
  /** When it was written, Unix time in seconds. */
  readonly at: number
  readonly tree: string
}

export const NOTHING: ChainContents = { sessions: new Map(), events: new Map(), leftOut: [] }

const BLOB_MODE = '100644'
/** Each lost race means that another one won: only a chain that never rests exhausts these. */
const ATTEMPTS = 500

/** Refs below `refs/ledger/shadow/` at one moment, by name. */
export type ShadowRefs = ReadonlyMap<string, string>

export async function shadowRefs({ refs }: SessionContext): Promise<ShadowRefs> {
  return new Map((await refs.list(SHADOW_PREFIX)).map(({ name, oid }) => [name, oid]))
}

/** The chain of this key, or the name that it will have. `known`: the refs as they are now. */
export async function findChain(
  context: SessionContext,
  key: ShadowKey,
  known?: ShadowRefs,
): Promise<{ readonly ref: string; readonly chain: Chain | undefined }> {
  const refs = known ?? (await shadowRefs(context))
  const at = async (ref: string) => {
    const oid = refs.get(ref)
    return oid === undefined ? undefined : chainAt(context, ref, oid)
  }
  const long = await at(longShadowName(key))
  if (long !== undefined) return { ref: long.ref, chain: long }
  const ref = shadowName(key)
  if (!refs.has(ref)) return { ref, chain: undefined }
  const chain = await at(ref)
  if (chain !== undefined && isSameKey(chain.record, key)) return { ref, chain }
  // Another base or worktree has the short name, or nobody knows who: it is left alone.
  return { ref: longShadowName(key), chain: undefined }
}

/** Undefined where its commit is no shadow commit of this release. */
export async function chainAt(
  context: SessionContext,
  ref: string,
  oid: string,
): Promise<Chain | undefined> {
  const commit = await context.repository.objects.read(oid)
  if (commit?.type !== 'commit') return undefined
  const { tree, committedAt } = decodeCommit(commit.content)
  const entries = await entriesOf(context, tree)
  const at = (name: string) => entries.find((entry) => entry.name === name)?.oid
  const record = parseRecord((await textOf(context, at('shadow.json'))) ?? '')
  if (record === undefined) return undefined
  const sessions = await entriesOf(context, at('sessions'))
  const events = await entriesOf(context, at('events'))
  return {
    ref,
    record,
    commit: oid,
    at: committedAt,
    tree,
    // A name that is no session's would be a path out of the folder that files are brought back into.
    sessions: new Map(
      sessions
        .map((entry) => [nameToText(entry.name), entry.oid] as const)
        .filter(([id]) => isSessionId(id)),
    ),
    events: new Map(events.map((entry) => [entry.name, entry.oid])),
    leftOut: parseLeftOut((await textOf(context, at('left-out'))) ?? ''),
  }
}

/** Chains of one worktree; of all worktrees where none is given. Nothing is changed by looking. */
export async function listChains(
  context: SessionContext,
  worktree?: string,
  known?: ShadowRefs,
): Promise<{ chains: Chain[]; unreadable: string[] }> {
  const chains: Chain[] = []
  const unreadable: string[] = []
  for (const [name, oid] of known ?? (await shadowRefs(context))) {
    if (worktree !== undefined && !mayBeOfWorktree(name, worktree)) continue
    const chain = await chainAt(context, name, oid)
    if (chain === undefined) unreadable.push(name)
    else if (worktree === undefined || chain.record.worktree === worktree) chains.push(chain)
  }
  return { chains, unreadable }
}

export interface ChainChange {
  readonly why: string
  /** What the chain shall hold, of what it holds now. May be asked more than once. */
  readonly apply: (now: ChainContents) => ChainContents | Promise<ChainContents>
  /** Other chains that are joined in. */
  readonly joined?: readonly string[]
  /** The chain begins anew: what was taken out shall not live on in its history. */
  readonly isCut?: boolean
}

/** False when the chain holds that already. Throws `LOCKED` when it never rests. */
export async function changeChain(
  context: SessionContext,
  record: ShadowRecord,
  change: ChainChange,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { ref, chain } = await findChain(context, record)
    const contents = await change.apply(chain ?? NOTHING)
    if (chain === undefined && isEmpty(contents)) return false
    const tree = await writeContents(context, record, contents)
    if (tree === chain?.tree) return false
    const before = chain === undefined || change.isCut === true ? [] : [chain.commit]
    const commit = await context.objects.commit({
      tree,
      parents: [...new Set([...before, ...(change.joined ?? [])])],
      message: `${change.why}\n`,
      at: context.clock.now(),
    })
    if (await context.refs.move(ref, commit, chain?.commit, change.why)) return true
  }
  throw new LedgerError(
    'LOCKED',
    `the shadow data of ${record.path} changes all the time`,
    'run the command again when fewer agents write at once',
  )
}

export function isEmpty({ sessions, events, leftOut }: ChainContents): boolean {
  return sessions.size === 0 && events.size === 0 && leftOut.length === 0
}

async function writeContents(
  context: SessionContext,
  record: ShadowRecord,
  { sessions, events, leftOut }: ChainContents,
): Promise<string> {
  const named = leftOut.length === 0 ? [] : [renderLeftOut(leftOut)]
  const [about = '', lines] = await context.objects.blobs([renderRecord(record), ...named])
  const entries = [{ mode: BLOB_MODE, name: 'shadow.json', oid: about }]
  if (lines !== undefined) entries.push({ mode: BLOB_MODE, name: 'left-out', oid: lines })
  const folders: [string, TreeEntry[]][] = [
    ['events', [...events].map(([name, oid]) => ({ mode: BLOB_MODE, name, oid }))],
    [
      'sessions',
      [...sessions].map(([id, oid]) => ({ mode: TREE_MODE, name: textToName(id), oid })),
    ],
  ]
  for (const [name, below] of folders) {
    if (below.length === 0) continue
    entries.push({ mode: TREE_MODE, name, oid: await context.objects.tree(below) })
  }
  return context.objects.tree(entries)
}

export async function entriesOf(
  { repository }: SessionContext,
  tree: string | undefined,
): Promise<TreeEntry[]> {
  if (tree === undefined) return []
  const object = await repository.objects.read(tree)
  return object?.type === 'tree' ? decodeTree(object.content, repository.place.format) : []
}

export async function textOf(
  { repository }: SessionContext,
  blob: string | undefined,
): Promise<string | undefined> {
  if (blob === undefined) return undefined
  const object = await repository.objects.read(blob)
  return object?.type === 'blob' ? Buffer.from(object.content).toString('utf8') : undefined
}
