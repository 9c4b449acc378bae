/** A thread that runs typed commands of the built tool, one after the other. */

import { createRequire } from 'node:module'
import { workerData } from 'node:worker_threads'

const { cli, port, signal } = workerData
const { runCommand } = createRequire(import.meta.url)(cli)

port.on('message', async ({ words, cwd, env }) => {
  const said = { stdout: '', stderr: '' }
  const status = await runCommand(words, {
    cwd,
    env,
    isStdoutTty: false,
    canAsk: false,
    stdin: () => Promise.resolve(''),
    stdout: (text) => void (said.stdout += text),
    stderr: (text) => void (said.stderr += text),
  })
  port.postMessage({ status, ...said })
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
