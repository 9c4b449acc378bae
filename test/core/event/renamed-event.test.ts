/** The guard of an event that replaces another one. */

import { expect, test } from 'vitest'
import { GUARD_START, withOwnGuard, withoutGuard } from '../../../src/core/event/rename-guard.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'

const guardOf = (text: string) => text.split('\n').find((line) => line.startsWith(GUARD_START))
const text = renderEvent({ ts: '2026-01-10T13:03:52Z', agent: 'toast', now: 'a secret' })

test('another text has another guard, one, and nothing else changes', () => {
  const renamed = withOwnGuard(text.replace('a secret', 'gone'))
  expect(guardOf(renamed)).toBeDefined()
  expect(guardOf(renamed)).not.toBe(guardOf(text))
  expect(withoutGuard(renamed)).toBe(withoutGuard(text).replace('a secret', 'gone'))
  expect(withOwnGuard(renamed)).toBe(renamed)
  expect(guardOf(renamed)).not.toBe(guardOf(withOwnGuard(text)))
})

test('an event without one gets it: below a bare body, within a fence', () => {
  const head = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n\n'
  const bare = withOwnGuard(`${head}now: x\n\n`)
  expect(bare.startsWith(`${head}now: x\n${GUARD_START}`)).toBe(true)
  const fenced = withOwnGuard(`${head}\`\`\`ledger\nnow: x\n\`\`\`\n`)
  expect(fenced).toMatch(/now: x\n# rename-guard: [^\n]*\n```\n$/)
})
