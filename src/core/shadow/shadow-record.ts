/**
 * The contents of a shadow commit's tree, and the texts in it.
 *
 * ```
 * shadow.json                       owner of the chain: the full base, the worktree
 * events/<name>                     the worktree's pending events: written, but in no commit yet
 * left-out                          pending events that are only listed
 * sessions/<id>/about.json          where the transcript's slice begins and ends
 * sessions/<id>/files/<path>        files as the session left them, as git stores them
 * sessions/<id>/deleted             files that it deleted
 * sessions/<id>/left-out            files that are only listed, each with the reason
 * sessions/<id>/transcript.jsonl    the agent's log since then
 * sessions/<id>/prompts.txt         prompts since then, if there is no such log
 * ```
 *
 * Each commit's tree is complete; earlier commits of the chain are history. `deleted` and `left-out` are JSON lines,
 * because names may contain line breaks. Texts are redacted before they get here.
 */
import type { ObjectFormat } from '../git/objects.ts'
import { oidWidth } from '../git/objects.ts'
import {
  isCount,
  isObject,
  isText,
  parseJson,
  parseObject,
  renderJson,
} from '../text/json-values.ts'
import type { ShadowKey } from './shadow-name.ts'

const SHADOW_VERSION = 1

/** A larger file is only listed, not stored. */
export const MAX_SHADOW_FILE = 5 * 1024 * 1024
/** For an even larger file not even the id is computed, because reading it would take too long for a hook. */
export const MAX_HASHED_FILE = 64 * 1024 * 1024
/** Maximum size in bytes of all files of one step. */
export const MAX_STEP = 256 * 1024 * 1024
export const MAX_SHADOW_FILES = 5000

export interface ShadowRecord extends ShadowKey {
  /** Absolute path of the worktree when the record was last written. */
  readonly path: string
}

export function renderRecord({ base, worktree, path }: ShadowRecord): string {
  return renderJson({ version: SHADOW_VERSION, base: base ?? null, worktree, path })
}

/** Undefined for a text that is not a record, or a record of a later release. */
export function parseRecord(text: string): ShadowRecord | undefined {
  const { version, base, worktree, path } = parseObject(text)
  if (version !== SHADOW_VERSION || !isText(worktree) || !isText(path)) return undefined
  if (base !== null && !isText(base)) return undefined
  return { base: base ?? undefined, worktree, path }
}

/** A file that is only listed. `blob`: the id that git would give it; undefined if it was not read. */
export interface LeftOut {
  readonly path: string
  readonly reason: string
  readonly blob: string | undefined
}

export function renderLeftOut(files: readonly LeftOut[]): string {
  return jsonLines(files.map(({ path, reason, blob }) => ({ path, reason, blob })))
}

export function parseLeftOut(text: string): LeftOut[] {
  return text.split('\n').flatMap((line) => {
    const { path, reason, blob } = parseObject(line)
    if (!isText(path) || !isText(reason)) return []
    return [{ path, reason, blob: isText(blob) ? blob : undefined }]
  })
}

export function renderDeleted(paths: readonly string[]): string {
  return jsonLines(paths)
}

export function parseDeleted(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const path = parseJson(line)
    return isText(path) ? [path] : []
  })
}

/** The part of the agent's log that is in `transcript.jsonl`, in bytes of the log. */
export interface TranscriptPart {
  readonly path: string
  readonly from: number
  /** Where to continue reading. */
  readonly next: number
  /** Older lines were omitted, because the log is too long. */
  readonly isCut: boolean
}

export interface AboutSession {
  readonly transcript: TranscriptPart | undefined
  /** Number of files beyond `MAX_SHADOW_FILES`, which are neither stored nor listed. */
  readonly more: number
}

export function renderAbout(about: AboutSession): string {
  return renderJson({ version: SHADOW_VERSION, ...about })
}

export function parseAbout(text: string): AboutSession {
  const { transcript, more } = parseObject(text)
  return { transcript: partOf(transcript), more: isCount(more) ? more : 0 }
}

function partOf(value: unknown): TranscriptPart | undefined {
  if (!isObject(value)) return undefined
  const { path, from, next, isCut } = value
  if (!isText(path) || !isCount(from) || !isCount(next)) return undefined
  return { path, from, next, isCut: isCut === true }
}

/** Represents a version that is only known to exist; it equals no other. */
export function unknownBlob(format: ObjectFormat): string {
  return '0'.repeat(2 * oidWidth(format))
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
