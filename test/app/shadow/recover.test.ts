/** Whatever git and people do afterwards, nothing that a step has saved is lost. */

import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RecoverReport } from '../../../src/app/shadow/recover.ts'
import { recover } from '../../../src/app/shadow/recover.ts'
import { migrateShadow } from '../../../src/app/shadow/shadow-moves.ts'
import { saveStep } from '../../../src/app/shadow/save-step.ts'
import { EVENTS } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import { sessionHere } from '../../support/session-context.ts'
import { contextOf, eventName, eventText, repoWith, shadowRefs } from './shadow-repo.ts'
import { sampleOf } from '../../support/long.ts'

const EVENT = `${EVENTS}/${eventName(1)}`

/** A worktree beside the main one, with a pending event, a changed and a new file saved in a step. */
async function scene(): Promise<{ main: Repo; linked: Repo }> {
  const main = repoWith()
  const folder = join(main.sandbox.folder, 'linked tree')
  main.git('worktree', 'add', '-q', '-b', 'side', folder)
  const linked = main.sandbox.at(folder)
  await fill(linked, 's1')
  return { main, linked }
}

async function fill(repo: Repo, session: string): Promise<void> {
  repo.write(EVENT, eventText(1))
  repo.write('a.txt', 'changed\n')
  repo.write('deep/new.txt', 'new\n')
  const context = await contextOf(repo)
  await saveStep(context, await sessionHere(context, session))
}

const statuses = ({ events }: RecoverReport) => events.map(({ name, status }) => [name, status])

describe('restores what is gone from the worktree', () => {
  const losses: Record<string, (repo: Repo) => void> = {
    'git clean -fdx': (repo) => repo.git('clean', '-fdxq'),
    'git reset --hard': (repo) => {
      repo.git('add', '-A')
      repo.git('reset', '-q', '--hard')
    },
    'git stash dropped': (repo) => {
      repo.git('stash', '-q', '-u')
      repo.git('stash', 'drop', '-q')
    },
    'gc that prunes now': (repo) => {
      repo.git('clean', '-fdxq')
      repo.git('reflog', 'expire', '--expire=now', '--all')
      repo.git('gc', '-q', '--prune=now')
    },
  }
  test.each(sampleOf(Object.keys(losses), 2))('after %s', async (name) => {
    const { main, linked } = await scene()
    losses[name]?.(linked)
    expect(linked.exists(EVENT)).toBe(false)
    const planned = await recover(await contextOf(main), { dryRun: true })
    expect(statuses(planned)).toEqual([[eventName(1), 'restored']])
    expect(linked.exists(EVENT)).toBe(false)

    const report = await recover(await contextOf(main))
    expect(report.events).toEqual(planned.events)
    expect(report.events[0]?.path).toBe(join(linked.folder, EVENT))
    expect(linked.read(EVENT)).toBe(eventText(1))
    expect(main.exists(EVENT)).toBe(false)
    expect(linked.git('status', '--porcelain', '-uall', '--', EVENTS)).toBe(`?? ${EVENT}`)
    expect(statuses(await recover(await contextOf(linked)))).toEqual([[eventName(1), 'present']])
  })
})

describe('restores the events of a removed worktree', () => {
  const ends: Record<string, (main: Repo, linked: Repo) => void> = {
    'worktree remove --force': (main, linked) =>
      main.git('worktree', 'remove', '--force', linked.folder),
    'worktree remove, prune and gc': (main, linked) => {
      main.git('worktree', 'remove', '--force', linked.folder)
      main.git('worktree', 'prune')
      main.git('branch', '-q', '-D', 'side')
      main.git('gc', '-q', '--prune=now')
    },
    'rm -rf': (_, linked) => rmSync(linked.folder, { recursive: true }),
    'rm -rf and prune': (main, linked) => {
      rmSync(linked.folder, { recursive: true })
      main.git('worktree', 'prune', '--expire=now')
    },
  }
  test.each(sampleOf(Object.keys(ends), 2))('into the current worktree, after %s', async (name) => {
    const { main, linked } = await scene()
    ends[name]?.(main, linked)
    const filesInto = join(main.sandbox.folder, 'rescued')
    const report = await recover(await contextOf(main), { filesInto })
    expect(report.chains).toMatchObject([
      {
        ref: shadowRefs(main)[0],
        isWorktreeThere: false,
        record: { path: linked.folder, worktree: 'linked-tree' },
        sessions: [{ id: 's1', files: ['a.txt', 'deep/new.txt'] }],
      },
    ])
    expect(report.events[0]?.path).toBe(join(main.folder, EVENT))
    expect(main.read(EVENT)).toBe(eventText(1))
    expect(readFileSync(join(filesInto, 's1/a.txt'), 'utf8')).toBe('changed\n')
    expect(readFileSync(join(filesInto, 's1/deep/new.txt'), 'utf8')).toBe('new\n')
    expect(main.read('a.txt')).toBe('a\n')
    expect(shadowRefs(main)).toHaveLength(1)
  })
})

test('does not restore an event that any branch has committed', async () => {
  const { main, linked } = await scene()
  linked.git('add', EVENTS)
  linked.git('commit', '-q', '-m', 'event')
  linked.git('reset', '-q', '--hard', 'HEAD^')
  main.git('branch', 'keeps-it', 'side@{1}')
  expect(statuses(await recover(await contextOf(main)))).toEqual([[eventName(1), 'committed']])
  main.git('branch', '-q', '-D', 'keeps-it')
  expect(statuses(await recover(await contextOf(main)))).toEqual([[eventName(1), 'restored']])
})

