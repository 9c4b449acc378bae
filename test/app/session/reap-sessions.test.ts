/** Sessions whose work no commit will contain: they are put away once that is known, and their work is kept. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoints } from '../../sessions/readers.ts'
import { holdBranch } from '../checkpoint/checkpoints.ts'
import { Actor, commitBy, DAY, MINUTE, Stage } from './actors.ts'
import { shadowRefs, shadowText } from '../shadow/shadow-repo.ts'
import { longTest, sampleOf } from '../../support/long.ts'

/** A session that wrote two files and ended, what happens then, and the start of another session after some time. */
async function ended(
  afterwards: (stage: Stage) => void | Promise<unknown>,
  wait = 31 * MINUTE,
): Promise<Stage> {
  const stage = new Stage()
  const agent = new Actor(stage, 'gone')
  await agent.turn({ 'new.txt': 'an idea\n', 'old.txt': 'old\nand an idea\n' })
  await agent.end()
  await afterwards(stage)
  stage.now += wait
  await new Actor(stage, 'next', 200).start()
  return stage
}

const throwAway = ({ repo }: Stage) => {
  repo.git('restore', '--staged', '--worktree', 'old.txt')
  rmSync(join(repo.folder, 'new.txt'))
}

describe('a session that ended', () => {
  test('with discarded work is put away: condensed, with its files in shadow data', async () => {
    const stage = await ended(throwAway)
    expect(await stage.open()).toEqual([])
    const state = await stage.state('gone')
    expect(state).toMatchObject({ isLeftBehind: true, filesTouched: ['new.txt', 'old.txt'] })
    const [[id, sessions] = []] = Object.entries(checkpoints(stage.repo))
    expect(id).toBe(state?.lastCheckpoint)
    expect(sessions?.['gone']).toMatchObject({
      commits: [],
      prompts: 'gone: write new.txt, old.txt',
    })
    expect(shadowText(stage.repo, 'sessions/gone/files/new.txt')).toBe('an idea')
    expect(() => shadowText(stage.repo, 'sessions/gone/prompts.txt')).toThrow()

    // Others come and go at the same base: the files stay, and they are reported once.
    const next = new Actor(stage, 'next', 200)
    await next.turn({ 'b.txt': 'b\n' })
    await next.commit('feat: b')
    await next.start()
    expect(shadowText(stage.repo, 'sessions/gone/files/new.txt')).toBe('an idea')
    expect((await stage.state('gone'))?.lastCheckpoint).toBe(id)
    expect(Object.keys(checkpoints(stage.repo))).toHaveLength(2)
  })

  test('is not put away until its checkpoint can be written', async () => {
    let release = () => {}
    const stage = await ended((at) => {
      throwAway(at)
      release = holdBranch(at.repo)
    })
    expect(checkpoints(stage.repo)).toEqual({})
    expect(await stage.state('gone')).toMatchObject({ isLeftBehind: false })
    release()
    await new Actor(stage, 'next', 200).start()
    expect(await stage.state('gone')).toMatchObject({ isLeftBehind: true })
    expect(Object.values(checkpoints(stage.repo)).flatMap(Object.keys)).toEqual(['gone'])
  })

  const WHERE: [string, (stage: Stage) => void | Promise<unknown>][] = [
    ['in the worktree', () => {}],
    ['touched up', ({ repo }) => repo.write('old.txt', 'quite another idea\n')],
    [
      'in the index only',
      (stage) => {
        stage.repo.git('add', 'new.txt')
        rmSync(join(stage.repo.folder, 'new.txt'))
        stage.repo.git('restore', 'old.txt')
      },
    ],
    ['in a stash', ({ repo }) => void repo.git('stash', '-q', '-u')],
  ]
  test.each(sampleOf(WHERE, 6))(
    'keeps waiting for a commit while its work is %s, for a week at most',
    async (_, afterwards) => {
      const stage = await ended(afterwards)
      expect(await stage.open()).toEqual(['gone'])
      expect(checkpoints(stage.repo)).toEqual({})
      stage.now += 8 * DAY
      await new Actor(stage, 'next', 200).start()
      expect(await stage.open()).toEqual([])
      expect(await stage.state('gone')).toMatchObject({ isLeftBehind: true })
    },
  )

  longTest('recently is left alone, because its work may come back', async () => {
    const stage = await ended(throwAway, 29 * MINUTE)
    expect(await stage.open()).toEqual(['gone'])
  })

  test('with work that was committed without hooks is finished, and leaves no shadow data', async () => {
    const stage = await ended(({ repo }) => void repo.commit('past the hooks'))
    expect(await stage.open()).toEqual([])
    expect(await stage.state('gone')).toMatchObject({ isLeftBehind: false, filesTouched: [] })
    expect(shadowRefs(stage.repo)).toEqual([])
  })

  test('without work is forgotten', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'gone')
    await agent.turn({})
    await agent.end()
    stage.now += 31 * MINUTE
    await new Actor(stage, 'next', 200).start()
    expect(await stage.state('gone')).toBeUndefined()
    expect([shadowRefs(stage.repo), checkpoints(stage.repo)]).toEqual([[], {}])
  })

  longTest('and was put away continues where it stopped when it is resumed', async () => {
    const stage = await ended(throwAway)
    const agent = new Actor(stage, 'gone')
    await agent.turn({ 'new.txt': 'an idea\n' })
    expect(await stage.state('gone')).toMatchObject({ isLeftBehind: false, phase: 'idle' })
    const [id] = await commitBy(stage, undefined, 'feat: new')
    expect(checkpoints(stage.repo)[id ?? '']?.['gone']).toMatchObject({
      files: expect.arrayContaining(['new.txt']),
    })
  })

  test('stays open if it cannot be condensed', async () => {
    const stage = await ended((one) => {
      throwAway(one)
      // A ref blocks the branch.
      one.repo.git('update-ref', 'refs/heads/ledger/checkpoints/v1/x', 'HEAD')
    })
    expect(await stage.open()).toEqual(['gone'])
    stage.repo.git('update-ref', '-d', 'refs/heads/ledger/checkpoints/v1/x')
    await new Actor(stage, 'next', 200).start()
    expect(await stage.open()).toEqual([])
  })
})

