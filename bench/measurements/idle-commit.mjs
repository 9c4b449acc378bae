/** `git commit` with our hooks and nothing for them to do, compared with the same commit without hooks. */

import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { interleave, median, timeOf } from '../measure.mjs'
import { differenceRow } from '../rows.mjs'

export function measureIdleCommit({ sandbox, repositories, quick }) {
  const hooked = repositories.copyOf(repositories.withEvents(1000))
  const bare = withoutHooks(repositories.copyOf(hooked))
  const { ours, floor, node } = interleave(
    {
      ours: () => commitIn(sandbox, hooked),
      floor: () => commitIn(sandbox, bare),
      node: () => timeOf(() => sandbox.run(sandbox.folder, process.execPath, ['-e', '0'])),
    },
    quick ? 15 : 60,
  )
  const start = median(node)
  const share = (median(ours) - median(floor)) / start
  const work = 'git commit, hooks installed, nothing for them to do'
  const note = `${share.toFixed(2)} of a bare Node start (${start.toFixed(1)} ms)`
  return [differenceRow({ work, budget: 12, ours, floor, note })]
}

/** The same repository without a hook in it. */
function withoutHooks(copy) {
  for (const path of ['hooks', 'ledger-git/hooks', 'ledger-git/config-hooks']) {
    rmSync(join(copy, '.git', path), { recursive: true, force: true })
  }
  return copy
}

function commitIn(sandbox, folder) {
  appendFileSync(join(folder, 'README.md'), 'one more line\n')
  sandbox.run(folder, 'git', ['add', 'README.md'])
  return timeOf(() => sandbox.run(folder, 'git', ['commit', '-q', '-m', 'docs: one more line']))
}
