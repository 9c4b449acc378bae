/** Snapshots of maximum size: git never takes one for a renamed file. */

import { expect, test } from 'vitest'
import { foldSnapshots } from '../../src/app/archive/fold-snapshots.ts'
import type { StoredEvent } from '../../src/app/archive/fold-snapshots.ts'
import { readCanonicalEvent } from '../../src/core/event/canonical-event.ts'
import type { LedgerEvent } from '../../src/core/event/event.ts'
import { newSnapshot } from '../../src/core/event/snapshot.ts'
import { renderEvent } from '../../src/core/event/write-event.ts'
import type { Repo } from '../support/git-repo.ts'
import { Sandbox } from '../support/git-repo.ts'
import { event, instant } from '../support/arbitraries.ts'
import { sampleOf } from '../support/long.ts'

const LIMIT = 256 * 1024

function stored(events: readonly LedgerEvent[]): StoredEvent[] {
  return events.map((event) => ({ event, bytes: new Uint8Array() }))
}

/** Events that say nearly the same; `each`: bytes of text in each of them. */
function similarEvents(count: number, each: number, from = 0): LedgerEvent[] {
  return Array.from({ length: count }, (_, i) => {
    const file = `2026-01-02T00-00-00Z_toast_${String(from + i).padStart(8, '0')}.md`
    return event({
      file,
      id: (from + i).toString(16).padStart(40, '0'),
      ts: instant('2026-01-02T00:00:00Z'),
      now: `Fix bug ${from + i} of the parser`,
      next: ['The same long list of what comes next. '.repeat(Math.ceil(each / 39)).slice(0, each)],
    })
  })
}

/** The largest snapshot of a prefix of these events that does not exceed the limit. */
function fill(pool: readonly LedgerEvent[], limit: number): { text: string; count: number } {
  let [low, high] = [0, pool.length]
  const textOf = (count: number) => textOfSnapshot(pool.slice(0, count))
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (textOf(middle).length <= limit) low = middle
    else high = middle
  }
  return { text: textOf(low), count: low }
}

function textOfSnapshot(events: readonly LedgerEvent[]): string {
  const snapshot = newSnapshot(events)
  if (snapshot === undefined) throw new Error('no snapshot')
  return renderEvent(snapshot)
}

/** Both sides removed `old`; one of them added `added`. */
function clash(repo: Repo, old: string, added: string): { renames: string; merged: string } {
  repo.git('switch', '-q', '--orphan', `base-${repo.sandbox.seconds}`)
  const base = repo.commit('base', { 'old.md': old, 'keep.txt': 'keep\n' })
  repo.git('rm', '-q', 'old.md')
  const theirs = repo.commit('folded', { 'new.md': added })
  repo.git('switch', '-q', '--detach', base)
  repo.git('rm', '-q', 'old.md')
  const ours = repo.commit('folded too', { 'other.txt': 'x\n' })
  return {
    renames: repo.git('diff', '-M50%', '-l0', '--name-status', '--diff-filter=R', base, theirs),
    merged: repo.tryGit('merge-tree', '--write-tree', '--name-only', ours, theirs).stdout,
  }
}

const LOADS: [string, number, number][] = [
  ['many short events', 2000, 40],
  ['a few long ones', 60, 8000],
  ['a handful of huge ones', 8, 28_000],
]
test.each(sampleOf(LOADS, 3))(
  'git sees no rename between snapshots near the limit that differ by one event: %s',
  (_, many, each) => {
    const repo = new Sandbox().init()
    const pool = similarEvents(many, each)
    const { count } = fill(pool, LIMIT)
    const larger = textOfSnapshot(pool.slice(0, count))
    const smaller = textOfSnapshot(pool.slice(0, count - 1))
    const shifted = textOfSnapshot(pool.slice(1, count))
    expect(larger.length).toBeGreaterThan(LIMIT * 0.6)
    for (const [old, added] of [
      [smaller, larger],
      [larger, smaller],
      [smaller, shifted],
    ] as const) {
      const { renames, merged } = clash(repo, old, added)
      expect(renames).toBe('')
      expect(merged).not.toContain('CONFLICT')
    }
  },
)

test('one archiving writes snapshots within the limit that git does not take for renames', () => {
  const repo = new Sandbox().init()
  const pool = similarEvents(1500, 100)
  const { snapshots, tooLarge } = foldSnapshots(stored(pool), [], new Set())
  expect(tooLarge).toEqual([])
  expect(snapshots.length).toBeGreaterThan(1)
  for (const { text } of snapshots) expect(text.length).toBeLessThanOrEqual(LIMIT)
  const [first, second] = snapshots
  expect(clash(repo, first?.text ?? '', second?.text ?? '')).toMatchObject({ renames: '' })

  const [last] = snapshots.slice(-1)
  const read = readCanonicalEvent({ file: last?.file ?? '', id: 'aa', text: last?.text ?? '' })
  const folded = { event: read as LedgerEvent, bytes: Buffer.from(last?.text ?? '') }
  const again = foldSnapshots(stored(similarEvents(1, 100, 5000)), [folded], new Set())
  const { renames, merged } = clash(repo, last?.text ?? '', again.snapshots[0]?.text ?? '')
  expect([renames, merged.includes('CONFLICT')]).toEqual(['', false])
})

test('archiving does not fold a snapshot with hand-written text, which would be lost', () => {
  const text = textOfSnapshot(similarEvents(2, 100))
  const file = '2026-01-02T00-00-00Z_ledger-git_00000000.md'
  const event = readCanonicalEvent({ file, id: 'aa', text }) as LedgerEvent
  const folded = (bytes: string) =>
    foldSnapshots(
      stored(similarEvents(1, 100, 5000)),
      [{ event, bytes: Buffer.from(bytes) }],
      new Set(),
    ).folded
  expect([folded(text), folded(`${text}\nby hand\n`)]).toEqual([[file], []])
})
