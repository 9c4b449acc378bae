import { describe, expect, test } from 'vitest'
import { resolveAgent, resolveBranch } from '../../../src/core/event/identity.ts'

const sources = {
  flag: 'flag',
  env: { LEDGER_AGENT: 'ledger', BD_ACTOR: 'actor', GT_ROLE: 'rig/polecats/role' },
  folder: '/gt/rig/polecats/toast/src',
  userName: 'A Person',
}

describe('resolveAgent takes the first that is set', () => {
  test('from the most to the least explicit', () => {
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

  test('a bare role names nobody', () => {
    expect(resolveAgent({ ...sources, flag: undefined, env: { GT_ROLE: 'polecat' } })).toBe('toast')
  })

  test('white space counts as not set, and somebody is always named', () => {
    expect(resolveAgent({ flag: ' ', env: {}, folder: '/', userName: '\t' })).toBe('unknown')
    expect(resolveAgent({ flag: undefined, env: {}, folder: '', userName: undefined })).toBe(
      'unknown',
    )
  })

  test('the polecat is a whole path element', () => {
    const at = (folder: string) =>
      resolveAgent({ flag: undefined, env: {}, folder, userName: undefined })
    expect(at('/gt/polecats/nux')).toBe('nux')
    expect(at('/gt/polecats')).toBe('unknown')
    expect(at('/gt/my-polecats/nux')).toBe('unknown')
  })
})

test('resolveBranch: HEAD, else what Gas Town says, else detached', () => {
  expect(resolveBranch('main', { GT_BRANCH: 'other' })).toBe('main')
  expect(resolveBranch(undefined, { GT_BRANCH: 'polecat/toast' })).toBe('polecat/toast')
  expect(resolveBranch(undefined, { GT_BRANCH: '' })).toBe('(detached)')
  expect(resolveBranch(undefined, {})).toBe('(detached)')
})
