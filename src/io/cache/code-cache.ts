/**
 * Loads a bundle's files with the code that V8 has compiled for them in earlier runs.
 *
 * Most of what a merge or a hook takes Node beyond its start is compiling functions that run once. V8
 * hands out what it has compiled and takes it back in the next process. It looks at its own version and
 * the length of the source only, so the folder's name says which build, V8 and processor it was. Node 22
 * does the like by itself (`NODE_COMPILE_CACHE`); this serves Node 20 as well, and knows each command's
 * functions.
 */

import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { readTwice, writeTwice } from './cache-files.ts'

/** What a file of a bundle exports. */
type Exports = Record<string, unknown>

interface Loaded {
  readonly name: string
  readonly script: Script
  /** Runs whose functions are in what is kept; 0 where nothing is. */
  readonly runs: number
}

/** Runs after which nothing is added: by then the usual ways through a command have been taken. */
const LEARNING_RUNS = 6

export interface CodeCacheOptions {
  /** Folder of the bundle's files. */
  readonly bundle: string
  /** Where compiled code is kept, for this build only; undefined: nowhere. */
  readonly cache: string | undefined
  /** Commands use different functions of the same files: each has its own. */
  readonly command: string
}

/** Files of one bundle, each loaded once. */
export class CodeCache {
  readonly #options: CodeCacheOptions
  readonly #exports = new Map<string, { exports: Exports }>()
  readonly #loaded: Loaded[] = []

  constructor(options: CodeCacheOptions) {
    this.#options = options
  }

  /** `name`: `./file` of the bundle, or a module of Node. */
  load(name: string): unknown {
    if (!name.startsWith('./')) return builtin(name)
    const known = this.#exports.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    this.#exports.set(name, module) // files of a bundle may load each other
    const run = this.#compile(name.slice(2))
    run(module.exports, (other) => this.load(other), module)
    return module.exports
  }

  /** Keeps what has been compiled since; to be called when the work is done. */
  save(): void {
    const { cache } = this.#options
    if (cache === undefined) return
    for (const { name, script, runs } of this.#loaded) {
      if (runs >= LEARNING_RUNS) continue
      const kept = Buffer.concat([script.createCachedData(), Buffer.of(runs + 1)])
      writeTwice(cache, this.#keptName(name), kept)
    }
  }

  #compile(name: string): Wrapper {
    const filename = `${this.#options.bundle}/${name}`
    const { cache } = this.#options
    const kept = cache === undefined ? undefined : readTwice(`${cache}/${this.#keptName(name)}`)
    // On the source's own lines, so that a stack trace is right.
    const source = `(function (exports, require, module) {${readFileSync(filename, 'utf8')}\n})`
    const cachedData = kept?.subarray(0, -1)
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) })
    const runs = script.cachedDataRejected === false ? (kept?.at(-1) ?? 0) : 0
    this.#loaded.push({ name, script, runs })
    return script.runInThisContext() as Wrapper
  }

  #keptName(name: string): string {
    return `${this.#options.command}.${name}`
  }
}

/** A module of Node. Its crypto takes 5 ms to load, and most merges need none of it. */
function builtin(name: string): unknown {
  const load = () => process.getBuiltinModule(name) as unknown as Exports
  if (name !== 'node:crypto') return load()
  return new Proxy<Exports>({}, { get: (_, key: string) => load()[key] })
}

type Wrapper = (
  exports: Exports,
  require: (name: string) => unknown,
  module: { exports: Exports },
) => void
