/** Archiving in unlucky or hostile repositories: nothing is lost, and nothing hostile is trusted. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { json, refusal, writeEvent } from './words.ts'
import { longTest, sampleOf } from '../support/long.ts'

const ARCHIVE = `${ROOT}/archive`
const DAY = '2026-01-01T00:00:00Z'

const decisions = (repo: Repo) =>
  Object.keys(json<{ decisions: object }>(repo, 'show').decisions).toSorted()

describe('decisions of archived events survive any size', () => {
  const LOADS: [string, number, string, number][] = [
    ['events that fill a snapshot each', 3, 'w'.repeat(100 * 1024), 0],
    [
      'one event that becomes too large for a snapshot when it is quoted',
      1,
      '"'.repeat(140_000),
      1,
    ],
  ]
  test.each(sampleOf(LOADS, 2))('%s', (_, count, value, staying) => {
    const repo = ledgerRepo()
    for (let i = 0; i < count; i++) writeEvent(repo, `e${i}.md`, `decisions:\n  k${i}: x${value}`)
    repo.commit('events')
    const before = decisions(repo)
    expect(before).toHaveLength(count)
    const done = json<{ staying: object[]; snapshots: string[] }>(repo, 'archive', '--commit')
    expect(done.staying).toHaveLength(staying)
    expect(done.snapshots).toHaveLength(count - staying)
    expect(decisions(repo)).toEqual(before)
    expect(json<{ meta: { skipped: object[] } }>(repo, 'show').meta.skipped).toEqual([])
  })
})

test('an event that was never committed is not lost: restore brings it back', () => {
  const repo = ledgerRepo()
  repo.write('.git/info/exclude', '.ledger-git.yaml\n')
  repo.write('.ledger-git.yaml', 'archive:\n  keep: 1d\n')
  const path = repo.event('--ts', DAY, '--now', 'x')
  const bytes = repo.read(path)
  repo.ledger('archive', '--commit')
  if (!repo.exists(path)) repo.ledger('event', 'restore', path)
  expect(repo.read(path)).toBe(bytes)
})

longTest('an event whose name is not UTF-8 is archived once or stays', () => {
  const repo = ledgerRepo()
  const name = Buffer.concat([
    Buffer.from(`${EVENTS}/caf`),
    Buffer.from([0xe9]),
    Buffer.from('.md'),
  ])
  const oid = repo
    .run('git', ['hash-object', '-w', '--stdin'], {
      input: `---\nts: ${DAY}\nagent: toast\n---\n\nnow: x\n`,
    })
    .stdout.trim()
  repo.run('git', ['update-index', '-z', '--index-info'], {
    input: Buffer.concat([Buffer.from(`100644 ${oid} 0\t`), name, Buffer.from([0])]),
  })
  repo.git('checkout-index', '-a')
  repo.git('commit', '-q', '--allow-empty', '-m', 'café')
  repo.ledger('archive', '--commit')
  const left = repo.git('ls-files', EVENTS, ARCHIVE)
  expect(json(repo, 'archive')).toMatchObject({ archived: [], snapshots: [] })
  expect(repo.git('ls-files', EVENTS, ARCHIVE)).toBe(left)
})

test('a snapshot with an unreadable line is not folded, and is reported', () => {
  const repo = ledgerRepo()
  repo.event('--ts', DAY, '--decision', 'k0=v0')
  repo.event('--ts', DAY, '--decision', 'k1=v1')
  repo.ledger('archive', '--commit')
  const snapshot = repo.git('ls-files', `${EVENTS}/*_ledger-git_*`)
  repo.write(snapshot, repo.read(snapshot).replace('"v1"', '{"v1":1}'))
  repo.git('commit', '-q', '-am', 'damaged', '--no-verify') // our hook would stop this commit
  repo.event('--ts', '2026-01-02T00:00:00Z', '--decision', 'k2=v2')
  repo.ledger('archive', '--commit')
  expect(decisions(repo)).toEqual(['k0', 'k2'])
  expect(repo.exists(snapshot)).toBe(true)
  const { skipped } = json<{ meta: { skipped: { file: string }[] } }>(repo, 'show').meta
  expect(skipped.map(({ file }) => `${EVENTS}/${file}`)).toEqual([snapshot])
})

describe('a file name stated by an archived file', () => {
  test.each([
    ['another event', 'other.md'],
    ['a path', '../../x.md'],
    ['git attributes', '.gitattributes'],
    ['the folder itself', ''],
    ['the folder above', '..'],
    ['no event', 'e'],
    ['control characters', '\u001b[31me.md'],
    ['NUL', 'e\0.md'],
    ['a name too long for a file', `${'e'.repeat(300)}.md`],
  ])('%s: is not trusted', (_, file) => {
    const repo = ledgerRepo()
    const text = `---\nts: ${DAY}\nagent: toast\n---\n`
    repo.commit('archived', {
      [`${ARCHIVE}/2026-01-01/e.json`]: `${JSON.stringify(`${JSON.stringify({ file })}\n${text}\n# rename-guard: `)}\n`,
    })
    const ran = repo.tryLedger('event', 'restore', 'e.md')
    if (ran.status !== 0) refusal(ran)
    else expect(ran.stdout).toBe(`${EVENTS}/e.md\n`)
    expect(repo.status()).toBe(ran.status === 0 ? `?? ${EVENTS}/e.md` : '')
  })
})

test.each([
  ['a file', (repo: Repo) => repo.write(ARCHIVE, 'mine\n')],
  ['a file where a day should be', (repo: Repo) => repo.write(`${ARCHIVE}/2026-01-01`, 'mine\n')],
])('the archive is %s: nothing is moved', (_, obstruct) => {
  const repo = ledgerRepo()
  repo.event('--ts', DAY, '--now', 'x')
  repo.ledger('synthesize', '--no-confirm', '--commit')
  rmSync(join(repo.folder, ARCHIVE), { recursive: true, force: true })
  obstruct(repo)
  const before = repo.status()
  expect(refusal(repo.tryLedger('archive'))).toEqual({ status: 3, stdout: '' })
  expect(repo.status()).toBe(before)
})
