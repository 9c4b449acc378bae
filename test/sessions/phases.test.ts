/** Sessions from start to end: what each way through the phases leaves behind. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { Agent } from './agent.ts'
import {
  age,
  checkpoints,
  editState,
  events,
  ledger,
  sessionLog,
  shadowPaths,
  shadows,
  stateOf,
  trailers,
} from './readers.ts'
import { longTest } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

async function begun(repo: Repo, prompt = 'Add a parser for dates'): Promise<Agent> {
  const agent = new Agent(repo)
  await agent.start()
  await agent.prompt(prompt)
  return agent
}

/** The only checkpoint there is, with its only session. */
function onlyCheckpoint(repo: Repo, agent: Agent) {
  const all = Object.entries(checkpoints(repo))
  expect(all).toHaveLength(1)
  const [[id, sessions] = ['', {}]] = all
  expect(Object.keys(sessions)).toEqual([agent.session])
  return { id, ...sessions[agent.session]! }
}

describe('one session', () => {
  longTest('leaves nothing behind without a prompt', async () => {
    const repo = ledgerRepo()
    const head = repo.git('rev-parse', 'HEAD')
    const agent = new Agent(repo)
    await agent.start()
    await agent.end()
    expect(stateOf(repo, agent)).toBeUndefined()
    expect([shadows(repo), checkpoints(repo), events(repo)]).toEqual([[], {}, []])
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  })

  test('gets the checkpoint of a commit inside a turn when the turn ends', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    const commit = await agent.commit('feat: parser')
    const [id] = trailers(repo)
    expect(stateOf(repo, agent)).toMatchObject({
      phase: 'active_committed',
      base: commit,
      pendingCheckpoint: id,
      awaiting: [{ commit, checkpoint: id }],
    })
    expect(checkpoints(repo)).toEqual({})

    await agent.stop('The parser is in place.')
    const stored = onlyCheckpoint(repo, agent)
    expect(stored).toMatchObject({ id, commits: [commit], files: ['parser.txt'], turn: 1 })
    expect(stored.transcript).toContain('The parser is in place.')
    expect(stored.prompts).toBe('Add a parser for dates')
    const state = stateOf(repo, agent)
    expect(state).toMatchObject({ phase: 'idle', steps: 0, lastCheckpoint: id, awaiting: [] })
    expect(state).toMatchObject({ filesTouched: [], isCondensed: true })
    expect(state?.pendingCheckpoint).toBeUndefined()
    expect(shadows(repo)).toEqual([])

    await agent.end()
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended' })
    expect(ledger(repo).goal?.value).toBe('Add a parser for dates')
    expect(ledger(repo).now?.value).toBe('The parser is in place.')
    const done = ledger(repo).this_session.map(({ text }) => text)
    expect(done).toEqual([`feat: parser (${commit.slice(0, 7)})`])
    expect(repo.status()).toBe('')
    expect(Object.keys(checkpoints(repo))).toEqual([id])
  })

  longTest(
    'shares one id and one checkpoint among all commits of a turn, and moves its shadow data along',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      await agent.write('draft.txt', 'draft\n')
      await agent.stop('A draft.')
      const before = shadows(repo)
      expect(before).toHaveLength(1)

      await agent.prompt('Now three parts')
      const commits: string[] = []
      for (const name of ['one.txt', 'two.txt', 'three.txt']) {
        await agent.write(name, `${name}\n`)
        commits.push(await agent.commit(`feat: ${name}`, name))
        const [shadow] = shadows(repo)
        expect(shadow).toContain(`/${commits.at(-1)?.slice(0, 7)}-`)
        expect(shadows(repo)).toHaveLength(1)
        expect(checkpoints(repo)).toEqual({})
      }
      const ids = new Set(commits.flatMap((commit) => trailers(repo, commit)))
      expect([...ids]).toEqual([stateOf(repo, agent)?.pendingCheckpoint])
      await agent.stop('Three parts.')
      const stored = onlyCheckpoint(repo, agent)
      expect(stored.commits).toEqual(commits.toSorted())
      expect([...ids]).toEqual([stored.id])
      // What no commit contains begins a new chain.
      expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', filesTouched: ['draft.txt'] })
      expect(shadowPaths(repo).join('\n')).toContain('draft.txt')
      expect(shadowPaths(repo).join('\n')).not.toContain('one.txt')

      await agent.prompt('Commit the draft')
      const last = await agent.commit('feat: draft')
      await agent.stop('Done.')
      const [second] = trailers(repo)
      expect(second).not.toBe(stored.id)
      expect(checkpoints(repo)[second!]?.[agent.session]).toMatchObject({
        commits: [last],
        files: ['draft.txt'],
      })
      expect(shadows(repo)).toEqual([])
    },
  )

  longTest('is condensed at once when a person commits its files while it is idle', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.stop('Have a look.')
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', steps: 1 })
    const commit = repo.commit('feat: parser')
    const stored = onlyCheckpoint(repo, agent)
    expect(stored).toMatchObject({ id: trailers(repo)[0], commits: [commit], steps: 1 })
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', steps: 0, base: commit })
    expect(shadows(repo)).toEqual([])
    await agent.stop('Nothing more.')
    await agent.end()
    expect(Object.keys(checkpoints(repo))).toEqual([stored.id])
    expect(events(repo)).toHaveLength(1)
  })

  longTest('moves its base without a link when a commit has other files', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.stop('Half of it.')
    repo.write('notes.txt', 'mine\n')
    await agent.prompt('Go on')
    repo.git('add', 'notes.txt')
    repo.git('commit', '-q', '-m', 'docs: notes')
    const head = repo.git('rev-parse', 'HEAD')
    expect(trailers(repo)).toEqual([])
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', base: head, steps: 1 })
    expect(checkpoints(repo)).toEqual({})
    expect(shadows(repo)).toEqual([`refs/ledger/shadow/${head.slice(0, 7)}-e3b0c4`])
    expect(shadowPaths(repo).join('\n')).toContain('parser.txt')
  })

  longTest(
    'gets no checkpoint when the trailer is deleted, and gets one with the next commit',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      await agent.write('parser.txt', 'parser\n')
      await agent.stop('Done.')
      repo.git('add', '-A')
      const env = { GIT_EDITOR: 'sed -i "/^Ledger-Checkpoint/d; 1s/^/feat: parser/"' }
      expect(repo.run('git', ['commit', '-q'], { env }).status).toBe(0)
      expect(trailers(repo)).toEqual([])
      expect(checkpoints(repo)).toEqual({})
      await agent.prompt('More')
      expect(stateOf(repo, agent)?.base).toBe(repo.git('rev-parse', 'HEAD'))
      await agent.write('more.txt', 'more\n')
      const commit = await agent.commit('feat: more')
      await agent.stop('Done.')
      expect(onlyCheckpoint(repo, agent)).toMatchObject({
        id: trailers(repo)[0],
        commits: [commit],
      })
    },
  )
})

