/** A hand-kept `current.md`: nothing overwrites it silently, and what replaces it says how to keep it. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { json } from './words.ts'
import { builtFrom } from '../support/built-from.ts'
import { longTest } from '../support/long.ts'

builtFrom(() => import('../../src/entry/cc-synthesize.ts'))

const HAND_KEPT = '# Work Stream: demo\n\n## Ledger\n**Goal:** ship\n\n### Now\n[->] write\n'
const KEPT = 'current.md is kept by hand; next: ledger-git migrate\n'
const CC_SYNTHESIZE = fileURLToPath(new URL('../../dist/cc-synthesize.js', import.meta.url))

/** A committed, hand-kept `current.md`, with an installation around it. */
function unmanaged(): Repo {
  const repo = new Sandbox().init()
  repo.commit('notes', { [CURRENT]: HAND_KEPT })
  return repo.install()
}

test('without events, every command that writes or shows the ledger leaves the file unchanged', () => {
  const repo = unmanaged()
  const head = repo.git('rev-parse', 'HEAD')
  const left = { status: 0, stdout: '', stderr: KEPT }
  expect(repo.tryLedger('synthesize', '--archive', '--commit')).toEqual(left)
  expect(repo.run(process.execPath, [CC_SYNTHESIZE, '--no-confirm'])).toEqual(left)
  const printed = { status: 0, stdout: HAND_KEPT, stderr: KEPT }
  expect(repo.tryLedger('synthesize', '--stdout')).toEqual(printed)
  expect(repo.tryLedger('show')).toEqual(printed)
  expect(repo.tryLedger('show', '--rev', 'HEAD')).toEqual(printed)
  for (const words of [['show'], ['synthesize']]) {
    expect(json(repo, ...words)).toMatchObject({
      now: null,
      meta: { event_count: 0, kept_by_hand: true },
    })
  }
  expect(repo.read(CURRENT)).toBe(HAND_KEPT)
  expect(repo.status()).toBe('')
  expect(repo.git('rev-parse', 'HEAD')).toBe(head)
  expect(json(repo, 'status')).toMatchObject({ fresh: true, next: 'ledger-git migrate' })
  expect(json(repo, 'doctor')['findings']).toContainEqual({
    name: 'ledger',
    status: 'ok',
    message: 'current.md is kept by hand (no events/); ledger-git migrate makes an event of it',
    fix: null,
  })
})

test('an event without migration: event add and the commit name the command that migrates the text', () => {
  const repo = unmanaged()
  const added = repo.tryLedger('event', 'add', '--agent', 'toast', '--done', 'x')
  expect(added.status).toBe(0)
  expect(added.stdout).toMatch(new RegExp(`^${EVENTS}/\\S+\n$`))
  expect(added.stderr).toBe(
    'ledger-git: current.md is kept by hand; the commit with this event replaces it with the rendering of events/\n' +
      '  next: ledger-git migrate\n',
  )
  expect(json(repo, 'status')).toMatchObject({
    fresh: true,
    reason: 'current.md is kept by hand',
    next: 'ledger-git migrate',
  })
  expect(repo.read(CURRENT)).toBe(HAND_KEPT)

  const blob = repo.git('rev-parse', `HEAD:${CURRENT}`)
  repo.write('a.txt', 'a\n')
  repo.git('add', '-A')
  const committed = repo.tryGit('commit', '-q', '-m', 'work')
  expect(committed.status).toBe(0)
  expect(committed.stderr).toBe(
    `ledger-git: ${CURRENT} was kept by hand and is now the rendering of events/; ` +
      `the old text is kept: git show ${blob}\n` +
      `  into the ledger: git show ${blob} >old.md && ledger-git migrate old.md\n`,
  )
  expect(repo.read(CURRENT)).not.toContain('ship')

  for (const words of [['migrate'], ['migrate', '--dry-run']]) {
    expect(repo.tryLedger(...words).stderr).toContain(
      `${CURRENT} was kept by hand, and no event holds its old text\n` +
        `  into the ledger: git show ${blob} >old.md && ledger-git migrate old.md\n`,
    )
  }
  repo.write('old.md', `${repo.git('show', blob)}\n`)
  const migrated = json<{ migrated: { source: string; event: string }[] }>(
    repo,
    'migrate',
    'old.md',
  )
  expect(migrated.migrated).toEqual([
    {
      source: 'old.md',
      event: expect.stringMatching(/_demo_/),
      adopted: false,
      created: true,
      secrets: [],
    },
  ])
  repo.commit('migrate')
  expect(repo.read(CURRENT)).toContain('**Goal:** ship\n')
  expect(repo.tryLedger('migrate').stderr).toBe('nothing to migrate\n')
  expect(repo.tryLedger('check').status).toBe(0)
})

test('of a text that was replaced, the last version counts; one that says nothing is not named', () => {
  const repo = unmanaged()
  repo.commit('more', { [CURRENT]: `${HAND_KEPT}\n### Next\n- [ ] test\n` })
  const blob = repo.git('rev-parse', `HEAD:${CURRENT}`)
  repo.event('--done', 'x')
  repo.commit('work', { 'a.txt': 'a\n' })
  expect(repo.tryLedger('migrate').stderr).toContain(`git show ${blob} >old.md`)
  const older = new Sandbox().init()
  older.commit('older hooks', { [CURRENT]: '## Ledger\n\n_Synthesized from:_\n' })
  older.install()
  older.event('--done', 'x')
  older.commit('work', { 'a.txt': 'a\n' })
  expect(older.tryLedger('migrate').stderr).toBe('nothing to migrate\n')
})

longTest('a commit of the event alone also says it once', () => {
  const repo = unmanaged()
  const event = repo.event('--done', 'x')
  repo.git('add', event)
  const { stderr } = repo.tryGit('commit', '-q', '-m', 'event', '--', event)
  expect(stderr.match(/was kept by hand/g)).toHaveLength(1)
  expect(repo.status()).toBe('')
})

longTest('after a migration nothing more is said, and the next commit renders the ledger', () => {
  const repo = unmanaged()
  repo.ledger('migrate')
  expect(json(repo, 'status')['next']).toBe('your next git commit takes the pending events along')
  expect(repo.tryLedger('event', 'add', '--done', 'x').stderr).toBe('')
  repo.write('a.txt', 'a\n')
  repo.git('add', '-A')
  expect(repo.tryGit('commit', '-q', '-m', 'work').stderr).toBe('')
  expect(repo.read(CURRENT)).toContain('**Goal:** ship\n')
  expect(repo.tryLedger('migrate').stderr).toBe('nothing to migrate\n')
  const shown = repo.tryLedger('show', '--json')
  expect(shown.stderr).toBe('')
  expect(JSON.parse(shown.stdout).meta).not.toHaveProperty('kept_by_hand')
})

test('a never committed text is kept as a blob, and the command that migrates it is printed', () => {
  const repo = ledgerRepo()
  repo.git('rm', '-rq', CURRENT, EVENTS)
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'by hand from now on')
  repo.write(CURRENT, HAND_KEPT)
  repo.event('--done', 'x')
  const { status, stderr } = repo.tryLedger('synthesize', '--no-confirm')
  expect(status).toBe(0)
  const [, words = ''] = /^ {2}into the ledger: (.*)$/m.exec(stderr) ?? []
  expect(words).toMatch(/^git show [0-9a-f]{40,64} >old\.md && ledger-git migrate old\.md$/)
  const [show = ''] = words.split(' >')
  expect(`${repo.git(...show.split(' ').slice(1))}\n`).toBe(HAND_KEPT)
})
