/** Simultaneous sessions of one agent on one branch do not overwrite each other's lists. */

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

test('two sessions get two names, rows and lists; the next lone session ends the extra name', async () => {
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

test('a session that continues after its end leaves the name to the session that has it now', async () => {
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

test('a session that is gone or in another worktree forces no extra name on others', async () => {
  const stage = new Stage()
  await turn(new Actor(stage, 'first', 100), 'a')
  const elsewhere = new Actor(stage, 'elsewhere', 200)
  await elsewhere.prompt('Do b', stage.worktree('topic'))
  expect(await stage.state('elsewhere')).toMatchObject({ name: 'claude' })
  stage.life = 'gone'
  await turn(new Actor(stage, 'second', 300), 'c')
  expect(await stage.state('second')).toMatchObject({ name: 'claude' })
})
