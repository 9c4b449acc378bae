/**
 * Sessions and git's hooks: beside other people's hooks, in races, not started without an open session, and in a push.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
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
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'

// For how foreign hooks are kept, chained and restored, see test/app/setup/foreign-hooks.test.ts and upgrade.test.ts.
longTest(
  'other people’s hooks run beside ours, and a session continues once our removed hook is reinstalled',
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

longTest('several processes that end the same turn write its checkpoint once', async () => {
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

longTest('a resumed session links commits again and writes a second event at its end', async () => {
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

describe('a commit costs nothing for finished sessions', () => {
  longTest('opens no state and starts no Node with 200 of them', async () => {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    await agent.end()
    const folder = join(repo.folder, '.git/ledger-git')
    for (let n = 0; n < 200; n++) {
      // Opening one of these would find a folder and report it.
      mkdirSync(join(folder, 'sessions', `finished-${n}.json`))
    }
    const starts = countStarts(repo)
    const before = sessionLog(repo)

    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(starts()).toEqual([])

    // Even with an open session, the others are left alone.
    const next = new Agent(repo, 'session-b')
    await turn(next, { 'b.txt': 'b\n' })
    starts()
    const made = commit(repo, 'feat: b', 'b.txt')
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo), 'session-b')).toMatchObject({ commits: [made] })
    expect(sessionLog(repo).slice(before.length)).not.toContain('finished')
    expect(readdirSync(join(folder, 'sessions')).join()).not.toContain('damaged')
  })
})

const BOTH = ['hook prepare-commit-msg', 'hook post-commit']

/** Records every start of Node; the function returns the starts since its last call. */
function countStarts(repo: Repo): () => string[] {
  const launch = join(repo.folder, '.git/ledger-git/launch')
  const [node, cli] = readFileSync(launch, 'utf8').split('\n')
  const starts = join(repo.sandbox.folder, 'starts')
  const text = `#!/bin/sh\necho "$2 $3" >>'${starts}'\nexec '${node}' "$@"\n`
  writeFileSync(launch, `${script(repo, 'recorder', text)}\n${cli}\n`)
  writeFileSync(starts, '')
  return () => {
    const told = readFileSync(starts, 'utf8').split('\n').filter(Boolean)
    writeFileSync(starts, '')
    return told
  }
}

