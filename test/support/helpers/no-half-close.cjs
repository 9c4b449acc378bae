/**
 * What agents' sandboxes do to Node: sockets cannot be half-closed, and the pipes of its children are
 * sockets. With `node --require` this, a child whose standard input must be ended that way waits for ever.
 */

const childProcess = require('node:child_process')
const { syncBuiltinESMExports } = require('node:module')

const { spawnSync } = childProcess

childProcess.spawnSync = (command, args, options = {}) => {
  const { stdio, input } = options
  const first = Array.isArray(stdio) ? stdio[0] : stdio
  const isOwnFile = typeof first === 'number' || first === 'ignore' || first === 'inherit'
  if (input !== undefined || !isOwnFile) {
    process.stderr.write(`half-closed: the input of ${command} ${args.join(' ')}\n`)
    process.exit(97)
  }
  return spawnSync(command, args, options)
}
syncBuiltinESMExports()

const EPERM = -1
// oxlint-disable-next-line no-undef -- Node has no other way to it
const { Pipe } = process.binding('pipe_wrap')
// Refused only when it is tried, as libuv does: Node then ignores the refusal.
Pipe.prototype.shutdown = (request) => {
  setImmediate(() => request.oncomplete(EPERM))
  return 0
}
