/** Commits whose post-commit hook did not run: their trailer still leads to a checkpoint. */

import { describe, expect, test } from 'vitest'
import { linkMessage } from '../../../src/app/session/commit-sessions.ts'
import { resetSession } from '../../../src/app/session/reset-session.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { checkpoints } from '../../sessions/readers.ts'
import { Actor, commitBy, commitUnfollowed, MINUTE, Stage } from './actors.ts'
import { longTest, sampleOf } from '../../support/long.ts'

/** An open turn that changed a file with a shell, which no tool named, and committed it without a post-commit hook. */
async function missed(stage = new Stage()) {
  const agent = new Actor(stage, 'maker')
  await agent.prompt('Write a')
  stage.repo.write('a.txt', 'a\n')
  const [id = ''] = await commitUnfollowed(stage, agent.pid, 'feat: a')
  expect(id).not.toBe('')
  expect(await stage.state('maker')).toMatchObject({ pendingCheckpoint: id, awaiting: [] })
  return { stage, agent, id, commit: stage.repo.git('rev-parse', 'HEAD') }
}

let others = 0

async function commitOfOthers(stage: Stage): Promise<void> {
  stage.repo.write('b.txt', `b ${++others}\n`)
  await commitBy(stage, undefined, 'feat: b', stage.repo, 'b.txt')
}

/** The trailer's checkpoint has the session with its commit, and nothing is owed anymore. */
async function expectSettled(stage: Stage, id: string, commit: string): Promise<void> {
  expect(checkpoints(stage.repo)[id]?.['maker']).toMatchObject({
    commits: expect.arrayContaining([commit]),
  })
  expect(Object.keys(checkpoints(stage.repo))).toEqual([id])
  const state = await stage.state('maker')
  expect(state === undefined || (state.awaiting.length === 0 && !state.pendingCheckpoint)).toBe(
    true,
  )
}

type Made = Awaited<ReturnType<typeof missed>>

describe('a commit that no hook followed gets its checkpoint', () => {
  const ENDS: [string, (made: Made) => unknown][] = [
    ['the end of the turn', ({ agent }) => agent.signal('turn_end')],
    ['the end of the session', ({ agent }) => agent.end()],
    ['the next prompt', ({ agent }) => agent.prompt('Go on')],
    ['a resumption', ({ agent, stage }) => agent.start(stage.repo, 'resume')],
    [
      'the start of another session, once this one is given up',
      async ({ stage }) => {
        stage.life = 'gone'
        stage.now += 31 * MINUTE
        await new Actor(stage, 'next', 200).start()
      },
    ],
    [
      'a commit of others, once this one is given up',
      async ({ stage }) => {
        stage.life = 'gone'
        stage.now += 3 * MINUTE
        await commitOfOthers(stage)
      },
    ],
  ]
  test.each(sampleOf(ENDS, 2))('at %s', async (_, next) => {
    const made = await missed()
    await next(made)
    await expectSettled(made.stage, made.id, made.commit)
  })

  test('after a commit of others in the open turn, which moves its base', async () => {
    const { stage, agent, id, commit } = await missed()
    await commitOfOthers(stage)
    await agent.signal('turn_end')
    await agent.end()
    await commitOfOthers(stage)
    await expectSettled(stage, id, commit)
  })

  longTest('on a branch that was left before the turn ended', async () => {
    const stage = new Stage()
    stage.repo.git('switch', '-q', '-c', 'topic')
    const { agent, id, commit } = await missed(stage)
    stage.repo.git('switch', '-q', 'main')
    await agent.signal('turn_end')
    await agent.end()
    await expectSettled(stage, id, commit)
  })

  longTest('as the first commit of a repository', async () => {
    const stage = new Stage({})
    Object.assign(stage, { repo: new Sandbox().init() })
    const { agent, id, commit } = await missed(stage)
    await agent.signal('turn_end')
    await expectSettled(stage, id, commit)
  })

  test('together with the next commit of the same turn, under one id', async () => {
    const { stage, agent, id, commit } = await missed()
    stage.repo.write('c.txt', 'c\n')
    expect(await agent.commit('feat: c')).toEqual([id])
    const second = stage.repo.git('rev-parse', 'HEAD')
    await agent.signal('turn_end')
    expect(checkpoints(stage.repo)[id]?.['maker']).toMatchObject({
      commits: [commit, second].sort(),
    })
  })
})

describe('an owed checkpoint is not forgotten', () => {
  test('reset names the commit and refuses; a forced reset keeps the commit waiting', async () => {
    const { stage, commit, id } = await missed()
    await stage.within(stage.repo, undefined, async (context) => {
      const reset = (isForced: boolean) => resetSession(context, 'maker', { isForced })
      await expect(reset(false)).rejects.toMatchObject({
        code: 'SESSION_IN_USE',
        message: expect.stringContaining(
          `1 commit waits for a checkpoint of session maker (${id})`,
        ),
      })
      const { state } = await reset(true)
      expect(state?.awaiting).toEqual([{ commit, checkpoint: id }])
    })
  })

  test('an id that no commit took stays promised, and does not block a reset', async () => {
    const stage = new Stage()
    const agent = new Actor(stage, 'maker')
    await agent.prompt('Write nothing')
    const messageFile = `${stage.repo.folder}/../message`
    // A commit that was aborted in the editor; its message had the trailer.
    stage.repo.write('a.txt', 'a\n')
    stage.repo.git('add', 'a.txt')
    stage.repo.write('../message', 'feat: a\n')
    await stage.within(stage.repo, agent.pid, (context) =>
      linkMessage(context, {
        messageFile,
        draftFile: `${messageFile}-draft`,
        source: 'message',
        sourceCommit: undefined,
        words: ['git', 'commit'],
        isSequence: false,
        opensEditor: true,
        hasMessageHook: () => Promise.resolve(true),
      }),
    )
    stage.repo.git('rm', '-q', '-f', 'a.txt')
    const id = (await stage.state('maker'))?.pendingCheckpoint
    await agent.signal('turn_end')
    await agent.end()
    await commitOfOthers(stage)
    expect(id).toBeDefined()
    expect(await stage.state('maker')).toMatchObject({ phase: 'ended', pendingCheckpoint: id })
    expect(checkpoints(stage.repo)).toEqual({})
    await stage.within(stage.repo, undefined, (context) =>
      resetSession(context, 'maker', { isForced: false }),
    )
    expect(await stage.state('maker')).toBeUndefined()
  })
})

test("a commit of an idle session's work with a killed hook gets its checkpoint at anybody's next commit", async () => {
  const stage = new Stage()
  await new Actor(stage, 'agent').turn({ 'mine.txt': 'mine\n' })
  const [id = ''] = await commitUnfollowed(stage, undefined, 'feat: mine')
  expect(checkpoints(stage.repo)).toEqual({})
  stage.repo.write('other.txt', 'by hand\n')
  expect(await commitBy(stage, undefined, 'by hand')).toEqual([])
  expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ files: ['mine.txt'] })
})
