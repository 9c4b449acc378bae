/** `migrate` as people and scripts run it. */

import { expect, test } from 'vitest'
import { CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../support/git-repo.ts'
import { json } from './words.ts'

const HAND_KEPT = '# Work Stream: demo\n\n## Ledger\n**Goal:** ship\n\n### Now\n[->] write\n'
const LEDGER = 'thoughts/ledgers/CONTINUITY_parser.md'

test('a hand-kept ledger becomes events: first shown, then written, then committed', () => {
  const repo = new Sandbox().init()
  repo.commit('init', { [CURRENT]: HAND_KEPT, [LEDGER]: '## Next\n- [ ] a\n' })
  const planned = json<{ migrated: { source: string; event: string }[] }>(
    repo,
    'migrate',
    '--dry-run',
  )
  expect(planned).toMatchObject({ skipped: [], in_place: [], commit: null, dry_run: true })
  expect(planned.migrated).toMatchObject([
    { source: LEDGER, created: true },
    { source: CURRENT, created: true },
  ])
  expect(repo.status()).toBe('')

  expect(repo.tryLedger('migrate')).toEqual({
    status: 0,
    stdout: planned.migrated.map(({ source, event }) => `${source} → ${event}\n`).join(''),
    stderr: 'next: ledger-git show, then ledger-git synthesize --commit (or your next commit)\n',
  })
  expect(repo.read(CURRENT)).toBe(HAND_KEPT)

  const again = json(repo, 'migrate', '--commit')
  expect(again['migrated']).toMatchObject([{ created: false }, { created: false }])
  expect(again['commit']).toBe(repo.git('rev-parse', 'HEAD'))
  expect(repo.status()).toBe('')
  expect(repo.read(CURRENT)).toContain('**Goal:** ship')
  expect(repo.tryLedger('check').status).toBe(0)
})

test('files by name, from any folder; what cannot be taken is named and exits 1, nothing at all is 0', () => {
  const repo = ledgerRepo()
  const nothing = { status: 0, stdout: '', stderr: 'nothing to migrate\n' }
  expect(repo.tryLedger('migrate')).toEqual(nothing)
  repo.write(`${ROOT}/parser/current.md`, '# Handoff\n\nprose\n')
  repo.write('docs/notes.bin', Buffer.from([0]))
  const folder = repo.sandbox.at(`${repo.folder}/docs`)
  const ran = folder.tryLedger('migrate', 'notes.bin', `../${ROOT}/parser/current.md`)
  expect(ran.status).toBe(1)
  expect(ran.stdout).toMatch(
    new RegExp(`^${ROOT}/parser/current.md → ${EVENTS}/\\S+_parser_\\S+\n$`),
  )
  expect(ran.stderr).toContain('docs/notes.bin: skipped: not a text file\n')
})
