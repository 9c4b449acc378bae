/**
 * Keeps what was read before between runs: a few join states by `events/` tree, and the tree that was verified last.
 *
 *     cache/BUILD/states/TREE    its name, the state, a checksum
 *     cache/BUILD/verified       the same for a `VerifiedTree`
 *     cache/joined               TREE of the state that was used last, for the launcher
 *
 * Files are written whole (temporary file, rename). A file that is torn, damaged, renamed or from another build is
 * ignored. Losing all of them costs time, never data, so nothing here throws and nothing waits.
 */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { LedgerCache, VerifiedTree } from '../../app/ports/ledger-cache.ts'
import type { JoinState } from '../../core/ledger/join-state.ts'
import { readState, writeState } from '../../core/ledger/state-text.ts'
import { attempt, namesIfAny, tempFor } from '../files/files.ts'

/** Hash of all source; filled in by the build. Each build has its own folder. */
declare const LEDGER_GIT_BUILD: string | undefined
const VERSION = typeof LEDGER_GIT_BUILD === 'undefined' ? 'source' : LEDGER_GIT_BUILD

/** A name that only the folder of a build has; other builds may have theirs next to ours. */
const BUILD_FOLDER = /^[0-9a-f]{16}$/
/** Folders of other builds are removed if nothing was added to them for this long. Milliseconds. */
const OTHER_BUILD_AGE = 7 * 86_400_000
const MAX_STATES = { files: 8, bytes: 64 << 20 }
const SUM_LENGTH = 40

export class FileCache implements LedgerCache {
  /** The folder of all builds. */
  readonly #home: string
  readonly #folder: string
  /** States that this process has read or made. */
  readonly #states = new Map<string, JoinState>()

  /** `home`: the folder that `install` creates; without it nothing is kept. */
  constructor(home: string) {
    this.#home = `${home}/cache`
    this.#folder = `${this.#home}/${VERSION}`
  }

  states(): string[] {
    return byAge(`${this.#folder}/states`).map(({ name }) => name)
  }

  state(tree: string): JoinState | undefined {
    const known = this.#states.get(tree)
    if (known !== undefined) return known
    const state = attempt(() => readState(read(`${this.#folder}/states`, tree)))
    if (state === undefined) return undefined
    this.#states.set(tree, state)
    const now = Date.now() / 1000
    attempt(() => utimesSync(`${this.#folder}/states/${tree}`, now, now))
    this.#tellLauncher(tree)
    return state
  }

  /** Notes the state that was used last: the launcher prefetches what it lacks (`ask_ahead` in `githooks/run`). */
  #tellLauncher(tree: string): void {
    attempt(() => writeFileSync(`${this.#home}/joined`, `${tree}\n`))
  }

  keepState(tree: string, state: JoinState): void {
    this.#states.set(tree, state)
    const folder = `${this.#folder}/states`
    this.#write(folder, tree, writeState(state))
    this.#tellLauncher(tree)
    let bytes = 0
    for (const [i, { name, size }] of byAge(folder).entries()) {
      bytes += size
      const isTooMuch = i >= MAX_STATES.files || (i > 0 && bytes > MAX_STATES.bytes)
      if (isTooMuch) remove(`${folder}/${name}`)
    }
  }

  verified(): VerifiedTree | undefined {
    return attempt(() => JSON.parse(read(this.#folder, 'verified')) as VerifiedTree)
  }

  keepVerified(verified: VerifiedTree): void {
    this.#write(this.#folder, 'verified', [JSON.stringify(verified)])
  }

  clear(): void {
    this.#states.clear()
    for (const build of list(this.#home)) {
      for (const kept of ['states', 'verified']) remove(`${this.#home}/${build}/${kept}`)
    }
  }

  /** Writes a file whole or not at all; a full disk is not an error here. */
  #write(folder: string, name: string, text: Iterable<string>): void {
    const temporary = tempFor(`${folder}/${name}`)
    attempt(() => {
      if (!existsSync(dirname(this.#home))) return
      if (!existsSync(folder)) {
        mkdirSync(folder, { recursive: true })
        this.#removeOtherBuilds()
      }
      const sum = newSum().update(`${name}\n`)
      const fd = openSync(temporary, 'wx')
      try {
        writeSync(fd, `${name}\n`)
        for (const piece of text) {
          const bytes = Buffer.from(piece)
          sum.update(bytes)
          writeSync(fd, bytes)
        }
        writeSync(fd, sum.digest('hex'))
      } finally {
        closeSync(fd)
      }
      renameSync(temporary, `${folder}/${name}`)
    })
    remove(temporary)
  }

  #removeOtherBuilds(): void {
    for (const name of list(this.#home).filter((one) => BUILD_FOLDER.test(one))) {
      const path = `${this.#home}/${name}`
      const inside = list(path).map((inner) => `${path}/${inner}`)
      const lastUse = Math.max(...[path, ...inside].map(timeOf))
      if (path !== this.#folder && Date.now() - lastUse > OTHER_BUILD_AGE) remove(path)
    }
  }
}

/** What was written under this name. Throws if there is no intact file. */
function read(folder: string, name: string): string {
  const path = `${folder}/${name}`
  if (!statSync(path).isFile()) throw new Error('not a file') // reading a pipe would block
  const bytes = readFileSync(path)
  const content = bytes.subarray(0, -SUM_LENGTH)
  const isWhole =
    bytes.toString('latin1', content.length) === newSum().update(content).digest('hex')
  if (!isWhole || content.indexOf(`${name}\n`) !== 0) throw new Error('damaged')
  return content.toString('utf8', Buffer.byteLength(name) + 1)
}

/** Detects torn and damaged files, with a hash that Node has at hand. It is no protection against tampering. */
function newSum() {
  return process.getBuiltinModule('node:crypto').createHash('sha1')
}

/** The files of a folder, most recently used first. */
function byAge(folder: string): { name: string; time: number; size: number }[] {
  const files = list(folder).flatMap((name) => {
    const found = attempt(() => statSync(`${folder}/${name}`))
    return found === undefined ? [] : { name, time: found.mtimeMs, size: found.size }
  })
  return files.sort((a, b) => b.time - a.time)
}

function list(folder: string): string[] {
  return namesIfAny(folder).filter((name) => !name.startsWith('.'))
}

function timeOf(path: string): number {
  return attempt(() => statSync(path).mtimeMs) ?? 0
}

function remove(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true }))
}
