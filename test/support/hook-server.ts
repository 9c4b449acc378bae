/**
 * Hooks, the merge driver and agents' hooks without a Node for each: a server has the built code loaded.
 * Starting Node is most of what they cost, and tests run thousands. What git starts is real up to the
 * launcher; in place of Node it starts `stand-in.sh`, which `install` records as this process's Node.
 *
 * `LEDGER_LONG=1` runs all of them in processes of their own, and so does a sandbox with
 * `LEDGER_TEST_OWN_PROCESS` in its environment: what is killed, limited or held up has to be one.
 */

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IS_LONG } from './long.ts'

const ENTRY = fileURLToPath(new URL('../../dist/git-entry.cjs', import.meta.url))

let isStarted = false

/** Once for each process that runs tests. */
export function startHookServer(): void {
  // The server learns of who asks from this folder.
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
  // What it starts takes itself for it, too, and has `install` record it.
  const code = `process.execPath = ${JSON.stringify(process.execPath)}\n`
  writeFileSync(place('exec-path.cjs'), code)
}

function helper(name: string): string {
  return fileURLToPath(new URL(`helpers/${name}`, import.meta.url))
}
