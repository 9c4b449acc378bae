/** `migrate` on real git: what it finds, which times it uses, and that nothing is written twice. */

import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { planMigration, writeMigration } from '../../../src/app/migrate/migrate.ts'
import type { MigrationPlan } from '../../../src/app/migrate/migrate.ts'
import { renderArchived } from '../../../src/core/event/archive-file.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { gitMigrationSources } from '../../../src/io/git/migration-sources.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CURRENT, EVENTS, ROOT, Sandbox } from '../../support/git-repo.ts'

const LEDGER = 'thoughts/ledgers/CONTINUITY_parser.md'
const HAND_KEPT = '# Work Stream: demo\n\n## Ledger\n**Goal:** ship\n\n### Now\n[->] write\n'

interface Options {
  files?: string[]
  agent?: string
  write?: boolean
  asEvents?: boolean
  isAll?: boolean
}

async function migrate(repo: Repo, options: Options = {}) {
  const { write = true, files, agent, asEvents = false, isAll = false } = options
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  try {
    const sources = gitMigrationSources(repository.git)
    const plan = await planMigration(
      { repository, root: ROOT, sources },
      { files, agent, asEvents, isAll },
    )
    if (write) await writeMigration(repository, plan)
    return plan
  } finally {
    repository.close()
  }
}

const created = ({ migrations }: MigrationPlan) =>
  migrations.filter(({ isNew }) => isNew).map(({ source }) => source)

function repoWith(files: Record<string, string>): Repo {
  const repo = new Sandbox().init()
  repo.commit('init', files)
  return repo
}

test('finds hand-kept state in the usual places, and nothing else', async () => {
  const repo = repoWith({
    [CURRENT]: HAND_KEPT,
    [LEDGER]: '## Next\n- [ ] a\n',
    [`${ROOT}/general/2026-01-01_10-00_a.yaml`]: 'goal: a\n',
    [`${ROOT}/parser/current.md`]: '## Ledger\n### Now\n[->] parse\n',
    [`${ROOT}/task/current.md`]: '# Task\n\nno ledger\n',
    [`${ROOT}/old/events/a.md`]: '---\nts: 2026-01-01T00:00:00Z\nagent: a\nstream: b\n---\n',
    [`${EVENTS}/b.md`]: '---\ntimestamp: 2026-01-01T00:00:00Z\nsession_id: b\n---\n',
    'README.md': '## Next\n- [ ] not this one\n',
  })
  const plan = await migrate(repo)
  expect(created(plan)).toEqual([
    LEDGER,
    CURRENT,
    `${ROOT}/general/2026-01-01_10-00_a.yaml`,
    `${ROOT}/old/events/a.md`,
    `${ROOT}/parser/current.md`,
  ])
  expect(plan.skipped).toEqual([])
  expect(plan.inPlace).toEqual([`${EVENTS}/b.md`])
  expect(repo.status().split('\n')).toHaveLength(5)
  expect(created(await migrate(repo))).toEqual([])
})

test("takes what an older hook's rendering says, and ignores a rendering that says nothing", async () => {
  const footer =
    '---\n_Synthesized from:_\n- Events: 7\n- Latest: 2026-01-12T11:59:30.638Z\n- Branches: a/b\n- Generated: 2026-01-12T11:59:30.678Z'
  const rendered = `## Ledger\n**Updated:** 2026-01-12T11:59:30.678Z\n\n${footer}`
  const event = { [`${EVENTS}/a.md`]: '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n' }
  for (const beside of [{}, event]) {
    // Those hooks appended the file to itself, without a line break.
    const empty = repoWith({ [CURRENT]: rendered + rendered, ...beside })
    expect(await migrate(empty)).toMatchObject({ migrations: [], skipped: [], inPlace: [] })
    const full = rendered.replace('\n\n', '\n\n### Next\n- [ ] ship it\n\n')
    const plan = await migrate(repoWith({ [CURRENT]: full, ...beside }))
    expect(created(plan)).toEqual([CURRENT])
    expect(plan.migrations[0]?.text).toContain('ship it')
  }
})

