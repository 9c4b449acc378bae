/**
 * `npm run bench`: every budget as a ratio to a floor that is measured in the same run.
 *
 *   npm run bench -- [--quick] [--only NAME]... [--json FILE] [--cli FILE]
 *
 * Builds its own repositories in a temporary folder. docs/performance.md explains the lines of the table.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Events } from './events.mjs'
import { load } from './bundle.mjs'
import { machineFacts } from './machine.mjs'
import { measureBigPack } from './measurements/big-pack.mjs'
import { measureCold } from './measurements/cold.mjs'
import { measureDashboard } from './measurements/dashboard.mjs'
import { measureIdleCommit } from './measurements/idle-commit.mjs'
import { measureLongLogs } from './measurements/long-logs.mjs'
import { measureMergeDriver } from './measurements/merge-driver.mjs'
import { measurePeers } from './measurements/peers.mjs'
import { measureReaders } from './measurements/readers.mjs'
import { measureScale } from './measurements/scale.mjs'
import { measureIdleSessions } from './measurements/sessions.mjs'
import { measurePush, measureRebase, measureStatus } from './measurements/ways.mjs'
import { Repositories } from './repositories.mjs'
import { Sandbox } from './sandbox.mjs'
import { renderTable } from './table.mjs'

const HERE = fileURLToPath(new URL('./', import.meta.url))

/** Each measurement gets the context and returns one or more rows of the table. */
const MEASUREMENTS = {
  'idle-commit': measureIdleCommit,
  'merge-driver-1k': (bench) => measureMergeDriver(bench, { events: 1000, budget: 2, first: 2.5 }),
  'merge-driver-10k': (bench) =>
    measureMergeDriver(bench, { events: 10_000, budget: 2, first: 3.5 }),
  rebase: measureRebase,
  'push-60': measurePush,
  'status-10k': measureStatus,
  'cold-10k': measureCold,
  'big-pack': measureBigPack,
  'scale-100k': measureScale,
  'sessions-idle': measureIdleSessions,
  'long-logs': measureLongLogs,
  dashboard: measureDashboard,
  readers: measureReaders,
  peers: measurePeers,
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(MEASUREMENTS) },
    json: { type: 'string', default: join(HERE, 'results.json') },
    cli: { type: 'string', default: join(HERE, '../dist/main.js') },
  },
})
const unknown = options.only.filter((name) => !Object.hasOwn(MEASUREMENTS, name))
if (unknown.length > 0) {
  console.error(
    `unknown measurement: ${unknown.join(', ')}; known: ${Object.keys(MEASUREMENTS).join(', ')}`,
  )
  process.exit(2)
}

const sandbox = new Sandbox(options.cli)
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
process.on('exit', () => sandbox.remove())

const say = (text) => process.stderr.write(`${text}\n`)
const events = new Events(await load('core/event/write-event.ts', 'core/event/instant.ts'))
const repositories = new Repositories(sandbox, events, say)
const machine = machineFacts(sandbox)
const rows = []
for (const name of options.only) {
  const start = performance.now()
  say(`${name} …`)
  const measured = await MEASUREMENTS[name]({ sandbox, repositories, quick: options.quick, say })
  say(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  rows.push(...measured.map((row) => ({ name, ...row })))
  // Written after each measurement, so that an interrupted run keeps its results.
  const result = { machine, quick: options.quick, rows }
  writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`)
  await setImmediate() // lets signal handlers run
}
process.stdout.write(`${renderTable(rows, { machine, quick: options.quick })}\n`)
