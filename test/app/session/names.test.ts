/** Simultaneous sessions of one agent on one branch: neither overwrites what the other left. */

import { expect, test } from 'vitest'
import { previewWorktree } from '../../../src/app/commit/synthesize.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import { Actor, MINUTE, Stage } from './actors.ts'

async function turn(actor: Actor, step: string): Promise<void> {
  await actor.prompt(`Do ${step}`)
  const todos = [
    { id: undefined, text: `begin ${step}`, status: 'in_progress' },
    { id: undefined, text: `ship ${step}`, status: 'pending' },
  ] as const
  const tool = { name: 'TodoWrite', files: [], mayWrite: false, todos: { kind: 'list', todos } }
  await actor.signal('tool_used', { tool: tool as never })
  await actor.signal('turn_end')
}

function ledger(stage: Stage) {
  return stage.within(stage.repo, undefined, async ({ repository }) => {
    const { ledger: read } = await previewWorktree(repository, DEFAULT_SETTINGS.root, {
      write: false,
    })
    return {
      agents: read.agents.map(({ by }) => by.agent).toSorted(),
      next: read.next.map(({ value }) => value),
    }
  })
}

test('two names, two rows, two lists; the next one that is alone ends the additional name', async () => {
  const stage = new Stage()
  const [first, second] = [new Actor(stage, 'first', 100), new Actor(stage, 'second', 200)]
  await turn(first, 'a')
  await turn(second, 'b')
  const extra = (await stage.state('second'))?.name ?? ''
  expect(extra).toMatch(/^claude-[0-9a-f]{4}$/)
  stage.now += MINUTE
  await second.end()
  stage.now += MINUTE
  await first.end()
  expect(await ledger(stage)).toEqual({
    agents: ['claude', extra],
    next: ['ship b', 'ship a'],
  })

  stage.now += MINUTE
  const third = new Actor(stage, 'third', 300)
  await turn(third, 'c')
  stage.now += MINUTE
  await third.end()
  expect(await ledger(stage)).toEqual({ agents: ['claude'], next: ['ship c'] })
})

test('a session that goes on after its end leaves its name to who has it now', async () => {
  const stage = new Stage()
  const [first, second] = [new Actor(stage, 'first', 100), new Actor(stage, 'second', 200)]
  await turn(first, 'a')
  await first.end()
  await turn(second, 'b')
  expect(await stage.state('second')).toMatchObject({ name: 'claude' })
  await turn(first, 'c')
  expect((await stage.state('first'))?.name).toMatch(/^claude-[0-9a-f]{4}$/)
  expect(await stage.state('second')).toMatchObject({ name: 'claude' })
})

test('one whose agent is gone, or that works in another worktree, has nobody give way', async () => {
  const stage = new Stage()
  await turn(new Actor(stage, 'first', 100), 'a')
  const elsewhere = new Actor(stage, 'elsewhere', 200)
  await elsewhere.prompt('Do b', stage.worktree('topic'))
  expect(await stage.state('elsewhere')).toMatchObject({ name: 'claude' })
  stage.life = 'gone'
  await turn(new Actor(stage, 'second', 300), 'c')
  expect(await stage.state('second')).toMatchObject({ name: 'claude' })
})
