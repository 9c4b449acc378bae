/**
 * What a shadow commit's tree holds, and the texts in it.
 *
 * ```
 * shadow.json                       whose chain it is: the full base, the worktree
 * events/<name>                     the worktree's pending events: written, in no commit yet
 * left-out                          pending events that are named only
 * sessions/<id>/about.json          where the transcript's slice begins and ends
 * sessions/<id>/files/<path>        files as the session left them, as git stores them
 * sessions/<id>/deleted             files that it deleted
 * sessions/<id>/left-out            files that are named only, each with the reason
 * sessions/<id>/transcript.jsonl    the agent's log since then
 * sessions/<id>/prompts.txt         what it was asked since then, where there is no such log
 * ```
 *
 * A commit's tree is complete: what came before it in the chain is history. `deleted` and `left-out` are
 * JSON lines, because names may hold line breaks. Texts are redacted before they get here.
 */

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

/** A greater file is named, not stored. */
export const MAX_SHADOW_FILE = 5 * 1024 * 1024
/** Of a still greater one not even the id is known: reading it would take too long for a hook. */
export const MAX_HASHED_FILE = 64 * 1024 * 1024
/** All files of one step together, in bytes. */
export const MAX_STEP = 256 * 1024 * 1024
export const MAX_SHADOW_FILES = 5000

export interface ShadowRecord extends ShadowKey {
  /** The worktree's folder when it was last written, absolute. */
  readonly path: string
}

export function renderRecord({ base, worktree, path }: ShadowRecord): string {
  return renderJson({ version: SHADOW_VERSION, base: base ?? null, worktree, path })
}

/** Undefined for a text that is no record, or a later release's. */
export function parseRecord(text: string): ShadowRecord | undefined {
  const { version, base, worktree, path } = parseObject(text)
  if (version !== SHADOW_VERSION || !isText(worktree) || !isText(path)) return undefined
  if (base !== null && !isText(base)) return undefined
  return { base: base ?? undefined, worktree, path }
}

/** A file that is named only. `blob`: what git would store; undefined: not looked at. */
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

/** Which part of the agent's log `transcript.jsonl` is, in bytes of the log. */
export interface TranscriptPart {
  readonly path: string
  readonly from: number
  /** Where to go on reading. */
  readonly next: number
  /** Older lines were left out, because it is too long. */
  readonly isCut: boolean
}

export interface AboutSession {
  readonly transcript: TranscriptPart | undefined
  /** Files beyond `MAX_SHADOW_FILES`: neither stored nor named. */
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

/** Stands for a version of which nothing is known but that it is there: equal to no other. */
export function unknownBlob(format: 'sha1' | 'sha256'): string {
  return '0'.repeat(format === 'sha256' ? 64 : 40)
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
