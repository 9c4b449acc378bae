/** `checkpoint list`, `checkpoint show` and `why COMMIT`, on real repositories. */

import { describe, expect, test } from 'vitest'
import { writeCheckpoint } from '../../../src/app/checkpoint/write-checkpoint.ts'
import { runCli } from '../../../src/cli/cli.ts'
import type { CliContext } from '../../../src/cli/command/context.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import { gitRefs } from '../../../src/io/git/git-refs.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { Git } from '../../../src/io/process/exec.ts'
import type { Repo } from '../../support/git-repo.ts'
import { commitFiles, ID, OTHER, record, scene } from './checkpoints.ts'
import { sampleOf } from '../../support/long.ts'

const AT = '2026-01-10T12:00:00Z'

async function run(repo: Repo, ...words: string[]) {
  const repository = await openRepository(repo.folder, repo.sandbox.env)
  const said = { stdout: '', stderr: '' }
  // Contains only what these commands use.
  const context = {
    named: (text: string) => text,
    cwd: repo.folder,
    env: repo.sandbox.env,
    isStdoutTty: false,
    version: '0',
    clock: { now: () => 0 },
    open: () => Promise.resolve({ repository, settings: DEFAULT_SETTINGS }),
    sessions: () => Promise.resolve({ refs: gitRefs(new Git(repo.folder, repo.sandbox.env)) }),
    stdout: (text: string) => void (said.stdout += text),
    stderr: (text: string) => void (said.stderr += text),
  } as unknown as CliContext
  try {
    return { status: await runCli(words, context), ...said, code: undefined, message: '' }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { status: error.exitCode, ...said, code: error.code, message: error.message }
  } finally {
    repository.close()
  }
}

async function withCheckpoints() {
  const { repo, context } = await scene()
  const first = record('s1', { prompts: ['Fix \u001b[31mit\nnow'], agent: 'claude' })
  await writeCheckpoint(context, ID, [first, record('s2', { agent: 'codex', branch: undefined })])
  await writeCheckpoint(context, OTHER, [record('s3', { condensedAt: '2026-01-09T12:00:00Z' })])
  return { repo, context }
}

describe('checkpoint list', () => {
  test('lists the oldest first, with agents and counts', async () => {
    const { repo } = await withCheckpoints()
    const { status, stdout } = await run(repo, 'checkpoint', 'list')
    expect(status).toBe(0)
    expect(stdout).toBe(
      `${OTHER}  2026-01-09  claude on main  1 commit, 1 file\n` +
        `${ID}  ${AT.slice(0, 10)}  claude on main; codex  1 commit, 1 file\n`,
    )
  })

  test('reports a branch ref that a power failure left empty', async () => {
    const { repo } = await withCheckpoints()
    repo.write('.git/refs/heads/ledger/checkpoints/v1', '')
    const { status, stdout, stderr } = await run(repo, 'checkpoint', 'list')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /branch of checkpoints is damaged: .*\/v1 names no commit\n {2}next: ledger-git doctor\n$/,
    )
  })

  test('--json lists all checkpoints, marks those of a newer release as partial, and may be empty', async () => {
    const { repo } = await withCheckpoints()
    commitFiles(repo, { 'ff/0000000000/metadata.json': '{"version":9}' })
    const { stdout } = await run(repo, 'checkpoint', 'list', '--json')
    const { checkpoints } = JSON.parse(stdout) as { checkpoints: Record<string, unknown>[] }
    expect(checkpoints.map(({ checkpoint, partial }) => [checkpoint, partial])).toEqual([
      ['ff0000000000', true],
      [OTHER, false],
      [ID, false],
    ])
    expect(checkpoints[2]).toEqual({
      checkpoint: ID,
      condensed_at: AT,
      sessions: [
        { session: 's1', agent: 'claude', branch: 'main' },
        { session: 's2', agent: 'codex', branch: null },
      ],
      commits: ['a'.repeat(40)],
      files: ['a.ts'],
      partial: false,
    })
    const empty = await scene()
    expect((await run(empty.repo, 'checkpoint', 'list', '--json')).stdout).toContain('[]')
    expect(await run(repo, 'checkpoint', 'show', 'ff00')).toMatchObject({
      status: 3,
      code: 'CHECKPOINT_UNREADABLE',
    })
  })

  test('works in a fresh clone', async () => {
    const { repo } = await withCheckpoints()
    repo.git('clone', '-q', '.', '../clone')
    const clone = repo.sandbox.at(`${repo.sandbox.folder}/clone`)
    expect((await run(clone, 'checkpoint', 'list')).stdout).toContain(ID)
    expect((await run(clone, 'checkpoint', 'show', ID)).status).toBe(0)
  })
})

