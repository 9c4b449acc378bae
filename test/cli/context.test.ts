/** `context estimate`, `shard`, `plan` and `metrics`, on real repositories. */

import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readShardText } from '../../src/core/plan/shard-marks.ts'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo } from '../support/git-repo.ts'
import { KIRO, PRD, SPEC_KIT, SUPERPOWERS } from '../core/plan/plans.ts'
import { json, refusal } from './words.ts'

builtFrom(
  () => import('../../src/cli/context/context-estimate.ts'),
  () => import('../../src/cli/context/context-metrics.ts'),
  () => import('../../src/cli/context/context-plan.ts'),
  () => import('../../src/cli/context/context-shard.ts'),
  () => import('../../src/compose/cli.ts'),
)

const PLAN = 'specs/004/tasks.md'

function repoWith(files: Readonly<Record<string, string>>): Repo {
  const repo = ledgerRepo()
  for (const [path, text] of Object.entries(files)) repo.write(path, text)
  return repo
}

interface Estimate {
  readonly tokens: number
  readonly percentOfWindow: number
  readonly percentOfRemaining: number | null
  readonly verdict: string
  readonly basis: Record<string, unknown>
}

describe('context estimate', () => {
  test("counts a plan's open steps and the existing files that it names", () => {
    const repo = repoWith({
      [PLAN]: SPEC_KIT,
      'test/limit.test.ts': 'x'.repeat(2700),
      'src/mod.ts': 'not named',
      'specs/004/plan.md': 'y'.repeat(270),
    })
    const found = json<Estimate>(repo, 'context', 'estimate', PLAN)
    expect(found).toMatchObject({ percentOfRemaining: null, verdict: 'fits' })
    expect(Object.keys(found)).toEqual([
      'tokens',
      'percentOfWindow',
      'percentOfRemaining',
      'verdict',
      'basis',
    ])
    expect(found.basis).toMatchObject({
      characters: SPEC_KIT.length,
      charactersPerToken: 2.7,
      steps: 2,
      ratio: 1.5,
      window: 200_000,
      remaining: null,
      files: [
        { path: 'plan.md', tokens: 100 },
        { path: 'test/limit.test.ts', tokens: 1000 },
      ],
    })
    const { tokens } = found
    expect(tokens).toBe(Math.ceil((Math.ceil(SPEC_KIT.length / 2.7) + 1100 + 6000) * 1.5))
  })

  test('--check exits with 1 if the task must be split or exceeds what remains, and names the ways out', () => {
    const repo = ledgerRepo()
    const check = (...words: string[]) =>
      repo.tryLedger('context', 'estimate', '--task', '-v is wrong', '--check', ...words)
    expect(check()).toMatchObject({ status: 0, stderr: '' })
    expect(check('--window', '12k')).toMatchObject({ status: 0 })
    expect(check('--window', '12k').stdout).toMatch(
      /^consider-sharding: about 4,508 tokens, 37.5 %/,
    )
    expect(check('--window', '7k')).toMatchObject({ status: 1 })
    const full = check('--remaining', '4k')
    expect(full).toMatchObject({ status: 1 })
    expect(full.stdout).toMatch(/^exceeds-remaining: .*112.7 % of the 4,000 that remain/)
    expect(full.stderr).toMatch(/next: begin it in a new session; .*shard.*subagents.*go on anyway/)
  })

  test('refuses wrong input with the right status and nothing on stdout', () => {
    const repo = repoWith({ 'a.json': '{"stories": []}', 'cut.json': '{"userStories": [' })
    mkdirSync(join(repo.folder, 'folder'))
    const refused = (...words: string[]) => refusal(repo.tryLedger('context', 'estimate', ...words))
    expect(refused()).toEqual({ status: 2, stdout: '' })
    expect(refused('a.json', '--task', 'x')).toEqual({ status: 2, stdout: '' })
    expect(refused('--task', 'x', '--window', 'many')).toEqual({ status: 2, stdout: '' })
    expect(refused('--task', 'x', '--window', '0')).toEqual({ status: 2, stdout: '' })
    for (const file of ['none.md', 'folder', 'a.json', 'cut.json']) {
      expect(refused(file)).toEqual({ status: 1, stdout: '' })
    }
  })
})

