/** Sessions and commits of their work, with real git: trailers, checkpoints, states and the ledger. */

import { describe, expect, test } from 'vitest'
import { FileSessionStore } from '../../src/io/sessions/session-store.ts'
import { Agent } from './agent.ts'
import {
  bases,
  commit,
  dangling,
  done,
  linkOf,
  partOf,
  scene,
  short,
  turn,
  written,
} from './commit-scene.ts'
import { checkpoints, sessionLog, shadows, stateOf, trailers } from './readers.ts'
import { longTest } from '../support/long.ts'

test('a commit within a turn gets a checkpoint of the whole turn, written when the turn ends', async () => {
  const { repo, agent } = scene()
  await agent.prompt('Add a parser')
  await agent.write('parser.txt', 'parser\n')
  agent.say('words before the commit')
  const made = await agent.commit('feat: parser', 'parser.txt')
  const id = linkOf(repo)
  expect(written(repo)).toBe(0)
  expect(stateOf(repo, agent)).toMatchObject({
    phase: 'active_committed',
    pendingCheckpoint: id,
    awaiting: [{ commit: made, checkpoint: id }],
  })

  agent.say('words after the commit')
  await agent.stop('The last words.')

  const part = partOf(repo, id)
  expect(part).toMatchObject({ commits: [made], files: ['parser.txt'] })
  for (const words of ['before the commit', 'after the commit', 'The last words']) {
    expect(part?.transcript).toContain(words)
  }
  const state = stateOf(repo, agent)
  expect(state).toMatchObject({ phase: 'idle', lastCheckpoint: id, awaiting: [], filesTouched: [] })
  expect(state?.pendingCheckpoint).toBeUndefined()
  expect(shadows(repo)).toEqual([])
  await agent.end()
  expect(done(repo)).toContain(`feat: parser (${short(made)})`)
  expect(dangling(repo)).toEqual([])
})

test('a checkpoint names the files that its commits changed, also those that no tool named', async () => {
  const { repo, agent } = scene()
  repo.write('mine.txt', 'mine\n')
  await agent.prompt('Rename the readme, generate a file, and commit')
  await agent.bash('git mv README.md GUIDE.md && printf 1 | tee new.txt && git add -A')
  await agent.bash('git commit -q -m one; printf 2 | tee new.txt later.txt; git commit -q -am two')
  await agent.stop('Both.')
  expect(partOf(repo, linkOf(repo))?.files).toEqual(['GUIDE.md', 'README.md', 'new.txt'])
  expect(stateOf(repo, agent)?.filesTouched).toEqual(['later.txt'])
})

longTest('two commits of one turn share one checkpoint, which names both', async () => {
  const { repo, agent } = scene()
  await agent.prompt('Two files')
  await agent.write('a.txt', 'a\n')
  const first = await agent.commit('feat: a', 'a.txt')
  await agent.write('b.txt', 'b\n')
  const second = await agent.commit('feat: b', 'b.txt')
  await agent.stop('Both.')
  expect(trailers(repo, first)).toEqual(trailers(repo, second))
  expect(partOf(repo, linkOf(repo))).toMatchObject({
    commits: [first, second].sort(),
    files: ['a.txt', 'b.txt'],
  })
  expect(written(repo)).toBe(1)
})

describe('a session that cannot be followed does not stop the others', () => {
  longTest('when another process holds the lock on its state', async () => {
    const { repo, agent } = scene('session-a')
    const other = new Agent(repo, 'session-b')
    await turn(agent, { 'a.txt': 'a\n' })
    await turn(other, { 'b.txt': 'b\n' })
    const store = new FileSessionStore(`${repo.folder}/.git`)
    let release = () => {}
    const held = store.change('session-a', async (state) => {
      await new Promise<void>((resolve) => (release = resolve))
      return { state, result: undefined }
    })
    await agent.run('sh', ['-c', 'git add -A; git commit -q -m both'])
    release()
    await held
    const id = linkOf(repo)
    expect(partOf(repo, id, 'session-b')).toMatchObject({ files: ['b.txt'] })
    expect(stateOf(repo, other)).toMatchObject({ lastCheckpoint: id, isCondensed: true })
    expect(sessionLog(repo)).toContain('session session-a: commit not followed: LOCKED')
    // What could not be linked is not lost.
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', filesTouched: ['a.txt'] })
    expect(dangling(repo)).toEqual([])
  })

  longTest('when its transcript is gone', async () => {
    const { repo, agent } = scene('session-a')
    const other = new Agent(repo, 'session-b')
    await turn(agent, { 'a.txt': 'a\n' })
    await turn(other, { 'b.txt': 'b\n' })
    await agent.run('rm', [agent.transcript])
    commit(repo, 'both', 'a.txt', 'b.txt')
    const id = linkOf(repo)
    expect(partOf(repo, id, 'session-a')).toMatchObject({ files: ['a.txt'] })
    // The steps have stored the transcript.
    expect(partOf(repo, id, 'session-a')?.transcript).toContain('Written.')
    expect(partOf(repo, id, 'session-b')?.transcript).toContain('Written.')
    expect(dangling(repo)).toEqual([])
  })

  longTest('when its shadow data cannot be read', async () => {
    const { repo, agent } = scene('session-a')
    await turn(agent, { 'a.txt': 'a\n' })
    await agent.end()
    const tree = repo.git('rev-parse', `${shadows(repo)[0]}^{tree}`)
    const other = new Agent(repo, 'session-b')
    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    await turn(other, { 'b.txt': 'b\n' })
    await agent.run('rm', ['-f', `.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`])
    commit(repo, 'both', 'a.txt', 'b.txt')
    expect(partOf(repo, linkOf(repo), 'session-b')).toMatchObject({ files: ['b.txt'] })
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended' })
    expect(dangling(repo)).toEqual([])
  })
})

