/** Behaviour that is specific to Gemini CLI: its to-do list. */

import { expect, test } from 'vitest'
import { events } from '../sessions/readers.ts'
import { connected, play } from './play.ts'
import { isNotHere } from './programs.ts'

test.skipIf(isNotHere('gemini'))(
  "Gemini CLI's to-do list tells the event what is done, current and next",
  async () => {
    const repo = connected('gemini')
    const todos = [
      { description: 'Write the parser', status: 'completed' },
      { description: 'Wire it into the CLI', status: 'in_progress' },
      { description: 'Print dates', status: 'pending' },
    ]
    await play(repo, 'gemini', 'Add a parser', [
      { tools: [{ name: 'write_todos', input: { todos } }] },
      { text: 'I stop here.' },
    ])
    const [event] = events(repo)
    expect(event).toContain('this_session:\n  - Write the parser\n')
    expect(event).toContain('next:\n  - Print dates\n')
    expect(event).toMatch(/^now: .*Wire it into the CLI/m)
  },
)
