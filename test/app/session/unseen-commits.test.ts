/** Commits of agents that run git without its hooks are still linked, and `why` finds them. */

import { describe, expect, test } from 'vitest'
import { explainCommit } from '../../../src/app/checkpoint/explain-commit.ts'
import { checkpoints } from '../../sessions/readers.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'
import { Actor, commitBy, Stage } from './actors.ts'

/** Commands of the agent's shell, which git's hooks do not see. */
async function shell(actor: Actor, stage: Stage, ...commands: string[][]) {
  for (const words of commands) stage.repo.git(...words)
  const tool = { name: 'run_shell_command', files: [], mayWrite: true, todos: undefined }
  return actor.signal('tool_used', { tool })
}

async function unseen(stage: Stage, actor: Actor, path: string): Promise<string> {
  stage.repo.write(path, `${path}\n`)
  await shell(actor, stage, ['add', '-A'], ['commit', '-q', '-m', `feat: ${path}`])
  return stage.repo.git('rev-parse', 'HEAD')
}

function sessionsOf(stage: Stage, commit: string) {
  return stage.within(stage.repo, undefined, async ({ repository }) => {
    const { links } = await explainCommit(repository, commit)
    return links.map(({ isMention, checkpoint }) => ({
      isMention,
      sessions: checkpoint?.sessions.map(({ session }) => session),
    }))
  })
}

const FOUND = [{ isMention: false, sessions: ['agent'] }]

