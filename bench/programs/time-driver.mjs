/**
 * A merge driver that times two others on the same merge: `node -e 0`, and our launcher, which does the
 * work.
 *
 *   time-driver.mjs OUT ours-first|floor-first LAUNCHER %O %A %B …
 *
 * Appends `{ours, floor}` in milliseconds to OUT. Inside git, since ours needs what git sets up.
 */

import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const [out, order, launcher, ...args] = process.argv.slice(2)
const COMMANDS = { floor: [process.execPath, '-e', '0'], ours: [launcher, 'merge-driver', ...args] }
const names = order === 'ours-first' ? ['ours', 'floor'] : ['floor', 'ours']

const times = {}
for (const name of names) {
  const [program, ...words] = COMMANDS[name]
  const start = performance.now()
  const { status } = spawnSync(program, words, { stdio: 'inherit' })
  times[name] = performance.now() - start
  if (status !== 0) process.exitCode = 1
}
appendFileSync(out, `${JSON.stringify(times)}\n`)
