/** Sessions and what git does to history: rebase, cherry-pick, squash, reword and amend. */

import { describe, expect, test } from 'vitest'
import {
  bases,
  commit,
  dangling,
  done,
  linkOf,
  partOf,
  scene,
  script,
  short,
  turn,
  written,
} from './commit-scene.ts'
import { checkpoints, events, shadows, stateOf, trailers } from './readers.ts'
import { longTest } from '../support/long.ts'

describe('a rebase', () => {
  test('within a turn moves links, base and shadow data to the new commits', async () => {
    const { repo, agent } = scene()
    repo.git('branch', 'topic')
    repo.write('other.txt', 'main\n')
    commit(repo, 'on main', 'other.txt')
    repo.git('switch', '-q', 'topic')
    await agent.prompt('Write')
    await agent.write('a.txt', 'a\n')
    const old = await agent.commit('feat: a', 'a.txt')
    const id = linkOf(repo)
    await agent.write('b.txt', 'b\n')
    await agent.bash('git rebase -q main')
    const made = repo.git('rev-parse', 'HEAD')
    expect(made).not.toBe(old)
    expect(trailers(repo)).toEqual([id])
    expect(stateOf(repo, agent)).toMatchObject({
      phase: 'active_committed',
      base: made,
      awaiting: [{ commit: made, checkpoint: id }],
      commits: [{ commit: made, checkpoint: id }],
    })
    await agent.stop('Rebased.')
    expect(partOf(repo, id)).toMatchObject({ commits: [made] })
    expect(bases(repo)).toEqual([short(made)]) // b.txt is carried forward
    const next = commit(repo, 'feat: b', 'b.txt')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [next], files: ['b.txt'] })
    expect(shadows(repo)).toEqual([])
    expect(dangling(repo)).toEqual([])
    await agent.end()
    expect(done(repo)).toContain(`feat: a (${short(made)})`)
  })

  longTest('after the checkpoint lets the session’s end name the rewritten commits', async () => {
    const { repo, agent } = scene()
    repo.git('switch', '-q', '-c', 'topic')
    await turn(agent, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    commit(repo, 'feat: a', 'a.txt')
    commit(repo, 'feat: b', 'b.txt')
    const ids = [linkOf(repo, 'HEAD~1'), linkOf(repo)]
    repo.git('switch', '-q', 'main')
    repo.write('other.txt', 'main\n')
    commit(repo, 'on main', 'other.txt')
    repo.git('switch', '-q', 'topic')
    repo.git('rebase', '-q', 'main')
    const now = ['HEAD~1', 'HEAD'].map((one) => repo.git('rev-parse', one))
    expect([linkOf(repo, 'HEAD~1'), linkOf(repo)]).toEqual(ids)
    expect(written(repo)).toBe(2)
    expect(stateOf(repo, agent)).toMatchObject({
      base: now[1],
      commits: now.map((one, i) => ({ commit: one, checkpoint: ids[i] })),
    })
    await agent.end()
    expect(events(repo).join()).toContain(`feat: a (${short(now[0] ?? '')})`)
  })
})

test('cherry-pick and squash merge keep the trailers, and no session counts them as its own', async () => {
  const { repo, agent } = scene()
  repo.git('switch', '-q', '-c', 'topic')
  await turn(agent, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
  commit(repo, 'feat: a', 'a.txt')
  commit(repo, 'feat: b', 'b.txt')
  const ids = [linkOf(repo, 'HEAD~1'), linkOf(repo)]
  await turn(agent, { 'c.txt': 'c\n' })
  const before = stateOf(repo, agent)
  repo.git('switch', '-q', '-c', 'picked', 'main')
  repo.git('cherry-pick', 'topic~1')
  expect(trailers(repo)).toEqual([ids[0]])
  repo.git('switch', '-q', '-c', 'squashed', 'main')
  repo.git('merge', '-q', '--squash', 'topic')
  repo.git('commit', '-q', '--no-edit')
  const message = repo.git('log', '-1', '--format=%B')
  for (const id of ids) expect(message).toContain(`Ledger-Checkpoint: ${id}`)
  expect(written(repo)).toBe(2)
  expect(stateOf(repo, agent)).toMatchObject({
    filesTouched: ['c.txt'],
    commits: before?.commits,
  })
  expect(repo.ledger('why', 'HEAD')).toContain(ids[1])
  const made = commit(repo, 'feat: c', 'c.txt')
  expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [made], files: ['c.txt'] })
})

