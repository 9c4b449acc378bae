/** How sessions end: reported by their agent, late, twice or from elsewhere, or not reported at all. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reapSessions } from '../../../src/app/session/reap-sessions.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'
import { Actor, commitBy, DAY, Stage } from './actors.ts'

/** The texts of all events, ordered by time. */
function events({ repo }: Stage): string[] {
  if (!repo.exists(EVENTS)) return []
  const folder = join(repo.folder, EVENTS)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** A turn that says something, after which the session is idle. */
async function turn(actor: Actor, said: string, about = {}): Promise<void> {
  await actor.prompt(`${actor.session}: say ${said}`)
  await actor.signal('turn_end', { lastMessage: said, ...about })
}

/** Cleans up as a background process does. */
const cleanUp = (stage: Stage) =>
  stage.within(stage.repo, undefined, (context) => reapSessions(context, { isPending: true }))

const heardBy = async (actor: Actor) => (await actor.start()).context ?? ''

describe('an end that the agent reports', () => {
  test('is written once, however often it is reported, and the next session reads it', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await turn(agent, 'The parser is done.')
    await agent.end()
    stage.now += 60_000
    await agent.end()
    expect(events(stage)).toHaveLength(1)
    expect(await heardBy(new Actor(stage, 'second'))).toContain('The parser is done.')
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
  })

  test('after the next session started in the same process ends only the first session', async () => {
    const stage = new Stage()
    stage.life = 'daemon'
    const first = new Actor(stage, 'first')
    await turn(first, 'The parser is done.')
    const second = new Actor(stage, 'second')
    // No event is written yet, and the next session reads it anyway.
    expect(await heardBy(second)).toContain('The parser is done.')
    expect(events(stage)).toEqual([])
    await second.prompt('Go on')
    await first.end()
    await first.end()
    expect(events(stage)).toHaveLength(1)
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
    expect(await stage.state('second')).toMatchObject({ phase: 'active' })
    expect(await heardBy(new Actor(stage, 'third'))).toContain('The parser is done.')
  })

  test('that cannot be written is written by the next clean-up, for a week', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await turn(agent, 'The parser is done.')
    stage.repo.write('thoughts', 'a file, where the folder should be\n')
    await agent.end()
    expect(await stage.state('first')).toMatchObject({ phase: 'idle', owner: { pid: 100 } })
    stage.life = 'gone'
    await cleanUp(stage)
    expect(await stage.state('first')).toMatchObject({ phase: 'idle' })
    const other = new Actor(stage, 'other')
    await turn(other, 'The printer is done.')
    rmSync(join(stage.repo.folder, 'thoughts'))
    await cleanUp(stage)
    expect(events(stage).join()).toContain('The parser is done.')
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })

    rmSync(join(stage.repo.folder, 'thoughts'), { recursive: true })
    await turn(agent, 'Again.')
    stage.repo.write('thoughts', 'a file\n')
    stage.now += 8 * DAY
    await cleanUp(stage)
    expect((await stage.state('first'))?.phase).not.toBe('idle')
  })

  test.each([
    ['a daemon that it shares', 'daemon', 100],
    ['a process that it has left', 'alive', 200],
  ] as const)('from %s ends no turn of a session that was resumed', async (_, life, pid) => {
    const stage = new Stage()
    stage.life = life
    const before = new Actor(stage, 'first')
    await turn(before, 'The parser is done.')
    const agent = new Actor(stage, 'first', pid)
    await agent.start(stage.repo, 'resume')
    await agent.prompt('Go on')
    await before.end()
    expect(await stage.state('first')).toMatchObject({ phase: 'active' })
    expect(events(stage)).toEqual([])
    stage.repo.write('late.txt', 'late\n')
    await agent.signal('turn_end', { lastMessage: 'The printer, too.' })
    expect(await stage.state('first')).toMatchObject({ phase: 'idle', filesTouched: ['late.txt'] })
    await agent.end()
    expect(events(stage)).toHaveLength(1)
    expect(events(stage)[0]).toContain('The printer, too.')
  })

  test('from a process that a session has left does not end the session while it is idle', async () => {
    const stage = new Stage()
    const before = new Actor(stage, 'first')
    await turn(before, 'The parser is done.')
    const agent = new Actor(stage, 'first', 200)
    await agent.start(stage.repo, 'resume')
    await before.end()
    expect(await stage.state('first')).toMatchObject({ phase: 'idle', owner: { pid: 200 } })
  })
})

