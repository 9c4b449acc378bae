/**
 * Has a shell start the processes that this one waits for.
 *
 * To start a process, Node first copies the tables of its own memory, which takes ten times as long as git then
 * runs; a shell has next to none. Only plain calls go through the shell; all others stay with Node. `stdio: 'pipe'`
 * asks for pipes; otherwise output is a file.
 */

import childProcess from 'node:child_process'
import {
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineOf, quoted } from './shell-line.mjs'

const { execFileSync, spawn, spawnSync } = childProcess
const PLAIN = new Set(['cwd', 'env', 'input', 'stdio', 'encoding', 'timeout', 'maxBuffer'])

let shell

function fastSpawnSync(command, args, options = {}) {
  const { cwd = process.cwd(), env = process.env, encoding = 'buffer' } = options
  const given = inputOf(options)
  const isOurs = isPlain(args, options) && given !== undefined
  const line = isOurs ? lineOf(command, args, cwd, env) : undefined
  if (line === undefined) return spawnSync(command, args, options)
  shell ??= startShell()
  const [status, ...outputs] = shell(line, options.input ?? given)
  const [stdout, stderr] =
    encoding === 'buffer' ? outputs : outputs.map((bytes) => bytes.toString(encoding))
  return { pid: -1, status, signal: null, stdout, stderr, output: [null, stdout, stderr] }
}

function isPlain(args, options) {
  const keys = Object.keys(options)
  return Array.isArray(args) && keys.every((key) => PLAIN.has(key)) && !options.timeout
}

/** The input as `src/io/process/child-input.ts` passes it; undefined for what only Node itself can do. */
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

function startShell() {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'))
  const [lines, answers, input, out, err] = ['lines', 'answers', 'in', 'out', 'err'].map((name) =>
    join(folder, name),
  )
  execFileSync('mkfifo', [lines, answers])
  // It ends when the pipe closes.
  const child = spawn('sh', [lines], { env: {}, stdio: 'ignore' })
  child.unref()
  // Each side waits until the other one has opened the pipe, too.
  const requests = openSync(lines, 'w')
  writeSync(requests, `exec 3>${quoted(answers)}\n`)
  const statuses = openSync(answers, 'r')
  const files = `>${quoted(out)} 2>${quoted(err)} 3>&-`
  const answer = Buffer.alloc(4)
  const take = (file) => {
    const bytes = readFileSync(file)
    unlinkSync(file) // whoever still writes to it writes to a file that nobody reads
    return bytes
  }
  return (line, stdin) => {
    const from = stdin.length === 0 ? '/dev/null' : input
    if (from === input) writeFileSync(input, stdin)
    writeAll(requests, Buffer.from(`(${line}) <${quoted(from)} ${files}; echo $? >&3\n`))
    const length = readSync(statuses, answer)
    if (length === 0) throw new Error('the shell that starts processes has died')
    return [Number(answer.toString('latin1', 0, length)), take(out), take(err)]
  }
}

function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

/** Installs this once for each process. */
export function install() {
  if (childProcess.spawnSync.name === fastSpawnSync.name) return
  childProcess.spawnSync = fastSpawnSync
  syncBuiltinESMExports()
}
