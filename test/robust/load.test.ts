/** Many processes at once in one repository: nothing is lost, nothing is torn, and no hook waits. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diverged, note, ONLY_DECISIONS } from '../git/scene.ts'
import { makeLock } from '../support/locks.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CURRENT, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { ownCode, start, startLedger } from './crash.ts'

// LEDGER_PROCESSES=500 npx vitest run --project git test/robust/load
const PROCESSES = Number(process.env['LEDGER_PROCESSES'] ?? (IS_LONG ? 50 : 8))
const WORKTREES = IS_LONG ? 10 : 2

/** Errors that say that somebody else was at work, and that nothing is lost. */
const BUSY =
  /another git command holds the index|is at work in this worktree|the branch moved meanwhile|index\.lock|is held by|cannot lock ref/

longTest(`${PROCESSES} processes in ${WORKTREES} worktrees lose and tear nothing`, async () => {
  const repo = ownCode(ledgerRepo())
  const trees = Array.from({ length: WORKTREES }, (_, i) => {
    repo.git('worktree', 'add', '-q', '-b', `side${i}`, `../side${i}`)
    return repo.sandbox.at(join(repo.sandbox.folder, `side${i}`))
  })
  const waiting = waitForLock()
  const added: { tree: Repo; item: string; path: string }[] = []
  const ends: Ran[] = []
  const jobs = Array.from({ length: PROCESSES }, (_, i) => async () => {
    const tree = trees[i % WORKTREES] as Repo
    const item = `item${i}`
    const kind = Math.floor(i / WORKTREES) % 5
    const words =
      kind === 3
        ? ['synthesize', '--no-confirm']
        : [
            'event',
            'add',
            '--done',
            item,
            ...['--stage', '', '--commit', '', ''].slice(kind, kind + 1),
          ]
    const ran =
      kind === 4 ? await commit(tree, item) : await startLedger(tree, ...words.filter(Boolean))
    ends.push(ran)
    const path = kind < 3 ? ran.stdout.trim() : ''
    if (path !== '') added.push({ tree, item, path })
  })
  // All at once: the machine decides in what order.
  await Promise.all(jobs.map((job) => job()))
  for (const { status, stderr } of ends) if (status !== 0) expect(stderr).toMatch(BUSY)
  expect(added.length).toBeGreaterThan(PROCESSES / 3)
  for (const { tree, path, item } of added) expect(tree.read(path), path).toContain(item)
  for (const tree of trees) {
    const names = readdirSync(join(tree.folder, ROOT), { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /tmp|lock/.test(name))).toEqual([])
    expect(readdirSync(gitDir(tree)).filter((name) => /lock|ledger-git-index/.test(name))).toEqual(
      [],
    )
  }
  // The next command works everywhere, and merges of all worktrees bring every event together.
  for (const tree of trees) {
    expect(await startLedger(tree, 'synthesize', '--no-confirm')).toMatchObject({ status: 0 })
    tree.git('add', '-A')
    tree.git('commit', '-q', '--allow-empty', '-m', 'rest')
    repo.git('merge', '-q', '--no-edit', tree.git('branch', '--show-current'))
  }
  const shown = JSON.parse(repo.ledger('show', '--json')) as { this_session: { text: string }[] }
  const items = shown.this_session.map(({ text }) => text)
  // A process that was stopped by a busy index may still have written its event.
  expect(items).toEqual(expect.arrayContaining(added.map(({ item }) => item)))
  expect(new Set(items).size).toBe(items.length)
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  expect(repo.tryLedger('event', 'validate').status).toBe(0)
  expect(repo.tryGit('fsck', '--no-dangling', '--no-progress')).toMatchObject({
    status: 0,
    stderr: '',
  })
  await waiting
})

const gitDir = (tree: Repo) => tree.git('rev-parse', '--absolute-git-dir')

async function commit(tree: Repo, item: string): Promise<Ran> {
  writeFileSync(join(tree.folder, `${item}.txt`), item)
  const staged = await start(tree, 'git', ['add', `${item}.txt`])
  return staged.status === 0 ? start(tree, 'git', ['commit', '-q', '-m', item]) : staged
}

/** The lock as held by a process at work: this one. */
function hold(repo: Repo): string {
  return makeLock(join(repo.folder, ROOT, '.synth.lock'), { pid: process.pid })
}

/** A command that waits for the lock gives up with a message and writes nothing. */
async function waitForLock(): Promise<void> {
  const repo = ownCode(ledgerRepo())
  note(repo, 'pending')
  const before = repo.read(CURRENT)
  const held = hold(repo)
  const ran = await startLedger(repo, 'synthesize', '--no-confirm')
  expect(ran.status).toBe(1)
  expect(ran.stderr).toMatch(/\.synth\.lock is held by another ledger-git\n {2}next: /)
  expect(repo.read(CURRENT)).toBe(before)
  expect(readdirSync(join(repo.folder, ROOT, '.synth.lock'))).toEqual([held])
}

// A hook that took the lock would find it held, wait, give up and leave a stale ledger.
const COMMANDS: [string, string[]][] = [
  ['commit', ['commit', '-q', '-m', 'work']],
  ['commit -- path', ['commit', '-q', '-m', 'work', '--', 'work.txt']],
  ['merge', ['merge', '-q', '--no-edit', 'topic']],
  ['rebase', ['rebase', '-q', 'topic']],
  ['push', ['push', '-q', '../origin.git', 'main', 'topic']],
]
// These cover the hooks of a commit, the driver and the hooks of a push.
test.each(sampleOf(COMMANDS, 2))('git %s does not wait for the lock', async (name, words) => {
  const repo = diverged()
  repo.git('init', '-q', '--bare', '../origin.git')
  if (name.startsWith('commit')) {
    note(repo, 'pending')
    repo.write('work.txt', 'x\n')
    repo.git('add', 'work.txt')
  }
  const held = hold(repo)
  // Far longer than it needs, shorter than a lock is waited for.
  const ran = await start(repo, 'timeout', ['9', 'git', ...words])
  expect(ran).toMatchObject({ status: 0, stderr: ONLY_DECISIONS })
  expect(readdirSync(join(repo.folder, ROOT, '.synth.lock'))).toEqual([held])
  expect(await startLedger(repo, 'check', '--rev', 'HEAD')).toMatchObject({ status: 0 })
})