describe('sequences', () => {
  /** The agent's branch `topic`, forked before the last commit of `main`. */
  async function diverged(repo: Repo) {
    repo.git('branch', 'topic')
    repo.commit('docs: main', { 'main.txt': 'main\n' })
    repo.git('switch', '-q', 'topic')
    const agent = await begun(repo)
    return agent
  }

  longTest('a rebase inside a turn keeps the phase and moves its links', async () => {
    const repo = ledgerRepo()
    const agent = await diverged(repo)
    await agent.write('parser.txt', 'parser\n')
    const old = await agent.commit('feat: parser')
    const [id] = trailers(repo)
    await agent.write('draft.txt', 'draft\n')
    expect((await agent.bash('git rebase -q --autostash main')).status).toBe(0)
    const head = repo.git('rev-parse', 'HEAD')
    expect(head).not.toBe(old)
    expect(trailers(repo)).toEqual([id])
    expect(checkpoints(repo)).toEqual({})
    expect(stateOf(repo, agent)).toMatchObject({
      phase: 'active_committed',
      base: head,
      pendingCheckpoint: id,
      awaiting: [{ commit: head, checkpoint: id }],
    })
    await agent.stop('Rebased.')
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [head] })
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', filesTouched: ['draft.txt'] })
    expect(shadows(repo)).toEqual([`refs/ledger/shadow/${head.slice(0, 7)}-e3b0c4`])
  })

  longTest.each(['active', 'idle', 'ended'])(
    'in phase %s, cherry-pick and revert link nothing and keep the session’s work',
    async (phase) => {
      const repo = ledgerRepo()
      const agent = await diverged(repo)
      await agent.write('parser.txt', 'parser\n')
      if (phase !== 'active') await agent.stop('Half of it.')
      if (phase === 'ended') await agent.end()
      const before = stateOf(repo, agent)
      repo.git('cherry-pick', 'main')
      expect(trailers(repo)).toEqual([])
      if (phase !== 'active') repo.git('revert', '--no-edit', 'HEAD')
      expect(trailers(repo)).toEqual([])
      const after = stateOf(repo, agent)
      expect(after).toMatchObject({ phase, steps: before?.steps, filesTouched: ['parser.txt'] })
      expect(after?.pendingCheckpoint).toBeUndefined()
      expect(checkpoints(repo)).toEqual({})
      repo.commit('feat: parser')
      expect(trailers(repo)).toHaveLength(1)
      if (phase === 'active') await agent.stop('Done.')
      expect(onlyCheckpoint(repo, agent)).toMatchObject({ id: trailers(repo)[0] })
      expect(shadows(repo)).toEqual([])
    },
  )

  longTest('an amended commit keeps its id, and nothing is condensed twice', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.commit('feat: parser')
    await agent.stop('Done.')
    const ids = trailers(repo)
    const tip = repo.git('rev-parse', 'ledger/checkpoints/v1')
    repo.git('commit', '-q', '--amend', '-m', 'feat: a better parser')
    expect(trailers(repo)).toEqual(ids)
    expect(repo.git('rev-parse', 'ledger/checkpoints/v1')).toBe(tip)
    const head = repo.git('rev-parse', 'HEAD')
    expect(stateOf(repo, agent)).toMatchObject({ commits: [{ commit: head }], base: head })
  })
})

