/** The fleet's page in a terminal. */

import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { cellWidth } from '../../src/cli/fleet/cell-width.ts'
import { fleetLines } from '../../src/cli/fleet/fleet-view.ts'
import { paintFor } from '../../src/cli/command/paint.ts'
import { ago, BUSY_FLEET, EMPTY_FLEET, NOW } from '../support/fleets.ts'

const plain = paintFor({}, false)
const coloured = paintFor({}, true)
const typed = (command: string) => command

test.each([20, 40, 72, 80, 200])(
  'in %d cells, no line is wider, and colours change nothing else',
  (width) => {
    // A command keeps 20 cells after its margin, so that it can be copied.
    const lines = fleetLines(BUSY_FLEET, { width, now: NOW, paint: plain, typed })
    expect(lines.filter((line) => cellWidth(line) > Math.max(width, 34))).toEqual([])
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([])
    const painted = fleetLines(BUSY_FLEET, { width, now: NOW, paint: coloured, typed })
    expect(painted.join('\n')).not.toBe(lines.join('\n'))
    expect(painted.map(stripVTControlCharacters)).toEqual(lines)
  },
)

test.each([
  ['plain', 5],
  ['日本', 4],
  ['ｗ가', 4],
  ['🚀✅', 4],
  ['e\u0301', 1],
  // The same sign as text and as emoji.
  ['⏱', 1],
  ['⏱\ufe0f', 2],
])('%s takes %d cells', (text, cells) => expect(cellWidth(text)).toBe(cells))

test('shows the first items of a long list, and counts the others', () => {
  const open_questions = Array.from({ length: 5 }, (_, i) => {
    return { text: `Question ${i}?`, agent: 'toast', branch: null, ts: ago(1) }
  })
  const fleet = { ...EMPTY_FLEET, open_questions, more: { ...EMPTY_FLEET.more, open_questions: 2 } }
  const lines = fleetLines(fleet, { width: 80, now: NOW, paint: plain, typed })
  expect(lines.filter((line) => line.includes('Question'))).toHaveLength(3)
  expect(lines).toContain('7 open questions')
  expect(lines).toContain('  and 4 more: git ledger fleet --json')
})

test('removes escapes from errors', () => {
  const error = { part: 'worktrees', subject: 'a\u001b[31mb', message: 'no \u0007\nway' } as const
  const fleet = { ...EMPTY_FLEET, errors: [error] }
  const lines = fleetLines(fleet, { width: 80, now: NOW, paint: plain, typed })
  expect(lines).toContain('  worktrees a\ufffd[31mb: no \ufffd way')
})

test('prints a shared reason for several errors once', () => {
  const message = '.ledger-git.yaml: not valid YAML'
  const errors = ['main', 'one', 'two', 'three'].map((subject) => {
    return { part: 'branches', subject, message } as const
  })
  const linesOf = (fleet: typeof EMPTY_FLEET) =>
    fleetLines(fleet, { width: 120, now: NOW, paint: plain, typed })
  const title = '4 things could not be read'
  const names = '  branches main, branches one, branches two and 1 more'
  expect(linesOf({ ...EMPTY_FLEET, errors }).slice(-2)).toEqual([title, `${names}: ${message}`])
  const told = { kind: 'broken', subject: 'main', message, since: null, command: null } as const
  const lines = linesOf({ ...EMPTY_FLEET, errors, attention: [told] })
  expect(lines.slice(-2)).toEqual([title, `${names}: see above`])
})

test('counts branches that are left out, and names the command that shows them', () => {
  const linesOf = (count: number) => {
    const one = { head: 'aaaaaaaaa', fresh: true, ahead: 1, behind: 0, would_change: [], more: 0 }
    const branches = Array.from({ length: count }, (_, i) => ({ name: `b${i}`, ...one }))
    const fleet = { ...EMPTY_FLEET, branches, more: { ...EMPTY_FLEET.more, branches: 2 } }
    return fleetLines(fleet, { width: 80, now: NOW, paint: plain, typed })
  }
  expect(linesOf(5)).toContain('  and 2 more: git ledger fleet --all-branches')
  expect(linesOf(6)).toContain('  and 3 more: git ledger fleet --all-branches --json')
})
