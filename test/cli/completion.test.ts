/** What may come at the end of a command line. */

import { expect, test } from 'vitest'
import { TABLE } from '../../src/cli/cli.ts'
import { completionLines } from '../../src/cli/complete.ts'
import type { Source } from '../../src/cli/completion-words.ts'
import { askedAt } from '../../src/cli/completion-words.ts'

const at = (line: string) => askedAt(line.split(' '), TABLE)
const values = (line: string) => at(line).candidates.map(({ value }) => value)

test('offers commands, groups, and commands of groups', () => {
  expect(values('')).toEqual(expect.arrayContaining(['show', 'event', 'help']))
  expect(values('event ')).toEqual(TABLE.groups['event']?.commands.map(({ name }) => name))
  expect(values('help ')).toContain('event')
  expect(values('help event ')).toContain('retract')
  for (const line of ['nonesuch ', 'event nonesuch ', 'help nonesuch ', 'toString ']) {
    expect(at(line), line).toEqual({ candidates: [] })
  }
})

test('offers each option once, repeatable ones again, and the negation of options that default to on', () => {
  expect(values('check --')).toEqual(expect.arrayContaining(['--staged', '--json', '--help']))
  expect(values('check --staged --')).not.toContain('--staged')
  expect(values('event add --done x --')).toContain('--done')
  expect(values('archive --')).toContain('--no-confirm')
  expect(values('archive --')).not.toContain('--confirm')
  expect(values('show ')).toContain('--agent')
})

const SOURCES: readonly (readonly [line: string, source: Source | undefined])[] = [
  ['show --agent ', 'agents'],
  ['show --agent toast --rev ', 'revisions'],
  ['show --rev=', 'revisions'],
  ['log --branch ', 'branches'],
  ['event show ', 'events'],
  ['event retract a ', 'events'],
  ['event show a ', undefined],
  ['event retract --reason ', undefined],
  ['event retract --reason why ', 'events'],
  ['why ', 'keys'],
  ['diff ', 'revisions'],
  ['diff a ', 'revisions'],
  ['preview ', 'branches'],
  ['session show ', 'sessions'],
  ['checkpoint show ', 'checkpoints'],
  ['handoff resume ', 'handoffs'],
  ['config ', 'settings'],
  ['event validate ', undefined],
]

test.each(SOURCES)('%s asks for %s', (line, source) => {
  expect(at(line).source).toBe(source)
})

test('offers values known to the command table, for arguments and options', () => {
  expect(values('completion ')).toEqual(['bash', 'zsh', 'fish'])
  expect(values('install --agent ')).toEqual(['claude', 'codex', 'gemini'])
  const steps = ['start', 'pass', 'fail', 'skip'].map((value) => ({ value, about: '' }))
  expect(at('handoff phase ')).toEqual({ candidates: steps, source: 'handoffs' })
  expect(at('handoff phase auth ')).toEqual({ candidates: steps, source: undefined })
  expect(at('handoff phase auth --tests 1/1 pa').candidates).toEqual(steps)
  expect(at('handoff phase auth --note pass ').candidates).toEqual(steps)
  for (const line of ['handoff phase pass ', 'handoff phase auth pass '])
    expect(at(line), line).toEqual({ candidates: [] })
})

test('keeps every answer to one line of a word and its description, and drops hostile values', () => {
  const hostile = ['a b', '$(touch x)', '`x`', 'a\nb', "a'b", 'a;b', 'ok/1.2@x']
  const lines = completionLines(
    hostile.map((value) => ({ value, about: 'x\n\u001b[31my\tz' })),
    '',
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^ok\/1\.2@x\t/)
  expect(lines[0]).not.toContain('\u001b')
  expect(lines[0]).not.toContain('\n')
})