describe('a commit beside a session at rest', () => {
  const markerOf = (repo: Repo, session: string) =>
    join(repo.folder, '.git/ledger-git/open-sessions', session)

  /** A session at rest after a commit of its own, and one that only talked. */
  async function resting() {
    const { repo, agent } = scene()
    await turn(agent, { 'a.txt': 'a\n' })
    commit(repo, 'feat: a', 'a.txt')
    const talk = new Agent(repo, 'session-b')
    await talk.prompt('A question')
    await talk.stop('An answer.')
    return { repo, agent, talk, starts: countStarts(repo) }
  }

  const hasProc = existsSync('/proc/self/stat')
  const isNotRun = notRunUnless(
    hasProc,
    'commits beside sessions that rest',
    'there is no /proc to read processes from',
  )
  const onLinux = test.skipIf(isNotRun)
  const longOnLinux = test.skipIf(!IS_LONG || isNotRun)

  onLinux('starts no Node, and starts it again once the session works', async () => {
    const { repo, agent, talk, starts } = await resting()
    const before = [stateOf(repo, agent), stateOf(repo, talk)]
    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(starts()).toEqual([])
    expect([stateOf(repo, agent), stateOf(repo, talk)]).toEqual(before)
    // The session works again: any commit may be of its work.
    await agent.prompt('Go on')
    starts()
    repo.write('other.txt', 'twice\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(starts()).toEqual(BOTH)
    await agent.write('c.txt', 'c\n')
    await agent.stop('Written.')
    starts()
    const made = commit(repo, 'feat: c', 'c.txt')
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [made], files: ['c.txt'] })
  })

  onLinux('starts Node for a session’s uncommitted files only if a commit has one', async () => {
    const { repo, agent, talk, starts } = await resting()
    const old = `${repo.read('old.txt')}seven\n`
    await turn(agent, { 'a.txt': 'more\n', 'für dich.txt': 'b\n', 'old.txt': old })
    await turn(talk, { 'other.txt': 'of another session\n' })
    repo.git('add', '-A')
    const before = stateOf(repo, agent)
    starts()
    const unrelated = (at: Repo, ...words: string[]) => {
      at.write('mine.txt', `${at.git('rev-parse', 'HEAD')}\n`)
      at.git('add', 'mine.txt')
      at.git('commit', '-q', '-m', 'unrelated', ...words)
      return starts()
    }
    expect(unrelated(repo, '--', 'mine.txt')).toEqual([])
    // Paths of one worktree say nothing about another.
    repo.git('worktree', 'add', '-q', '../topic', '-b', 'topic')
    const topic = repo.sandbox.at(join(repo.sandbox.folder, 'topic'))
    topic.write('a.txt', 'of a person\n')
    expect(unrelated(topic, '-a')).toEqual([])
    expect(stateOf(repo, agent)).toEqual(before)
    // A name that git would quote, and a file that the commit renames.
    repo.git('commit', '-q', '-m', 'feat: b', '--', 'für dich.txt', 'mine.txt')
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo))?.commits).toEqual([repo.git('rev-parse', 'HEAD')])
    repo.git('mv', 'old.txt', 'new.txt')
    repo.git('commit', '-q', '-m', 'renamed', '--', 'old.txt', 'new.txt')
    expect(starts()).toEqual(BOTH)
    // One file of another session is enough.
    expect(stateOf(repo, talk)?.filesTouched).toEqual(['other.txt'])
    repo.git('commit', '-q', '-m', 'feat: other', '--', 'other.txt')
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo), 'session-b')).toBeDefined()
  })

  longOnLinux('starts Node if a session resumes work or git cannot list the files', async () => {
    const { repo, agent, starts } = await resting()
    await turn(agent, { 'b.txt': 'b\n' })
    // Runs while the shim compares.
    const marker = markerOf(repo, agent.session)
    const folder = join(repo.sandbox.folder, 'bin')
    mkdirSync(folder)
    const grep = `#!/bin/sh\n: >'${marker}'\nexit 1\n`
    writeFileSync(join(folder, 'grep'), grep, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env['PATH']}` }
    starts()
    repo.run('git', ['commit', '-q', '--allow-empty', '-m', 'unrelated'], { env })
    expect(starts()[0]).toBe('hook prepare-commit-msg')
    repo.git('switch', '-q', '--orphan', 'new')
    repo.git('commit', '-q', '--allow-empty', '-m', 'first')
    expect(starts()).toEqual(BOTH)
  })

  test('links a commit that the session’s own agent makes', async () => {
    const { repo, agent, starts } = await resting()
    repo.write('other.txt', 'by the agent\n')
    const ran = await agent.run('git', ['commit', '-q', '-a', '-m', 'feat: other'])
    expect(ran.status).toBe(0)
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo))).toMatchObject({ commits: [repo.git('rev-parse', 'HEAD')] })
  })

  test.runIf(IS_LONG).each(['--ame', '--amend'])(
    'starts Node to keep the trailers for %s',
    async (word) => {
      const { repo, agent, starts } = await resting()
      const link = linkOf(repo)
      repo.git('commit', '-q', '-m', 'feat: b\n\nwith a body', word)
      expect(starts()).toEqual([...BOTH, 'hook post-rewrite'])
      expect(linkOf(repo)).toBe(link)
      expect(stateOf(repo, agent)?.commits).toMatchObject([
        { commit: repo.git('rev-parse', 'HEAD') },
      ])
    },
  )

  test.each(sampleOf(['', 'resting', 'resting 0', 'of a later release 0 \n'], 4))(
    'starts Node once when the marker is %j, and repairs it',
    async (text) => {
      const { repo, talk, starts } = await resting()
      const said = readFileSync(markerOf(repo, talk.session), 'utf8')
      writeFileSync(markerOf(repo, talk.session), text)
      repo.write('other.txt', 'a person\n')
      commit(repo, 'unrelated', 'other.txt')
      // Whoever reads the marker repairs it: one start, not two.
      expect(starts()).toEqual(['hook prepare-commit-msg'])
      expect(readFileSync(markerOf(repo, talk.session), 'utf8')).toBe(said)
    },
  )

  longOnLinux('ignores a session of another worktree unless its agent commits', async () => {
    const { repo, talk, starts } = await resting()
    repo.git('worktree', 'add', '-q', '../topic', '-b', 'topic')
    const topic = repo.sandbox.at(join(repo.sandbox.folder, 'topic'))
    talk.repo = topic
    await talk.prompt('Work there')
    starts()
    repo.write('other.txt', 'a person\n')
    commit(repo, 'unrelated', 'other.txt')
    expect(starts()).toEqual([])
    topic.write('other.txt', 'another person\n')
    commit(topic, 'unrelated', 'other.txt')
    expect(starts()).toEqual(BOTH)
    // The session's agent may commit elsewhere.
    talk.repo = repo
    repo.write('other.txt', 'by the agent\n')
    await talk.run('git', ['commit', '-q', '-a', '-m', 'feat: other'])
    expect(starts()).toEqual(BOTH)
    expect(partOf(repo, linkOf(repo), talk.session)).toBeUndefined()
    await talk.stop('Done.')
    expect(partOf(repo, linkOf(repo), talk.session)).toBeDefined()
  })
})

longTest(
  'sessions beside a commit are added to its checkpoint without changing their state',
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
    expect(stateOf(repo, beside)).toEqual(before)
    expect(stateOf(repo, over)).toBeUndefined()
    // The next turn begins at the commit.
    await beside.prompt('And where?')
    expect(stateOf(repo, beside)).toMatchObject({ base: made })
  },
)

describe('a push', () => {
  function shared(repo: Repo): Repo {
    const remote = repo.sandbox.init('remote.git', '--bare')
    repo.git('remote', 'add', 'origin', remote.folder)
    repo.git('push', '-q', 'origin', 'main')
    return remote
  }

  test('takes checkpoints to a remote that has the checkpoints branch, and to no other', async () => {
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

  longTest('from each of two clones brings both sides’ checkpoints to the remote', async () => {
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

  test('succeeds when the remote refuses the checkpoints, and says so', async () => {
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