describe('context shard', () => {
  interface Shards {
    readonly shards: readonly { title: string; file: string; tokens: number; done: number }[]
    readonly removed: readonly string[]
  }
  const shard = (repo: Repo, ...words: string[]) => json<Shards>(repo, 'context', 'shard', ...words)

  test.each([
    [PLAN, SPEC_KIT],
    ['.kiro/specs/costs/tasks.md', KIRO],
    ['docs/plans/2026-01-01-trees.md', SUPERPOWERS],
  ])('%s: splits into parts that add up to the plan and need no further split', (path, text) => {
    const repo = repoWith({ [path]: text })
    expect(shard(repo, path, '--window', '50k').shards.length).toBeGreaterThan(1)
    expect(repo.status()).not.toContain('shards')
    const { shards } = shard(repo, path, '--window', '50k', '--write')
    const own = shards.map(({ file }) => readShardText(repo.read(file))?.body ?? '')
    expect(own.join('')).toBe(text)
    for (const { file, tokens } of shards) {
      expect(tokens).toBeLessThan(15_000)
      expect(shard(repo, file, '--window', '50k').shards.map((one) => one.file)).toEqual([file])
    }
    expect(repo.read(path)).toBe(text)
  })

  test('prd.json: writes parts that a loop can take as they are', () => {
    const repo = repoWith({ 'scripts/ralph/prd.json': PRD })
    const { shards } = shard(repo, 'scripts/ralph/prd.json', '--into', '2', '--write')
    const stories = shards.flatMap(({ file }) => {
      const part = JSON.parse(repo.read(file)) as { branchName: string; userStories: unknown[] }
      expect(part.branchName).toBe('ralph/priority')
      return part.userStories
    })
    expect(stories).toEqual((JSON.parse(PRD) as { userStories: unknown[] }).userStories)
  })

  test('writing again follows the changed plan and removes the earlier parts', () => {
    const repo = repoWith({ [PLAN]: SPEC_KIT })
    shard(repo, PLAN, '--into', '4', '--write')
    repo.write('specs/004/tasks.shards/notes.md', 'mine')
    repo.write(PLAN, SPEC_KIT.replace('- [ ] T003', '- [x] T003'))
    const { shards, removed } = shard(repo, PLAN, '--into', '2', '--write')
    expect(removed.length).toBeGreaterThan(1)
    expect(shards.map(({ done }) => done)).toEqual([2, 2])
    expect(readdirSync(join(repo.folder, 'specs/004/tasks.shards')).sort()).toEqual(
      [...shards.map(({ file }) => file.split('/').at(-1)), 'notes.md'].sort(),
    )
    expect(repo.read(shards[1]?.file ?? '')).toContain('- [x] T003')
  })

  test('writes nothing if somebody changed a part', () => {
    const repo = repoWith({ [PLAN]: SPEC_KIT })
    const { shards } = shard(repo, PLAN, '--into', '3', '--write')
    const [first = '', second = ''] = shards.map(({ file }) => file)
    repo.write(second, `${repo.read(second)}mine\n`)
    const before = repo.read(first)
    repo.write(PLAN, SPEC_KIT.replace('T001', 'T000'))
    const ran = repo.tryLedger('context', 'shard', PLAN, '--into', '3', '--write')
    expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
    expect(ran.stderr).toContain(second)
    expect(repo.read(first)).toBe(before)
  })

  test('writes nothing through a link that a branch brought', () => {
    const repo = repoWith({ [PLAN]: SPEC_KIT })
    mkdirSync(join(repo.folder, 'elsewhere'))
    symlinkSync('../../elsewhere', join(repo.folder, 'specs/004/tasks.shards'))
    const ran = repo.tryLedger('context', 'shard', PLAN, '--into', '2', '--write')
    expect(refusal(ran)).toEqual({ status: 3, stdout: '' })
    expect(readdirSync(join(repo.folder, 'elsewhere'))).toEqual([])
  })

  test('reports what does not fit and what cannot be done', () => {
    const repo = repoWith({ [PLAN]: SPEC_KIT, 'one.md': '- [ ] one\n' })
    const say = (...words: string[]) => repo.tryLedger('context', 'shard', ...words)
    expect(say('one.md').stderr).toBe('it is below 30 % of the window: no parts are needed\n')
    expect(say('one.md', '--into', '3').stderr).toMatch(/can only be split into 1 part/)
    expect(say('one.md', '--window', '1k').stderr).toMatch(/part 1 is one task .* split the task/)
    expect(say(PLAN, '--into', '2', '--window', '9k').stderr).toMatch(/more parts would be smaller/)
    expect(say(PLAN, '--into', '0').status).toBe(2)
    const issues = say(PLAN, '--into', '2', '--issues', '--write')
    expect(refusal(issues)).toEqual({ status: 1, stdout: '' })
    expect(issues.stderr).toContain('no issue tracker is set up')
    expect(repo.exists('specs/004/tasks.shards')).toBe(false)
  })
})