longTest(
  'a cherry-pick within the turn that made the commit keeps its trailer and adds no checkpoint',
  async () => {
    const { repo, agent } = scene()
    repo.git('branch', 'release')
    await agent.prompt('Write')
    await agent.write('a.txt', 'a\n')
    const made = await agent.commit('feat: a', 'a.txt')
    const id = linkOf(repo)
    await agent.bash('git switch -q release && git cherry-pick main')
    expect(trailers(repo)).toEqual([id])
    expect(stateOf(repo, agent)).toMatchObject({
      phase: 'active_committed',
      awaiting: [{ commit: made, checkpoint: id }],
    })
    await agent.stop('Picked.')
    expect(partOf(repo, id)).toMatchObject({ commits: [made], files: ['a.txt'] })
    expect(dangling(repo)).toEqual([])
  },
)

longTest(
  'a trailer that the user deletes links nothing; the next commit uses the same id and is linked',
  async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const editor = script(
      repo,
      'editor',
      '#!/bin/sh\n{ echo by hand; grep -v ^Ledger-Checkpoint: "$1"; } >"$1.new"; mv "$1.new" "$1"\n',
    )
    repo.git('add', 'a.txt')
    const ran = repo.run('git', ['commit', '-q', '-e', '-m', 'feat: a'], {
      env: { GIT_EDITOR: editor },
    })
    expect(ran.status).toBe(0)
    const unlinked = repo.git('rev-parse', 'HEAD')
    expect(trailers(repo)).toEqual([])
    expect(checkpoints(repo)).toEqual({})
    const state = stateOf(repo, agent)
    expect(state).toMatchObject({ phase: 'idle', commits: [], awaiting: [] })
    const made = commit(repo, 'feat: b', 'b.txt')
    expect(linkOf(repo)).toBe(state?.pendingCheckpoint)
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [made] })
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: [], isCondensed: true })
    await agent.end()
    expect(events(repo).join()).not.toContain(short(unlinked))
  },
)

describe('an amended commit', () => {
  longTest('keeps its trailer under a new message and is not condensed again', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    const id = linkOf(repo)
    for (const words of [['--no-edit'], ['-m', 'feat: better words'], ['--reset-author', '-mC']]) {
      repo.git('commit', '-q', '--amend', ...words)
      expect(trailers(repo)).toEqual([id])
    }
    expect(written(repo)).toBe(1)
    const amended = repo.git('rev-parse', 'HEAD')
    expect(stateOf(repo, agent)).toMatchObject({
      base: amended,
      commits: [{ commit: amended, checkpoint: id }],
      isCondensed: true,
    })
    await agent.end()
    expect(done(repo).filter((text) => text.startsWith('C ('))).toEqual([`C (${short(amended)})`])
  })

  longTest('keeps its trailer within the turn that made it', async () => {
    const { repo, agent } = scene()
    await agent.prompt('Write')
    await agent.write('a.txt', 'a\n')
    await agent.commit('feat: a', 'a.txt')
    const id = linkOf(repo)
    await agent.write('a.txt', 'a\nmore\n')
    await agent.bash('git add a.txt && git commit -q --amend -m "feat: a and more"')
    const amended = repo.git('rev-parse', 'HEAD')
    expect(trailers(repo)).toEqual([id])
    expect(stateOf(repo, agent)?.awaiting).toEqual([{ commit: amended, checkpoint: id }])
    await agent.stop('Done.')
    expect(partOf(repo, id)).toMatchObject({ commits: [amended] })
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: [], isCondensed: true })
  })

  longTest('gets a second trailer for new work in it', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    const id = linkOf(repo)
    await turn(agent, { 'b.txt': 'b\n' })
    repo.git('add', 'b.txt')
    repo.git('commit', '-q', '--amend', '--no-edit')
    const [first, second, ...more] = trailers(repo)
    expect([first, more]).toEqual([id, []])
    expect(partOf(repo, second ?? '')).toMatchObject({
      files: ['b.txt'],
      commits: [repo.git('rev-parse', 'HEAD')],
    })
    expect(dangling(repo)).toEqual([])
  })
})
