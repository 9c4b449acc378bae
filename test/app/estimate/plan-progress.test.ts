/** Parts of a plan that a session completes: a good place to stop, and progress in the parent issue. */

import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { observeContext } from '../../../src/app/context/observe-context.ts'
import { writeContextCheckpoint } from '../../../src/app/context/write-checkpoint.ts'
import { readPlanFile } from '../../../src/app/estimate/plan-file.ts'
import { trackProgress, trackShards } from '../../../src/app/estimate/plan-progress.ts'
import { planShards, writeShards } from '../../../src/app/estimate/shard-files.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { tryLock } from '../../../src/io/files/lock.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { sessionContext, sessionHere } from '../../support/session-context.ts'

const planOf = (...ticks: string[]) =>
  `# Tasks\n\n${ticks.map((tick, i) => `- [${tick}] T00${i + 1} write part ${i + 1}\n`).join('')}`

interface Told {
  readonly content: object
  readonly issue: string
}

test('a finished part is a good place to stop, and the next checkpoint reports it to the parent issue', async () => {
  const repo = ledgerRepo()
  repo.git('config', 'ledger.tracker', 'linear')
  repo.git('config', 'ledger.trackerTeams', 'ANV')
  repo.write('specs/tasks.md', planOf(' ', ' ', ' ', ' '))
  const plan = join(repo.folder, 'specs/tasks.md')
  const session = await sessionContext(repo.folder, repo.sandbox.env)
  const file = readPlanFile(session, plan, 'specs/tasks.md')
  const shards = planShards(session, file, 'specs/tasks.md', { into: 2, window: 200_000 })
  await writeShards(session, file, shards)
  await trackShards(session, 'ANV-1', { plan: 'specs/tasks.md', path: file.path }, shards)

  const log = join(repo.folder, '..', 'log.jsonl')
  writeFileSync(log, '')
  const state = await sessionHere(session, 'one', { transcript: { path: log, offset: 0 } })
  const settings = await readSettings(session.repository)
  const seenAfterEdit = async (path: string) => {
    const use = { type: 'tool_use', id: `t${path}`, name: 'Edit', input: { file_path: path } }
    const result = { type: 'tool_result', tool_use_id: `t${path}`, content: 'ok' }
    const [call, answer] = [
      { type: 'assistant', message: { id: 'm', content: [use] } },
      { type: 'user', message: { content: [result] } },
    ]
    appendFileSync(log, `${JSON.stringify(call)}\n${JSON.stringify(answer)}\n`)
    return (await observeContext(session, state, settings, false)).breakpoint
  }
  const tellings = (wanted: string) => {
    const outbox = join(repo.folder, '.git/ledger-git/outbox')
    const names = readdirSync(outbox).filter((name) => /^\d{16}-/.test(name))
    return names
      .map((name) => JSON.parse(readFileSync(join(outbox, name), 'utf8')) as Told)
      .filter(({ content, issue }) => 'done' in content && issue === wanted)
  }
  const told = async () => {
    await writeContextCheckpoint(session, state, { by: 'hook', reason: 'L2', settings })
    return tellings('ANV-1')
  }
  const trackedInFive = async () => {
    repo.write('five.md', planOf(' ', ' ', ' ', ' ', ' '))
    const five = readPlanFile(session, join(repo.folder, 'five.md'), 'five.md')
    const parts = planShards(session, five, 'five.md', { into: 5, window: 200_000 })
    await trackShards(session, 'ANV-5', { plan: 'five.md', path: five.path }, parts)
    return 'ANV-5'
  }
  expect(await seenAfterEdit(plan)).toBe('none')
  repo.write('specs/tasks.md', planOf('x', ' ', ' ', ' '))
  expect(await seenAfterEdit(plan)).toBe('bad')
  expect(await told()).toMatchObject([{ issue: 'ANV-1', content: { done: 0, total: 2 } }])
  repo.write('specs/tasks.md', planOf('x', 'x', ' ', ' '))
  expect(await seenAfterEdit(plan)).toBe('good')
  const [once, ...more] = await told()
  expect([once, more]).toMatchObject([{ issue: 'ANV-1', content: { done: 1, total: 2 } }, []])
  expect(await told()).toEqual([once])
  // Another worktree has ticked only the other part, so both are done.
  repo.write('specs/tasks.md', planOf(' ', ' ', 'x', 'x'))
  const tracker = async () => {
    await trackShards(session, 'ANV-2', { plan: 'other.md', path: 'other.md' }, shards)
    return session.tracker()
  }
  await trackProgress({ ...session, tracker })
  const kept = readFileSync(join(repo.folder, '.git/ledger-git/outbox/plans.json'), 'utf8')
  // A plan that somebody started to track in the meantime is kept.
  expect(kept).toContain('"ANV-2"')
  expect(await told()).toMatchObject([{ content: { done: 2, total: 2 } }])
  // Of two simultaneous checkpoints, the one that has seen less progress reports nothing, however slow it is.
  const five = await trackedInFive()
  const slow = await session.tracker()
  const changePlans: typeof slow.outbox.changePlans = async (change) => {
    repo.write('five.md', planOf('x', 'x', 'x', ' ', ' '))
    await trackProgress(session)
    repo.write('five.md', planOf('x', ' ', ' ', ' ', ' '))
    await slow.outbox.changePlans(change)
  }
  repo.write('five.md', planOf('x', ' ', ' ', ' ', ' '))
  const outbox = { ...slow.outbox, changePlans }
  await trackProgress({ ...session, tracker: () => Promise.resolve({ ...slow, outbox }) })
  expect(
    slow.outbox
      .readPlans()
      .at(-1)
      ?.parts.filter(({ isDone }) => isDone),
  ).toHaveLength(3)
  expect(tellings(five)).toMatchObject([{ content: { done: 3, total: 5 } }])
  // A writer waits for another one that is changing the list: neither change is lost.
  const path = join(repo.folder, '.git/ledger-git/outbox/plans.json')
  const lock = tryLock(path.replace('.json', '.lock'))
  const waiting = trackShards(session, 'ANV-3', { plan: 'third.md', path: 'third.md' }, shards)
  await new Promise((resolve) => setTimeout(resolve, 100))
  writeFileSync(path, kept.replaceAll('ANV-2', 'ANV-4'))
  lock?.release()
  await waiting
  expect(readFileSync(path, 'utf8')).toMatch(/"ANV-4"[^]*"ANV-3"/)
  // Editing code is no place to stop; neither is a plan that became unreadable.
  expect(await seenAfterEdit(join(repo.folder, 'old.txt'))).toBe('none')
  repo.write('specs/tasks.md', '{')
  expect(await seenAfterEdit(plan)).toBe('none')
  expect(await told()).toMatchObject([{ content: { done: 2, total: 2 } }])
})
