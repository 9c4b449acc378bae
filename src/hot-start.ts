/**
 * Entry point of `dist/hot.cjs`, which the launcher starts for git: runs `hot-main` from compiled code.
 *
 * Node 22 and newer keep compiled code by themselves where `NODE_COMPILE_CACHE` says so. For older ones
 * this does the same: compiling costs half of what the work does. A file is named by a hash of source,
 * Node and command, and ends with a check sum; V8 refuses what another V8 wrote.
 */

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** Runs that add what they compiled: no single one takes every way through the program. */
const GENERATIONS = 4
const SUM_LENGTH = 20
/** Files of other releases and other Nodes are removed after this time. Milliseconds. */
const MAX_AGE = 30 * 86_400_000

const body = join(__dirname, 'hot-main.cjs')
const folder = process.env['NODE_COMPILE_CACHE']
const isKeptByNode = 'enableCompileCache' in process.getBuiltinModule('node:module')

if (folder === undefined || isKeptByNode) createRequire(__filename)(body)
else runCompiled(folder)

function runCompiled(folder: string): void {
  const source = readFileSync(body, 'utf8')
  const words = [source, process.version, process.arch, process.argv[2] ?? '']
  const path = join(folder, `hot-${sumOf(words.join('\0')).toString('hex')}`)
  const kept = readKept(path)
  // As Node wraps a CommonJS module.
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
    { filename: body, cachedData: kept?.code },
  )
  const generation = script.cachedDataRejected === false ? (kept?.generation ?? 0) : 0
  if (generation < GENERATIONS) {
    process.on('exit', () => keep(path, script.createCachedData(), generation + 1))
  }
  const module = new Module(body)
  const require = createRequire(body)
  require.cache[body] = module // the YAML parser's file asks for it
  const run = script.runInThisContext() as (...args: unknown[]) => void
  run(module.exports, require, module, body, dirname(body))
}

interface Kept {
  readonly code: Buffer
  readonly generation: number
}

/** Undefined where there is no file, or none that is whole. */
function readKept(path: string): Kept | undefined {
  if (!existsSync(path)) return undefined
  try {
    const bytes = readFileSync(path)
    const end = bytes.length - SUM_LENGTH
    const isWhole = end > 0 && sumOf(bytes.subarray(0, end)).equals(bytes.subarray(end))
    return isWhole
      ? { code: bytes.subarray(0, end - 1), generation: bytes[end - 1] ?? 0 }
      : undefined
  } catch {
    return undefined
  }
}

/** Best effort: without it the next run compiles again. */
function keep(path: string, code: Buffer, generation: number): void {
  try {
    const folder = dirname(path)
    mkdirSync(folder, { recursive: true })
    const bytes = Buffer.concat([code, Buffer.from([generation])])
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, Buffer.concat([bytes, sumOf(bytes)]))
    renameSync(temporary, path)
    for (const name of readdirSync(folder)) {
      const other = join(folder, name)
      const age = Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
      if (name.startsWith('hot-') && age > MAX_AGE) rmSync(other, { force: true })
    }
  } catch {
    // a full disk, a read-only repository
  }
}

function sumOf(bytes: string | Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest()
}
