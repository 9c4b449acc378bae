/** Rebases, pushes of many tips, and `status` compared with `check`. */

import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { interleave, median, timeOf } from '../measure.mjs'
import { FLOOR_DRIVER } from '../merges.mjs'
import { EVENTS } from '../repositories.mjs'
import { ratioRow, valueRow } from '../rows.mjs'

const STEPS = 20
const UPSTREAM = 300
const TIPS = 60

/** 20 commits with one event each, onto 300 new events; each rebase is made only once. */
export function measureRebase({ sandbox, repositories, quick }) {
  const folder = repositories.copyOf(repositories.withEvents(1000))
  const git = (...args) => sandbox.git(folder, ...args)
  const rounds = quick ? 1 : 5
  let from = 2000
  const commit = (count) => {
    mkdirSync(join(folder, EVENTS), { recursive: true })
    for (const { name, text } of repositories.eventsAmong(1000, from, count)) {
      writeFileSync(join(folder, EVENTS, name), text)
    }
    from += count
    repositories.commitLedger(folder)
  }
  git('checkout', '-q', '-b', 'upstream', 'main')
  commit(UPSTREAM)
  for (let round = 0; round <= rounds; round++) {
    git('checkout', '-q', '-b', `topic-${round}`, 'main')
    for (let step = 0; step < STEPS; step++) commit(1)
  }
  const rebase = (round, ...options) => {
    git('checkout', '-q', '-f', '--detach', `topic-${round}`)
    return timeOf(() => sandbox.run(folder, 'git', [...options, 'rebase', '-q', 'upstream']))
  }
  const noHooks = ['-c', `core.hooksPath=${sandbox.emptyFolder}`]
  const { ours, hooked, floor } = interleave(
    {
      ours: (round) => rebase(round, ...noHooks),
      hooked: (round) => rebase(round),
      floor: (round) => rebase(round, ...noHooks, '-c', `merge.ledger.driver=${FLOOR_DRIVER}`),
    },
    rounds,
  )
  const work = `rebase of ${STEPS} commits over ${UPSTREAM} new events, 1,000 events`
  return [
    ratioRow({ work, budget: 2, ours, floor, note: 'whole git rebase' }),
    ratioRow({ work: '— with our hooks', ours: hooked, floor }),
  ]
}

/** Our part of pre-push, for many tips compared with one. */
export function measurePush({ sandbox, repositories, quick }) {
  const folder = repositories.withBranches(1000, quick ? 3 : 15)
  const tips = Array.from({ length: TIPS }, (_, i) => {
    const parent = sandbox.git(folder, 'rev-parse', `theirs-${i % 4}`)
    return sandbox.git(folder, 'commit-tree', '-p', parent, '-m', `tip ${i}`, `${parent}^{tree}`)
  })
  const push = (count) => {
    const lines = tips.slice(0, count).map((oid, i) => {
      return `refs/heads/tip-${i} ${oid} refs/heads/tip-${i} ${'0'.repeat(40)}\n`
    })
    const launcher = join(folder, '.git/ledger-git/run')
    const words = ['hook', 'pre-push', 'origin', 'nowhere']
    return timeOf(() => sandbox.run(folder, launcher, words, { input: lines.join('') }))
  }
  const { many, one } = interleave({ many: () => push(TIPS), one: () => push(1) }, quick ? 3 : 15)
  const samples = many.map((millis) => (millis - median(one)) / (TIPS - 1))
  return [
    valueRow({
      work: `push of ${TIPS} tips, each`,
      unit: 'ms',
      budget: 5,
      samples,
      note: 'minus the cost of a single tip',
    }),
  ]
}

export function measureStatus({ sandbox, repositories, quick }) {
  const folder = repositories.withEvents(10_000)
  const run = (command) => () => timeOf(() => sandbox.ledger(folder, command))
  const { ours, floor } = interleave({ ours: run('status'), floor: run('check') }, quick ? 3 : 15)
  return [ratioRow({ work: 'status, 10,000 events, to check', budget: 1.3, ours, floor })]
}
