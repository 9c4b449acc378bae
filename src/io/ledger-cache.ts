/**
 * What was read before, kept between runs: parsed events by blob id, renderings and digests by tree id.
 *
 * Files are only ever added, whole (temporary file, rename), and each ends what it says with a check
 * sum: a file that is torn, damaged or of another release counts for nothing. Losing all of it costs
 * time, never data, so nothing here throws and nothing waits. Event files pile up and are then
 * written as one; only what is in use is kept.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerCache } from '../app/ports.ts'
import type { Addition, Digest } from '../core/ledger/digest.ts'
import { condenseDigest, extendDigest } from '../core/ledger/digest.ts'
import type { ParsedEvent } from '../core/ledger/parse-event.ts'
import { list, read, remove, removeOldest, write } from './cache-files.ts'

/** Hash of the core's source; filled in by the build. Another release reads another folder. */
declare const LEDGER_GIT_CORE: string | undefined
const VERSION = typeof LEDGER_GIT_CORE === 'undefined' ? 'source' : LEDGER_GIT_CORE

/** Files of events before they are written as one. */
const MAX_EVENT_FILES = 8
/** Events that nobody used this time, as a share of all that are kept. */
const MAX_UNUSED = 1
const MAX_RENDERINGS = { files: 32, bytes: 16 << 20 }
const MAX_DIGESTS = { files: 32, bytes: 16 << 20 }
/** Additions to a digest before what they have overtaken is left out. */
const MAX_ADDITIONS = 16

export class FileCache implements LedgerCache {
  readonly #folder: string
  #events: Map<string, ParsedEvent> | undefined
  #files: string[] = []
  /** The last one that was read or made, and its file's text without the first line. */
  #digest: { tree: string; text: string; digest: Digest } | undefined

  /** `home`: the folder that `install` made; without it nothing is kept. */
  constructor(home: string) {
    this.#folder = join(home, 'cache', VERSION)
  }

  events(): Map<string, ParsedEvent> {
    if (this.#events !== undefined) return this.#events
    this.#events = new Map()
    this.#files = list(join(this.#folder, 'events'))
    for (const name of this.#files) {
      for (const [id, parsed] of this.#readEvents(name)) this.#events.set(id, parsed)
    }
    return this.#events
  }

  addEvents(found: ReadonlyMap<string, ParsedEvent>, used: ReadonlySet<string>): void {
    const known = this.events()
    for (const [id, parsed] of found) known.set(id, parsed)
    const isFull =
      this.#files.length >= MAX_EVENT_FILES || known.size > used.size * (1 + MAX_UNUSED)
    const kept = isFull ? [...known].filter(([id]) => used.has(id)) : [...found]
    const name = write(join(this.#folder, 'events'), undefined, jsonPieces(kept))
    if (name === undefined) return
    if (isFull) for (const old of this.#files) remove(join(this.#folder, 'events', old))
    this.#files = isFull ? [name] : [...this.#files, name]
  }

  rendering(tree: string): string | undefined {
    const text = read(join(this.#folder, 'renderings', tree))
    return text?.startsWith(`${tree}\n`) ? text.slice(tree.length + 1) : undefined
  }

  addRendering(tree: string, text: string): void {
    const folder = join(this.#folder, 'renderings')
    write(folder, tree, [`${tree}\n`, text])
    removeOldest(folder, MAX_RENDERINGS)
  }

  digest(tree: string): Digest | undefined {
    const text = read(join(this.#folder, 'digests', tree))
    if (text === undefined || !text.startsWith(`${tree}\n`)) return undefined
    const digest = parseDigest(text.slice(tree.length + 1))
    if (digest !== undefined) this.#digest = { tree, text: text.slice(tree.length + 1), digest }
    return digest
  }

  addDigest(tree: string, digest: Digest): void {
    const text = `${JSON.stringify(digest)}\n`
    this.#digest = { tree, text, digest }
    this.#writeDigest(tree, text)
  }

  addExtendedDigest(tree: string, from: string, { events, problems }: Addition): void {
    if (this.#digest?.tree !== from) return
    const { text, digest } = this.#digest
    const additions = text.split('\n').length - 2
    if (additions >= MAX_ADDITIONS) {
      const extended = extendDigest(digest, { events, problems })
      this.addDigest(tree, condenseDigest(extended))
    } else this.#writeDigest(tree, `${text}${JSON.stringify({ events, problems })}\n`)
  }

  #writeDigest(tree: string, text: string): void {
    const folder = join(this.#folder, 'digests')
    write(folder, tree, [`${tree}\n`, text])
    removeOldest(folder, MAX_DIGESTS)
  }

  /** As `addEvents` wrote them; undefined fields are absent. */
  #readEvents(name: string): [id: string, ParsedEvent][] {
    const text = read(join(this.#folder, 'events', name))
    if (text === undefined) return []
    try {
      const items: unknown = JSON.parse(text)
      return Array.isArray(items) && items.every(isEntry) ? items : []
    } catch {
      return []
    }
  }
}

/** The cache of a repository, or undefined where ledger-git is not installed. */
export function openCache(commonDir: string): LedgerCache | undefined {
  const home = join(commonDir, 'ledger-git')
  return existsSync(home) ? new FileCache(home) : undefined
}

function isEntry(item: unknown): item is [string, ParsedEvent] {
  if (!Array.isArray(item) || typeof item[0] !== 'string') return false
  const { problems, warnings } = (item[1] ?? {}) as Partial<ParsedEvent>
  return Array.isArray(problems) && Array.isArray(warnings)
}

/** Lines of JSON: a digest, and what was added to it. */
function parseDigest(text: string): Digest | undefined {
  try {
    const [first, ...added] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    if (!isAddition(first) || !added.every(isAddition)) return undefined
    return isDigest(first) ? added.reduce<Digest>(extendDigest, first) : undefined
  } catch {
    return undefined
  }
}

function isDigest(item: Addition): item is Digest {
  const { dropped, earlier, since } = item as Partial<Digest>
  const isStamp = since === undefined || typeof since.ts === 'string'
  return typeof dropped === 'number' && Array.isArray(earlier) && isStamp
}

function isAddition(item: unknown): item is Addition {
  const { events, problems } = (item ?? {}) as Partial<Addition>
  return Array.isArray(events) && Array.isArray(problems)
}

/** A JSON array in pieces: the text of all events at once would double what a process needs. */
function* jsonPieces(items: readonly unknown[]): Generator<string> {
  const step = 500
  for (let at = 0; at < items.length; at += step) {
    const piece = JSON.stringify(items.slice(at, at + step)).slice(1, -1)
    yield `${at === 0 ? '[' : ','}${piece}`
  }
  yield items.length === 0 ? '[]' : ']'
}
