/** One session's part of a chain: `sessions/<id>`, read and written (layout: `shadow-record.ts`). */

import type { ByteName, TreeEntry } from '../../core/git/objects.ts'
import { TREE_MODE } from '../../core/git/objects.ts'
import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { nameOfPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { LeftOut, TranscriptPart } from '../../core/shadow/shadow-record.ts'
import {
  parseAbout,
  parseDeleted,
  parseLeftOut,
  renderAbout,
  renderDeleted,
  renderLeftOut,
  renderPrompts,
  renderShadowState,
  unknownBlob,
} from '../../core/shadow/shadow-record.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import type { Chain, ShadowRefs } from './shadow-chain.ts'
import { entriesOf, findChain, listChains, shadowRefs, textOf } from './shadow-chain.ts'
import type { FileAt, StoredFile } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'

export interface ShadowFiles {
  /** By path (`pathOfName`). */
  readonly files: ReadonlyMap<string, StoredFile>
  readonly deleted: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Files that are neither stored nor named. */
  readonly more: number
}

export const NO_FILES: ShadowFiles = { files: new Map(), deleted: [], leftOut: [], more: 0 }

/** `transcript.jsonl` and which part of the log it is. */
export interface ShadowTranscript {
  readonly part: TranscriptPart
  readonly blob: string
}

export interface ShadowSession extends ShadowFiles {
  readonly transcript: ShadowTranscript | undefined
}

export async function readShadowSession(
  context: SessionContext,
  tree: string,
): Promise<ShadowSession> {
  const entries = await entriesOf(context, tree)
  const at = (name: string) => entries.find((entry) => entry.name === name)?.oid
  const text = async (name: string) => (await textOf(context, at(name))) ?? ''
  const about = parseAbout(await text('about.json'))
  const blob = at('transcript.jsonl')
  const files = await filesBelow(context, at('files'), '')
  return {
    files: new Map(files.map(({ path, mode, oid }) => [pathOfName(path), { mode, oid }])),
    deleted: parseDeleted(await text('deleted')),
    leftOut: parseLeftOut(await text('left-out')),
    more: about.more,
    transcript:
      about.transcript === undefined || blob === undefined
        ? undefined
        : { part: about.transcript, blob },
  }
}

async function filesBelow(
  context: SessionContext,
  tree: string | undefined,
  prefix: ByteName,
): Promise<FileAt[]> {
  const entries = await entriesOf(context, tree)
  const found = await Promise.all(
    entries.map(async ({ name, mode, oid }): Promise<FileAt[]> => {
      const path = prefix + name
      if (mode === TREE_MODE) return filesBelow(context, oid, `${path}/`)
      return [{ path, mode, oid }]
    }),
  )
  return found.flat()
}

/** The tree of `sessions/<id>`, written. */
export async function writeShadowSession(
  context: SessionContext,
  state: SessionState,
  session: ShadowSession & { readonly prompts: readonly string[] },
  scanner: SecretScanner,
): Promise<string> {
  const { files, deleted, leftOut, more, transcript, prompts } = session
  const texts = [
    ['state.json', scanner.redact(renderShadowState(state))],
    ['about.json', renderAbout({ transcript: transcript?.part, more })],
    ['deleted', renderDeleted([...deleted].sort())],
    ['left-out', renderLeftOut(leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)))],
    ['prompts.txt', scanner.redact(renderPrompts(prompts))],
  ].filter(([, text]) => text !== '') as [string, string][]
  const blobs = await context.objects.blobs(texts.map(([, text]) => text))
  const entries: TreeEntry[] = texts.map(([name], i) => ({
    mode: '100644',
    name,
    oid: blobs[i] ?? '',
  }))
  if (transcript !== undefined)
    entries.push({ mode: '100644', name: 'transcript.jsonl', oid: transcript.blob })
  if (files.size > 0) {
    const listed = [...files].map(([path, file]) => ({ path: nameOfPath(path), ...file }))
    entries.push({ mode: TREE_MODE, name: 'files', oid: await context.files.tree(listed) })
  }
  return context.objects.tree(entries)
}

/**
 * The chain that a session's part is in: that of its base, else any other one of its worktree (HEAD was
 * moved by a rebase, or a process died between two writes).
 */
export async function homeOf(
  context: SessionContext,
  { id, base, worktree }: SessionState,
  known?: ShadowRefs,
): Promise<Chain | undefined> {
  const refs = known ?? (await shadowRefs(context))
  const { chain } = await findChain(context, { base, worktree: worktree.name }, refs)
  if (chain?.sessions.has(id)) return chain
  const { chains } = await listChains(context, worktree.name, refs)
  return chains.find(({ sessions }) => sessions.has(id))
}

/** What a session's part says, wherever it is. */
export async function shadowOf(
  context: SessionContext,
  state: SessionState,
): Promise<ShadowSession | undefined> {
  const tree = (await homeOf(context, state))?.sessions.get(state.id)
  return tree === undefined ? undefined : readShadowSession(context, tree)
}

/** The versions of files that a part stands for. */
export function versionsOf(
  { files, deleted, leftOut }: ShadowFiles,
  format: 'sha1' | 'sha256',
): FileVersion[] {
  return [
    ...[...files].map(([path, { oid }]) => ({ path, blob: oid })),
    ...deleted.map((path) => ({ path, blob: undefined })),
    ...leftOut.map(({ path, blob }) => ({ path, blob: blob ?? unknownBlob(format) })),
  ]
}
