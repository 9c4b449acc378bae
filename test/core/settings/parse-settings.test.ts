import { describe, expect, test } from 'vitest'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { parseSettings as parseFile } from '../../../src/core/settings/parse-settings.ts'
import { DEFAULT_SETTINGS, parseDuration } from '../../../src/core/settings/settings.ts'

const parseSettings = (text: string) => parseFile(text).settings

function refusal(text: string): string {
  try {
    parseSettings(text)
  } catch (error) {
    expect(error).toBeInstanceOf(LedgerError)
    expect(error).toMatchObject({ code: 'SETTINGS_INVALID', next: 'edit .ledger-git.yaml' })
    return (error as Error).message
  }
  throw new Error(`accepted: ${text}`)
}

describe('parseSettings', () => {
  test('every key is optional', () => {
    const group = 'archive:\n  # after: 3d\n'
    for (const text of ['', '\n', '# nothing\n', '{}', '\ufeff', group]) {
      expect(parseSettings(text)).toEqual(DEFAULT_SETTINGS)
    }
  })

  test('accepts nested and dotted keys', () => {
    const all = {
      root: 'notes/here',
      maxDriftMillis: 7_200_000,
      protectedBranches: ['main', '1.10'],
      onEvent: 'file',
      archiveAfterMillis: 86_400_000,
      archiveKeepMillis: 90 * 86_400_000,
    }
    const nested =
      'ledger:\n  root: ./notes/here/\nclock: {max_drift: 2h}\n' +
      'commit:\n  protected: [main, 1.10]\nsynthesize:\n  on_event: file\n' +
      'archive:\n  after: 1d\n  keep: 90d\n'
    expect(parseSettings(nested)).toMatchObject(all)
    expect(parseSettings(`\ufeff${nested.replaceAll('\n', '\r\n')}`)).toMatchObject(all)
    expect(parseSettings('ledger.root: notes/here')).toMatchObject({ root: 'notes/here' })
    expect(parseSettings('commit.protected: main')).toMatchObject({ protectedBranches: ['main'] })
    expect(parseSettings('commit.protected:')).toMatchObject({ protectedBranches: [] })
    expect(parseSettings('archive.keep: forever')).toEqual(DEFAULT_SETTINGS)
  })

  test('reports an unknown key with its line and the nearest known key', () => {
    expect(refusal('\n\nledger:\n  rot: x\n')).toMatch(
      /line 4: unknown key ledger\.rot; did you mean ledger\.root\?/,
    )
    expect(refusal('clock:\n  drift: 5m')).toMatch(/did you mean clock\.max_drift\?/)
    expect(refusal('synthesise.on_event: file')).toMatch(/did you mean synthesize\.on_event\?/)
    expect(refusal('__proto__: x')).toMatch(/line 1: unknown key __proto__/)
    expect(refusal('constructor: x')).toMatch(/unknown key constructor/)
    expect(refusal(`${'x'.repeat(1000)}: 1`)).toMatch(/unknown key x/)
  })

  test('reports a bad value with what was expected, and where', () => {
    for (const root of [
      '/abs',
      '..',
      'a/../b',
      '.',
      './',
      'a//b',
      '.git',
      'a/.git/b',
      '""',
      'a\\b',
    ])
      expect(refusal(`# one\nledger:\n  root: ${root}\n`)).toMatch(
        /line 3: ledger\.root has a bad value \(expected: a folder below the top/,
      )
    expect(refusal('ledger:\n  root: "a\\nb"')).toMatch(/ledger\.root has a bad value/)
    expect(refusal('ledger.root: [a]')).toMatch(/ledger\.root has a bad value/)
    expect(refusal('clock.max_drift: soon')).toMatch(/expected: a duration such as 5m/)
    expect(refusal('clock.max_drift: 5')).toMatch(/a duration/)
    expect(refusal('commit.protected: [main, [x]]')).toMatch(/a list of branch names/)
    expect(refusal('synthesize.on_event: always')).toMatch(/memory or file/)
    expect(refusal('archive.after: forever')).toMatch(/expected: a duration such as 7d/)
    expect(refusal('archive.keep: ever')).toMatch(/expected: forever, or a duration such as 90d/)
    expect(refusal('archive.keep:')).toMatch(/archive\.keep has a bad value/)
  })

  test('rejects a documents folder inside the ledger, where documents would be read as events', () => {
    for (const handoffs of [
      'thoughts/shared/handoffs/events',
      './thoughts/shared/handoffs/Archive/x/',
    ])
      expect(refusal(`context:\n  handoffs: ${handoffs}`)).toMatch(
        /line 2: context\.handoffs is a folder of the ledger's own/,
      )
    expect(refusal('context.handoffs: notes/events\nledger.root: notes')).toMatch(/line 1: context/)
    for (const handoffs of ['thoughts/shared/handoffs', 'thoughts/shared/handoffs/eventsx'])
      expect(parseSettings(`context.handoffs: ${handoffs}`).handoffs).toBe(handoffs)
  })

  test('records the line of each key', () => {
    const file = '\ufeff\nmode: tracked\nledger:\n\n  root:\n    notes\ncommit.protected:\n'
    expect([...parseFile(file).lines]).toEqual([
      ['mode', 2],
      ['ledger.root', 5],
      ['commit.protected', 7],
    ])
    expect(parseFile('').lines.size).toBe(0)
    expect(refusal('\ufeff\nmode: both')).toMatch(/line 2: mode/)
  })

  test.each([
    ['mode: untracked\n\nmode: tracked\n', 'line 3: mode is already set in line 1'],
    ['ledger:\n  root: a\nledger:\n  root: a\n', 'line 4: ledger.root is already set in line 2'],
    ['ledger.root: a\nledger: {root: b}\n', 'line 2: ledger.root is already set in line 1'],
  ])('rejects a key that is set twice: %j', (text, what) => expect(refusal(text)).toContain(what))

  test('rejects invalid YAML and anything but a map', () => {
    expect(refusal('a: b: c')).toMatch(/not valid YAML/)
    expect(refusal('- a')).toMatch(/expected a map at the top/)
    expect(refusal('word')).toMatch(/expected a map at the top/)
  })

  test('accepts a number or a boolean as a folder name', () => {
    expect(parseSettings('ledger.root: 1.10').root).toBe('1.10')
    expect(parseSettings('ledger.root: true').root).toBe('true')
  })
})

test('parseDuration reads a number with a known unit, and nothing else', () => {
  const read = ['0s', '90s', '5m', '2h', '7d', ' 10 ms ', '5', '', '-1s', '1.5h', '1w', '5M']
  expect(read.map(parseDuration)).toEqual([
    0,
    90_000,
    300_000,
    7_200_000,
    604_800_000,
    10,
    ...Array.from({ length: 6 }, () => undefined),
  ])
})
