/**
 * Has a small process start what this one waits for.
 *
 * To start a process, Node copies the tables of its own memory first: of a test runner's 300 MB that takes
 * ten times as long as git does then. Only plain calls go that way; all others are Node's own.
 */

import childProcess from 'node:child_process'
import { fstatSync, readSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { startHelper } from './pipes.mjs'

const { spawnSync } = childProcess
const PLAIN = new Set(['cwd', 'env', 'input', 'stdio', 'encoding', 'timeout', 'maxBuffer'])

let ask

function fastSpawnSync(command, args, options = {}) {
  const isPlain = Array.isArray(args) && Object.keys(options).every((key) => PLAIN.has(key))
  const given = inputOf(options)
  if (!isPlain || given === undefined) return spawnSync(command, args, options)
  ask ??= startHelper('spawner.cjs')
  const {
    input = given,
    encoding = 'buffer',
    cwd = process.cwd(),
    env = process.env,
    timeout,
  } = options
  const answer = ask({ command, args, options: { cwd, env, timeout } }, input)
  const [{ error, ...result }, ...outputs] = answer
  const isStarted = result.pid !== 0
  const read = (bytes) => (encoding === 'buffer' ? bytes : bytes.toString(encoding))
  const [stdout, stderr] = isStarted ? outputs.map(read) : [null, null]
  const failure = error && { error: Object.assign(new Error(error.message), error) }
  return { ...result, ...failure, stdout, stderr, output: [null, stdout, stderr] }
}

/** What `src/io/process/child-input.ts` hands over; undefined for what only Node itself can do. */
function inputOf({ stdio }) {
  if (stdio === undefined) return ''
  const [first, ...others] = Array.isArray(stdio) ? stdio : []
  if (others.join() !== 'pipe,pipe') return undefined
  if (first === 'ignore' || first === 'pipe') return ''
  if (typeof first !== 'number') return undefined
  const bytes = Buffer.alloc(fstatSync(first).size)
  readSync(first, bytes, 0, bytes.length, 0)
  return bytes
}

/** Once for each process. */
export function install() {
  if (childProcess.spawnSync.name === fastSpawnSync.name) return
  childProcess.spawnSync = fastSpawnSync
  syncBuiltinESMExports()
}
