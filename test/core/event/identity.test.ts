import { describe, expect, test } from 'vitest'
import { resolveAgent, resolveBranch } from '../../../src/core/event/identity.ts'

const sources = {
  flag: 'flag',
  env: { LEDGER_AGENT: 'ledger', BD_ACTOR: 'actor', GT_ROLE: 'rig/polecats/role' },
  folder: '/gt/rig/polecats/toast/src',
  userName: 'A Person',
}

describe('resolveAgent takes the first that is set', () => {
  test('in order from the most to the least explicit source', () => {
    expect(resolveAgent(sources)).toBe('flag')
    const noFlag = { ...sources, flag: undefined }
    expect(resolveAgent(noFlag)).toBe('ledger')
    expect(resolveAgent({ ...noFlag, env: { ...sources.env, LEDGER_AGENT: '' } })).toBe('actor')
    expect(resolveAgent({ ...noFlag, env: { GT_ROLE: 'rig/polecats/role' } })).toBe(
      'rig/polecats/role',
    )
    expect(resolveAgent({ ...noFlag, env: {} })).toBe('toast')
    expect(resolveAgent({ ...noFlag, env: {}, folder: '/home/me' })).toBe('A Person')
  })

  test('ignores a role without a name', () => {
    expect(resolveAgent({ ...sources, flag: undefined, env: { GT_ROLE: 'polecat' } })).toBe('toast')
  })

  test('treats whitespace as not set, and always returns a name', () => {
    expect(resolveAgent({ flag: ' ', env: {}, folder: '/', userName: '\t' })).toBe('unknown')
    expect(resolveAgent({ flag: undefined, env: {}, folder: '', userName: undefined })).toBe(
      'unknown',
    )
  })

  test('finds the polecat only as a complete path element', () => {
    const at = (folder: string) =>
      resolveAgent({ flag: undefined, env: {}, folder, userName: undefined })
    expect(at('/gt/polecats/nux')).toBe('nux')
    expect(at('/gt/polecats')).toBe('unknown')
    expect(at('/gt/my-polecats/nux')).toBe('unknown')
  })
})

test('resolveBranch returns HEAD, else the branch from Gas Town, else detached', () => {
  expect(resolveBranch('main', { GT_BRANCH: 'other' })).toBe('main')
  expect(resolveBranch(undefined, { GT_BRANCH: 'polecat/toast' })).toBe('polecat/toast')
  expect(resolveBranch(undefined, { GT_BRANCH: '' })).toBe('(detached)')
  expect(resolveBranch(undefined, {})).toBe('(detached)')
})
