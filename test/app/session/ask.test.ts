/** `session.ask` on real git, with a clock that the test sets. */

import { beforeEach, describe, expect, test } from 'vitest'
import { Actor, MINUTE, Stage } from './actors.ts'

let stage: Stage
let actor: Actor

/** A turn that changes a file and ends an hour later. */
async function work(path = 'new.txt', about: object = { mayAsk: true }) {
  await actor.prompt('Write it')
  stage.repo.write(path, `${stage.now}\n`)
  stage.now += 60 * MINUTE
  return actor.signal('turn_end', about)
}

beforeEach(() => {
  stage = new Stage({ '.ledger-git.yaml': 'session.ask: on\n', 'old.txt': 'old\n' })
  actor = new Actor(stage, 'one')
})

describe('at the end of a turn with unrecorded work', () => {
  test('the agent is asked once', async () => {
    expect((await work()).ask).toContain('event add --agent claude --session one')
    stage.now += 60 * MINUTE
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toBeUndefined()
    await actor.prompt('Explain it')
    stage.now += 60 * MINUTE
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toBeUndefined()
  })

  test('the agent is asked again about new work, an interval later', async () => {
    await work()
    expect((await work('newer.txt')).ask).toContain('event add')
  })

  test('a tool that names a file counts as work', async () => {
    await work()
    await actor.prompt('Again')
    stage.now += 60 * MINUTE
    const tool = { name: 'Edit', files: ['new.txt'], mayWrite: false, todos: undefined }
    await actor.signal('tool_used', { tool })
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toContain('event add')
  })

  test('a commit counts as work', async () => {
    await actor.prompt('Write it')
    stage.repo.write('new.txt', 'new\n')
    await actor.commit('new')
    stage.now += 60 * MINUTE
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toContain('event add')
  })

  test('the step is saved even if the agent is asked', async () => {
    await work()
    expect(await stage.state('one')).toMatchObject({ phase: 'idle', filesTouched: ['new.txt'] })
  })
})

describe('the agent', () => {
  test('is not asked if it recorded its work in the meantime', async () => {
    await actor.prompt('Write it')
    stage.repo.write('new.txt', 'new\n')
    stage.now += 60 * MINUTE
    const ts = new Date(stage.now + 1).toISOString()
    stage.repo.write(
      `thoughts/shared/handoffs/events/own.md`,
      `---\nts: ${ts}\nagent: claude\ntype: note\n---\nnow: tested\n`,
    )
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toBeUndefined()
  })

  test('is asked although another agent recorded something', async () => {
    const ts = new Date(stage.now + 1).toISOString()
    stage.repo.write(
      `thoughts/shared/handoffs/events/other.md`,
      `---\nts: ${ts}\nagent: gemini\ntype: note\n---\nnow: tested\n`,
    )
    expect((await work()).ask).toContain('event add')
  })

  test('is not asked if a hook already made it continue', async () => {
    expect((await work('new.txt', { mayAsk: undefined })).ask).toBeUndefined()
  })

  test('is not asked without work', async () => {
    await actor.prompt('Explain it')
    stage.now += 60 * MINUTE
    expect((await actor.signal('turn_end', { mayAsk: true })).ask).toBeUndefined()
  })

  test('is not asked if session.ask is off', async () => {
    stage.repo.write('.ledger-git.yaml', 'session.ask: off\n')
    expect((await work()).ask).toBeUndefined()
  })
})
