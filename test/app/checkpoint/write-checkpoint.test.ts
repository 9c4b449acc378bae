/** Writing checkpoints: what is read, what is refused, and that nothing is lost. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { describe, expect, test } from 'vitest'
import { writeCheckpoint } from '../../../src/app/checkpoint/write-checkpoint.ts'
import { chance, SECRETS } from '../../support/secrets.ts'
import {
  BRANCH,
  commitFiles,
  filesOfBranch,
  holdBranch,
  ID,
  OTHER,
  record,
  scene,
  sessionsOf,
} from './checkpoints.ts'
import { IS_LONG, longTest } from '../../support/long.ts'

test('writes an orphan branch with subject, trailers and the files of the record', async () => {
  const { repo, context } = await scene()
  const commit = await writeCheckpoint(context, ID, [record('s1'), record('s2')])
  expect(repo.git('rev-parse', BRANCH)).toBe(commit)
  expect(repo.git('log', '--format=%B', BRANCH)).toBe(
    `Checkpoint: ${ID}\n\nLedger-Session: s1\nLedger-Agent: claude\n` +
      'Ledger-Session: s2\nLedger-Agent: claude\n',
  )
  expect(filesOfBranch(repo)).toEqual(
    ['0/context.md', '0/metadata.json', '0/prompts.txt', '0/transcript.jsonl']
      .flatMap((path) => [path, path.replace('0/', '1/')])
      .concat('metadata.json')
      .map((path) => `01/23456789ab/${path}`)
      .toSorted(),
  )
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('')
  expect(repo.status()).toBe('')
})

test('makes no commit for an equal record; a later record replaces its session and keeps the others', async () => {
  const { repo, context } = await scene()
  await writeCheckpoint(context, OTHER, [record('s0')])
  await writeCheckpoint(context, ID, [record('s1')])
  const first = await writeCheckpoint(context, ID, [record('s2')])
  expect(await writeCheckpoint(context, ID, [record('s1'), record('s2')])).toBe(first)
  const later = record('s1', { condensedAt: '2026-01-11T12:00:00Z', context: 'later\n' })
  await writeCheckpoint(context, ID, [later])
  expect(sessionsOf(repo, ID)).toEqual(['s1', 's2'])
  expect(sessionsOf(repo, OTHER)).toEqual(['s0'])
  expect(repo.git('show', `${BRANCH}:01/23456789ab/0/context.md`)).toBe('later')
  expect(repo.git('rev-list', '--count', BRANCH)).toBe('4')
})

test('reads only the folders on the path, however many others exist', async () => {
  const { repo, context } = await scene()
  const many = Array.from({ length: 600 }, (_, i) => i.toString(16).padStart(4, '0'))
  const names = many.map((hex) => [`${hex.slice(2)}/${hex}000000/metadata.json`, '{}'] as const)
  commitFiles(repo, Object.fromEntries(names))
  const asked: string[] = []
  const { objects } = context.repository
  const read = objects.read.bind(objects)
  objects.read = (oid) => {
    asked.push(oid)
    return read(oid)
  }
  await writeCheckpoint(context, ID, [record('s1')])
  expect(asked).toHaveLength(3) // commit, root, shard
  asked.length = 0
  const every = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)']
  const trees = () => repo.git(...every).match(/^tree$/gm)?.length ?? 0
  const before = trees()
  await writeCheckpoint(context, ID, [record('s2')])
  expect(asked).toHaveLength(3 + 2 + 5) // plus the checkpoint's own two folders and five files
  expect(trees() - before).toBe(4) // the new session's folder, checkpoint, shard, root
  expect(filesOfBranch(repo)).toHaveLength(600 + 9)
})

test('writes no secret', async () => {
  const { repo, context } = await scene()
  const token = `${'ghp'}_${chance(36)}`
  await writeCheckpoint(context, ID, [
    record('s1', {
      transcript: `{"text":"use ${token}"}\nplain ${token}\n`,
      prompts: [`with ${token}`],
      context: `> ${token}\n`,
      tasks: [{ toolUseId: 't1', transcript: `{"a":"${token}"}\n` }],
    }),
  ])
  const all = filesOfBranch(repo).map((path) => repo.git('show', `${BRANCH}:${path}`))
  expect(all.join('\n')).not.toContain(token)
  expect(all.join('\n').match(/\[redacted: /g)).toHaveLength(5)
})

test('redacts a secret that spans several lines as a whole', async () => {
  const { repo, context } = await scene()
  const key = SECRETS.find(({ secret }) => secret.includes('\n'))?.secret ?? ''
  const lines = key.split('\n').filter((line) => /^[\w+/]{40,}/.test(line))
  expect(lines.length).toBeGreaterThan(1)
  const text = `before\n${key}\nafter\n`
  await writeCheckpoint(context, ID, [record('s1', { transcript: text, context: text })])
  const all = filesOfBranch(repo).map((path) => repo.git('show', `${BRANCH}:${path}`))
  for (const line of lines) expect(all.join('\n')).not.toContain(line)
  expect(all.filter((one) => /before[^]*\[redacted: [^]*after/.test(one))).toHaveLength(2)
})

test('does not load the slow secret detector if no text can contain a secret', async () => {
  const { context } = await scene()
  let loads = 0
  const secrets = () => {
    loads += 1
    return context.secrets()
  }
  await writeCheckpoint({ ...context, secrets }, ID, [record('s1')])
  expect(loads).toBe(0)
  const prompts = [`with ${'ghp'}_${chance(36)}`]
  await writeCheckpoint({ ...context, secrets }, OTHER, [record('s1', { prompts })])
  expect(loads).toBeGreaterThan(0)
})

describe('keeps what a newer release wrote or nobody can read', () => {
  const folder = '01/23456789ab'
  const newer = {
    [`${folder}/metadata.json`]: '{"version":2}',
    [`${folder}/0/metadata.json`]: '{"version":2,"session":"s1"}',
    [`${folder}/0/later.bin`]: 'x',
    [`${folder}/graph.json`]: '{}',
  }

  test("adds our sessions beside a newer release's and updates them", async () => {
    const { repo, context } = await scene()
    commitFiles(repo, newer)
    const before = repo.git('ls-tree', '-r', BRANCH).split('\n')
    await writeCheckpoint(context, ID, [record('s1')])
    const written = await writeCheckpoint(context, ID, [record('s1'), record('s2')])
    expect(await writeCheckpoint(context, ID, [record('s2')])).toBe(written)
    expect(repo.git('ls-tree', '-r', BRANCH).split('\n')).toEqual(expect.arrayContaining(before))
    expect(filesOfBranch(repo).filter((path) => path.endsWith('context.md'))).toEqual([
      `${folder}/1/context.md`,
      `${folder}/2/context.md`,
    ])
  })

  test('keeps files that this release does not know in a checkpoint that it knows', async () => {
    const { repo, context } = await scene()
    await writeCheckpoint(context, ID, [record('s1')])
    commitFiles(repo, { [`${folder}/graph.json`]: '{}', [`${folder}/7/metadata.json`]: 'torn' })
    await writeCheckpoint(context, ID, [record('s2')])
    expect(filesOfBranch(repo)).toEqual(
      expect.arrayContaining([
        `${folder}/graph.json`,
        `${folder}/7/metadata.json`,
        `${folder}/0/context.md`,
        `${folder}/8/context.md`,
      ]),
    )
  })
})

const REF = `refs/heads/${BRANCH}`
const GONE = ['update-ref', '-d', REF]

describe('is refused, with nothing written', () => {
  const countOf = (text: string) => /count: (\d+)/.exec(text)?.[1]

  test.each([
    ['checked out', [['worktree', 'add', '-q', '../wt', BRANCH]], /checked out in .*\/wt/],
    ['symbolic', [GONE, ['symbolic-ref', REF, 'refs/heads/main']], /name of refs\/heads\/main/],
    ['unborn in a worktree', [GONE, ['symbolic-ref', 'HEAD', REF]], /checked out/],
  ] as const)('%s', async (_, commands, said) => {
    const { repo, context } = await scene()
    await writeCheckpoint(context, ID, [record('s1')])
    for (const command of commands) repo.git(...command)
    const before = [repo.git('show-ref'), countOf(repo.git('count-objects', '-v'))]
    await expect(writeCheckpoint(context, ID, [record('s2')])).rejects.toThrow(said)
    expect([repo.git('show-ref'), countOf(repo.git('count-objects', '-v'))]).toEqual(before)
  })

  test.each(['', ':01', ':01/23456789ab', ':01/23456789ab/0/context.md'])(
    'the object of %s is missing',
    async (path) => {
      const { repo, context } = await scene()
      await writeCheckpoint(context, ID, [record('s1')])
      const oid = repo.git('rev-parse', `${BRANCH}${path}`)
      rmSync(`${repo.folder}/.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, { force: true })
      const before = repo.git('for-each-ref', '--format=%(refname)')
      const tip = repo.read(`.git/refs/heads/${BRANCH}`)
      context.refs.read = () => Promise.resolve(tip.trim())
      await expect(writeCheckpoint(context, ID, [record('s2')])).rejects.toMatchObject({
        code: 'OBJECT_MISSING',
      })
      expect(repo.read(`.git/refs/heads/${BRANCH}`)).toBe(tip)
      expect(repo.git('for-each-ref', '--format=%(refname)')).toBe(before)
    },
  )

  longTest(
    'a branch blocks the ref as its parent folder, or a lock is never released',
    async () => {
      const { repo, context } = await scene()
      repo.git('branch', 'ledger')
      await expect(writeCheckpoint(context, ID, [record('s1')])).rejects.toMatchObject({
        code: 'CHECKPOINTS_BLOCKED',
      })
      repo.git('branch', '-D', 'ledger')
      await writeCheckpoint(context, ID, [record('s1')])
      holdBranch(repo)
      await expect(writeCheckpoint(context, ID, [record('s2')])).rejects.toMatchObject({
        code: 'CHECKPOINTS_BLOCKED',
      })
      expect(sessionsOf(repo, ID)).toEqual(['s1'])
    },
  )
})

test('writes again on top of a commit that another process made first', async () => {
  const { repo, context } = await scene()
  const { move } = context.refs
  let isFirst = true
  context.refs.move = async (...args) => {
    if (isFirst) {
      isFirst = false
      commitFiles(repo, { 'ff/0000000000/note': 'theirs' })
    }
    return move(...args)
  }
  await writeCheckpoint(context, ID, [record('s1')])
  expect(filesOfBranch(repo)).toContain('ff/0000000000/note')
  expect(sessionsOf(repo, ID)).toEqual(['s1'])
})

test('many concurrent processes lose nothing', async () => {
  const { repo } = await scene()
  const [processes, rounds] = IS_LONG ? [4, 5] : [3, 2]
  const worker = await bundle(repo.folder)
  const runs = Array.from({ length: processes }, (_, i) => runWorker(worker, repo, i, rounds))
  expect(await Promise.all(runs)).toEqual(Array.from({ length: processes }, () => 0))
  const names = Array.from({ length: processes * rounds }, (_, i) => {
    return `s${Math.floor(i / rounds)}-${i % rounds}`
  })
  expect(sessionsOf(repo, ID)).toEqual(names.toSorted())
  const own = names.map((name) => name.replace('s', 'b').replace('-', '').padEnd(12, '0'))
  for (const id of own) expect(sessionsOf(repo, id)).toEqual(['own'])
  expect(repo.git('rev-list', '--count', BRANCH)).toBe(String(2 * names.length))
})

/** The use case bundled as one script, because Node cannot run the TypeScript sources. */
async function bundle(folder: string): Promise<string> {
  mkdirSync(`${folder}/.git/worker`, { recursive: true })
  await build({
    config: false,
    entry: { worker: fileURLToPath(new URL('checkpoint-worker.ts', import.meta.url)) },
    outDir: `${folder}/.git/worker`,
    platform: 'node',
    noExternal: /./,
    external: ['vitest'],
    inlineOnly: false,
    clean: false,
    dts: false,
    logLevel: 'silent',
  })
  const file = `${folder}/.git/worker/worker.mjs`
  expect(existsSync(file)).toBe(true)
  return file
}

function runWorker(
  worker: string,
  { folder, sandbox }: Awaited<ReturnType<typeof scene>>['repo'],
  number: number,
  rounds: number,
): Promise<unknown> {
  const child = spawn(process.execPath, [worker, folder, String(number), String(rounds)], {
    env: sandbox.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => child.on('close', resolve))
}
