/** `migrate`, as people and scripts run it. */

import { expect, test } from 'vitest'
import { CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../support/git-repo.ts'
import { json } from './words.ts'

const HAND_KEPT = '# Work Stream: demo\n\n## Ledger\n**Goal:** ship\n\n### Now\n[->] write\n'
const LEDGER = 'thoughts/ledgers/CONTINUITY_parser.md'

test('a hand-kept ledger becomes events: shown with --dry-run, then written, then committed', () => {
  const repo = new Sandbox().init()
  repo.commit('init', { [CURRENT]: HAND_KEPT, [LEDGER]: '## Next\n- [ ] a\n' })
  const planned = json<{ migrated: { source: string; event: string }[] }>(
    repo,
    'migrate',
    '--dry-run',
  )
  expect(planned).toMatchObject({
    skipped: [],
    left: [],
    in_place: [],
    commit: null,
    dry_run: true,
  })
  expect(planned.migrated).toMatchObject([
    { source: LEDGER, created: true },
    { source: CURRENT, created: true },
  ])
  expect(repo.status()).toBe('')

  expect(repo.tryLedger('migrate')).toEqual({
    status: 0,
    stdout: planned.migrated.map(({ source, event }) => `${source} → ${event}\n`).join(''),
    stderr:
      'next: ledger-git show, then ledger-git synthesize --commit (or your next commit); ' +
      'ledger-git archive then takes what was done long ago out of current.md\n',
  })
  expect(repo.read(CURRENT)).toBe(HAND_KEPT)

  const again = json(repo, 'migrate', '--commit')
  expect(again['migrated']).toMatchObject([{ created: false }, { created: false }])
  expect(again['commit']).toBe(repo.git('rev-parse', 'HEAD'))
  expect(repo.status()).toBe('')
  expect(repo.read(CURRENT)).toContain('**Goal:** ship')
  expect(repo.tryLedger('check').status).toBe(0)
})

test('takes named files from any folder, exits with 1 if it skips one, and with 0 if there are none', () => {
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

test('a file with conflict markers becomes no event, and the others do', () => {
  const conflict = (a: string, b: string) => `<<<<<<< HEAD\n${a}=======\n${b}>>>>>>> topic\n`
  const yaml = 'docs/a.yaml'
  const moved = `${ROOT}/parser/events/a.md`
  const event = '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\n'
  const conflicted = {
    [CURRENT]: `# Work\n\n## Ledger\n${conflict('**Goal:** a\n', '**Goal:** b\n')}`,
    [yaml]: `goal: x\n${conflict('now: a\n', 'now: b\n')}`,
    [moved]: event + conflict('now: a\n', 'now: b\n'),
    'docs/long.md': `# Handoff\n\n${'<'.repeat(12)} ours\n`,
    'docs/rest.md': '# Handoff\n\n## Next\n- [ ] a\n>>>>>>> topic\n',
  }
  const repo = new Sandbox().init()
  repo.commit('init', { ...conflicted, [LEDGER]: '## Next\n- [ ] a <<<<<<< b\n' })
  const paths = [...Object.keys(conflicted), LEDGER]
  for (const words of [['--dry-run'], []]) {
    const { status, stdout, stderr } = repo.tryLedger('migrate', ...words, ...paths)
    expect(status).toBe(1)
    if (words.length === 0) expect(stdout).toMatch(new RegExp(`^${LEDGER} → \\S+\n$`))
    for (const [path, line] of [
      [CURRENT, 4],
      [yaml, 2],
      [moved, 6],
      ['docs/rest.md', 5],
    ] as const) {
      expect
        .soft(stderr)
        .toContain(
          `${path}: skipped: line ${line}: conflict markers: resolve the conflict, then run ledger-git migrate again\n`,
        )
    }
  }
  expect(repo.read(CURRENT)).toBe(conflicted[CURRENT])
  expect(repo.ledger('synthesize', '--stdout')).not.toMatch(/<{7} HEAD|>{7}/)
  repo.tryLedger('migrate', '--commit', ...paths)
  repo.tryLedger('migrate')
  repo.git('add', '-A')
  expect(repo.tryGit('grep', '--cached', '-E', '^(<|>){7}', '--', EVENTS).status).toBe(1)
})

test('the document of a context checkpoint becomes a second event only if it is named', () => {
  const repo = ledgerRepo()
  const said = repo.ledger('context', 'checkpoint', '--now', 'wire it', '--next', 'test it')
  const path = /^handoff: (.*)$/m.exec(said)?.[1] ?? ''
  repo.write('notes/handoffs/mine.md', repo.read(path))
  const words = ['migrate', '--dry-run']
  const nothing = { migrated: [], skipped: [], left: [] }
  expect(json(repo, ...words)).toMatchObject(nothing)
  expect(json(repo, ...words, '--all')).toMatchObject(nothing)
  expect(json(repo, ...words, path)).toMatchObject({ migrated: [{ source: path }] })
})

test('names files that look like ledgers, with the commands that take them', () => {
  const repo = ledgerRepo()
  const ledger = '## Now\nparse\n\n## Next\n- [ ] print\n'
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9])
    repo.write(`my notes/ledger/2026-01-0${n}.md`, `${ledger}- [ ] ${n}\n`)
  repo.write('LEDGER.md', ledger)
  repo.write("it's/HANDOFF.md", ledger)
  const { status, stdout, stderr } = repo.tryLedger('migrate')
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toBe(`nothing to migrate
left alone: 11 files that look like ledgers or handoffs; to migrate them:
  ledger-git migrate 'my notes/ledger'   # 9 files
${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `    2026-01-0${n}.md\n`).join('')}    … and 1 more
  ledger-git migrate LEDGER.md
  ledger-git migrate 'it'\\''s/HANDOFF.md'
  ledger-git migrate --all   # 11 files
ledger-git migrate --dry-run --json lists them all
`)
  expect(repo.tryLedger('migrate', '--all', 'LEDGER.md').status).toBe(2)
  expect(json(repo, 'migrate', 'my notes/ledger')['left']).toEqual([])
  expect(json(repo, 'migrate', '--all', '--commit')['migrated']).toHaveLength(11)
  expect(repo.tryLedger('migrate')).toMatchObject({ stderr: 'nothing to migrate\n' })
  expect(repo.tryLedger('check').status).toBe(0)
})

test('text without a field is shown on request: of one event, of all, of archived ones', () => {
  const repo = ledgerRepo()
  const source = 'thoughts/ledgers/CONTINUITY_parser.md'
  repo.write(
    source,
    '**Updated:** 2025-01-02\n\n## Next\n- [ ] a\n\n## Files\n\tsrc/\u001b[31ma.ts\n',
  )
  repo.commit('theirs')
  repo.ledger('migrate', '--commit')
  const file = repo.git('ls-files', `${EVENTS}/*.md`).slice(EVENTS.length + 1)
  const lines = '    ## Files\n      src/\ufffd[31ma.ts'
  expect(repo.ledger('event', 'show', file)).toContain(`\n  note:\n${lines}`)
  const note = '## Files\n\tsrc/\u001b[31ma.ts'
  expect(json(repo, 'event', 'show', file)).toMatchObject({ note, source })
  expect(repo.ledger('show')).not.toContain('Files')
  expect(repo.ledger('show', '--notes')).toContain(
    `\n\n### Notes\n\n${file}, of ${source}:\n${lines}`,
  )
  const noted = { event: file, source, ts: '2025-01-02T00:00:00Z', agent: 'parser', note }
  expect(json(repo, 'show', '--notes', '--rev', 'HEAD')['notes']).toEqual([noted])
  expect(json(repo, 'show', '--notes', '--agent', 'x')['notes']).toEqual([])
  repo.ledger('archive', '--no-confirm', '--commit')
  expect(json(repo, 'show', '--notes')['notes']).toEqual([])
  expect(json(repo, 'show', '--notes', '--all')['notes']).toEqual([noted])
})
