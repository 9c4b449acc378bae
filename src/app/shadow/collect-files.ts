/**
 * Worktree files as git would store them: only their ids, or actually stored. The content that is scanned for secrets
 * is exactly the content that is written afterwards, since the file may change in between.
 */

import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile } from '../../core/git/objects.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import type { LeftOut } from '../../core/shadow/shadow-record.ts'
import {
  MAX_HASHED_FILE,
  MAX_SHADOW_FILE,
  MAX_SHADOW_FILES,
  MAX_STEP,
  unknownBlob,
} from '../../core/shadow/shadow-record.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import type { StoredFile, TakenFiles } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import type { PendingEvents } from './shadow-chain.ts'
import type { ShadowFiles } from './shadow-session.ts'

/** The current versions of the paths, hashed; nothing is written. */
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
 * Stores the current files of the paths, and pending events. `before`: what is already stored and scanned.
 * `wasThere`: tells whether a missing file was deleted or never existed.
 */
export async function collectFiles(
  context: SessionContext,
  paths: readonly string[],
  before: ShadowFiles,
  wasThere: (path: string) => boolean,
  events: readonly ByteName[] = [],
): Promise<ShadowFiles & { readonly pending: PendingEvents }> {
  const kept = paths.slice(0, MAX_SHADOW_FILES)
  const { hashed, unhashed, missing, taken } = await takeFiles(context, kept, events)
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

/** Events with secrets are only named, not stored. */
async function storeEvents(
  context: SessionContext,
  taken: TakenFiles,
  paths: readonly ByteName[],
  start: number,
): Promise<PendingEvents> {
  const found = paths.map((path, i) => {
    return { path: path.slice(path.lastIndexOf('/') + 1), file: taken.files[start + i] }
  })
  const regular = found.filter(({ file }) => file === undefined || isRegularFile(file.mode))
  const { files, leftOut } = await storeClean(context, taken, regular)
  return { events: new Map([...files].map(([name, { oid }]) => [name, oid])), leftOut }
}

/** `taken` is in the order of `hashed`, followed by the events. */
async function takeFiles(
  context: SessionContext,
  paths: readonly string[],
  events: readonly ByteName[] = [],
) {
  const sizes = await context.files.look(paths.map(nameOfPath))
  const hashed: { path: string; isTooLarge: boolean }[] = []
  const unhashed: string[] = [] // too large even to be hashed
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
  const taken = await context.files.take([...hashed.map(({ path }) => nameOfPath(path)), ...events])
  return { hashed, unhashed, missing, taken }
}

/** Stores files that hold no secret; the others are only named. */
async function storeClean(
  context: SessionContext,
  taken: TakenFiles,
  found: readonly { readonly path: string; readonly file: StoredFile | undefined }[],
  before?: ShadowFiles,
): Promise<{ files: Map<string, StoredFile>; leftOut: LeftOut[] }> {
  const files = new Map<string, StoredFile>()
  const leftOut: LeftOut[] = []
  const fresh: { path: string; file: StoredFile }[] = []
  const refused = new Map(before?.leftOut.map(({ blob, reason }) => [blob, reason]))
  for (const { path, file } of found) {
    const reason = refused.get(file?.oid)
    if (file === undefined) leftOut.push({ path, reason: 'could not be read', blob: undefined })
    else if (reason !== undefined) leftOut.push({ path, reason, blob: file.oid })
    else if (before?.files.get(path)?.oid === file.oid || file.mode === SUBMODULE)
      files.set(path, file)
    else fresh.push({ path, file })
  }
  for (let at = 0; at < fresh.length; at += BATCH_SIZE) {
    const some = fresh.slice(at, at + BATCH_SIZE)
    const contents = await taken.contents(some.map(({ file }) => file.oid))
    const clean: Uint8Array[] = []
    for (const [i, { path, file }] of some.entries()) {
      const content = contents[i]
      const reason = content === undefined ? 'could not be read' : await secretIn(context, content)
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

export const SUBMODULE = '160000' // its commit is not an object of this repository
const BATCH_SIZE = 20 // files in memory at a time
const BINARY_CHECK_BYTES = 8000 // as many as git reads to tell text from binary

/** Why a text may not be stored (`secret: <kinds>`); undefined if it may. */
async function secretIn(
  { secrets }: SessionContext,
  content: Uint8Array,
): Promise<string | undefined> {
  if (content.subarray(0, BINARY_CHECK_BYTES).includes(0)) return undefined
  const text = Buffer.from(content).toString('utf8')
  const kinds = new Set((await findSecrets(text, secrets)).map(({ kind }) => kind))
  return kinds.size === 0 ? undefined : `secret: ${[...kinds].join(', ')}`
}