describe('time and author', () => {
  const eventOf = (plan: MigrationPlan) => plan.migrations[0]?.event.slice(EVENTS.length + 1) ?? ''

  test("come from the file's last commit and its work stream if the text names neither", async () => {
    const repo = repoWith({ [LEDGER]: '## Next\n- [ ] a\n' })
    const commit = repo.git('log', '-1', '--format=%cI').replace('+00:00', 'Z').replaceAll(':', '-')
    repo.commit('another')
    expect(eventOf(await migrate(repo))).toMatch(new RegExp(`^${commit}_parser_`))
  })

  test("come from the file's mtime while it is untracked; committing it makes no second event", async () => {
    const repo = repoWith({ 'README.md': '' })
    repo.write(CURRENT, HAND_KEPT)
    utimesSync(join(repo.folder, CURRENT), 1_700_000_000, 1_700_000_000.25)
    expect(eventOf(await migrate(repo))).toMatch(/^2023-11-14T22-13-20\.250Z_migrate_/)
    repo.commit('keep it')
    expect(created(await migrate(repo, { agent: 'crisp' }))).toEqual([])
  })

  test('--agent names the author if the file names none', async () => {
    const repo = repoWith({ [LEDGER]: '---\nagent: toast\n---\n## Now\na\n', [CURRENT]: HAND_KEPT })
    const plan = await migrate(repo, { agent: 'crisp' })
    expect(plan.migrations.map(({ event }) => /_([a-z]+)_/.exec(event)?.[1])).toEqual([
      'toast',
      'crisp',
    ])
  })
})

test('makes a second event for an edited source, and none for an archived one', async () => {
  const repo = repoWith({ [LEDGER]: '**Updated:** 2026-01-01\n## Next\n- [ ] a\n' })
  const [first] = (await migrate(repo)).migrations
  const file = first?.event.slice(EVENTS.length + 1) ?? ''
  const archived = renderArchived({ file, bytes: Buffer.from(first?.text ?? '') })
  repo.write(`${ROOT}/archive/2026-01-01/${file.replace('.md', '.json')}`, archived)
  repo.run('rm', [`${EVENTS}/${file}`])
  repo.git('add', '-A')
  expect(created(await migrate(repo))).toEqual([])
  repo.write(LEDGER, '**Updated:** 2026-01-02\n## Next\n- [ ] a\n')
  expect(created(await migrate(repo))).toEqual([LEDGER])
})

test('names every file that it cannot take, and takes the others', async () => {
  const repo = repoWith({ 'a.md': '## Next\n- [ ] a', 'b.json': '{}', 'empty.md': '\n' })
  repo.write('binary.md', Buffer.from([35, 0, 1]))
  repo.write('latin.md', Buffer.from('## Next\n- caf\u00e9', 'latin1'))
  repo.write('folder/x', '')
  symlinkSync('a.md', join(repo.folder, 'link.md'))
  repo.write(CURRENT, `${HAND_KEPT}\n---\n_synthesized:\n`)
  const names = ['a.md', 'b.json', 'empty.md', 'binary.md', 'latin.md', 'link.md', 'folder', 'gone']
  const plan = await migrate(repo, { files: [...names, '../x.md', CURRENT] })
  expect(created(plan)).toEqual(['a.md'])
  expect(plan.skipped.map(({ source, problem }) => `${source}: ${problem.split(':')[0]}`)).toEqual([
    'b.json: not a ledger, handoff or event',
    'empty.md: the file is empty',
    'binary.md: not a text file',
    'latin.md: not UTF-8',
    'link.md: a symbolic link',
    'folder: a folder in which nothing looks like a ledger, a handoff or an event',
    'gone: no such file',
    '../x.md: outside this repository',
    `${CURRENT}: rendered by ledger-git`,
  ])
  expect(created(await migrate(repo))).toEqual([])
})

