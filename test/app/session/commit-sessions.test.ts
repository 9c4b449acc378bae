/**
 * Which session a commit belongs to if it was made in another worktree than the session's, and what is included with
 * it.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followRewrite } from '../../../src/app/session/commit-sessions.ts'
import { checkpoints } from '../../sessions/readers.ts'
import { Actor, commitBy, MINUTE, Stage } from './actors.ts'
import { shadowPaths, shadowRefs } from '../shadow/shadow-repo.ts'
import { longTest } from '../../support/long.ts'

test('a commit in another worktree belongs to the session that made it, whose own base stays', async () => {
  const stage = new Stage()
  const topic = stage.worktree('topic')
  const agent = new Actor(stage, 'agent')
  await agent.turn({ 'first.txt': 'first\n' })
  await agent.prompt('Commit over there')
  stage.repo.write('second.txt', 'second\n')
  const before = await stage.state('agent')
  const refs = shadowRefs(stage.repo)
  topic.write('there.txt', 'there\n')
  const [id = ''] = await agent.commit('feat: there', topic)
  expect(await stage.state('agent')).toMatchObject({
    phase: 'active_committed',
    pendingCheckpoint: id,
    base: before?.base,
    worktree: before?.worktree,
  })
  expect(shadowRefs(stage.repo)).toEqual(refs)

  // Reworded in that worktree: the link follows, the base does not.
  const old = topic.git('rev-parse', 'HEAD')
  topic.git('commit', '-q', '--amend', '-m', `feat: over there\n\nLedger-Checkpoint: ${id}`)
  const made = topic.git('rev-parse', 'HEAD')
  await stage.within(topic, agent.pid, (context) => followRewrite(context, `${old} ${made}\n`))
  await agent.signal('turn_end')
  expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ commits: [made] })
  const after = await stage.state('agent')
  expect(after).toMatchObject({ base: before?.base, awaiting: [], phase: 'idle' })
  expect(after?.filesTouched.toSorted()).toEqual(['first.txt', 'second.txt'])
  expect(shadowPaths(stage.repo, 'sessions/agent/files').toSorted()).toEqual([
    'first.txt',
    'second.txt',
  ])
})

longTest(
  'an idle session that commits in another worktree keeps its files for its own worktree',
  async () => {
    const stage = new Stage()
    const topic = stage.worktree('topic')
    topic.commit('moved on', { 'x.txt': 'x\n' })
    const agent = new Actor(stage, 'agent')
    await agent.turn({ 'first.txt': 'first\n' })
    const before = await stage.state('agent')
    topic.write('there.txt', 'there\n')
    const [id = ''] = await agent.commit('feat: there', topic)
    const made = topic.git('rev-parse', 'HEAD')
    expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ commits: [made] })
    expect(await stage.state('agent')).toMatchObject({
      base: before?.base,
      filesTouched: ['first.txt'],
      lastCheckpoint: id,
    })
    expect(shadowPaths(stage.repo, 'sessions/agent/files')).toEqual(['first.txt'])
    const [next = ''] = await commitBy(stage, undefined, 'feat: first')
    expect(checkpoints(stage.repo)[next]?.['agent']).toMatchObject({ files: ['first.txt'] })
  },
)

test('a commit in another worktree that no session made belongs to none', async () => {
  const stage = new Stage()
  const topic = stage.worktree('topic')
  await new Actor(stage, 'agent').prompt('Think')
  topic.write('there.txt', 'there\n')
  expect(await commitBy(stage, undefined, 'by hand', topic)).toEqual([])
})

longTest(
  'the checkpoint at the end of a turn with a commit includes the sessions beside it',
  async () => {
    const stage = new Stage()
    const [maker, idle, part] = [
      new Actor(stage, 'maker'),
      new Actor(stage, 'idle', 200),
      new Actor(stage, 'part', 300),
    ]
    await part.turn({ 'part.txt': 'part\n' })
    await maker.prompt('Write and commit')
    stage.repo.write('mine.txt', 'mine\n')
    const [id = ''] = await maker.commit('feat: mine')
    const made = stage.repo.git('rev-parse', 'HEAD')
    stage.now += MINUTE
    // What it says after its own part was written belongs to its next checkpoint.
    await part.turn({})
    await idle.turn({})
    const before = await stage.state('idle')
    await maker.signal('turn_end')
    const stored = checkpoints(stage.repo)[id]
    expect(stored).toMatchObject({
      maker: { commits: [made] },
      idle: { commits: [], files: [], prompts: 'idle: write ' },
      part: { commits: [made], files: ['part.txt'], prompts: 'part: write part.txt' },
    })
    expect(await stage.state('idle')).toEqual(before)
  },
)

test("files that a person changes after a turn broke off are not the session's work", async () => {
  const stage = new Stage()
  const agent = new Actor(stage, 'agent')
  await agent.prompt('Write')
  stage.repo.write('named.txt', 'named\n')
  const files = [join(stage.repo.folder, 'named.txt')]
  const tool = { name: 'Write', files, mayWrite: false, todos: undefined }
  await agent.signal('tool_used', { tool })
  stage.life = 'gone'
  stage.now += 3 * MINUTE
  stage.repo.write('mine.txt', 'a person\n')
  expect(await commitBy(stage, undefined, 'by hand', stage.repo, 'mine.txt')).toEqual([])
  // A file that one of the session's tools named is.
  const [id = ''] = await commitBy(stage, undefined, 'the rest')
  expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ files: ['named.txt'] })
})

test("a person's commit of an idle session's work: its checkpoint includes the sessions beside it", async () => {
  const stage = new Stage()
  const [rests, beside] = [new Actor(stage, 'rests'), new Actor(stage, 'beside', 200)]
  await rests.turn({ 'mine.txt': 'mine\n' })
  await beside.turn({})
  const [id = ''] = await commitBy(stage, undefined, 'feat: mine')
  expect(Object.keys(checkpoints(stage.repo)[id] ?? {}).toSorted()).toEqual(['beside', 'rests'])
})

test('commits a file whose name is not UTF-8 like any other', async () => {
  const stage = new Stage()
  const agent = new Actor(stage, 'agent')
  await agent.prompt('Make the file')
  stage.repo.write('deep/a.txt', 'a\n')
  const folder = Buffer.from(`${stage.repo.folder}/deep/latin-`)
  writeFileSync(Buffer.concat([folder, Buffer.from([0xe9, 0xff])]), 'bytes\n')
  await agent.signal('turn_end')
  expect((await stage.state('agent'))?.filesTouched).toHaveLength(2)
  await agent.commit('feat: the file')
  expect(await stage.state('agent')).toMatchObject({ filesTouched: [] })
})
