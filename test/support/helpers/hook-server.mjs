/**
 * Runs what git's hooks, its merge driver and agents' hooks start, one after the other, in one process:
 * `node hook-server.mjs FOLDER`. `stand-in.sh` sends the requests.
 *
 * To the code that runs, this is the process that sent the request: it has its number, folder, environment and
 * input, and unused modules. Only the compiled code is kept.
 */

import childProcess from 'node:child_process'
import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import Module, { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Script } from 'node:vm'
import { install } from './fast-spawn.mjs'

const [, , folder] = process.argv
const place = (name) => join(folder, name)
const builtIn = createRequire(import.meta.url)
const EXIT = Symbol('process.exit')
/** Source and script, by file. */
const compiled = new Map()
/** What a request has printed so far, and `end`, which takes its exit status. */
let current

/** Returns the exit status that the process `pid` would have had. */
async function run(pid) {
  const ended = new Promise((end) => (current = { end, out: '', err: '' }))
  try {
    const argv = wordsOf(pid, 'cmdline').slice(1)
    become(pid, argv)
    load(argv[1], new Map())
  } catch (error) {
    fail(error)
  }
  const status = await ended
  writeFileSync(place('out'), current.out)
  writeFileSync(place('err'), current.err)
  return status
}

function become(pid, argv) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  process.chdir(readlinkSync(`/proc/${pid}/cwd`))
  process.umask(Number.parseInt(/^Umask:\s+(\d+)/m.exec(status)[1], 8))
  process.exitCode = undefined
  process.execPath = argv[0]
  process.env = Object.fromEntries(
    wordsOf(pid, 'environ').map((word) => {
      const [name] = word.split('=', 1)
      return [name, word.slice(name.length + 1)]
    }),
  )
  closeSync(0)
  openSync(place('in'), 'r') // takes the lowest free number: 0 again
  set('pid', Number(pid))
  set('ppid', Number(/^PPid:\s+(\d+)/m.exec(status)[1]))
  set('argv', argv)
  set('stdin', createReadStream(place('in')))
  set('stdout', collect('out'))
  set('stderr', collect('err'))
  set('exit', exit)
}

function set(name, value) {
  Object.defineProperty(process, name, { value, configurable: true })
}

function wordsOf(pid, name) {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').slice(0, -1)
}

function collect(name) {
  const said = current
  return new Writable({
    write: (bytes, _encoding, done) => {
      said[name] += bytes
      done()
    },
  })
}

function exit(status = process.exitCode ?? 0) {
  current.end(status)
  throw EXIT
}

function fail(error) {
  if (error === EXIT) return
  current.err += `${error?.stack ?? error}\n`
  current.end(1)
}

/** `require` with the modules of one request. */
function load(file, modules) {
  const known = modules.get(file)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  modules.set(file, module)
  const folder = dirname(file)
  const require = (name) =>
    name.startsWith('.') ? load(join(folder, name), modules) : builtIn(name)
  scriptOf(file).runInThisContext()(module.exports, require, module, file, folder)
  return module.exports
}

function scriptOf(file) {
  const source = readFileSync(file, 'utf8')
  const known = compiled.get(file)
  if (known?.source === source) return known.script
  const script = new Script(Module.wrap(source), { filename: file })
  compiled.set(file, { source, script })
  return script
}

install()
childProcess.spawnSync('git', ['--version']) // so that its helper starts with this environment
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
// The worker has the other end.
new Socket({ fd: 3 }).on('close', () => process.reallyExit(0)).resume()
const answers = openSync(place('answers'), 'r+')
// Not read as a file: Node would wait for a file in a thread that nothing ends.
const requests = new Socket({
  fd: openSync(place('requests'), constants.O_RDWR | constants.O_NONBLOCK),
})
writeFileSync(place('ready'), '')
for await (const line of createInterface({ input: requests })) {
  if (line === 'done') rmSync(place('busy'))
  else writeSync(answers, `${await run(line)}\n`)
}