describe('an end that nobody reports', () => {
  test('of an agent killed while idle is written by the next start; commits in between leave it idle', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await turn(agent, 'The parser is done.')
    stage.life = 'gone'
    stage.repo.write('b.txt', 'b\n')
    await commitBy(stage, undefined, 'feat: b')
    expect(await stage.state('first')).toMatchObject({ phase: 'idle' })
    expect(await heardBy(new Actor(stage, 'second', 200))).toContain('The parser is done.')
    expect(events(stage)).toHaveLength(1)
    expect(events(stage)[0]).toContain('reason: timed out')
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
  })

  test.each(sampleOf(['daemon', 'unknown'] as const, 2))(
    'of a session whose process is %s is written after a day',
    async (life) => {
      const stage = new Stage()
      stage.life = life
      await turn(new Actor(stage, 'first'), 'The parser is done.')
      stage.now += DAY
      await new Actor(stage, 'second').start()
      expect(await stage.state('first')).toMatchObject({ phase: 'idle' })
      stage.now += 1
      await new Actor(stage, 'third').start()
      expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
      expect(events(stage)).toHaveLength(1)
    },
  )

  test('of an agent killed while idle is written by a clean-up, for its own branch, without moving HEAD', async () => {
    const stage = new Stage()
    stage.repo.git('switch', '-q', '-c', 'topic')
    await turn(new Actor(stage, 'first'), 'The parser is done.')
    stage.repo.git('switch', '-q', '-')
    const head = stage.repo.git('rev-parse', 'HEAD')
    await cleanUp(stage)
    expect(events(stage)).toEqual([])
    stage.life = 'gone'
    await cleanUp(stage)
    await cleanUp(stage)
    expect(events(stage)).toHaveLength(1)
    expect(events(stage)[0]).toMatch(/^branch: topic$/m)
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })
    expect(stage.repo.git('rev-parse', 'HEAD')).toBe(head)
  })

  test.each([
    ['alive', true, 'active'],
    ['unknown', true, 'active'],
    ['gone', false, 'active'],
    ['gone', true, 'ended'],
  ] as const)('of an open turn whose process is %s: asked is %s', async (life, isAsked, phase) => {
    const stage = new Stage()
    await new Actor(stage, 'first').prompt('Write a parser')
    stage.life = life
    const reaping = { isPending: true, isAsked }
    await stage.within(stage.repo, undefined, (context) => reapSessions(context, reaping))
    expect(await stage.state('first')).toMatchObject({ phase })
  })

  test('of a session whose worktree was removed is written by the next start elsewhere', async () => {
    const stage = new Stage()
    const topic = stage.worktree('topic')
    const agent = new Actor(stage, 'first')
    await agent.prompt('Write a parser', topic)
    topic.write('parser.txt', 'parser\n')
    await agent.signal('turn_end', { lastMessage: 'The parser is done.' }, topic)
    stage.repo.git('worktree', 'remove', '--force', topic.folder)
    const next = new Actor(stage, 'second', 200)
    await next.start()
    expect(events(stage)).toEqual([])
    stage.life = 'gone'
    expect(await heardBy(next)).toContain('The parser is done.')
    await next.start()
    expect(events(stage)).toHaveLength(1)
    expect(events(stage)[0]).toMatch(/^branch: topic$/m)
    expect(events(stage)[0]).toContain('reason: timed out')
  })

  test('of an agent killed while it wrote its event uses that event', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await turn(agent, 'The parser is done.')
    const file = join(stage.repo.folder, '.git/ledger-git/sessions/first.json')
    const before = readFileSync(file)
    stage.now += 1000
    await agent.end()
    writeFileSync(file, before)
    stage.life = 'gone'
    stage.now += 1000
    expect(await heardBy(new Actor(stage, 'second', 200))).toContain('The parser is done.')
    expect(events(stage)).toHaveLength(1)
    expect(await stage.state('first')).toMatchObject({ phase: 'ended' })

    // It continues after all: its next end is a separate event.
    stage.now += 1000
    await turn(agent, 'The printer, too.')
    stage.now += 1000
    await agent.end()
    expect(events(stage)).toHaveLength(2)
  })

  test('of an agent that is alive is never written', async () => {
    const stage = new Stage()
    await turn(new Actor(stage, 'first'), 'The parser is done.')
    stage.now += 30 * DAY
    await new Actor(stage, 'second', 200).start()
    expect(await stage.state('first')).toMatchObject({ phase: 'idle' })
    expect(events(stage)).toEqual([])
  })
})

