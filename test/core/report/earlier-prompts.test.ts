/** The prompts of a session that a long log has before the part that was read. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { withEarlierPrompts } from '../../../src/core/report/earlier-prompts.ts'
import { goalOf } from '../../../src/core/report/session-goal.ts'
import { NO_WORK } from './endings.ts'

const prompt = (text: string): TranscriptEntry => ({ kind: 'prompt', text })
const unread = (text: string): TranscriptEntry => ({ kind: 'prompt', text, isUnread: true })
const said = (text: string): TranscriptEntry => ({ kind: 'assistant', text })
const promptsOf = (entries: readonly TranscriptEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))

test('wherever the part that was read begins, all prompts are there, each as often as the user sent it', () => {
  const texts = fc.array(fc.constantFrom('continue', 'Add a limit', 'yes', ' yes\n'), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(texts, fc.nat(8), (prompts, from) => {
      const read = prompts.slice(from).flatMap((text) => [prompt(text), said('Done.')])
      const cut = [said('The end of a turn.'), ...read]
      const whole = withEarlierPrompts(cut, prompts)
      const trimmed = (list: readonly string[]) => list.map((text) => text.trim())
      expect(trimmed(promptsOf(whole))).toEqual(trimmed(prompts))
      expect(whole.slice(-cut.length)).toEqual(cut)
    }),
  )
})

test('a prompt that the hook cut, or that the log has in other words, is not added beside its own entry', () => {
  const long = 'Add a limit of 100 a minute. '.repeat(200)
  const entries = [said('…'), prompt(long), said('Done.')]
  expect(withEarlierPrompts(entries, ['Look around', long.slice(0, 4000)])).toEqual([
    unread('Look around'),
    ...entries,
  ])
  const expanded = [said('…'), prompt('Execute the plan: add a limit'), prompt('yes')]
  expect(promptsOf(withEarlierPrompts(expanded, ['/plan add a limit', 'yes']))).toEqual(
    promptsOf(expanded),
  )
  const other = [said('…'), prompt('Execute the plan: add a limit')]
  expect(withEarlierPrompts(other, ['/plan add a limit'])).toEqual(other)
})

test('the goal begins with the first request, although nothing is known to be done for it', () => {
  const edit: TranscriptEntry = {
    kind: 'tool',
    tool: { name: 'Edit', files: ['/a/b.ts'], mayWrite: false, todos: undefined },
    label: 'Edit b.ts',
  }
  const first = 'when I log in on a phone, the menu is hidden'
  const read = [said('…'), prompt('Count the requests of each user'), edit, said('Counted.')]
  const entries = withEarlierPrompts(read, [first, 'Count the requests of each user'])
  const goal = goalOf({ ...NO_WORK, entries, firstPrompt: first, ledgerHasGoal: false })
  expect(goal).toBe(`${first}; then: Count the requests of each user`)
})

test('a prompt that no hook reported takes the place of none', () => {
  const cut = [said('Each user has a counter.'), prompt('/model opus'), prompt('Show the counts')]
  const reported = ['Add a limit', 'Count by user', 'Show the counts']
  expect(withEarlierPrompts(cut, reported)).toEqual([unread('Count by user'), ...cut])
})

test('what a program says about the whole session stays first', () => {
  const entries: TranscriptEntry[] = [{ kind: 'title', text: 'Limits' }, said('…')]
  expect(withEarlierPrompts(entries, ['Add a limit'])).toEqual([
    { kind: 'title', text: 'Limits' },
    unread('Add a limit'),
    said('…'),
  ])
  const [title] = entries
  expect(withEarlierPrompts([title as TranscriptEntry], ['Add a limit'])).toEqual([
    title,
    unread('Add a limit'),
  ])
})
