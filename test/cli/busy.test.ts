import { afterEach, expect, test, vi } from 'vitest'
import { whileBusy } from '../../src/cli/run-on-terminal.ts'
import type { CliContext } from '../../src/cli/command/context.ts'

afterEach(() => void vi.useRealTimers())

/** What a command of `seconds` shows: lines drawn, messages and data; it asks a question half-way. */
async function shown(seconds: number, isTty: boolean): Promise<string[]> {
  vi.useFakeTimers()
  const all: string[] = []
  const parts: Partial<CliContext> = {
    clock: { now: () => Date.now() },
    draw: isTty ? (line) => void all.push(`draw ${line}`) : undefined,
    stdout: (text) => void all.push(`out ${text}`),
    stderr: (text) => void all.push(`err ${text}`),
    ask: async () => {
      await vi.advanceTimersByTimeAsync(2000)
      all.push('answered')
      return true
    },
  }
  await whileBusy('archiving', parts as CliContext, async (inner) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    await inner.ask('go on?')
    inner.stdout('data')
  })
  await vi.advanceTimersByTimeAsync(10_000)
  return all
}

test('on a terminal, is drawn at once and every second, and cleared before any other output', async () => {
  expect(await shown(2, true)).toEqual([
    'draw archiving …',
    'draw archiving … 1 s',
    'draw archiving … 2 s',
    'draw ',
    'answered',
    'out data',
  ])
  expect(await shown(0.5, true)).toEqual(['draw archiving …', 'draw ', 'answered', 'out data'])
})

test('off a terminal, prints one line after five seconds', async () => {
  expect(await shown(4, false)).toEqual(['answered', 'out data'])
  expect(await shown(9, false)).toEqual(['err ledger-git: archiving …\n', 'answered', 'out data'])
})