describe('a document in another place', () => {
  const NOTES = '## Now\nparse\n\n## Next\n- [ ] print\n'
  const TEMPLATE = 'Goal (incl. success criteria):\n- ship\nNow:\n- print\n'
  const LEFT = {
    '.codex/ledger/2026-01-01-parser.md': TEMPLATE,
    'LEDGER.md': NOTES,
    'sub/CONTINUITY.md': TEMPLATE,
    [`sub/${ROOT}/lexer/current.md`]: HAND_KEPT,
    [`sub/${ROOT}/general/2026-01-01.yaml`]: 'goal: a\nnow: b\n',
    [`${ROOT}/parser/task-01.md`]: '# Task\n\nprose\n',
    [`${ROOT}/task/current.md`]: '# Task\n\nno ledger\n',
  }
  const OTHERS = {
    'docs/ledger.md': '# Accounts\n\n## Done\n- of the ledger of accounts\n',
    'docs/CONTINUITY.md': '# How to\n\nprose\n',
    'node_modules/x/CONTINUITY.md': TEMPLATE,
    '.claude/skills/continuity/CONTINUITY.md': TEMPLATE,
    '.claude/commands/handoff.md': NOTES,
    'CONTINUITY-template.md': TEMPLATE,
    [`${EVENTS}/a.md`]: '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n',
    'conductor/sessions/active/LEDGER.md': NOTES,
    'src/ledger.ts': NOTES,
    'README.md': NOTES,
  }

  test('is named if it looks like a ledger or a handoff, until it is migrated', async () => {
    const repo = repoWith({ ...LEFT, ...OTHERS })
    const plan = await migrate(repo)
    expect(created(plan)).toEqual([])
    expect(plan).toMatchObject({ left: Object.keys(LEFT).toSorted(), skipped: [] })
    expect(created(await migrate(repo, { files: ['sub'] }))).toHaveLength(3)
    expect((await migrate(repo)).left).toHaveLength(4)
    expect(created(await migrate(repo, { isAll: true }))).toHaveLength(4)
    expect(await migrate(repo)).toMatchObject({ left: [], skipped: [] })
    repo.write('LEDGER.md', `${NOTES}- [ ] more\n`)
    expect((await migrate(repo)).left).toEqual(['LEDGER.md'])
  })

  test('in a named folder is taken if it looks like one; a folder without any is named', async () => {
    const repo = repoWith({
      'notes/a.md': NOTES,
      'notes/b.md': '# prose\n',
      'src/c.md': '- [ ] a\n',
    })
    const plan = await migrate(repo, { files: ['notes', 'src', 'src/c.md'] })
    expect(created(plan)).toEqual(['notes/a.md', 'src/c.md'])
    expect(plan.skipped.map(({ source }) => source)).toEqual(['src'])
    expect(created(await migrate(repo, { files: [''], write: false }))).toEqual([])
  })

  test('belongs to its own stream, or to the repository if it is in the top folder', async () => {
    const repo = repoWith({
      ...LEFT,
      'HANDOFF.md': NOTES,
      'old/2026-01-01_b.md': '# Work Stream: c\n',
    })
    const plan = await migrate(repo, { isAll: true, asEvents: true })
    const named = await migrate(repo, { files: ['old/2026-01-01_b.md'] })
    const streams = [...plan.migrations, ...named.migrations].map(({ source, text }) => [
      source,
      parseEvent({ file: '', id: '', text }).event?.stream,
    ])
    expect(Object.fromEntries(streams)).toEqual({
      '.codex/ledger/2026-01-01-parser.md': 'parser',
      'HANDOFF.md': undefined,
      'LEDGER.md': undefined,
      'sub/CONTINUITY.md': 'sub',
      [`sub/${ROOT}/lexer/current.md`]: 'lexer',
      [`sub/${ROOT}/general/2026-01-01.yaml`]: 'general',
      [`${ROOT}/parser/task-01.md`]: 'parser',
      [`${ROOT}/task/current.md`]: 'task',
      'old/2026-01-01_b.md': 'c',
    })
  })
})