describe('recovery', () => {
  test('a condensation that fails loses nothing, and the next start completes it under the same id', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.stop('Have a look.')
    const [shadow] = shadows(repo)
    // A ref that blocks the branch.
    const way = 'refs/heads/ledger/checkpoints/v1/in-the-way'
    repo.git('update-ref', way, 'HEAD')
    const base = repo.git('rev-parse', 'HEAD')
    const commit = repo.commit('feat: parser')
    const [id] = trailers(repo)
    const state = stateOf(repo, agent)
    expect(state).toMatchObject({ phase: 'idle', base, steps: 1, pendingCheckpoint: id })
    expect(state?.awaiting).toEqual([{ commit, checkpoint: id }])
    expect(shadows(repo)).toEqual([shadow])
    expect(sessionLog(repo)).toMatch(/not condensed/)

    repo.git('update-ref', '-d', way)
    await new Agent(repo).start()
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [commit], steps: 1 })
    expect(stateOf(repo, agent)).toMatchObject({ awaiting: [], steps: 0, lastCheckpoint: id })
    expect(shadows(repo)).toEqual([])
  })

  longTest('a later session completes the checkpoint of a commit before a crash', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    const commit = await agent.commit('feat: parser', 'parser.txt')
    await agent.write('draft.txt', 'draft\n')
    const [id] = trailers(repo)
    await agent.crash()
    expect(stateOf(repo, agent)?.phase).toBe('active_committed')
    expect(checkpoints(repo)).toEqual({})
    // The session may only be pausing: nothing but long silence tells.
    const other = new Agent(repo)
    await other.start()
    expect(stateOf(repo, agent)?.phase).toBe('active_committed')
    age(repo, agent, 31)
    await other.start()
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [commit] })
    const state = stateOf(repo, agent)
    expect(state).toMatchObject({ phase: 'ended', lastCheckpoint: id, filesTouched: ['draft.txt'] })
    expect(shadowPaths(repo).join('\n')).toContain('draft.txt')
    // Its work is reported by the session that found it.
    expect(events(repo)).toHaveLength(1)
    expect(events(repo)[0]).toContain('reason: timed out')
    expect(ledger(repo).this_session.map(({ text }) => text)).toContain(
      `feat: parser (${commit.slice(0, 7)})`,
    )
  })

  longTest('`claude -r` completes the checkpoint of a commit before a crash', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    const commit = await agent.commit('feat: parser')
    await agent.crash()
    const again = new Agent(repo, agent.session)
    await again.start('resume')
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id: trailers(repo)[0], commits: [commit] })
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', awaiting: [] })
  })

  longTest('a person’s commit minutes after a crash is condensed at once', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.crash()
    age(repo, agent, 3)
    const commit = repo.commit('feat: parser')
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id: trailers(repo)[0], commits: [commit] })
    expect(stateOf(repo, agent)?.awaiting).toEqual([])
  })

  longTest(
    'a later commit without the session’s work completes the checkpoint of one before a crash',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      await agent.write('parser.txt', 'parser\n')
      const commit = await agent.commit('feat: parser')
      const [id] = trailers(repo)
      await agent.crash()
      age(repo, agent, 3)
      // A ref that blocks the branch: a commit that cannot be condensed now is still owed its checkpoint.
      const way = 'refs/heads/ledger/checkpoints/v1/in-the-way'
      repo.git('update-ref', way, 'HEAD')
      repo.git('commit', '-q', '--allow-empty', '-m', 'ci: again')
      expect(stateOf(repo, agent)).toMatchObject({
        phase: 'active_committed',
        pendingCheckpoint: id,
      })
      repo.git('update-ref', '-d', way)
      repo.git('commit', '-q', '--allow-empty', '-m', 'ci: and again')
      expect(trailers(repo)).toEqual([])
      expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [commit] })
      expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', awaiting: [] })
    },
  )

  longTest('a new prompt after Ctrl-C records the interrupted turn', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.bash('echo made by a shell > shell.txt')
    await agent.write('parser.txt', 'parser\n')
    agent.interrupt()
    expect(shadows(repo)).toEqual([])
    await agent.prompt('Do it otherwise')
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', turn: 2, steps: 1 })
    expect(stateOf(repo, agent)?.filesTouched.toSorted()).toEqual(['parser.txt', 'shell.txt'])
    expect(shadowPaths(repo).join('\n')).toMatch(/parser\.txt[^]*shell\.txt/)
    const commit = await agent.commit('feat: both')
    await agent.stop('Done.')
    const stored = onlyCheckpoint(repo, agent)
    expect(stored).toMatchObject({ id: trailers(repo)[0], commits: [commit], turn: 2 })
    expect(stored.files).toEqual(['parser.txt', 'shell.txt'])
    expect(stored.prompts).toMatch(/Add a parser for dates[^]*Do it otherwise/)
  })

  longTest(
    'a new prompt after Ctrl-C first completes the checkpoint of a commit made before it',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      await agent.write('parser.txt', 'parser\n')
      const commit = await agent.commit('feat: parser')
      const [id] = trailers(repo)
      agent.interrupt()
      await agent.prompt('Go on')
      expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [commit], turn: 1 })
      const state = stateOf(repo, agent)
      expect(state).toMatchObject({ phase: 'active', turn: 2, awaiting: [] })
      expect(state?.pendingCheckpoint).toBeUndefined()
    },
  )
})

