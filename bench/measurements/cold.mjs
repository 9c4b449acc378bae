/** A first run on 10,000 events, compared with reading the same blobs and doing nothing with them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { coldCheck } from '../cold-check.mjs'
import { interleave, timeOf } from '../measure.mjs'
import { EVENTS } from '../repositories.mjs'
import { ratioRow } from '../rows.mjs'

const READ_BLOBS = fileURLToPath(new URL('../programs/read-blobs.mjs', import.meta.url))

export function measureCold({ sandbox, repositories, quick }) {
  const folder = repositories.withEvents(10_000)
  const ids = join(sandbox.folder, 'blob-ids')
  writeFileSync(ids, `${blobIds(sandbox, folder).join('\n')}\n`)
  const { ours, floor } = interleave(
    {
      ours: () => coldCheck(sandbox, folder),
      floor: () => timeOf(() => sandbox.run(folder, process.execPath, [READ_BLOBS, ids])),
    },
    quick ? 2 : 15,
  )
  return [ratioRow({ work: 'check --rev, 10,000 events, cold', budget: 2.5, ours, floor })]
}

function blobIds(sandbox, folder) {
  const lines = sandbox.git(folder, 'ls-tree', '-r', `main:${EVENTS}`).split('\n')
  return lines.filter((line) => line.endsWith('.md')).map((line) => line.split(/\s/)[2])
}