describe('checkpoint show', () => {
  test('prints each fact on one line without control characters, and transcripts only on request', async () => {
    const { repo, context } = await withCheckpoints()
    const log = '{"text":"\u009b31m"}\n'
    await writeCheckpoint(context, OTHER, [record('s4', { transcript: log })])
    const { stdout } = await run(repo, 'checkpoint', 'show', ID)
    expect(stdout).toContain('  prompt: Fix \ufffd[31mit now\n')
    expect(stdout).not.toContain('{"type":"user"}')
    const full = await run(repo, 'checkpoint', 'show', OTHER.slice(0, 4), '--transcript')
    expect(full.stdout).toContain('{"text":"\ufffd31m"}\n')
    const { stdout: json } = await run(repo, 'checkpoint', 'show', OTHER, '--json')
    expect(JSON.parse(json)).toMatchObject({
      checkpoint: OTHER,
      sessions: [{ transcript: null }, {}],
    })
    const both = await run(repo, 'checkpoint', 'show', OTHER, '--json', '--transcript')
    expect(JSON.parse(both.stdout)).toMatchObject({ sessions: [{}, { transcript: log }] })
  })

  test.each(sampleOf(['../x', 'ffffffffffff', 'HEAD', '0123456789abc', '01'], 3))(
    '%s: not found',
    async (id) => {
      const { repo } = await withCheckpoints()
      const answer = await run(repo, 'checkpoint', 'show', id)
      expect(answer).toMatchObject({ status: 1, code: 'CHECKPOINT_NOT_FOUND' })
    },
  )

  test('refuses an ambiguous prefix', async () => {
    const { repo, context } = await withCheckpoints()
    await writeCheckpoint(context, '0123aaaaaaaa' as typeof ID, [record('s1')])
    const { message } = await run(repo, 'checkpoint', 'show', '0123')
    expect(message).toContain('several checkpoints begin with 0123')
  })
})

describe('why COMMIT', () => {
  test('shows session, agent and prompt; reports missing checkpoints and mere mentions', async () => {
    const { repo } = await withCheckpoints()
    repo.commit(`fix: it\n\nLedger-Checkpoint: ${ID}`)
    const made = await run(repo, 'why', 'HEAD')
    expect(made.status).toBe(0)
    expect(made.stdout).toMatch(/^[0-9a-f]{9} fix: it\n/)
    expect(made.stdout).toContain(
      'claude on main  session s1\n      prompt: Fix \ufffd[31mit now\n',
    )
    repo.commit('later\n\nLedger-Checkpoint: cccccccccccc')
    expect((await run(repo, 'why', '--commit', 'HEAD')).stdout).toContain('not here')
    repo.commit(`squashed\n\n    fix: it\n\n    Ledger-Checkpoint: ${ID}\n\nand more`)
    const squash = await run(repo, 'why', 'HEAD', '--json')
    expect(JSON.parse(squash.stdout)).toMatchObject({
      subject: 'squashed',
      checkpoints: [{ checkpoint: ID, mentioned_only: true, found: true, sessions: [{}, {}] }],
    })
    expect((await run(repo, 'why', 'HEAD')).stdout).toContain('mentioned only')
  })

  test('exits with 1 for a commit without a link, and fails for an unknown key or commit', async () => {
    const { repo } = await withCheckpoints()
    const none = await run(repo, 'why', 'HEAD')
    expect(none).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no session') as string,
    })
    expect(await run(repo, 'why', 'nothing')).toMatchObject({ status: 1, code: 'EVENT_NOT_FOUND' })
    expect(await run(repo, 'why', '--commit', 'nothing')).toMatchObject({
      status: 2,
      code: 'REVISION_UNKNOWN',
    })
  })

  test('prefers a key of the ledger; --commit asks about the commit', async () => {
    const { repo } = await withCheckpoints()
    repo.git('branch', 'db')
    const event = '---\nts: 2026-01-10T12:00:00Z\nagent: toast\n---\n\ndecisions:\n  db: sqlite\n'
    repo.write('thoughts/shared/handoffs/events/a.md', event)
    expect((await run(repo, 'why', 'db')).stdout).toContain('decided: sqlite')
    expect(await run(repo, 'why', 'db', '--commit')).toMatchObject({ status: 1 })
  })
})

test('an unknown subcommand is refused with the known ones or the nearest', async () => {
  const { repo } = await scene()
  expect((await run(repo, 'checkpoint')).message).toContain('list, show')
  expect((await run(repo, 'checkpoint', 'lsit')).message).toContain('did you mean list?')
  expect((await run(repo, 'chekpoint')).message).toContain('did you mean checkpoint?')
})