describe('a session that has ended', () => {
  longTest('is condensed when a person commits its files, and takes no further part', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.stop('Done.')
    await agent.end()
    const commit = repo.commit('feat: parser')
    expect(onlyCheckpoint(repo, agent)).toMatchObject({ id: trailers(repo)[0], commits: [commit] })
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'ended', isCondensed: true, awaiting: [] })
    expect(shadows(repo)).toEqual([])
    // The session is finished: the next commit has nothing to do with it.
    const tip = repo.git('rev-parse', 'ledger/checkpoints/v1')
    repo.commit('docs: more', { 'more.txt': 'more\n' })
    expect(trailers(repo)).toEqual([])
    expect(repo.git('rev-parse', 'ledger/checkpoints/v1')).toBe(tip)
  })

  longTest(
    'completes, at the next commit of any files, a checkpoint that could not be written',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      await agent.write('parser.txt', 'parser\n')
      await agent.stop('Done.')
      await agent.end()
      const way = 'refs/heads/ledger/checkpoints/v1/in-the-way'
      repo.git('update-ref', way, 'HEAD')
      const commit = repo.commit('feat: parser')
      const [id] = trailers(repo)
      repo.git('update-ref', '-d', way)
      repo.commit('docs: more', { 'more.txt': 'more\n' })
      expect(trailers(repo)).toEqual([])
      expect(onlyCheckpoint(repo, agent)).toMatchObject({ id, commits: [commit] })
      expect(stateOf(repo, agent)).toMatchObject({
        phase: 'ended',
        isCondensed: true,
        awaiting: [],
      })
    },
  )

  longTest('is forgotten at the next commit if it touched nothing', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo, 'What does the parser do?')
    await agent.stop('It reads dates.')
    await agent.end()
    expect(stateOf(repo, agent)?.phase).toBe('ended')
    repo.commit('docs: more', { 'more.txt': 'more\n' })
    expect(trailers(repo)).toEqual([])
    expect(stateOf(repo, agent)).toBeUndefined()
    expect([shadows(repo), checkpoints(repo)]).toEqual([[], {}])
    expect(ledger(repo).now?.value).toBe('“What does the parser do?”: It reads dates.')
  })

  longTest('writes no second event for a second end without new work', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.commit('feat: parser')
    await agent.stop('Done.')
    await agent.end()
    const head = repo.git('rev-parse', 'HEAD')
    await agent.end('other')
    expect(events(repo)).toHaveLength(1)
    // Resumed, with no prompt.
    const again = new Agent(repo, agent.session)
    await again.start('resume')
    expect(stateOf(repo, agent)?.phase).toBe('idle')
    await again.end()
    expect(stateOf(repo, agent)?.phase).toBe('ended')
    expect(events(repo)).toHaveLength(1)
    expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  })

  test('continues with `claude -r`, and its second end reports only what is new', async () => {
    const repo = ledgerRepo()
    const agent = await begun(repo)
    await agent.write('parser.txt', 'parser\n')
    await agent.commit('feat: parser')
    await agent.stop('The parser is in place.')
    await agent.end()
    const [first] = trailers(repo, 'HEAD~1')

    const again = new Agent(repo, agent.session)
    await again.start('resume')
    await again.prompt('Add a printer')
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'active', turn: 2 })
    expect(stateOf(repo, agent)?.endedAt).toBeUndefined()
    await again.write('printer.txt', 'printer\n')
    const commit = await again.commit('feat: printer')
    const [second] = trailers(repo)
    expect(second).not.toBe(first)
    await again.stop('The printer is in place.')
    await again.end()
    expect(Object.keys(checkpoints(repo)).toSorted()).toEqual([first!, second!].toSorted())
    const stored = checkpoints(repo)[second!]?.[agent.session]
    expect(stored).toMatchObject({ commits: [commit], files: ['printer.txt'], turn: 2 })
    // Only what followed the first checkpoint.
    expect(stored?.transcript).not.toContain('The parser is in place.')
    expect(events(repo)).toHaveLength(2)
    expect(ledger(repo).now?.value).toBe('“Add a printer”: The printer is in place.')
    const done = ledger(repo).this_session.map(({ text }) => text)
    expect(done.filter((text) => text.startsWith('feat: printer'))).toHaveLength(1)
  })
})

