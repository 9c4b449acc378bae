/** Shadow data follows HEAD and is removed once it is condensed, but never while somebody still needs it. */

import { expect, test } from 'vitest'
import { carryForward, migrateShadow } from '../../../src/app/shadow/shadow-moves.ts'
import { touchedVersions } from '../../../src/app/shadow/shadow-files.ts'

import { saveStep } from '../../../src/app/shadow/save-step.ts'

import { withCondensed } from '../../../src/core/session/change-session.ts'
import { carriedForward } from '../../../src/core/checkpoint/condensation.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import { EVENTS } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import { keepState, sessionHere } from '../../support/session-context.ts'
import { checkpoint } from '../../core/session/sessions.ts'
import {
  contextOf,
  eventName,
  eventText,
  repoWith,
  shadowPaths,
  shadowRefs,
  shadowSteps,
} from './shadow-repo.ts'
import { longTest } from '../../support/long.ts'

/** A session with one step in which it wrote a file. */
async function stepOf(repo: Repo, id: string, file: string): Promise<SessionState> {
  repo.write(file, `${id} ${file}\n`)
  const context = await contextOf(repo)
  const old = context.sessions.read(id) ?? (await sessionHere(context, id))
  const all = repo
    .status()
    .split('\n')
    .map((line) => line.slice(3))
  const dirtyBefore = all.filter((path) => path !== file)
  const { state } = await saveStep(context, { ...old, dirtyBefore })
  return keepState(context, state)
}

async function migrate(repo: Repo, state: SessionState): Promise<SessionState> {
  const context = await contextOf(repo)
  return keepState(context, await migrateShadow(context, state, repo.git('rev-parse', 'HEAD')))
}

const nameOf = (base: string) => `refs/ledger/shadow/${base.slice(0, 7)}-e3b0c4`

/** Condenses, with these files held by a commit; returns the state afterwards. */
async function condense(repo: Repo, state: SessionState, held: Record<string, string>) {
  const context = await contextOf(repo)
  const touched = await touchedVersions(context, { ...state, phase: 'idle' })
  const known = Object.keys(held).map((path) => ({
    path,
    blob: repo.git('rev-parse', `HEAD:${path}`),
  }))
  const files = carriedForward(touched, known)
  const base = repo.git('rev-parse', 'HEAD')
  await carryForward(context, state, { base, files })
  const done = {
    checkpoint: checkpoint('1'),
    base,
    carried: files.map(({ path }) => path),
    offset: 0,
  }
  return keepState(context, { ...withCondensed(state, done), phase: 'ended' })
}

test('a migrated chain has the new name and its steps, and the old ref is gone', async () => {
  const repo = repoWith()
  const state = await stepOf(repo, 's1', 'mine.txt')
  const old = state.base ?? ''
  const base = repo.commit('by others', { 'other.txt': 'x\n', 'mine.txt': 's1 mine.txt\n' })
  const moved = await migrate(repo, state)
  expect(moved.base).toBe(base)
  expect(shadowRefs(repo)).toEqual([nameOf(base)])
  expect(nameOf(base)).not.toBe(nameOf(old))
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['mine.txt'])
  expect(shadowSteps(repo)).toBe(2)
  // Migrating again, or with nothing to move, changes nothing.
  await migrate(repo, moved)
  await migrate(repo, state)
  expect(shadowRefs(repo)).toEqual([nameOf(base)])
  expect(shadowSteps(repo)).toBe(2)
})

test('the old ref stays while another session has the old base, until both share a chain again', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  const two = await stepOf(repo, 's2', 'two.txt')
  const old = one.base ?? ''
  expect(shadowPaths(repo, 'sessions/s2/files')).toEqual(['two.txt'])
  repo.git('commit', '-q', '--allow-empty', '-m', 'moved')
  const base = repo.git('rev-parse', 'HEAD')
  await migrate(repo, one)
  expect(shadowRefs(repo).sort()).toEqual([nameOf(base), nameOf(old)].sort())
  // Meanwhile the other session adds to the old base, and its addition comes along.
  const further = await stepOf(repo, 's2', 'three.txt')
  await migrate(repo, { ...further, base: two.base })
  expect(shadowRefs(repo)).toEqual([nameOf(base)])
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['one.txt'])
  expect(shadowPaths(repo, 'sessions/s2/files')).toEqual(['three.txt', 'two.txt'])
})