describe('a commit that no hook followed', () => {
  test('is in the checkpoint of its turn, with earlier ones, and `why` finds it', async () => {
    const stage = new Stage()
    const actor = new Actor(stage, 'agent')
    await actor.prompt('Write a and b')
    const commits = [await unseen(stage, actor, 'a.txt'), await unseen(stage, actor, 'b.txt')]
    expect(await stage.state('agent')).toMatchObject({
      phase: 'active_committed',
      base: commits[1],
    })
    await actor.signal('turn_end')
    expect(await stage.state('agent')).toMatchObject({
      phase: 'idle',
      filesTouched: [],
      awaiting: [],
    })
    const [part] = Object.values(checkpoints(stage.repo))
    expect(part?.['agent']).toMatchObject({
      commits: commits.toSorted(),
      files: ['a.txt', 'b.txt'],
    })
    for (const commit of commits) expect(await sessionsOf(stage, commit)).toEqual(FOUND)
    expect(await sessionsOf(stage, 'HEAD~2')).toEqual([])
  })

  test("is found at the end of the turn if it has the session's work, and ignored otherwise", async () => {
    const stage = new Stage()
    const actor = new Actor(stage, 'agent')
    stage.repo.write('mine.txt', 'mine\n')
    await actor.prompt('Write a')
    stage.repo.git('add', 'mine.txt')
    stage.repo.git('commit', '-q', '-m', 'feat: of a person')
    stage.repo.write('a.txt', 'a\n')
    stage.repo.git('add', 'a.txt')
    stage.repo.git('commit', '-q', '-m', 'feat: a')
    await actor.signal('turn_end')
    expect(await sessionsOf(stage, 'HEAD')).toEqual(FOUND)
    expect(await sessionsOf(stage, 'HEAD~1')).toEqual([])
  })

  test("before a tool that writes one file is not that tool's", async () => {
    const stage = new Stage()
    const actor = new Actor(stage, 'agent')
    stage.repo.write('mine.txt', 'mine\n')
    await actor.prompt('Write a')
    stage.repo.git('add', '-A')
    stage.repo.git('commit', '-q', '-m', 'feat: of a person')
    const tool = { name: 'write_file', files: ['a.txt'], mayWrite: false, todos: undefined }
    await actor.signal('tool_used', { tool })
    await actor.signal('turn_end')
    expect(await sessionsOf(stage, 'HEAD')).toEqual([])
  })

  test("during two agents' turns belongs to the session whose work it contains", async () => {
    const stage = new Stage()
    const [actor, other] = [new Actor(stage, 'agent'), new Actor(stage, 'other', 200)]
    await actor.prompt('Write a')
    const tool = { name: 'write_file', files: ['a.txt'], mayWrite: false, todos: undefined }
    stage.repo.write('a.txt', 'a\n')
    await actor.signal('tool_used', { tool })
    await other.prompt('Look at it')
    stage.repo.git('add', '-A')
    stage.repo.git('commit', '-q', '-m', 'feat: a')
    await shell(other, stage)
    expect(await stage.state('other')).toMatchObject({ phase: 'active', commits: [] })
    await shell(actor, stage)
    await actor.signal('turn_end')
    await other.signal('turn_end')
    const [part] = Object.values(checkpoints(stage.repo))
    const commit = stage.repo.git('rev-parse', 'HEAD')
    expect(part?.['agent']).toMatchObject({ commits: [commit] })
    // The other session is included for context.
    expect(part?.['other']).toMatchObject({ commits: [] })
  })

  const BROUGHT: [string, string[][]][] = [
    ['a merge', [['merge', '-q', '--no-edit', 'topic']]],
    ['another branch', [['switch', '-q', 'topic']]],
    ['a cherry-pick', [['cherry-pick', 'topic']]],
  ]
  test.each(sampleOf(BROUGHT, 3))('is not a commit that came by %s', async (_, commands) => {
    const stage = new Stage()
    stage.repo.git('switch', '-q', '-c', 'topic')
    stage.repo.commit('feat: topic', { 'topic.txt': 'topic\n' })
    stage.repo.git('switch', '-q', 'main')
    stage.repo.commit('feat: main', { 'main.txt': 'main\n' })
    const actor = new Actor(stage, 'agent')
    await actor.prompt('Get it')
    await shell(actor, stage, ...commands)
    await actor.signal('turn_end')
    expect((await stage.state('agent'))?.commits).toEqual([])
  })

  test('is not a commit that was amended away', async () => {
    const stage = new Stage()
    const actor = new Actor(stage, 'agent')
    await actor.prompt('Write a, twice')
    stage.repo.write('a.txt', 'a\n')
    const [add, commit] = [
      ['add', '-A'],
      ['commit', '-q', '-m', 'feat: a'],
    ]
    await shell(actor, stage, add, commit, ['commit', '-q', '--amend', '-m', 'feat: a, amended'])
    const head = stage.repo.git('rev-parse', 'HEAD')
    expect((await stage.state('agent'))?.commits.map((one) => one.commit)).toEqual([head])
  })

  test('belongs to one session even if two wrote the file', async () => {
    const stage = new Stage()
    const [actor, other] = [new Actor(stage, 'agent'), new Actor(stage, 'other', 200)]
    const tool = { name: 'write_file', files: ['a.txt'], mayWrite: false, todos: undefined }
    for (const one of [actor, other]) {
      await one.prompt('Write a')
      stage.repo.write('a.txt', `${one.session}\n`)
      await one.signal('tool_used', { tool })
    }
    stage.repo.git('add', '-A')
    stage.repo.git('commit', '-q', '-m', 'feat: a')
    for (const one of [other, actor]) await shell(one, stage)
    const commit = stage.repo.git('rev-parse', 'HEAD')
    expect((await stage.state('other'))?.commits.map((one) => one.commit)).toEqual([commit])
    expect((await stage.state('agent'))?.commits).toEqual([])
  })

  test('is not a commit that the hooks followed for somebody else', async () => {
    const stage = new Stage()
    const actor = new Actor(stage, 'agent')
    stage.repo.write('mine.txt', 'mine\n')
    await actor.prompt('Explain it')
    await commitBy(stage, undefined, 'feat: of a person', stage.repo, 'mine.txt')
    await shell(actor, stage)
    expect(await stage.state('agent')).toMatchObject({ phase: 'active', commits: [] })
  })
})

test('tells the agent at once that the ledger is stale, with the command, and nothing if it is fresh', async () => {
  const stage = new Stage()
  const actor = new Actor(stage, 'agent')
  await actor.prompt('Record it')
  stage.repo.write('a.txt', 'a\n')
  const [add, commit] = [
    ['add', '-A'],
    ['commit', '-q', '-m', 'feat: a'],
  ]
  expect(await shell(actor, stage, add, commit)).toEqual({})
  const text = '---\nts: 2026-01-10T12:00:00Z\nagent: a\n---\n\nnow: at it\n'
  stage.repo.write(`${EVENTS}/2026-01-10T12-00-00Z_a.md`, text)
  const { context } = await shell(actor, stage, add, commit)
  expect(context).toContain('current.md in HEAD is stale (current.md is missing)')
  expect(context).toContain('next: ledger-git resolve --commit')
})
