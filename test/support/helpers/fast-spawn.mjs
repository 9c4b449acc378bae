/**
 * Has a small process start what this one waits for.
 *
 * To start a process, Node copies the tables of its own memory first: of a test runner's 300 MB that takes
 * ten times as long as git does then. Only plain calls go that way; all others are Node's own.
 */

import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { startHelper } from './pipes.mjs'

const { spawnSync } = childProcess
const PLAIN = new Set(['cwd', 'env', 'input', 'encoding', 'timeout', 'maxBuffer'])

let ask

function fastSpawnSync(command, args, options = {}) {
  const isPlain = Array.isArray(args) && Object.keys(options).every((key) => PLAIN.has(key))
  if (!isPlain) return spawnSync(command, args, options)
  ask ??= startHelper('spawner.cjs')
  const {
    input = '',
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

/** Once for each process. */
export function install() {
  if (childProcess.spawnSync.name === fastSpawnSync.name) return
  childProcess.spawnSync = fastSpawnSync
  syncBuiltinESMExports()
}
