/** Runs commands of the built tool as if typed, one after the other. `node commands.mjs REQUESTS ANSWERS` */

import { openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { install } from './fast-spawn.mjs'

install()
const require = createRequire(import.meta.url)
const { receive, send } = require('./frames.cjs')
const { runCommand } = require('../../../dist/command-line.js')

const [, , requests, answers] = process.argv
const input = openSync(requests, 'r')
const output = openSync(answers, 'w')

for (let request = receive(input); request !== undefined; request = receive(input)) {
  const [{ words, cwd, env, input }] = request
  const said = { stdout: '', stderr: '' }
  const status = await runCommand(words, {
    cwd,
    env,
    isStdoutTty: false,
    canAsk: false,
    stdin: () => Promise.resolve(input),
    stdout: (text) => void (said.stdout += text),
    stderr: (text) => void (said.stderr += text),
  })
  send(output, { status }, said.stdout, said.stderr)
}
