/** Starts processes for another one, and waits for them. `node spawner.cjs REQUESTS ANSWERS` */

const { spawnSync } = require('node:child_process')
const { openSync } = require('node:fs')
const { receive, send } = require('./frames.cjs')

const [, , requests, answers] = process.argv
const input = openSync(requests, 'r')
const output = openSync(answers, 'w')

for (let request = receive(input); request !== undefined; request = receive(input)) {
  const [{ command, args, options }, stdin] = request
  const ran = spawnSync(command, args, { ...options, input: stdin, maxBuffer: Infinity })
  const { status, signal, pid, stdout, stderr } = ran
  const error = ran.error && { ...ran.error, message: ran.error.message }
  send(output, { status, signal, pid, error }, stdout ?? '', stderr ?? '')
}
