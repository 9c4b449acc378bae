/**
 * What agents' sandboxes do to Node: nobody may half-close a socket, and the pipes of its children are
 * sockets. `node --require` this, and a child whose standard input has to be ended so waits for ever.
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
// oxlint-disable-next-line no-undef -- Node has no other door to it
const { Pipe } = process.binding('pipe_wrap')
// Refused only once it is tried, as by libuv: Node takes no notice then.
Pipe.prototype.shutdown = (request) => {
  setImmediate(() => request.oncomplete(EPERM))
  return 0
}