describe('the goal of one stream', () => {
  const [A, B] = [`${ROOT}/a/2026-01-01.yaml`, `${ROOT}/b/2026-01-02.yaml`]
  const HANDOFF = `${ROOT}/c/current.md`
  const THREADS = {
    [A]: 'goal: a\nnow: x\n',
    [B]: 'goal: b\nnow: y\n',
    [HANDOFF]: '## Ledger\n**Goal:** c\n### Now\n[->] z\n',
  }
  const goals = ({ migrations }: MigrationPlan) =>
    migrations.map(({ text }) => parseEvent({ file: '', id: '', text }).event?.goal)
  const look = (files: Record<string, string>) => migrate(repoWith(files), { write: false })

  test("does not become the repository's goal if other streams have goals, but stays in notes and handoffs", async () => {
    const plan = await look(THREADS)
    expect(goals(plan)).toEqual([undefined, undefined, undefined])
    expect(plan.migrations[0]?.text).toContain('note: "goal: a"')
  })

  test('is kept if it is the only one, or if the repository has its own goal', async () => {
    expect(goals(await look({ [A]: THREADS[A] ?? '' }))).toEqual(['a'])
    const own = { ...THREADS, 'CONTINUITY.md': 'Goal (incl. success criteria): ours\n' }
    expect(goals(await look(own))).toEqual(['ours', 'a', 'b', 'c'])
    const repo = repoWith({
      ...THREADS,
      [`${EVENTS}/x.md`]: '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\ngoal: ours\n',
    })
    expect(goals(await migrate(repo))).toEqual(['a', 'b', 'c'])
  })

  test('applies to the repository if its ledger is the only one', async () => {
    const ledger = { [LEDGER]: '## Goal\nship\n' }
    const streams = ({ migrations }: MigrationPlan) =>
      migrations.map(({ text }) => parseEvent({ file: '', id: '', text }).event?.stream)
    expect(streams(await look(ledger))).toEqual([undefined])
    const two = { ...ledger, 'thoughts/ledgers/CONTINUITY_lexer.md': '## Goal\nread\n' }
    expect(streams(await look(two))).toEqual(['lexer', 'parser'])
  })

  test("is not the repository's if a shared ledger states that one", async () => {
    const repo = repoWith({ [LEDGER]: '## Goal\nparse\n', [CURRENT]: HAND_KEPT })
    const facts = ({ migrations }: MigrationPlan) =>
      migrations.map(({ source, text }) => {
        const { event } = parseEvent({ file: '', id: '', text })
        return [source, event?.goal, event?.stream]
      })
    const named = await migrate(repo, { files: [LEDGER], write: false })
    expect(facts(named)).toEqual([[LEDGER, 'parse', 'parser']])
    const shared = [CURRENT, 'ship', undefined]
    expect(facts(await migrate(repo))).toEqual([[LEDGER, 'parse', 'parser'], shared])
    // After the migration as well, when the shared ledger is rendered.
    repo.ledger('synthesize', '--no-confirm')
    repo.write(LEDGER, '## Goal\nparse more\n')
    expect(facts(await migrate(repo))).toEqual([[LEDGER, 'parse more', 'parser']])
    expect(repo.ledger('show')).toContain('ship')
  })

  test('a shared ledger without a goal leaves it to the only one', async () => {
    const plan = await look({
      [LEDGER]: '## Goal\nparse\n',
      [CURRENT]: '## Ledger\n### Now\n[->] a\n',
    })
    expect(plan.migrations[0]?.text).not.toContain('stream:')
  })
})

test('two clones that migrate separately write the same files', async () => {
  const sandbox = new Sandbox()
  const ours = sandbox.init('ours')
  ours.commit('init', { [LEDGER]: '## Next\r\n- [ ] a\r\n', [CURRENT]: HAND_KEPT })
  ours.git('clone', '-q', '.', join(sandbox.folder, 'theirs'))
  const theirs = sandbox.at(join(sandbox.folder, 'theirs'))
  for (const repo of [ours, theirs]) {
    expect(created(await migrate(repo))).toHaveLength(2)
    repo.commit('migrate')
  }
  ours.git('pull', '-q', '--no-rebase', '--no-edit', theirs.folder, 'main')
  expect(ours.git('ls-files', EVENTS)).toBe(theirs.git('ls-files', EVENTS))
  expect(ours.git('rev-parse', 'HEAD^{tree}')).toBe(theirs.git('rev-parse', 'HEAD^{tree}'))
})

test('a replaced text is migrated once, whatever the name of the file that brings it back', async () => {
  const repo = repoWith({ [CURRENT]: '## Ledger\n\n---\n_synthesized:\n', 'old.md': HAND_KEPT })
  expect(created(await migrate(repo, { files: ['old.md'] }))).toEqual(['old.md'])
  expect(created(await migrate(repo, { files: ['old.md'] }))).toEqual([])
  expect(created(await migrate(repo))).toEqual([])
})

