/**
 * Runs hooks, the merge driver and agents' hooks without starting Node for each: a server has the built code loaded.
 * Starting Node is most of their cost, and tests run thousands of them. Everything that git starts is real up to the
 * launcher. Instead of Node, the launcher starts `stand-in.sh`, which `install` records as this process's Node.
 *
 * `LEDGER_LONG=1` runs each of them in its own process, and so does a sandbox with `LEDGER_TEST_OWN_PROCESS` in its
 * environment: code that is killed, limited or delayed needs its own process.
 */

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IS_LONG } from './long.ts'

const ENTRY = fileURLToPath(new URL('../../dist/git-entry.cjs', import.meta.url))

let isStarted = false

/** Once per process that runs tests. */
export function startHookServer(): void {
  // The server finds out through this folder who is asking.
  if (isStarted || IS_LONG || !existsSync('/proc/self/environ')) return
  isStarted = true
  const folder = mkdtempSync(join(tmpdir(), 'hooks-'))
  chmodSync(folder, 0o755) // other users' hooks start Node, too
  const place = (name: string) => join(folder, name)
  execFileSync('mkfifo', [place('requests'), place('answers')])
  writeFileSync(place('real-node'), `${process.execPath}\n`)
  writeFileSync(place('entry'), `${ENTRY}\n`)
  copyFileSync(helper('stand-in.sh'), place('node'))
  const child = spawn(process.execPath, [helper('hook-server.mjs'), folder], {
    stdio: ['ignore', 2, 2, 'pipe'],
  })
  child.unref()
  ;(child.stdio[3] as unknown as { unref(): void }).unref()
  process.execPath = place('node')
  // Processes that Node starts also report the stand-in as their Node, so that `install` records it.
  const code = `process.execPath = ${JSON.stringify(process.execPath)}\n`
  writeFileSync(place('exec-path.cjs'), code)
}

function helper(name: string): string {
  return fileURLToPath(new URL(`helpers/${name}`, import.meta.url))
}