describe('work that a commit leaves out goes into the checkpoint of a later commit, under a new id', () => {
  test('for files of an idle session that are committed one by one', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const first = commit(repo, 'feat: a', 'a.txt')
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: ['b.txt'], isCondensed: false })
    expect(bases(repo)).toEqual([short(first)])
    const second = commit(repo, 'feat: b', 'b.txt')
    const [one, two] = [linkOf(repo, first), linkOf(repo, second)]
    expect(one).not.toBe(two)
    expect(partOf(repo, one)).toMatchObject({ commits: [first] })
    expect(partOf(repo, two)).toMatchObject({ commits: [second], files: ['b.txt'] })
    expect(partOf(repo, one)?.transcript).toContain('Written.')
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: [], isCondensed: true })
    expect(shadows(repo)).toEqual([])
    await agent.end()
    expect(done(repo)).toEqual(
      expect.arrayContaining([`feat: a (${short(first)})`, `feat: b (${short(second)})`]),
    )
  })

  longTest('for files of a turn that committed one of them itself', async () => {
    const { repo, agent } = scene()
    await agent.prompt('Two files')
    await agent.write('a.txt', 'a\n')
    await agent.write('b.txt', 'b\n')
    const first = await agent.commit('feat: a', 'a.txt')
    await agent.stop('Two files.')
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: ['b.txt'], phase: 'idle' })
    const second = commit(repo, 'feat: b', 'b.txt')
    expect(linkOf(repo, second)).not.toBe(linkOf(repo, first))
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [second], files: ['b.txt'] })
    expect(dangling(repo)).toEqual([])
  })

  longTest('for parts of a file', async () => {
    const { repo, agent } = scene()
    const half = 'ONE\ntwo\nthree\nfour\nfive\nsix\n'
    await turn(agent, { 'old.txt': 'ONE\ntwo\nthree\nfour\nfive\nSIX\n' })
    const blob = repo.run('git', ['hash-object', '-w', '--stdin'], { input: half }).stdout.trim()
    repo.git('update-index', '--cacheinfo', `100644,${blob},old.txt`)
    repo.git('commit', '-q', '-m', 'feat: half')
    const one = linkOf(repo)
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: ['old.txt'] })
    const second = commit(repo, 'feat: the other half', 'old.txt')
    const two = linkOf(repo)
    expect(one).not.toBe(two)
    expect(partOf(repo, two)).toMatchObject({ commits: [second], files: ['old.txt'] })
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: [], isCondensed: true })
  })
})

describe('a commit of somebody else’s work gets no trailer', () => {
  longTest('when a person replaces a new file of the session or commits other files', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'new.txt': 'the agent\n', 'mine.txt': 'the agent\n' })
    repo.write('new.txt', 'a person\n')
    commit(repo, 'by hand', 'new.txt')
    expect(trailers(repo)).toEqual([])
    repo.write('other.txt', 'a person\n')
    const foreign = commit(repo, 'unrelated', 'other.txt')
    expect(trailers(repo)).toEqual([])
    expect(written(repo)).toBe(0)
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', commits: [] })
    // These commits do not update an idle session; its next turn begins at HEAD.
    expect(bases(repo)).not.toEqual([short(foreign)])
    await agent.prompt('Go on')
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', base: foreign })
    expect(bases(repo)).toEqual([short(foreign)])
    await agent.stop('Nothing new.')
    const own = commit(repo, 'feat: mine', 'mine.txt')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [own] })
    await agent.end()
    expect(done(repo).join()).not.toMatch(/by hand|unrelated/)
  })

  longTest('when a person commits, during a turn, what had changed before it', async () => {
    const { repo, agent } = scene()
    repo.write('other.txt', 'a person\n')
    await agent.prompt('Write')
    await agent.write('a.txt', 'a\n')
    const foreign = commit(repo, 'unrelated', 'other.txt')
    expect(trailers(repo)).toEqual([])
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', base: foreign, commits: [] })
    await agent.commit('feat: a', 'a.txt')
    await agent.stop('Done.')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ files: ['a.txt'] })
    expect(dangling(repo)).toEqual([])
  })

  test('when the session’s work was discarded and a person commits other files', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'new.txt': 'the agent\n', 'old.txt': 'the agent\n' })
    repo.git('restore', 'old.txt')
    await agent.run('rm', ['new.txt'])
    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(trailers(repo)).toEqual([])
    await agent.end()
    repo.write('other.txt', 'a person again\n')
    commit(repo, 'unrelated again', 'other.txt')
    expect(trailers(repo)).toEqual([])
    expect(written(repo)).toBe(0)
    // The discarded work may be wanted again: `session recover` still finds it.
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended' })
    expect(shadows(repo)).toHaveLength(1)
  })

  longTest('when the session’s work was discarded and a new session’s is committed', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'new.txt': 'the first agent\n' })
    await agent.run('rm', ['new.txt'])
    await agent.end()
    const next = new Agent(repo, 'session-b')
    await next.start()
    await turn(next, { 'new.txt': 'the second agent\n' })
    const made = commit(repo, 'feat: new', 'new.txt')
    const sessions = checkpoints(repo)[linkOf(repo)]
    expect(Object.keys(sessions ?? {})).toEqual(['session-b'])
    expect(sessions?.['session-b']).toMatchObject({ commits: [made], files: ['new.txt'] })
    expect(stateOf(repo, agent)?.commits).toEqual([])
  })
})