test('a replaced text gets the time of the commit that first had it, not of the file that brings it back', async () => {
  const repo = repoWith({ 'README.md': '' })
  repo.commit('by hand', { [CURRENT]: HAND_KEPT })
  const kept = Number(repo.git('log', '-1', '--format=%ct'))
  repo.commit('replaced', { [CURRENT]: '## Ledger\n\n---\n_synthesized:\n' })
  expect(Number(repo.git('log', '-1', '--format=%ct'))).toBeGreaterThan(kept)
  repo.write('old.md', HAND_KEPT)
  repo.write('other.md', `${HAND_KEPT}more\n`)
  utimesSync(join(repo.folder, 'other.md'), 1_700_000_000, 1_700_000_000)
  const { migrations } = await migrate(repo, { files: ['old.md', 'other.md'] })
  const times = migrations.map(({ text }) => /^ts: (.*)$/m.exec(text)?.[1] ?? '')
  expect(times.map(Date.parse)).toEqual([kept * 1000, 1_700_000_000_000])
})

describe('a handoff', () => {
  const PARSER = `${ROOT}/parser/current.md`
  const HANDOFF =
    '---\nbranch: topic\n---\n\n# Work Stream: parser\n\nProse that no event has a field for.\n\n' +
    '## Ledger\n**Updated:** 2026-01-02T00:00:00Z\n\n### Now\n[->] parse\n\n### Next\n- [ ] print\n'
  const textOf = ({ migrations: [first] }: MigrationPlan) => first?.text ?? ''

  test('is adopted in place: its bytes stay, and one event refers to it', async () => {
    const repo = repoWith({ [PARSER]: HANDOFF })
    const plan = await migrate(repo)
    expect(plan.migrations).toMatchObject([{ source: PARSER, isNew: true, isAdopted: true }])
    const text = textOf(plan)
    for (const line of [
      'branch: topic',
      'type: handoff',
      'stream: parser',
      'now: parse',
      '  - print',
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).not.toMatch(/Prose|^note:|^session:/m)
    expect(repo.read(PARSER)).toBe(HANDOFF)
  })

  test('is adopted once even if it changes, and not if its stream already has events', async () => {
    const repo = repoWith({ [PARSER]: HANDOFF })
    await migrate(repo)
    repo.write(PARSER, HANDOFF.replace('[->] parse', '[->] something else'))
    expect(created(await migrate(repo))).toEqual([])
    expect(created(await migrate(repo, { files: [PARSER] }))).toEqual([])
    const other = repoWith({
      [PARSER]: HANDOFF,
      [`${EVENTS}/2026-01-01T00-00-00Z_a_00000000.md`]:
        '---\nts: 2026-01-01T00:00:00Z\nagent: a\nbranch: b\ntype: handoff\n---\n\n```ledger\nstream: parser\nnow: x\n```\n',
      [`${ROOT}/lexer/current.md`]: HANDOFF,
    })
    expect(created(await migrate(other))).toEqual([`${ROOT}/lexer/current.md`])
  })

  test('is adopted beside older documents of its stream', async () => {
    const old = `${ROOT}/parser/2026-01-01_10-00_a.yaml`
    const repo = repoWith({ [old]: 'goal: a\n' })
    await migrate(repo)
    repo.write(PARSER, HANDOFF)
    expect(created(await migrate(repo))).toEqual([PARSER])
  })

  test('becomes an event as a whole if asEvents is set or it has no Ledger section', async () => {
    const repo = repoWith({
      [PARSER]: HANDOFF,
      [`${ROOT}/task/current.md`]: '# Handoff\n\nprose\n',
    })
    const plan = await migrate(repo, { asEvents: true })
    expect(plan.migrations).toMatchObject([{ source: PARSER, isAdopted: false }])
    expect(textOf(plan)).toContain('Prose that no event has a field for.')
    expect(textOf(plan)).toContain('\nsession: parser\n')
    expect(textOf(plan)).toContain('\nreason: migrated\nstream: parser\n')
    // Without a Ledger section there is no other way to take it.
    const [task] = (await migrate(repo, { files: [`${ROOT}/task/current.md`] })).migrations
    expect(task).toMatchObject({ isAdopted: false, isNew: true })
  })
})
