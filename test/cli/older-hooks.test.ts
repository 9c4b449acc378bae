/** A `current.md` that older hooks synthesized: commit, status and migrate say the same about it. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ROOT, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

const TIME = '2026-01-12T11:59:30.678Z'
const head = `## Ledger\n**Updated:** ${TIME}\n\n`
const footer = `---\n_Synthesized from:_\n- Events: 1\n- Latest: ${TIME}\n- Branches: main\n- Generated: ${TIME}`
/** As those hooks left it: appended to itself, without a line break. */
const EMPTY = head + footer + head + footer
const FULL = `${head}### Next\n- [ ] ship it\n\n${footer}`

function repoOf(current: string): Repo {
  const repo = new Sandbox().init()
  repo.commit('theirs', {
    [CURRENT]: current,
    [`${EVENTS}/2026-01-12T11-59-30_main.md`]: '---\nts: 2026-01-12T11:59:30Z\nagent: main\n---\n',
  })
  repo.ledger('install')
  repo.git('add', '.gitattributes', ROOT)
  repo.event('--agent', 'ada', '--now', 'x')
  return repo
}

test('a rendering that says nothing is replaced with one message, and needs no migration', () => {
  const repo = repoOf(EMPTY)
  const said = repo.tryGit('commit', '-m', 'set up').stderr
  expect(said).toContain(
    `ledger-git: ${CURRENT} from older hooks held no information; it is now the rendering of events/\n`,
  )
  expect(said).not.toContain('migrate')
  expect(repo.read(CURRENT)).toContain('_synthesized:')
  expect(repo.tryLedger('status').stdout).not.toContain('migrate')
  expect(repo.tryLedger('migrate', '--dry-run').stdout).toBe('')
  expect(repo.tryGit('commit', '--allow-empty', '-m', 'again').stderr).not.toContain('older hooks')
})

longTest(
  'without events, it does not count as hand-kept: synthesize writes, event add is silent',
  () => {
    const repo = new Sandbox().init()
    repo.commit('theirs', { [CURRENT]: EMPTY })
    expect(repo.tryLedger('install').stderr).not.toContain('kept by hand')
    expect(repo.tryLedger('status').stdout).not.toContain('migrate')
    expect(repo.tryLedger('event', 'add', '--agent', 'a', '--now', 'x').stderr).toBe('')
    repo.ledger('synthesize', '--no-confirm')
    expect(repo.read(CURRENT)).toContain('_synthesized:')
  },
)

test('a rendering with content stays in history, and the commit says how to migrate it', () => {
  const repo = repoOf(FULL)
  const { stderr } = repo.tryGit('commit', '-m', 'set up')
  const [, blob = ''] =
    /into the ledger: git show (\w+) >old\.md && ledger-git migrate old\.md$/m.exec(stderr) ?? []
  repo.write('old.md', `${repo.git('show', blob)}\n`)
  expect(repo.tryLedger('migrate', '--no-confirm', 'old.md').status).toBe(0)
  expect(repo.ledger('show')).toContain('ship it')
})
