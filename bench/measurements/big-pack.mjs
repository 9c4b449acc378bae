/** The same work in a repository that also holds a large pack of incompressible data. */

import { createCipheriv } from 'node:crypto'
import { coldCheck, coldCheckMemory } from '../cold-check.mjs'
import { interleave } from '../measure.mjs'
import { Merges, NODE } from '../merges.mjs'
import { peakMemoryOf, REPORTING } from '../peak-memory.mjs'
import { importCommit } from '../repositories.mjs'
import { ratioRow, valueRow } from '../rows.mjs'

const MEGABYTE = 1024 * 1024

export function measureBigPack({ sandbox, repositories, quick }) {
  const [events, megabytes, rounds] = quick ? [1000, 100, 2] : [10_000, 500, 7]
  const without = new Merges(sandbox, repositories.withBranches(events, rounds))
  const packed = new Merges(sandbox, repositories.copyOf(without.folder))
  addAssets(sandbox, packed.folder, megabytes)
  const sides = [packed, without]
  const where = `${events.toLocaleString('en')} events, ${megabytes} MB pack`
  for (const merges of sides) merges.warmUp()
  return [
    timeRow(`merge driver, ${where}`, sides, rounds, (merges, round) =>
      merges.merge(`theirs-${round}`),
    ),
    timeRow(`check --rev, cold, ${where}`, sides, rounds, ({ folder }) =>
      coldCheck(sandbox, folder),
    ),
    memoryRow('— peak memory of the driver', sides, quick, (merges) =>
      driverMemory(sandbox, merges),
    ),
    memoryRow('— peak memory of the check', sides, quick, ({ folder }) =>
      coldCheckMemory(sandbox, folder),
    ),
  ]
}

function timeRow(work, [packed, without], rounds, run) {
  const subjects = { ours: (round) => run(packed, round), floor: (round) => run(without, round) }
  const note = 'with the pack, compared with no pack'
  return ratioRow({ work, budget: 1.2, ...interleave(subjects, rounds), note })
}

function memoryRow(work, [packed, without], quick, memoryOf) {
  const samples = Array.from({ length: quick ? 1 : 3 }, () => memoryOf(packed))
  const own = 'the Node process only'
  const note = quick ? own : `${own}; ${memoryOf(without).toFixed(0)} MB without the pack`
  return valueRow({ work, unit: 'MB', budget: 120, samples, note })
}

/** Adds bytes that look random and are the same in every run, on a branch that nobody checks out. */
function addAssets(sandbox, folder, megabytes) {
  const stream = createCipheriv('aes-256-ctr', Buffer.alloc(32, 1), Buffer.alloc(16))
  const zeros = Buffer.alloc(MEGABYTE)
  const files = Array.from({ length: megabytes }, (_, i) => [
    `assets/${i}.bin`,
    stream.update(zeros),
  ])
  importCommit(sandbox, folder, 'assets', files, { parent: false, compression: 0 })
}

function driverMemory(sandbox, merges) {
  merges.warmUp()
  const words = [...REPORTING, sandbox.gitCli].map((word) => `'${word}'`).join(' ')
  const driver = `${NODE} ${words} merge-driver %O %A %B %L %P %S %X %Y`
  return peakMemoryOf(sandbox, (env) => merges.merge('theirs-1', driver, env))
}
