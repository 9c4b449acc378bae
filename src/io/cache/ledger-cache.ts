/**
 * What was read before, kept between runs: parsed events by blob id, renderings and digests by tree id.
 *
 * Files are only ever added, whole (temporary file, rename), and say how they were written: a file that
 * is torn, damaged or of another build counts for nothing. Losing all of it costs time, never data, so
 * nothing here throws and nothing waits. Event files pile up and are then written as one; only what is in
 * use is kept.
 */

import { existsSync } from 'node:fs'
import type { LedgerCache, VerifiedTree } from '../../app/ports.ts'
import type { Addition, Digest } from '../../core/ledger/digest.ts'
import type { ParsedEvent } from '../../core/event/event-reader.ts'
import { list, read, readNamed, remove, removeOldest, write, writeNamed } from './cache-files.ts'
import { DigestFiles } from './digest-files.ts'

/** Hash of all source; filled in by the build. Another one reads another folder. */
declare const LEDGER_GIT_BUILD: string | undefined
const VERSION = typeof LEDGER_GIT_BUILD === 'undefined' ? 'source' : LEDGER_GIT_BUILD

/** Files of events before they are written as one. */
const MAX_EVENT_FILES = 8
/** Events that nobody used this time, as a share of all that are kept. */
const MAX_UNUSED = 1
/** Folders with what events say. Compiled code, and what a merge at work needs, lie beside them. */
const KEPT = ['events', 'renderings', 'digests', 'verified']
const MAX_RENDERINGS = { files: 32, bytes: 16 << 20 }

export class FileCache implements LedgerCache {
  /** The folder of all builds. */
  readonly #home: string
  readonly #folder: string
  #digests: DigestFiles
  #events: Map<string, ParsedEvent> | undefined
  #files: string[] = []

  /** `home`: the folder that `install` made; without it nothing is kept. */
  constructor(home: string) {
    this.#home = `${home}/cache`
    this.#folder = `${this.#home}/${VERSION}`
    this.#digests = new DigestFiles(`${this.#folder}/digests`)
  }

  events(): Map<string, ParsedEvent> {
    if (this.#events !== undefined) return this.#events
    this.#events = new Map()
    this.#files = list(`${this.#folder}/events`)
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
    const name = write(`${this.#folder}/events`, undefined, jsonPieces(kept))
    if (name === undefined) return
    if (isFull) for (const old of this.#files) remove(`${this.#folder}/events/${old}`)
    this.#files = isFull ? [name] : [...this.#files, name]
  }

  rendering(tree: string): string | undefined {
    return readNamed(`${this.#folder}/renderings`, tree)?.toString('utf8')
  }

  addRendering(tree: string, text: string): void {
    const folder = `${this.#folder}/renderings`
    writeNamed(folder, tree, text)
    removeOldest(folder, { ...MAX_RENDERINGS, latest: 2 * text.length })
  }

  digest(tree: string): Digest | undefined {
    return this.#digests.read(tree)
  }

  addDigest(tree: string, digest: Digest): void {
    this.#digests.add(tree, digest)
  }

  addExtendedDigest(tree: string, from: string, added: Addition): void {
    this.#digests.addExtended(tree, from, added)
  }

  verified(): VerifiedTree | undefined {
    const text = read(`${this.#folder}/verified/last`)
    try {
      return text === undefined ? undefined : (JSON.parse(text) as VerifiedTree)
    } catch {
      return undefined
    }
  }

  keepVerified(verified: VerifiedTree): void {
    write(`${this.#folder}/verified`, 'last', [JSON.stringify(verified)])
  }

  clear(): void {
    for (const build of list(this.#home)) {
      for (const kept of KEPT) remove(`${this.#home}/${build}/${kept}`)
    }
    this.#events = undefined
    this.#files = []
    this.#digests = new DigestFiles(`${this.#folder}/digests`)
  }

  /** As `addEvents` wrote them; undefined fields are absent. */
  #readEvents(name: string): [id: string, ParsedEvent][] {
    const text = read(`${this.#folder}/events/${name}`)
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
  const home = `${commonDir}/ledger-git`
  return existsSync(home) ? new FileCache(home) : undefined
}

function isEntry(item: unknown): item is [string, ParsedEvent] {
  if (!Array.isArray(item) || typeof item[0] !== 'string') return false
  const { problems, warnings } = (item[1] ?? {}) as Partial<ParsedEvent>
  return Array.isArray(problems) && Array.isArray(warnings)
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