describe('two sessions in one worktree', () => {
  test('link a commit to the one that made it or whose files it contains', async () => {
    const repo = ledgerRepo()
    const ada = await begun(repo, 'Add a parser')
    const bob = await begun(repo, 'Add a printer')
    await ada.write('parser.txt', 'parser\n')
    await bob.write('printer.txt', 'printer\n')
    const made = await bob.commit('feat: printer', 'printer.txt')
    const [id] = trailers(repo)
    expect(trailers(repo)).toHaveLength(1)
    expect(stateOf(repo, bob)).toMatchObject({ phase: 'active_committed', pendingCheckpoint: id })
    expect(stateOf(repo, ada)).toMatchObject({ phase: 'active', base: made, awaiting: [] })
    await bob.stop('Printer.')
    await ada.stop('Parser.')
    expect(Object.keys(checkpoints(repo))).toEqual([id])
    expect(checkpoints(repo)[id!]).toMatchObject({
      [bob.session]: { commits: [made], files: ['printer.txt'] },
      [ada.session]: { commits: [], files: [], prompts: 'Add a parser' },
    })
    expect(stateOf(repo, ada)).toMatchObject({ phase: 'idle', filesTouched: ['parser.txt'] })

    // A person commits the other session's file.
    const parser = repo.commit('feat: parser')
    const [second] = trailers(repo)
    expect(second).not.toBe(id)
    expect(checkpoints(repo)[second!]).toMatchObject({ [ada.session]: { commits: [parser] } })
    expect(Object.keys(checkpoints(repo)[second!] ?? {})).toEqual([ada.session])
    expect(shadows(repo)).toEqual([])
  })

  longTest('share one checkpoint for a commit with work of both', async () => {
    const repo = ledgerRepo()
    const ada = await begun(repo, 'Add a parser')
    const bob = await begun(repo, 'Add a printer')
    await ada.write('parser.txt', 'parser\n')
    await bob.write('printer.txt', 'printer\n')
    await ada.stop('Parser.')
    await bob.stop('Printer.')
    const commit = repo.commit('feat: both')
    const [id, ...more] = trailers(repo)
    expect(more).toEqual([])
    const stored = checkpoints(repo)
    expect(Object.keys(stored)).toEqual([id])
    expect(stored[id!]).toMatchObject({
      [ada.session]: { commits: [commit], files: ['parser.txt'], prompts: 'Add a parser' },
      [bob.session]: { commits: [commit], files: ['printer.txt'], prompts: 'Add a printer' },
    })
  })

  longTest('keep the shadow data of the one that is not committed', async () => {
    const repo = ledgerRepo()
    const ada = await begun(repo, 'Add a parser')
    const bob = await begun(repo, 'Add a printer')
    await ada.write('parser.txt', 'parser\n')
    await ada.stop('Parser.')
    await bob.write('printer.txt', 'printer\n')
    await bob.stop('Printer.')
    await bob.prompt('Go on')
    repo.git('add', 'parser.txt')
    repo.git('commit', '-q', '-m', 'feat: parser')
    const [id = ''] = trailers(repo)
    const stored = checkpoints(repo)
    expect(Object.keys(stored)).toEqual([id])
    // Bob has no part in the commit; what he said is included as possible context.
    expect(stored[id]).toMatchObject({
      [ada.session]: { files: ['parser.txt'] },
      [bob.session]: { commits: [], files: [] },
    })
    const paths = shadowPaths(repo)
    expect(shadows(repo)).toHaveLength(1)
    expect(paths.some((path) => path.includes(bob.session))).toBe(true)
    expect(paths.some((path) => path.includes(ada.session))).toBe(false)
    expect(stateOf(repo, bob)).toMatchObject({ phase: 'active', steps: 1 })
  })

  longTest('both appear in the ledger', async () => {
    const repo = ledgerRepo()
    const ada = await begun(repo, 'Add a parser')
    const bob = await begun(repo, 'Add a printer')
    await ada.todo(['Parse dates', 'completed'], ['Parse times', 'pending'])
    await bob.todo(['Print dates', 'completed'], ['Print times', 'pending'])
    await ada.stop('Dates are parsed.')
    await bob.stop('Dates are printed.')
    await ada.end()
    await bob.end()
    expect(events(repo)).toHaveLength(2)
    const done = ledger(repo).this_session.map(({ text }) => text)
    expect(done).toEqual(expect.arrayContaining(['Parse dates', 'Print dates']))
    expect(ledger(repo).now?.value).toBe('“Add a printer”: Dates are printed.')
  })
})