describe('context plan', () => {
  interface Plans {
    readonly sessions: readonly {
      readonly tokens: number
      readonly endsAt: string | null
      readonly tasks: readonly { file: string; id: string | null; line: number }[]
    }[]
  }

  test('packs open tasks of several plans into sessions that end at good stopping points', () => {
    const repo = repoWith({ [PLAN]: SPEC_KIT.replaceAll('[X]', '[ ]'), 'b.md': SUPERPOWERS })
    const { sessions } = json<Plans>(repo, 'context', 'plan', PLAN, 'b.md', '--window', '28k')
    expect(sessions.map(({ tasks }) => tasks.map(({ file, id }) => `${file} ${id}`))).toEqual([
      [`${PLAN} T001`, `${PLAN} T002`],
      [`${PLAN} T003`, `${PLAN} T005`],
      ['b.md 3', 'b.md 2'],
    ])
    expect(sessions.map(({ endsAt }) => endsAt)).toEqual([
      'Checkpoint: the project builds',
      'Checkpoint: User Story 1 works by itself',
      null,
    ])
    const text = repo.ledger('context', 'plan', PLAN)
    const line = SPEC_KIT.split('\n').findIndex((one) => one.includes('T001')) + 1
    expect(text).toContain(`  ${PLAN}:${line}: T001 Create the module`)
    expect(text).toContain('  ends at: Checkpoint: User Story 1 works by itself')
  })

  test('reports that nothing is open, and refuses a missing plan', () => {
    const repo = repoWith({ 'done.md': '- [x] done\n' })
    const ran = repo.tryLedger('context', 'plan', 'done.md')
    expect(ran).toEqual({ status: 0, stdout: '', stderr: 'nothing is open in these plans\n' })
    expect(refusal(repo.tryLedger('context', 'plan', 'none.md')).status).toBe(1)
  })
})

test('context metrics reports unknown values as unknown, not as 0', () => {
  const repo = repoWith({
    '.claude/handoffs/2026-01-07-1045.md': '---\ncheckpoint_trigger: manual\n---\n',
    '.claude/handoffs/2026-01-07-1145.md': '---\ncheckpoint_trigger: L2 (context at 86%)\n---\n',
    '.claude/handoffs/notes.md': '# Notes\n',
  })
  const { sessions, metrics } = json<{
    sessions: number
    metrics: { name: string; value: number | null }[]
  }>(repo, 'context', 'metrics')
  expect(sessions).toBe(0)
  expect(metrics.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))).toEqual([
    ['typed-checkpoints', 50],
  ])
  expect(repo.ledger('context', 'metrics')).toContain('context-lost: not known')
})