longTest('a session without a step also keeps the ref of its base', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  await sessionHere(await contextOf(repo), 's2')
  repo.git('commit', '-q', '--allow-empty', '-m', 'moved')
  await migrate(repo, one)
  expect(shadowRefs(repo)).toContain(nameOf(one.base ?? ''))
})

longTest('a chain whose base was rewritten is found, and moves at the next step', async () => {
  const repo = repoWith()
  const state = await stepOf(repo, 's1', 'one.txt')
  repo.git('commit', '-q', '--amend', '-m', 'amended')
  const base = repo.git('rev-parse', 'HEAD')
  const mapped = await keepState(await contextOf(repo), { ...state, base })
  expect(await touchedVersions(await contextOf(repo), { ...mapped, phase: 'idle' })).toHaveLength(1)
  await saveStep(await contextOf(repo), mapped)
  expect(shadowRefs(repo)).toEqual([nameOf(base)])
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['one.txt'])
})

test('condensing everything removes the ref', async () => {
  const repo = repoWith()
  const state = await stepOf(repo, 's1', 'one.txt')
  repo.commit('all')
  await condense(repo, state, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([])
})

test('what a commit lacks is carried to the new base, without the conversation', async () => {
  const repo = repoWith()
  await stepOf(repo, 's1', 'one.txt')
  const state = await stepOf(repo, 's1', 'two.txt')
  repo.git('add', 'one.txt')
  repo.git('commit', '-q', '-m', 'half')
  const after = await condense(repo, { ...state, prompts: ['secret plan'] }, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([nameOf(repo.git('rev-parse', 'HEAD'))])
  expect(shadowPaths(repo, 'sessions/s1')).toEqual(['about.json', 'files/two.txt'])
  expect(shadowSteps(repo)).toBe(1)
  expect(after.filesTouched).toEqual(['two.txt'])
  const left = await touchedVersions(await contextOf(repo), after)
  expect(left).toEqual([{ path: 'two.txt', blob: repo.git('hash-object', 'two.txt') }])
})

longTest('a version of an open turn that is in no step is carried as it is now', async () => {
  const repo = repoWith()
  const state = await stepOf(repo, 's1', 'one.txt')
  repo.write('one.txt', 'later\n')
  const context = await contextOf(repo)
  const blob = repo.git('hash-object', 'one.txt')
  await carryForward(context, state, { base: state.base, files: [{ path: 'one.txt', blob }] })
  expect(repo.git('show', `${shadowRefs(repo)[0]}:sessions/s1/files/one.txt`)).toBe('later')
})

test("a condensed session is removed from a shared chain, and the other session's work stays", async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  await stepOf(repo, 's2', 'two.txt')
  repo.git('add', 'one.txt')
  repo.git('commit', '-q', '-m', 'one')
  await condense(repo, one, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([nameOf(one.base ?? '')])
  const ref = shadowRefs(repo)[0] ?? ''
  expect(repo.git('ls-tree', '--name-only', `${ref}:sessions`)).toBe('s2')
  expect(repo.git('log', '--format=%H', ref, '--', 'sessions/s1')).toBe('')
})

test('a part of an unknown session keeps the ref, because it may still be needed', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  await stepOf(repo, 'unknown', 'two.txt')
  const { sessions } = await contextOf(repo)
  await sessions.change('unknown', async () => ({ state: undefined, result: undefined }))
  repo.git('add', 'one.txt')
  repo.git('commit', '-q', '-m', 'one')
  await condense(repo, one, { 'one.txt': '' })
  expect(shadowPaths(repo, 'sessions/unknown/files')).toEqual(['two.txt'])
})

longTest('a leftover part of a finished session does not keep the ref', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  const two = await stepOf(repo, 's2', 'two.txt')
  await keepState(await contextOf(repo), {
    ...two,
    phase: 'ended',
    isCondensed: true,
    filesTouched: [],
  })
  repo.commit('all')
  await condense(repo, one, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([])
})

test('pending events outlive their sessions, follow the base, and go once they are committed', async () => {
  const repo = repoWith()
  repo.write(`${EVENTS}/${eventName(1)}`, eventText(1))
  const one = await stepOf(repo, 's1', 'one.txt')
  repo.git('add', 'one.txt')
  repo.git('commit', '-q', '-m', 'one')
  await condense(repo, one, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([nameOf(repo.git('rev-parse', 'HEAD'))])
  expect(shadowPaths(repo, 'events')).toEqual([eventName(1)])

  // A later session's first step takes them along from a base that no session uses anymore.
  repo.git('commit', '-q', '--allow-empty', '-m', 'more')
  repo.git('clean', '-fdxq')
  const two = await stepOf(repo, 's2', 'two.txt')
  expect(shadowRefs(repo)).toEqual([nameOf(two.base ?? '')])
  expect(shadowPaths(repo, 'events')).toEqual([eventName(1)])

  repo.commit('the event', { [`${EVENTS}/${eventName(1)}`]: eventText(1) })
  await condense(repo, two, { 'two.txt': '' })
  expect(shadowRefs(repo)).toEqual([])
})

longTest('an event that only another branch has committed does not keep the ref', async () => {
  const repo = repoWith()
  repo.write(`${EVENTS}/${eventName(1)}`, eventText(1))
  const one = await stepOf(repo, 's1', 'one.txt')
  repo.git('switch', '-q', '-c', 'side')
  repo.git('add', EVENTS)
  repo.git('commit', '-q', '-m', 'event on a side branch')
  repo.git('switch', '-q', 'main')
  repo.commit('one', { 'one.txt': 's1 one.txt\n' })
  await condense(repo, one, { 'one.txt': '' })
  expect(shadowRefs(repo)).toEqual([])
})

test('discarding a session leaves nothing of it', async () => {
  const repo = repoWith()
  const state = await stepOf(repo, 's1', 'one.txt')
  await carryForward(await contextOf(repo), state, { base: state.base, files: [] })
  expect(shadowRefs(repo)).toEqual([])
})

longTest('discarding one of two sessions in a chain also removes it from the history', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  await stepOf(repo, 's2', 'two.txt')
  await carryForward(await contextOf(repo), one, { base: one.base, files: [] })
  expect(shadowPaths(repo, 'sessions/s2/files')).toEqual(['two.txt'])
  expect(repo.git('log', '--format=%H', shadowRefs(repo)[0] ?? '', '--', 'sessions/s1')).toBe('')
})

test('data written while a ref is being removed is kept', async () => {
  const repo = repoWith()
  const one = await stepOf(repo, 's1', 'one.txt')
  const two = await sessionHere(await contextOf(repo), 's2', { dirtyBefore: ['one.txt'] })
  repo.write('two.txt', 'two\n')
  const plain = await contextOf(repo)
  let isFirst = true
  const refs: typeof plain.refs = {
    ...plain.refs,
    remove: async (name, from) => {
      if (isFirst) {
        isFirst = false
        await saveStep(await contextOf(repo), two)
      }
      return plain.refs.remove(name, from)
    },
  }
  const context = await contextOf(repo, { refs })
  // The store does not know the second session yet; only the ref shows it.
  await context.sessions.change('s2', async () => ({ state: undefined, result: undefined }))
  await carryForward(context, one, { base: one.base, files: [] })
  expect(shadowPaths(repo, 'sessions/s2/files')).toEqual(['two.txt'])
  expect(repo.git('ls-tree', '--name-only', `${shadowRefs(repo)[0]}:sessions`)).toBe('s2')
})
