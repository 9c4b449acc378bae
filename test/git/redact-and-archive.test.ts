/** One clone redacts an event while another archives it, restores it or redacts it, too. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, ledgerRepo, ROOT } from '../support/git-repo.ts'
import { IS_LONG, sampleOf } from '../support/long.ts'

const OLD = '2026-01-01T00:00:00Z'
const SECRET = 'the-launch-code'

/** Two branches that stand for two clones; both have the event. On main. */
function apart(): { repo: Repo; path: string; file: string } {
  const repo = ledgerRepo()
  const path = repo.event('--agent', 'toast', '--ts', OLD, '--decision', `k1=${SECRET}`)
  repo.event('--agent', 'crisp', '--ts', OLD, '--decision', 'k2=v2', '--now', 'x')
  repo.commit('work', { 'a.txt': 'a\n' })
  repo.git('branch', 'other')
  return { repo, path, file: path.slice(path.lastIndexOf('/') + 1) }
}

/** Clean, and the branch's ledger is what its events say. */
function expectExact(repo: Repo): void {
  expect(repo.status()).toBe('')
  const checked = repo.tryLedger('check', '--rev', 'HEAD')
  expect(checked).toMatchObject({ status: 0, stderr: '' })
}

function redact(repo: Repo, path: string): void {
  repo.write(path, repo.read(path).replace(SECRET, 'gone'))
  repo.ledger('event', 'redact', path, '--commit')
}

const ARCHIVE = ['archive', '--no-confirm', '--commit']

const OTHERS: readonly (readonly [string, (repo: Repo, path: string) => void])[] = [
  ['archives', (repo) => repo.ledger(...ARCHIVE)],
  ['redacts it, too', redact],
  [
    'archives, then restores',
    (repo, path) => {
      repo.ledger(...ARCHIVE)
      repo.ledger('event', 'restore', path)
      repo.git('commit', '-q', '--allow-empty', '-m', 'restored')
    },
  ],
]

for (const [what, other] of IS_LONG ? OTHERS : OTHERS.slice(-1)) {
  // The other direction has the same three trees with ours and theirs swapped.
  test.each(sampleOf(['main', 'other'], 2))(`when a clone ${what}, %s stays redacted`, (into) => {
    const { repo, path } = apart()
    redact(repo, path)
    repo.git('switch', '-q', 'other')
    other(repo, path)
    repo.git('switch', '-q', into)
    const from = into === 'main' ? 'other' : 'main'
    const merged = repo.tryGit('merge', '-q', '--no-edit', from)
    expect(merged.status, merged.stdout + merged.stderr).toBe(0)
    expectExact(repo)
    expect(repo.read(CURRENT)).toContain('**k1:** gone')
    expect(repo.read(CURRENT)).not.toContain(SECRET)
    expect(repo.read(CURRENT)).toContain('**k2:** v2')
  })
}

test('a second redaction removes the text from a file that the other clone archived', () => {
  const { repo, path, file } = apart()
  redact(repo, path)
  repo.git('switch', '-q', 'other')
  repo.ledger(...ARCHIVE)
  repo.git('merge', '-q', '--no-edit', 'main')
  repo.ledger('event', 'restore', file)
  redact(repo, path)
  expectExact(repo)
  expect(repo.run('git', ['grep', '-lF', SECRET, 'HEAD', '--', `${ROOT}/archive`]).stdout).toBe('')
  expect(repo.read(CURRENT)).toContain('**k1:** gone')
})