describe('an idle session is reported before its end', () => {
  test('to the next session of the same agent and worktree, until it is active again', async () => {
    const stage = new Stage()
    const first = new Actor(stage, 'first')
    await turn(first, 'The parser is done.')
    const other = await new Actor(stage, 'other', 200).signal('session_start', { agent: 'codex' })
    expect(other.context ?? '').not.toContain('The parser is done.')
    const elsewhere = await new Actor(stage, 'elsewhere', 200).start(stage.worktree('topic'))
    expect(elsewhere.context ?? '').not.toContain('The parser is done.')
    expect(await heardBy(new Actor(stage, 'second', 200))).toContain('The parser is done.')
    await first.prompt('Go on')
    expect(await heardBy(new Actor(stage, 'third', 200))).not.toContain('The parser is done.')
  })
})

describe('a session without a reported prompt', () => {
  const tool = (file: string) => ({
    tool: { name: 'Write', files: [file], mayWrite: true, todos: undefined },
  })

  test('begins with a tool, and its end says what it did', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await agent.start()
    stage.repo.write('a.txt', 'a\n')
    await agent.signal('tool_used', tool('a.txt'))
    expect(await stage.state('first')).toMatchObject({ phase: 'active', filesTouched: ['a.txt'] })
    await agent.signal('turn_end', { lastMessage: 'The parser is done.' })
    await agent.end()
    expect(events(stage)).toHaveLength(1)
    expect(events(stage)[0]).toContain('The parser is done.')
    expect(events(stage)[0]).toContain('Changed, not committed: a.txt')
  })

  test('names what is in no commit at its end, whoever committed the rest', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    await agent.start()
    await agent.prompt('Write three files')
    for (const file of ['a.txt', 'b.txt', 'c.txt']) {
      stage.repo.write(file, 'new\n')
      await agent.signal('tool_used', tool(file))
    }
    stage.repo.git('add', 'a.txt')
    stage.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'by hand', 'a.txt')
    stage.repo.write('b.txt', 'edited by somebody\n')
    await agent.signal('turn_end', { lastMessage: 'The files are written.' })
    await agent.end()
    expect(events(stage)[0]).toContain('Changed, not committed: b.txt, c.txt')
    expect(events(stage)[0]).not.toContain('not committed: a.txt')
  })

  test('commits its work with a checkpoint', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    stage.repo.write('a.txt', 'a\n')
    await agent.signal('tool_used', tool('a.txt'))
    expect(await agent.commit('feat: a')).toHaveLength(1)
    await agent.signal('turn_end')
    expect(await stage.state('first')).toMatchObject({
      phase: 'idle',
      pendingCheckpoint: undefined,
    })
  })

  test("does not begin with a subagent's tool, a subagent's end or the end of a turn", async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'first')
    const subagent = { id: 'helper', transcript: undefined }
    await agent.signal('tool_used', { ...tool('a.txt'), subagent })
    await agent.signal('subagent_end', { subagent })
    await agent.signal('turn_end', { lastMessage: 'Hi.' })
    await agent.end()
    expect(await stage.state('first')).toBeUndefined()
    expect(events(stage)).toEqual([])
  })
})
