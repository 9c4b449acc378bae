/** The guard of an event that replaces another event. */

import { expect, test } from 'vitest'
import { GUARD_START, withOwnGuard, withoutGuard } from '../../../src/core/event/rename-guard.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'

const guardOf = (text: string) => text.split('\n').find((line) => line.startsWith(GUARD_START))
const text = renderEvent({ ts: '2026-01-10T13:03:52Z', agent: 'toast', now: 'a secret' })

test('gives a changed text one different guard, and changes nothing else', () => {
  const renamed = withOwnGuard(text.replace('a secret', 'gone'))
  expect(guardOf(renamed)).toBeDefined()
  expect(guardOf(renamed)).not.toBe(guardOf(text))
  expect(withoutGuard(renamed)).toBe(withoutGuard(text).replace('a secret', 'gone'))
  expect(withOwnGuard(renamed)).toBe(renamed)
  expect(guardOf(renamed)).not.toBe(guardOf(withOwnGuard(text)))
})

test('adds a missing guard below a bare body or inside the fence', () => {
  const head = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n\n'
  const bare = withOwnGuard(`${head}now: x\n\n`)
  expect(bare.startsWith(`${head}now: x\n${GUARD_START}`)).toBe(true)
  const fenced = withOwnGuard(`${head}\`\`\`ledger\nnow: x\n\`\`\`\n`)
  expect(fenced).toMatch(/now: x\n# rename-guard: [^\n]*\n```\n$/)
})
