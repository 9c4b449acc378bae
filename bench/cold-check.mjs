/** `ledger-git check --rev` with nothing kept from an earlier run. */

import { timeOf } from './measure.mjs'
import { peakMemoryOf, REPORTING } from './peak-memory.mjs'
import { forgetCache } from './repositories.mjs'

export function coldCheck(sandbox, folder, revision = 'main') {
  forgetCache(folder)
  return timeOf(() => sandbox.ledger(folder, 'check', '--rev', revision))
}

/** Megabytes. */
export function coldCheckMemory(sandbox, folder) {
  forgetCache(folder)
  const words = [...REPORTING, sandbox.cli, 'check', '--rev', 'main']
  return peakMemoryOf(sandbox, (env) => sandbox.run(folder, process.execPath, words, { env }))
}