describe('one session in two worktrees', () => {
  longTest('links each commit where it is made and gives each its checkpoint', async () => {
    const repo = ledgerRepo()
    repo.git('worktree', 'add', '-q', '-b', 'topic', join(repo.sandbox.folder, 'topic'))
    const topic = repo.sandbox.at(join(repo.sandbox.folder, 'topic'))
    const agent = await begun(repo)
    await agent.write('here.txt', 'here\n')
    const here = await agent.commit('feat: here')
    const [first] = trailers(repo)
    await agent.stop('Here.')

    agent.cd(topic)
    await agent.prompt('Now in the other worktree')
    expect(stateOf(repo, agent)).toMatchObject({ worktree: { name: 'topic' }, phase: 'active' })
    await agent.write('there.txt', 'there\n')
    const there = await agent.commit('feat: there')
    const [second] = trailers(topic)
    await agent.stop('There.')
    const stored = checkpoints(repo)
    expect(Object.keys(stored).toSorted()).toEqual([first!, second!].toSorted())
    expect(stored[first!]?.[agent.session]).toMatchObject({ commits: [here], files: ['here.txt'] })
    expect(stored[second!]?.[agent.session]).toMatchObject({
      commits: [there],
      files: ['there.txt'],
    })
    expect(shadows(repo)).toEqual([])
    await agent.end()
    expect(events(topic)).toHaveLength(1)
    expect(events(repo)).toHaveLength(0)
    expect(topic.status()).toBe('')
  })

  longTest('keeps uncommitted work of the first worktree in its shadow data', async () => {
    const repo = ledgerRepo()
    repo.git('worktree', 'add', '-q', '-b', 'topic', join(repo.sandbox.folder, 'topic'))
    const topic = repo.sandbox.at(join(repo.sandbox.folder, 'topic'))
    const agent = await begun(repo)
    await agent.write('here.txt', 'here\n')
    await agent.stop('Here.')
    const before = shadows(repo)
    agent.cd(topic)
    await agent.prompt('Now in the other worktree')
    await agent.write('there.txt', 'there\n')
    const there = await agent.commit('feat: there')
    await agent.stop('There.')
    const stored = onlyCheckpoint(repo, agent)
    expect(stored).toMatchObject({ id: trailers(topic)[0], commits: [there] })
    expect(shadows(repo)).toEqual(before)
    expect(shadowPaths(repo).join('\n')).toContain('files/here.txt')
    expect(topic.exists('here.txt')).toBe(false)
  })
})

