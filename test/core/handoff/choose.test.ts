import { expect, test } from 'vitest'
import { handoffOfBranch, handoffsOfBranch } from '../../../src/core/handoff/choose.ts'
import { readHandoff } from '../../../src/core/handoff/handoff.ts'

const named = (name: string, { branch = 'main', updated = '', front = '' }) => ({
  name,
  handoff: readHandoff(
    `---\nbranch: ${branch}\n${front}---\n\n## Ledger\n**Updated:** ${updated}\n`,
  ),
})
const names = (all: readonly { name: string }[]) => all.map(({ name }) => name)

test('lists the open handoffs of the branch, last updated first, by instant rather than text', () => {
  const all = [
    named('undated', {}),
    named('old', { updated: '2026-01-01T00:00:00Z' }),
    named('sydney', { updated: '2026-01-02T08:00:00+10:00' }),
    named('new', { updated: '2026-01-01T23:00:00Z and prose' }),
    named('other', { branch: 'topic', updated: '2027-01-01T00:00:00Z' }),
    named('over', { updated: '2027-01-01T00:00:00Z', front: 'status: complete\n' }),
  ]
  expect(names(handoffsOfBranch(all, 'main'))).toEqual(['new', 'sydney', 'old', 'undated'])
  expect(handoffOfBranch(all, 'main')?.name).toBe('new')
  expect(handoffOfBranch(all, 'nowhere')).toBeUndefined()
  expect(handoffsOfBranch(all, undefined)).toEqual([])
})

test('chooses none on a tie, reads the branch from the Ledger, and requires a Ledger', () => {
  const tie = ['a', 'b'].map((name) => named(name, { updated: '2026-01-01' }))
  expect(handoffOfBranch(tie, 'main')).toBeUndefined()
  const loose = { name: 'loose', handoff: readHandoff('## Ledger\n**Branch:** `main`\n') }
  expect(handoffOfBranch([loose], 'main')).toBe(loose)
  const none = { name: 'none', handoff: readHandoff('---\nbranch: main\n---\n\n# Notes\n') }
  expect(handoffOfBranch([none], 'main')).toBeUndefined()
})
