/**
 * What was read before, kept between runs: parsed events by blob id, renderings by tree id.
 *
 * Files are only ever added, whole (temporary file, rename), and each ends what it says with a check
 * sum: a file that is torn, damaged or of another release counts for nothing. Losing all of it costs
 * time, never data, so nothing here throws and nothing waits. Event files pile up and are then
 * written as one; only what is in use is kept.
 */

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LedgerCache } from '../app/ports.ts'
import type { ParsedEvent } from '../core/ledger/parse-event.ts'

/** Hash of the core's source; filled in by the build. Another release reads another folder. */
declare const LEDGER_GIT_CORE: string | undefined
const VERSION = typeof LEDGER_GIT_CORE === 'undefined' ? 'source' : LEDGER_GIT_CORE

/** Files of events before they are written as one. */
const MAX_EVENT_FILES = 8
/** Events that nobody used this time, as a share of all that are kept. */
const MAX_UNUSED = 1
const MAX_RENDERINGS = 32
/** Folders of other releases are removed when they were not used for this long. Milliseconds. */
const OTHER_RELEASE_AGE = 7 * 86_400_000

export class FileCache implements LedgerCache {
  readonly #folder: string
  #events: Map<string, ParsedEvent> | undefined
  #files: string[] = []

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
    const names = list(folder)
    if (names.length <= MAX_RENDERINGS) return
    const byAge = names
      .map((name) => ({ path: join(folder, name), time: modified(join(folder, name)) }))
      .sort((a, b) => a.time - b.time)
    for (const { path } of byAge.slice(0, names.length - MAX_RENDERINGS / 2)) remove(path)
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

/** The text of a file whose check sum is right. */
function read(path: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    const end = bytes.length - SUM_LENGTH
    const isWhole = bytes.toString('latin1', end) === checkSum(bytes.subarray(0, end))
    return isWhole ? bytes.toString('utf8', 0, end) : undefined
  } catch {
    return undefined
  }
}

/** Writes a file whole or not at all; returns its name. Best effort: a full disk is no error here. */
function write(
  folder: string,
  name: string | undefined,
  pieces: Iterable<string>,
): string | undefined {
  const own = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}`
  const temporary = join(folder, `.${own}.tmp`)
  let fd: number | undefined
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true })
      removeOthers(join(folder, '..'))
    }
    fd = openSync(temporary, 'wx')
    const sum = createHash('sha1')
    for (const piece of pieces) {
      sum.update(piece)
      writeSync(fd, piece)
    }
    writeSync(fd, sum.digest('hex'))
    closeSync(fd)
    fd = undefined
    renameSync(temporary, join(folder, name ?? own))
    removeLeft(folder)
    return name ?? own
  } catch {
    if (fd !== undefined) closeQuietly(fd)
    remove(temporary)
    return undefined
  }
}

const SUM_LENGTH = 40

function isEntry(item: unknown): item is [string, ParsedEvent] {
  if (!Array.isArray(item) || typeof item[0] !== 'string') return false
  const { problems, warnings } = (item[1] ?? {}) as Partial<ParsedEvent>
  return Array.isArray(problems) && Array.isArray(warnings)
}

/** Tells torn and damaged files; a hash that Node has at hand, no protection against anybody. */
function checkSum(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex')
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

/** What killed writers have left. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('.'))) {
    const path = join(folder, name)
    if (Date.now() - modified(path) > 3_600_000) remove(path)
  }
}

/** Folders that other releases have left behind. */
function removeOthers(folder: string): void {
  for (const name of list(join(folder, '..'))) {
    const path = join(folder, '..', name)
    if (path !== folder && Date.now() - modified(path) > OTHER_RELEASE_AGE) remove(path)
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

function modified(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  } catch {
    return 0
  }
}

/** On some file systems a full disk is reported here once more. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd)
  } catch {
    // said already
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // somebody else's turn
  }
}