test("keeps another file with the event's name, and ignores differences in line ends", async () => {
  const { main, linked } = await scene()
  linked.write(EVENT, eventText(1).replaceAll('\n', '\r\n'))
  expect(statuses(await recover(await contextOf(main)))).toEqual([[eventName(1), 'present']])
  linked.write(EVENT, 'mine\n')
  expect(statuses(await recover(await contextOf(main)))).toEqual([[eventName(1), 'differs']])
  expect(linked.read(EVENT)).toBe('mine\n')
})

test('restores files with links and modes, never over an existing file nor through a link', async () => {
  const repo = repoWith()
  repo.write('run.sh', '#!/bin/sh\n')
  repo.chmod('run.sh', 0o755)
  symlinkSync('a.txt', join(repo.folder, 'link'))
  await fill(repo, 's1')
  const filesInto = join(repo.sandbox.folder, 'rescued')
  const outside = join(repo.sandbox.folder, 'outside')
  repo.write('../outside/keep', 'x')
  repo.write('../rescued/s1/a.txt', 'mine\n')
  symlinkSync(outside, join(filesInto, 's1/deep'))
  const { files } = await recover(await contextOf(repo), { filesInto })
  expect(Object.fromEntries(files.map(({ path, status }) => [path, status]))).toEqual({
    'a.txt': 'differs',
    'deep/new.txt': 'differs',
    link: 'restored',
    'run.sh': 'restored',
  })
  expect(readFileSync(join(filesInto, 's1/a.txt'), 'utf8')).toBe('mine\n')
  expect(lstatSync(join(filesInto, 's1/link')).isSymbolicLink()).toBe(true)
  expect(lstatSync(join(filesInto, 's1/run.sh')).mode & 0o111).toBe(0o111)
  expect(repo.exists('../outside/new.txt')).toBe(false)
})

test('reports a folder that cannot be created, and leaves no half-written file', async () => {
  const repo = repoWith()
  await fill(repo, 's1')
  const context = await contextOf(repo)
  const filesInto = join(repo.folder, 'a.txt')
  await expect(recover(context, { filesInto })).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
  const folder = join(repo.sandbox.folder, 'rescued')
  const full = { length: 3 } as Uint8Array // fails while the file is open for writing
  const rescue = await context.rescue()
  await expect(
    rescue.restore(folder, [{ path: 'x', mode: '100644', content: full }]),
  ).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
  expect(readdirSync(folder)).toEqual([])
})

test('ignores a name in forged shadow data that is not a valid session id', async () => {
  const repo = repoWith()
  await fill(repo, 's1')
  const [ref = ''] = shadowRefs(repo)
  const index = { GIT_INDEX_FILE: join(repo.sandbox.folder, 'forged') }
  const git = (...args: string[]) => repo.run('git', args, { env: index }).stdout.trim()
  git('read-tree', ref)
  const blob = repo.git('rev-parse', 'HEAD:a.txt')
  git('update-index', '--add', '--cacheinfo', `100644,${blob},sessions/-evil/files/x`)
  const forged = git('commit-tree', '-m', 'forged', git('write-tree'))
  repo.git('update-ref', ref, forged)
  const filesInto = join(repo.sandbox.folder, 'rescued')
  const { files } = await recover(await contextOf(repo), { filesInto })
  expect([...new Set(files.map(({ session }) => session))]).toEqual(['s1'])
})

test('recovers a single session, and names refs that cannot be read', async () => {
  const { main } = await scene()
  await fill(main, 's2')
  main.git('update-ref', 'refs/ledger/shadow/abc', 'HEAD')
  const all = await recover(await contextOf(main), { dryRun: true })
  expect(all.chains).toHaveLength(2)
  expect(all.unreadable).toEqual(['refs/ledger/shadow/abc'])
  main.write('.git/refs/ledger/shadow/empty', '')
  const damaged = await recover(await contextOf(main), { dryRun: true })
  expect(damaged.unreadable).toEqual(['refs/ledger/shadow/abc', 'refs/ledger/shadow/empty'])
  const ids = ({ chains }: RecoverReport) =>
    chains.flatMap(({ sessions }) => sessions.map((s) => s.id))
  expect(ids(await recover(await contextOf(main), { session: 's2' }))).toEqual(['s2'])
})

test('names objects that the repository lost, and writes the newer of two versions of a file', async () => {
  const repo = repoWith({ 'a.txt': 'a\n' })
  repo.write('a.txt', 'old\n')
  const context = await contextOf(repo)
  const { state } = await saveStep(context, await sessionHere(context, 's1'))
  // A process that died between two writes also leaves the part in the old chain.
  const [first = ''] = shadowRefs(repo)
  const old = repo.git('rev-parse', first)
  repo.git('commit', '-q', '--allow-empty', '-m', 'next')
  const moved = await migrateShadow(await contextOf(repo), state, repo.git('rev-parse', 'HEAD'))
  repo.write('a.txt', 'new\n')
  const later = { now: () => context.clock.now() + 60_000 }
  await saveStep({ ...(await contextOf(repo)), clock: later }, { ...moved, turn: 2 })
  repo.git('update-ref', first, old)
  expect(shadowRefs(repo)).toHaveLength(2)
  const filesInto = join(repo.sandbox.folder, 'rescued')
  await recover(await contextOf(repo), { filesInto })
  expect(readFileSync(join(filesInto, 's1/a.txt'), 'utf8')).toBe('new\n')

  const newest = shadowRefs(repo).find((ref) => ref !== first)
  const blob = repo.git('rev-parse', `${newest}:sessions/s1/files/a.txt`)
  rmSync(join(repo.folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
  const { files } = await recover(await contextOf(repo), { filesInto: `${filesInto} again` })
  expect(files).toContainEqual({ session: 's1', path: 'a.txt', status: 'missing' })
})