describe('uncommitted work that a session left in another worktree', () => {
  async function movedAway() {
    const repo = ledgerRepo()
    const folder = join(repo.sandbox.folder, 'topic')
    repo.git('worktree', 'add', '-q', '-b', 'topic', folder)
    const topic = repo.sandbox.at(folder)
    const agent = await begun(topic)
    await agent.write('parser.txt', 'the work\n')
    await agent.stop('Written, and not committed.')
    agent.cd(repo)
    return { repo, topic, agent, saved: shadows(repo) }
  }

  longTest('stays when the session ends and others start, and can be recovered', async () => {
    const { repo, topic, agent, saved } = await movedAway()
    await agent.prompt('Now in the main worktree')
    await agent.write('printer.txt', 'printer\n')
    await agent.commit('feat: printer')
    await agent.stop('Committed.')
    await agent.end()
    await new Agent(repo).start()
    expect(shadows(repo)).toEqual(saved)
    repo.git('worktree', 'remove', '--force', topic.folder)
    repo.ledger('session', 'recover', '--files', '../rescued')
    const rescued = join(repo.sandbox.folder, 'rescued')
    expect(readdirSync(rescued, { recursive: true }).join('\n')).toContain('parser.txt')
  })

  longTest('is not mistaken for files of that name in the worktree it moves to', async () => {
    const { repo, topic, agent } = await movedAway()
    repo.commit('chore: a file of that name', { 'parser.txt': 'of main\n' })
    await agent.prompt('Now in the main worktree')
    await agent.stop('Looked around.')
    expect(stateOf(repo, agent)).toMatchObject({ filesTouched: [] })
    agent.cd(topic)
    await agent.prompt('Back again')
    await agent.write('lexer.txt', 'lexer\n')
    await agent.stop('Written, too.')
    expect(stateOf(repo, agent)?.filesTouched.toSorted()).toEqual(['lexer.txt', 'parser.txt'])
    await agent.commit('feat: parser and lexer')
    expect(shadows(repo)).toEqual([])
  })

  test('stays as it was saved when the worktree is removed in a turn, without files of a person', async () => {
    const repo = ledgerRepo()
    const folder = join(repo.sandbox.folder, 'topic')
    repo.git('worktree', 'add', '-q', '-b', 'topic', folder)
    const agent = await begun(repo.sandbox.at(folder))
    await agent.write('parser.txt', 'the work\n')
    await agent.stop('Written, and not committed.')
    const paths = shadowPaths(repo)
    repo.write('draft.txt', "a person's\n")
    repo.commit('chore: a file of that name', { 'parser.txt': 'of main\n' })
    await agent.prompt('Clean up')
    agent.cd(repo)
    repo.git('worktree', 'remove', '--force', folder)
    await agent.stop('The worktree is gone.')
    expect(shadowPaths(repo)).toEqual(paths)
    expect(stateOf(repo, agent)).toMatchObject({ phase: 'idle', branch: 'topic' })
    await agent.end()
    const [event = ''] = events(repo)
    expect(event).toMatch(/^branch: topic$/m)
    expect(event).toContain('The worktree is gone.')
    expect(event).not.toContain('draft.txt')
  })
})

