import { describe, expect, test } from 'vitest'
import { handoffName } from '../../../src/app/ledger/ledger-sources.ts'
import { textToName } from '../../../src/core/git/objects.ts'

describe('handoffName', () => {
  test.each([
    ['notes/auth/current.md', 'auth'],
    ['notes/größe $x/current.md', 'größe $x'],
    ['notes/archived/current.md', 'archived'],
    ['notes/current.md', undefined],
    ['notes/events/current.md', undefined],
    ['notes/archive/current.md', undefined],
    ['notes/a/b/current.md', undefined],
    ['notes/auth/Current.md', undefined],
    ['notes/auth/xcurrent.md', undefined],
    ['notes//current.md', undefined],
    ['other/auth/current.md', undefined],
    ['notes2/auth/current.md', undefined],
  ])('%s: %s', (path, name) => {
    expect(handoffName(textToName(path), 'notes')).toBe(name)
  })

  test('works with the top folder as root, and with a root that is not ASCII', () => {
    expect(handoffName('auth/current.md', '')).toBe('auth')
    expect(handoffName(textToName('nötes/auth/current.md'), 'nötes')).toBe('auth')
  })
})
