/**
 * Which files of the worktree are a session's, and their contents as git would store them.
 *
 * Its files are those it is known to have touched, those that its shadow data has already, and in an open
 * turn that may have written what differs from HEAD and did not before it, unless it is known as another
 * open session's. Ignored files never, and not the ledger's own. What is scanned for secrets is the very
 * content that is written afterwards: the file may change meanwhile.
 */

import type { FileChange, FileVersion } from '../../core/checkpoint/condensation.ts'
import { joinVersions } from '../../core/checkpoint/condensation.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile } from '../../core/git/objects.ts'
import { mayHoldSecret } from '../../core/secrets/secret-hint.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { DEFAULT_SETTINGS } from '../../core/settings/settings.ts'
import { isLedgerPath, nameOfPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { LeftOut } from '../../core/shadow/shadow-record.ts'
import {
  MAX_HASHED_FILE,
  MAX_SHADOW_FILE,
  MAX_SHADOW_FILES,
  MAX_STEP,
  unknownBlob,
} from '../../core/shadow/shadow-record.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import type { StoredFile, TakenFiles } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import type { Chains, PendingEvents } from './shadow-chain.ts'
import { readChains } from './shadow-chain.ts'
import type { ShadowFiles } from './shadow-session.ts'
import { mayHaveWritten } from './turn-log.ts'
import { shadowOf, versionsOf } from './shadow-session.ts'

/** Where the ledger is. Settings that cannot be read must not cost anybody's work. */
export async function rootOf({ repository }: SessionContext): Promise<string> {
  return (await readSettings(repository).catch(() => DEFAULT_SETTINGS)).root
}

/** The versions of files that a session left behind; of an open turn those of the worktree. */
export async function touchedVersions(
  context: SessionContext,
  state: SessionState,
  chains?: Chains,
): Promise<FileVersion[]> {
  const known = chains ?? (await readChains(context, state.worktree.name))
  const left = await leftVersions(context, known, state)
  if (!isOpenTurn(state)) return left
  const own = new Set([...left.map(({ path }) => path), ...state.filesTouched])
  const { paths, differing } = await sessionPaths(context, state, own)
  const wasThere = (path: string) => own.has(path) || differing.has(path)
  return joinVersions(left, await versionsNow(context, paths, wasThere))
}

/**
 * The same of the files that a commit changes, and of no others: enough to tell whose work is in it,
 * and the worktree need not be walked. `isKnownOnly`: nobody works on the open turn any more, or it wrote
 * nothing, so that what it is not known to have touched is somebody else's.
 */
export async function touchedAmong(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
  changes: readonly FileChange[],
  isKnownOnly: boolean,
): Promise<FileVersion[]> {
  const changed = new Map(changes.map(({ path, before }) => [path, before]))
  const all = await leftVersions(context, chains, state)
  const left = all.filter(({ path }) => changed.has(path))
  if (!isOpenTurn(state)) return left
  const known = new Set([...left.map(({ path }) => path), ...state.filesTouched])
  const asked = [...changed.keys()].filter((path) => !isKnownOnly || known.has(path))
  const paths = await ownPaths(context, state, asked, known)
  const wasThere = (path: string) => known.has(path) || changed.get(path) !== undefined
  return joinVersions(left, await versionsNow(context, paths, wasThere))
}

/** False where no shadow data need be read: all files of a turn that is over are in the state. */
export function mayHaveTouched(state: SessionState, paths: ReadonlySet<string>): boolean {
  const { hasMoreFiles, filesTouched } = state
  return isOpenTurn(state) || hasMoreFiles || filesTouched.some((path) => paths.has(path))
}

async function leftVersions(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
): Promise<FileVersion[]> {
  return versionsOf(await shadowOf(context, chains, state), context.repository.place.format)
}

/** Paths that may be the session's, those `known` to be first; and what git says differs. */
export async function sessionPaths(
  context: SessionContext,
  state: SessionState,
  known: ReadonlySet<string>,
): Promise<{
  paths: string[]
  differing: ReadonlySet<string>
  untracked: readonly ByteName[]
}> {
  const found = await context.files.differing()
  const differing = new Set(found.map(({ path }) => pathOfName(path)))
  const changed = mayHaveWritten(context, state) ? differing : []
  const all = await ownPaths(context, state, [...known, ...changed], known)
  // Git named the others, so it ignores none of them.
  const asked = all.filter((path) => !differing.has(path)).map(nameOfPath)
  const ignored = new Set((await context.files.ignored(asked)).map(pathOfName))
  return {
    paths: all.filter((path) => !ignored.has(path)),
    differing,
    untracked: found.flatMap(({ path, isNew }) => (isNew ? [path] : [])),
  }
}

/** Of these paths, which git says differ, those that may be the session's; whatever is `known` to be. */
async function ownPaths(
  context: SessionContext,
  { id, worktree, dirtyBefore }: SessionState,
  paths: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  // Two agents may work in one worktree at once.
  const beside = context.sessions
    .listOpen()
    .filter((one) => one.id !== id && one.worktree.name === worktree.name)
  const others = new Set([...dirtyBefore, ...beside.flatMap(({ filesTouched }) => filesTouched)])
  const root = await rootOf(context)
  const own = [...new Set(paths)].filter((path) => known.has(path) || !others.has(path))
  return own.filter((path) => !isLedgerPath(path, root))
}

/** The paths' versions of now, hashed; nothing is written. */
export async function versionsNow(
  context: SessionContext,
  paths: readonly string[],
  wasThere: (path: string) => boolean,
): Promise<FileVersion[]> {
  const { hashed, unhashed, missing, taken } = await takeFiles(context, paths)
  taken.dispose()
  const unknown = unknownBlob(context.repository.place.format)
  return [
    ...hashed.map(({ path }, i) => ({ path, blob: taken.files[i]?.oid ?? unknown })),
    ...unhashed.map((path) => ({ path, blob: unknown })),
    ...missing.filter(wasThere).map((path) => ({ path, blob: undefined })),
  ]
}

/**
 * The paths' files of now, stored. `before`: what is stored already, and was looked through. `wasThere`:
 * is a file that is not there deleted, or was there never one?
 */
export async function collectFiles(
  context: SessionContext,
  paths: readonly string[],
  before: ShadowFiles,
  wasThere: (path: string) => boolean,
): Promise<ShadowFiles> {
  const { pending: _none, ...files } = await collectAll(context, paths, before, wasThere, {
    paths: [],
    known: new Map(),
  })
  return files
}

/** The same, and with it pending events: `known` are stored already, by name. */
export async function collectAll(
  context: SessionContext,
  paths: readonly string[],
  before: ShadowFiles,
  wasThere: (path: string) => boolean,
  events: { readonly paths: readonly ByteName[]; readonly known: ReadonlyMap<string, string> },
): Promise<ShadowFiles & { readonly pending: PendingEvents }> {
  const kept = paths.slice(0, MAX_SHADOW_FILES)
  const { hashed, unhashed, missing, taken } = await takeFiles(context, kept, events.paths)
  try {
    const found = hashed.map((one, i) => ({ ...one, file: taken.files[i] }))
    const small = found.filter(({ isTooLarge }) => !isTooLarge)
    const { files, leftOut } = await storeClean(context, taken, small, before)
    const tooLarge = [
      ...found.filter(({ isTooLarge }) => isTooLarge),
      ...unhashed.map((path) => ({ path, file: undefined })),
    ]
    const large = tooLarge.map(({ path, file }) => ({ path, reason: 'too large', blob: file?.oid }))
    return {
      files,
      leftOut: [...leftOut, ...large],
      deleted: missing.filter(wasThere),
      more: paths.length - kept.length,
      pending: await storeEvents(context, taken, events, hashed.length),
    }
  } finally {
    taken.dispose()
  }
}

/** Those with secrets are named only. */
async function storeEvents(
  context: SessionContext,
  taken: TakenFiles,
  { paths, known }: Parameters<typeof collectAll>[4],
  start: number,
): Promise<PendingEvents> {
  const found = paths.map((path, i) => {
    return { path: path.slice(path.lastIndexOf('/') + 1), file: taken.files[start + i] }
  })
  const regular = found.filter(({ file }) => file === undefined || isRegularFile(file.mode))
  const files = new Map([...known].map(([name, oid]) => [name, { mode: '100644', oid }]))
  const stored = await storeClean(context, taken, regular, { files, leftOut: [] })
  return {
    events: new Map([...stored.files].map(([name, { oid }]) => [name, oid])),
    leftOut: stored.leftOut,
  }
}

interface FoundFiles {
  readonly hashed: readonly { readonly path: string; readonly isTooLarge: boolean }[]
  /** So large that not even their ids are known. */
  readonly unhashed: readonly string[]
  readonly missing: readonly string[]
  /** In the order of `hashed`, then of what was to be taken beside. */
  readonly taken: TakenFiles
}

async function takeFiles(
  context: SessionContext,
  paths: readonly string[],
  beside: readonly ByteName[] = [],
): Promise<FoundFiles> {
  const sizes = await context.files.look(paths.map(nameOfPath))
  const hashed: { path: string; isTooLarge: boolean }[] = []
  const unhashed: string[] = []
  const missing: string[] = []
  let total = 0
  for (const [i, path] of paths.entries()) {
    const size = sizes[i]
    const isTooLarge = size !== undefined && (size > MAX_SHADOW_FILE || total + size > MAX_STEP)
    if (size === undefined) missing.push(path)
    else if (isTooLarge && size > MAX_HASHED_FILE) unhashed.push(path)
    else {
      hashed.push({ path, isTooLarge })
      total += isTooLarge ? 0 : size
    }
  }
  const taken = await context.files.take([...hashed.map(({ path }) => nameOfPath(path)), ...beside])
  return { hashed, unhashed, missing, taken }
}

/** Stores what holds no secret; the rest is named only. */
async function storeClean(
  context: SessionContext,
  taken: TakenFiles,
  found: readonly { readonly path: string; readonly file: StoredFile | undefined }[],
  before: Pick<ShadowFiles, 'files' | 'leftOut'>,
): Promise<{ files: Map<string, StoredFile>; leftOut: LeftOut[] }> {
  const files = new Map<string, StoredFile>()
  const leftOut: LeftOut[] = []
  const fresh: { path: string; file: StoredFile }[] = []
  const refused = new Map(before.leftOut.map(({ blob, reason }) => [blob, reason]))
  for (const { path, file } of found) {
    const reason = refused.get(file?.oid)
    if (file === undefined) leftOut.push({ path, reason: 'could not be read', blob: undefined })
    else if (reason !== undefined) leftOut.push({ path, reason, blob: file.oid })
    else if (before.files.get(path)?.oid === file.oid || file.mode === SUBMODULE)
      files.set(path, file)
    else fresh.push({ path, file })
  }
  const scanner = await context.secrets()
  for (let at = 0; at < fresh.length; at += AT_ONCE) {
    const some = fresh.slice(at, at + AT_ONCE)
    const contents = await taken.contents(some.map(({ file }) => file.oid))
    const clean: Uint8Array[] = []
    for (const [i, { path, file }] of some.entries()) {
      const content = contents[i]
      const reason = content === undefined ? 'could not be read' : secretIn(content, scanner)
      if (reason !== undefined) leftOut.push({ path, reason, blob: file.oid })
      else if (content !== undefined) {
        clean.push(content)
        files.set(path, file)
      }
    }
    context.objects.blobs(clean)
  }
  return { files, leftOut }
}

export const SUBMODULE = '160000' // its commit is no object of this repository
const AT_ONCE = 20 // files in memory
const LOOKED_AT = 8000 // as far as git looks to tell text from binary

/** Why a text may not be written: `secret: <kinds>`. */
function secretIn(content: Uint8Array, scanner: SecretScanner): string | undefined {
  if (content.subarray(0, LOOKED_AT).includes(0)) return undefined
  const text = Buffer.from(content).toString('utf8')
  if (!mayHoldSecret(text)) return undefined
  const kinds = new Set(scanner.find(text).map(({ kind }) => kind))
  return kinds.size === 0 ? undefined : `secret: ${[...kinds].join(', ')}`
}
