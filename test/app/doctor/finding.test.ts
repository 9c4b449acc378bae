import { expect, test } from 'vitest'
import { broken, warning, withoutEffects } from '../../../src/app/doctor/finding.ts'

test('hides the ledger finding if git ignores events, but not if git ignores too little', () => {
  const ledger = warning('ledger', 'current.md was edited by hand', 'ledger-git resolve')
  const named = (cause: typeof ledger) => withoutEffects([cause, ledger]).map(({ name }) => name)
  expect(named(warning('ignored', 'git does not ignore it', 'x'))).toEqual(['ignored', 'ledger'])
  expect(named(broken('ignored', 'git ignores events', 'x'))).toEqual(['ignored'])
})
