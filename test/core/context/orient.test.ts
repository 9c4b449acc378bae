import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContextHandoff } from '../../../src/core/context/handoff-document.ts'
import { orientText } from '../../../src/core/context/orient.ts'

const AROUND = { path: '.claude/handoffs/a.md', issues: [] }

function handoffWith(next: readonly string[], done: readonly string[]) {
  const part = (title: string, lines: readonly string[]) =>
    `## ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}\n`
  const text = `---\nsession_date: 2026-01-07\n---\n\n# Context Checkpoint\n\n${part('Next Steps', next)}${part('Completed', done)}`
  const read = readContextHandoff(text)
  if (read === undefined) throw new Error('not a document of a context checkpoint')
  return read
}

test('leaves out whole lines that do not fit, least important first, and counts them', () => {
  const lines = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { maxLength: 6 })
  const whole = orientText(handoffWith([], []), AROUND)
  fc.assert(
    fc.property(lines, lines, fc.nat(300), (next, done, more) => {
      const room = whole.length + 40 + more
      const text = orientText(handoffWith(next, done), AROUND, room)
      expect(text.length).toBeLessThanOrEqual(room)
      const shown = text.split('\n').filter((line) => line.startsWith('- ')).length
      const left = Number(/\((\d+) lines left out\)/.exec(text)?.[1] ?? 0)
      expect(shown + left).toBe(next.length + done.length)
      const titled = ['Next Steps:', 'Completed:'].filter((one) => text.includes(`\n${one}\n- `))
      expect(titled.length > 0).toBe(shown > 0)
      expect(text).not.toMatch(/^(?:Next Steps|Completed):\n(?!- )/m)
      if (left === 0) expect(text).not.toContain('left out')
    }),
  )
})
