/** Sessions and git's hooks: beside others', raced, spared where nothing is open; and a push. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { Agent } from './agent.ts'
import {
  commit,
  dangling,
  hookAtOnce,
  linkOf,
  partOf,
  scene,
  script,
  short,
  turn,
  written,
} from './commit-scene.ts'
import { BRANCH, checkpoints, events, sessionLog, shadows, stateOf } from './readers.ts'
import { longTest } from '../support/long.ts'

// That hooks of others are kept, chained and restored: test/app/setup/foreign-hooks.test.ts, upgrade.test.ts.
longTest(
  'hooks of others run beside ours; uninstalled and installed again, the session goes on',
  async () => {
    const { repo, agent } = scene()
    repo.ledger('uninstall')
    repo.git('add', '-A')
    repo.git('commit', '-q', '--allow-empty', '-m', 'without')
    const hook = join(repo.folder, '.git/hooks/prepare-commit-msg')
    writeFileSync(
      hook,
      '#!/bin/sh\ngit interpret-trailers --in-place --trailer "Reviewed-by: Bob" "$1"\n',
      { mode: 0o755 },
    )
    repo.install()
    await turn(agent, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const first = commit(repo, 'feat: a', 'a.txt')
    expect(repo.git('log', '-1', '--format=%B')).toContain('Reviewed-by: Bob')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [first] })
    const count = written(repo)

    rmSync(hook)
    repo.ledger('install')
    const second = commit(repo, 'feat: b', 'b.txt')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [second], files: ['b.txt'] })
    expect(written(repo)).toBe(count + 1)
  },
)

test('two processes at the end of one turn write its checkpoint once', async () => {
  const { repo, agent } = scene()
  await agent.prompt('Write')
  await agent.write('a.txt', 'a\n')
  const made = await agent.commit('feat: a', 'a.txt')
  agent.say('The end.')
  const fields = { stop_hook_active: false, last_assistant_message: 'The end.' }
  const stops = Array.from({ length: 3 }, () => hookAtOnce(agent, 'Stop', fields))
  expect(await Promise.all(stops)).toEqual([0, 0, 0])
  const id = linkOf(repo)
  expect(Object.keys(checkpoints(repo))).toEqual([id])
  expect(partOf(repo, id)).toMatchObject({ commits: [made] })
  expect(written(repo)).toBe(1)
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', isCondensed: true, awaiting: [] })
  expect(shadows(repo)).toEqual([])
})

longTest('a session that ended and goes on links again, and its next end is told', async () => {
  const { repo, agent } = scene()
  await turn(agent, { 'a.txt': 'a\n' })
  commit(repo, 'feat: a', 'a.txt')
  await agent.end()
  expect(readdirSync(join(repo.folder, '.git/ledger-git/open-sessions'))).toEqual([])
  await agent.start('resume')
  await turn(agent, { 'b.txt': 'b\n' })
  const made = commit(repo, 'feat: b', 'b.txt')
  expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [made], files: ['b.txt'] })
  expect(written(repo)).toBe(2)
  await agent.end()
  expect(events(repo)).toHaveLength(2)
  expect(events(repo).join()).toContain(`feat: b (${short(made)})`)
})

describe('a commit does not pay for finished sessions', () => {
  test('200 of them: no state is opened, no Node starts', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    await agent.end()
    const folder = join(repo.folder, '.git/ledger-git')
    for (let n = 0; n < 200; n++) {
      // Whoever opens one of these finds a folder, and says so.
      mkdirSync(join(folder, 'sessions', `finished-${n}.json`))
    }
    const [node, cli] = readFileSync(join(folder, 'launch'), 'utf8').split('\n')
    const starts = join(repo.sandbox.folder, 'starts')
    const recorder = script(
      repo,
      'recorder',
      `#!/bin/sh\necho "$2 $3" >>'${starts}'\nexec '${node}' "$@"\n`,
    )
    writeFileSync(join(folder, 'launch'), `${recorder}\n${cli}\n`)
    writeFileSync(starts, '')
    const before = sessionLog(repo)

    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(readFileSync(starts, 'utf8')).toBe('')

    // With one that is open, the others are still left alone.
    const next = new Agent(repo, 'session-b')
    await turn(next, { 'b.txt': 'b\n' })
    writeFileSync(starts, '')
    const made = commit(repo, 'feat: b', 'b.txt')
    expect(readFileSync(starts, 'utf8')).toBe('hook prepare-commit-msg\nhook post-commit\n')
    expect(partOf(repo, linkOf(repo), 'session-b')).toMatchObject({ commits: [made] })
    expect(sessionLog(repo).slice(before.length)).not.toContain('finished')
    expect(readdirSync(join(folder, 'sessions')).join()).not.toContain('damaged')
  })
})

longTest(
  'sessions beside a commit go along into its checkpoint, and stay as they are',
  async () => {
    const { repo, agent } = scene()
    const beside = new Agent(repo, 'session-b')
    await beside.prompt('How should the parser fail?')
    await beside.stop('With an error that names the line.')
    const before = stateOf(repo, beside)
    const over = new Agent(repo, 'session-c')
    await over.prompt('Only a question')
    await over.stop('Only an answer.')
    await over.end()
    await turn(agent, { 'a.txt': 'a\n' })
    const made = commit(repo, 'feat: a', 'a.txt')
    const sessions = checkpoints(repo)[linkOf(repo)] ?? {}
    expect(Object.keys(sessions).sort()).toEqual(['session-a', 'session-b'])
    expect(sessions['session-a']).toMatchObject({ commits: [made], files: ['a.txt'] })
    expect(sessions['session-b']).toMatchObject({ commits: [], files: [] })
    expect(sessions['session-b']?.transcript).toContain('names the line')
    expect(stateOf(repo, beside)).toEqual({ ...before, base: made })
    expect(stateOf(repo, over)).toBeUndefined()
  },
)

describe('a push', () => {
  function shared(repo: Repo): Repo {
    const remote = repo.sandbox.init('remote.git', '--bare')
    repo.git('remote', 'add', 'origin', remote.folder)
    repo.git('push', '-q', 'origin', 'main')
    return remote
  }

  test('takes checkpoints along to a remote that has the branch, and to no other', async () => {
    const { repo, agent } = scene()
    const remote = shared(repo)
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    repo.git('push', '-q', 'origin', 'main')
    expect(remote.tryGit('rev-parse', '-q', '--verify', BRANCH).status).not.toBe(0)
    repo.git('push', '-q', 'origin', BRANCH)
    await turn(agent, { 'b.txt': 'b\n' })
    commit(repo, 'feat: b', 'b.txt')
    const before = remote.git('rev-parse', BRANCH)
    repo.git('push', '-qn', 'origin', 'main')
    expect(remote.git('rev-parse', BRANCH)).toBe(before)
    repo.git('push', '-q', 'origin', 'main')
    expect(remote.git('rev-parse', BRANCH)).toBe(repo.git('rev-parse', BRANCH))
    expect(remote.git('rev-parse', 'main')).toBe(repo.git('rev-parse', 'main'))
    expect(dangling(remote)).toEqual([])
  })

  test('of two clones: both sides’ checkpoints are on the remote', async () => {
    const { repo, agent } = scene()
    const remote = shared(repo)
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    repo.git('push', '-q', 'origin', 'main', BRANCH)
    repo.git('clone', '-q', remote.folder, join(repo.sandbox.folder, 'clone'))
    const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
    clone.git('branch', 'ledger/checkpoints/v1', 'origin/ledger/checkpoints/v1')
    clone.ledger('install')
    const other = new Agent(clone, 'session-b')
    clone.git('switch', '-q', '-c', 'topic')
    await turn(other, { 'b.txt': 'b\n' })
    commit(clone, 'feat: b', 'b.txt')
    clone.git('push', '-q', 'origin', 'topic')
    await turn(agent, { 'c.txt': 'c\n' })
    commit(repo, 'feat: c', 'c.txt')
    repo.git('push', '-q', 'origin', 'main')
    expect(Object.keys(checkpoints(remote))).toHaveLength(3)
    expect(dangling(remote)).toEqual([])
  })

  test('is never failed by checkpoints that the remote refuses', async () => {
    const { repo, agent } = scene()
    const remote = shared(repo)
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    repo.git('push', '-q', 'origin', 'main', BRANCH)
    const tip = remote.git('rev-parse', BRANCH)
    const hook = join(remote.folder, 'hooks/update')
    writeFileSync(hook, '#!/bin/sh\ncase $1 in */ledger/*) exit 1 ;; esac\n', { mode: 0o755 })
    await turn(agent, { 'b.txt': 'b\n' })
    const made = commit(repo, 'feat: b', 'b.txt')
    const pushed = repo.tryGit('push', '-q', 'origin', 'main')
    expect(pushed.status).toBe(0)
    expect(pushed.stderr).toContain('checkpoints of sessions were not pushed')
    expect(remote.git('rev-parse', 'main')).toBe(made)
    expect(remote.git('rev-parse', BRANCH)).toBe(tip)
  })
})