describe('a session of another worktree', () => {
  test('is left alone while the worktree exists, and put away once it was removed', async () => {
    const stage = new Stage()
    const topic = stage.worktree('topic')
    const agent = new Actor(stage, 'gone')
    await agent.turn({ 'new.txt': 'an idea\n' }, topic)
    await agent.end(topic)
    const { base } = (await stage.state('gone')) ?? {}
    stage.repo.commit('elsewhere', { 'main.txt': 'main\n' })
    stage.now += 31 * MINUTE
    const next = new Actor(stage, 'next', 200)
    await next.start()
    expect(await stage.open()).toEqual(['gone'])
    stage.repo.git('worktree', 'remove', '--force', topic.folder)
    await next.start()
    expect(await stage.open()).toEqual([])
    expect(await stage.state('gone')).toMatchObject({ isLeftBehind: true, base })
    expect(shadowText(stage.repo, 'sessions/gone/files/new.txt')).toBe('an idea')
  })
})

test('unneeded shadow data is removed, and that of an unknown session is kept', async () => {
  const stage = new Stage()
  await new Actor(stage, 'known').turn({ 'a.txt': 'a\n' })
  const [ref = ''] = shadowRefs(stage.repo)
  const tip = stage.repo.git('rev-parse', ref)
  await commitBy(stage, undefined, 'feat: a')
  expect(shadowRefs(stage.repo)).toEqual([])
  await new Actor(stage, 'known').end()
  // As if a process died before it could remove the ref.
  stage.repo.git('update-ref', ref, tip)
  const next = new Actor(stage, 'next', 200)
  await next.start()
  expect(shadowRefs(stage.repo)).toEqual([])
  stage.repo.git('update-ref', ref, tip)
  rmSync(join(stage.repo.folder, '.git/ledger-git/sessions/known.json'))
  await next.start()
  expect(shadowRefs(stage.repo)).toEqual([ref])
})