describe('a session that continues', () => {
  const EVERY = 'session:\n  checkpoint_interval: 0s\n'

  longTest('drops next steps that it named and then took', async () => {
    const repo = ledgerRepo()
    repo.commit('chore: settings', { '.ledger-git.yaml': EVERY })
    const agent = await begun(repo)
    await agent.write('parser.txt', 'half\n')
    await agent.commit('feat: half a parser')
    await agent.stop('It reads dates.\n\n## Next steps\n- Read times')
    expect(ledger(repo).next.map(({ text }) => text)).toEqual(['Read times'])
    await agent.prompt('Then read the times, too')
    await agent.write('parser.txt', 'whole\n')
    await agent.commit('feat: a parser')
    await agent.stop('Times are read, and nothing is left to do.')
    expect(ledger(repo).next).toEqual([])
  })

  longTest('reports its checkpoints to the ledger and commits them', async () => {
    const repo = ledgerRepo()
    repo.commit('chore: settings', { '.ledger-git.yaml': EVERY })
    const agent = await begun(repo)
    await agent.todo(['Parse dates', 'completed'], ['Parse times', 'in_progress'])
    await agent.write('parser.txt', 'parser\n')
    const commit = await agent.commit('feat: parser')
    const [id] = trailers(repo)
    await agent.write('draft.txt', 'draft\n')
    await agent.stop('Dates are parsed.')
    expect(events(repo, 'checkpoint')).toHaveLength(1)
    expect(ledger(repo).now?.value).toBe(
      '“Add a parser for dates”: Dates are parsed. (in progress on its list: Parse times)',
    )
    expect(repo.git('log', '-1', '--format=%s')).toMatch(/^chore\(ledger\): checkpoint by /)
    expect(repo.git('rev-parse', 'HEAD^')).toBe(commit)
    expect(repo.changed().every((path) => path.startsWith('thoughts/'))).toBe(true)
    // Without work there is no checkpoint and no event.
    await agent.prompt('Thanks')
    await agent.stop('You are welcome.')
    expect(events(repo, 'checkpoint')).toHaveLength(1)
    // Work from before the ledger's own commit is still linked to the next one.
    const draft = repo.commit('feat: draft')
    const [second] = trailers(repo)
    expect(Object.keys(checkpoints(repo)).toSorted()).toEqual([id!, second!].toSorted())
    expect(checkpoints(repo)[second!]?.[agent.session]).toMatchObject({ commits: [draft] })
    expect(shadows(repo)).toEqual([])
    await agent.end()
    expect(events(repo)).toHaveLength(1)
    expect(ledger(repo).now?.value).toBe(
      '“Add a parser for dates”: Dates are parsed. (in progress on its list: Parse times)',
    )
  })

  longTest(
    'reports neither in its first half hour, nor twice within one, nor when that is turned off',
    async () => {
      const repo = ledgerRepo()
      const agent = await begun(repo)
      const turn = async (name: string) => {
        await agent.write(name, name)
        await agent.commit(`feat: ${name}`)
        await agent.stop('Done.')
        await agent.prompt('Go on')
      }
      await turn('one.txt')
      expect(events(repo, 'checkpoint')).toHaveLength(0)
      editState(repo, agent, { startedAt: new Date(Date.now() - 31 * 60_000).toISOString() })
      await turn('two.txt')
      expect(events(repo, 'checkpoint')).toHaveLength(1)
      await turn('three.txt')
      expect(events(repo, 'checkpoint')).toHaveLength(1)
      repo.commit('chore: settings', {
        '.ledger-git.yaml': 'session:\n  checkpoint_interval: never\n',
      })
      for (const file of repo.git('ls-files', EVENTS).split('\n')) repo.git('rm', '-q', file)
      await turn('four.txt')
      expect(events(repo, 'checkpoint')).toHaveLength(0)
    },
  )
})
