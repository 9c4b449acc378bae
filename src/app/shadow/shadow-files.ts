/**
 * Which files of the worktree are a session's, and their contents as git would store them.
 *
 * Its files are what tools named, what its shadow data has already, and in an open turn what differs from
 * HEAD and did not before the turn, unless it is known as another open session's. Ignored files never,
 * and not the ledger's own. What is scanned for
 * secrets is the very content that is written afterwards: the file may change meanwhile.
 */

import type { ByteName } from '../../core/git/objects.ts'
import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import {
  isLedgerPath,
  nameOfPath,
  pathInWorktree,
  pathOfName,
} from '../../core/shadow/shadow-paths.ts'
import type { LeftOut } from '../../core/shadow/shadow-record.ts'
import {
  MAX_HASHED_FILE,
  MAX_SHADOW_FILE,
  MAX_SHADOW_FILES,
  MAX_STEP,
  unknownBlob,
} from '../../core/shadow/shadow-record.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import { rootOf } from './shadow-events.ts'
import { secretIn } from './shadow-secrets.ts'
import type { SeenFile, StoredFile, TakenFiles } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import type { ShadowFiles } from './shadow-session.ts'

export interface Asked {
  /** As tools named them: absolute, or relative to `folder`. */
  readonly files: readonly string[]
  /** Absolute; the top of the worktree where it is not given. */
  readonly folder?: string | undefined
}

/** Paths that may be the session's, those that tools named first; and which of them git says differ. */
export async function sessionPaths(
  context: SessionContext,
  state: SessionState,
  asked: Asked,
  known: readonly string[],
): Promise<{ paths: string[]; differing: ReadonlySet<string> }> {
  const top = context.repository.place.top ?? state.worktree.path
  const tops = [top, state.worktree.path]
  const named = asked.files.flatMap((file) => pathInWorktree(file, tops, asked.folder ?? top) ?? [])
  const differing = (await context.files.differing()).map(pathOfName)
  const sure = new Set([...named, ...known])
  const all = await ownPaths(context, state, [...sure, ...differing], sure)
  const ignored = new Set((await context.files.ignored(all.map(nameOfPath))).map(pathOfName))
  return { paths: all.filter((path) => !ignored.has(path)), differing: new Set(differing) }
}

/** Of these paths, which git says differ, those that may be the session's; whatever is `known` to be. */
export async function ownPaths(
  context: SessionContext,
  state: SessionState,
  paths: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const others = new Set([...state.dirtyBefore, ...filesOfOthers(context, state)])
  const root = await rootOf(context)
  const own = [...new Set(paths)].filter((path) => known.has(path) || !others.has(path))
  return own.filter((path) => !isLedgerPath(path, root))
}

/** Two agents may work in one worktree at once. */
function filesOfOthers({ sessions }: SessionContext, { id, worktree }: SessionState): string[] {
  return sessions
    .listOpen()
    .filter((one) => one.id !== id && one.worktree.name === worktree.name)
    .flatMap(({ filesTouched }) => filesTouched)
}

/** The paths' versions of now, hashed; nothing is written. */
export async function versionsNow(
  context: SessionContext,
  paths: readonly string[],
  wasThere: (path: string) => boolean,
): Promise<FileVersion[]> {
  const { present, tooLarge, missing } = await lookAt(context, paths)
  const hashed = [...present, ...tooLarge.filter(({ seen }) => seen.size <= MAX_HASHED_FILE)]
  const taken = await context.files.take(hashed.map(({ name }) => name))
  taken.dispose()
  const blobs = new Map(hashed.map(({ path }, i) => [path, taken.files[i]?.oid]))
  const unknown = unknownBlob(context.repository.place.format)
  return [
    ...[...present, ...tooLarge].map(({ path }) => ({ path, blob: blobs.get(path) ?? unknown })),
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
  scanner: SecretScanner,
): Promise<ShadowFiles> {
  const kept = paths.slice(0, MAX_SHADOW_FILES)
  const { present, tooLarge, missing } = await lookAt(context, kept)
  const hashed = tooLarge.filter(({ seen }) => seen.size <= MAX_HASHED_FILE)
  const taken = await context.files.take([...present, ...hashed].map(({ name }) => name))
  try {
    const { files, leftOut } = await storeClean(context, present, taken, before, scanner)
    const large = tooLarge.map((one): LeftOut => {
      const at = hashed.indexOf(one)
      const blob = at === -1 ? undefined : taken.files[present.length + at]?.oid
      return { path: one.path, reason: 'too large', blob }
    })
    return {
      files,
      leftOut: [...leftOut, ...large],
      deleted: missing.filter(wasThere),
      more: paths.length - kept.length,
    }
  } finally {
    taken.dispose()
  }
}

interface Found {
  readonly path: string
  readonly name: ByteName
  readonly seen: SeenFile
}

async function lookAt(
  context: SessionContext,
  paths: readonly string[],
): Promise<{ present: Found[]; tooLarge: Found[]; missing: string[] }> {
  const names = paths.map(nameOfPath)
  const seen = await context.files.look(names)
  const present: Found[] = []
  const tooLarge: Found[] = []
  const missing: string[] = []
  let total = 0
  for (const [i, path] of paths.entries()) {
    const [name, one] = [names[i] ?? '', seen[i]]
    if (one === undefined) missing.push(path)
    else if (one.size > MAX_SHADOW_FILE || total + one.size > MAX_STEP)
      tooLarge.push({ path, name, seen: one })
    else {
      total += one.size
      present.push({ path, name, seen: one })
    }
  }
  return { present, tooLarge, missing }
}

async function storeClean(
  context: SessionContext,
  found: readonly Found[],
  taken: TakenFiles,
  before: ShadowFiles,
  scanner: SecretScanner,
): Promise<{ files: Map<string, StoredFile>; leftOut: LeftOut[] }> {
  const files = new Map<string, StoredFile>()
  const leftOut: LeftOut[] = []
  const fresh: { path: string; file: StoredFile }[] = []
  const refused = new Map(before.leftOut.map((one) => [one.blob, one.reason]))
  for (const [i, { path }] of found.entries()) {
    const file = taken.files[i]
    const reason = refused.get(file?.oid)
    if (file === undefined) leftOut.push({ path, reason: 'could not be read', blob: undefined })
    else if (reason !== undefined) leftOut.push({ path, reason, blob: file.oid })
    else if (before.files.get(path)?.oid === file.oid || file.mode === SUBMODULE)
      files.set(path, file)
    else fresh.push({ path, file })
  }
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
    await context.objects.blobs(clean)
  }
  return { files, leftOut }
}

/** A submodule's commit is no object of this repository. */
const SUBMODULE = '160000'
/** Files in memory at once. */
const AT_ONCE = 20
