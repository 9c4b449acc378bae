/**
 * Typed commands of the built tool without a process for each: a thread has it loaded. Starting Node and
 * loading the bundle is most of what a command costs, and tests run thousands.
 *
 * What only a process shows (its own start, `check`'s shorter way, help, signals, broken pipes) is not
 * run here. `LEDGER_LONG=1` runs everything in processes.
 */

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Ran } from './git-repo.ts'
import { IS_LONG } from './long.ts'

/** They take the shorter way of `main.ts`, or print through the process itself. */
const OWN_PROCESS = new Set(['check', 'hook', 'merge-driver', 'agent-hook', 'completion'])
/** Milliseconds. */
const LIMIT = 120_000

export function runsInThread(words: readonly string[]): boolean {
  if (IS_LONG || words.length === 0 || OWN_PROCESS.has(words[0] ?? '')) return false
  return !words.some((word) => ['--help', '--version'].includes(word))
}

let thread: ((work: object) => Ran) | undefined

export function runInThread(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Ran {
  return (thread ??= startThread())({ words, cwd, env })
}

function startThread(): (work: object) => Ran {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const cli = new URL('../../dist/command-line.js', import.meta.url).pathname
  const worker = new Worker(new URL('command-worker.mjs', import.meta.url), {
    workerData: { cli, port: port2, signal },
    transferList: [port2],
  })
  worker.unref()
  port1.unref()
  return (work) => {
    Atomics.store(signal, 0, 0)
    port1.postMessage(work)
    if (Atomics.wait(signal, 0, 0, LIMIT) === 'timed-out') throw new Error('no answer')
    return (receiveMessageOnPort(port1) as { message: Ran }).message
  }
}
