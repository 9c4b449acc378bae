/** An item waiting to be sent to a tracker; each is one file. Creates, names, reads, and writes items. Pure. */

import { createHash } from 'node:crypto'
import { isCount, isObject, isText, parseObject, renderJson } from '../text/json-values.ts'
import { shorten } from '../text/markdown-to-text.ts'

export interface OutboxItem {
  /** A UUID derived from the item's identity: the same thing twice is one item, here and in the tracker. */
  readonly id: string
  /** When it was added, in Unix time in milliseconds. */
  readonly at: number
  /** Orders the items of an issue. */
  readonly place: number
  /** The issue that it is sent to. */
  readonly issue: string
  /** Number of attempts without an answer. */
  readonly tries: number
  /** Unix time in milliseconds before which it is not retried automatically. */
  readonly notBefore: number
  /** Why the tracker will not accept it. */
  readonly rejected: string | undefined
  readonly content: Content
}

export type Content = CheckpointContent | LinkContent | ShardContent | ProgressContent

/** A comment about a checkpoint, with a label and a state. */
export interface CheckpointContent {
  readonly kind: 'checkpoint'
  readonly title: string
  readonly level: string
  readonly percent: number | undefined
  /** The iteration of a loop. */
  readonly iteration: number | undefined
  /** The path of the handoff, relative to the top of the worktree. */
  readonly path: string
  readonly text: string
}

/** A link to a handoff, sent once the handoff can be viewed from outside. */
export interface LinkContent {
  readonly kind: 'link'
  readonly title: string
  readonly path: string
}

/** A sub-issue. */
export interface ShardContent {
  readonly kind: 'shard'
  readonly title: string
  /** The estimated size. */
  readonly tokens: number | undefined
  readonly text: string
}

/** One comment per plan, updated as the work progresses. */
export interface ProgressContent {
  readonly kind: 'progress'
  readonly plan: string
  readonly done: number
  readonly total: number
}

const MAX_TITLE = 200
const MAX_TEXT = 10_000
const MAX_FILE = 64 * 1024

/** A UUID in the format of version 4, derived from words: the same words give the same id. */
export function fixedUuid(...words: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
  return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

export function newItem(issue: string, content: Content, at: number, place: number): OutboxItem {
  const id = fixedUuid(issue, content.kind, identityOf(content))
  const bounded = limitLengths(content)
  return { id, at, place, issue, tries: 0, notBefore: 0, rejected: undefined, content: bounded }
}

/** What distinguishes the item from other items of its issue. */
function identityOf(content: Content): string {
  if ('path' in content) return content.path
  return content.kind === 'shard' ? content.title : content.plan
}

function limitLengths(content: Content): Content {
  if (content.kind === 'progress') return content
  const title = shorten(content.title, MAX_TITLE)
  if (content.kind === 'link') return { ...content, title }
  return { ...content, title, text: shorten(content.text, MAX_TEXT) }
}

/** A file name that sorts by place. */
export function fileNameOf({ place, id }: Pick<OutboxItem, 'place' | 'id'>): string {
  return `${String(place).padStart(16, '0')}-${id}.json`
}

export function isItemName(name: string): boolean {
  return /^\d{16}-[0-9a-f-]{36}\.json$/.test(name)
}

export function renderItem(item: OutboxItem): string {
  return renderJson({ format: 1, ...item })
}

/** Undefined if the item is damaged, or of a newer release. `name`: of its file, which the item must match. */
export function parseItem(name: string, text: string): OutboxItem | undefined {
  if (text.length > MAX_FILE) return undefined
  const fields = parseObject(text)
  const { format, id, at, place, issue, tries, notBefore, rejected } = fields
  const content = parseContent(fields['content'])
  if (format !== 1 || content === undefined || !isText(id) || !isText(issue)) return undefined
  if (!isCount(at) || !isCount(place) || !isCount(tries) || !isCount(notBefore)) return undefined
  if (rejected !== undefined && !isText(rejected)) return undefined
  if (!/^[A-Z][A-Z0-9]*-\d+$/.test(issue) || fileNameOf({ place, id }) !== name) return undefined
  return { id, at, place, issue, tries, notBefore, rejected, content }
}

function parseContent(value: unknown): Content | undefined {
  if (!isObject(value)) return undefined
  const { kind, title, text, path, level, percent, iteration, tokens, plan, done, total } = value
  if (kind === 'progress') {
    const isWhole = isText(plan) && isCount(done) && isCount(total)
    return isWhole ? { kind, plan, done, total } : undefined
  }
  if (!isText(title)) return undefined
  if (kind === 'link') return isText(path) ? { kind, title, path } : undefined
  if (!isText(text)) return undefined
  if (kind === 'shard') {
    return tokens === undefined || isCount(tokens) ? { kind, title, tokens, text } : undefined
  }
  if (kind !== 'checkpoint' || !isText(path) || !isText(level)) return undefined
  if (percent !== undefined && typeof percent !== 'number') return undefined
  if (iteration !== undefined && !isCount(iteration)) return undefined
  return { kind, title, level, percent, iteration, path, text }
}
