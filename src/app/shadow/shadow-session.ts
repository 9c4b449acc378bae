/** Reads and writes a session's part of a chain, `sessions/<id>` (layout: `shadow-record.ts`). */

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
  unknownBlob,
} from '../../core/shadow/shadow-record.ts'
import type { StoredFile } from './git-ports.ts'
import { entriesBelow, entriesOf, textOf, writeTexts, writeTrees } from './git-trees.ts'
import type { SessionContext } from './session-context.ts'
import type { Chains } from './shadow-chain.ts'
import { homesOf } from './shadow-chain.ts'

export interface ShadowFiles {
  /** By path (`pathOfName`). */
  readonly files: ReadonlyMap<string, StoredFile>
  readonly deleted: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** How many more files are neither stored nor named. */
  readonly more: number
}

export interface ShadowSession extends ShadowFiles {
  /** `transcript.jsonl`, and which part of the log it holds. */
  readonly transcript: { readonly part: TranscriptPart; readonly blob: string } | undefined
}

/** Objects that the repository has lost count as empty: the rest is still worth having. */
export async function readShadowSession(
  { repository }: SessionContext,
  tree: string | undefined,
): Promise<ShadowSession> {
  const lost = 'empty'
  const entries = await entriesOf(repository, tree, lost)
  const oidOf = (name: string) => entries.find((entry) => entry.name === name)?.oid
  const text = (name: string) => textOf(repository, oidOf(name), lost)
  const { transcript: part, more } = parseAbout(await text('about.json'))
  const blob = oidOf('transcript.jsonl')
  const files = await entriesBelow(repository, oidOf('files'), lost)
  return {
    files: new Map(files.map(({ name, mode, oid }) => [pathOfName(name), { mode, oid }])),
    deleted: parseDeleted(await text('deleted')),
    leftOut: parseLeftOut(await text('left-out')),
    more,
    transcript: part === undefined || blob === undefined ? undefined : { part, blob },
  }
}

/** A session's part, wherever it is; empty if there is none. */
export function shadowOf(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
): Promise<ShadowSession> {
  return readShadowSession(context, homesOf(chains, state)[0]?.sessions.get(state.id))
}

/** Writes the tree of `sessions/<id>`. `prompts`: redacted prompts, used if there is no transcript. */
export function writeShadowSession(
  context: SessionContext,
  { files, deleted, leftOut, more, transcript }: ShadowSession,
  prompts: readonly string[] = [],
): string {
  const named = leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const entries = writeTexts(context, {
    'about.json': renderAbout({ transcript: transcript?.part, more }),
    deleted: renderDeleted(deleted.toSorted()),
    'left-out': renderLeftOut(named),
    'prompts.txt': transcript === undefined ? prompts.map((one) => `${one}\n`).join('---\n') : '',
  })
  if (transcript !== undefined)
    entries.push({ mode: '100644', name: 'transcript.jsonl', oid: transcript.blob })
  if (files.size > 0) {
    const listed = [...files].map(([path, file]) => ({ name: nameOfPath(path), ...file }))
    entries.push({ mode: TREE_MODE, name: 'files', oid: writeTrees(context, listed) })
  }
  return context.objects.tree(entries)
}

/** The file versions that a part stands for. */
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
