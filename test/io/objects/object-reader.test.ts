/** One contract for all implementations; then what only git itself can read. */

import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hashObject } from '../../../src/core/git/objects.ts'
import type { ObjectReader } from '../../../src/app/ports.ts'
import { BatchReader } from '../../../src/io/objects/batch-reader.ts'
import { CatFileReader } from '../../../src/io/objects/cat-file-reader.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { IsomorphicReader } from '../../../src/io/objects/isomorphic-reader.ts'
import { LongLivedReader } from '../../../src/io/objects/long-lived-reader.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { IS_LONG } from '../../support/long.ts'

const READERS: readonly (readonly [string, (repo: Repo) => ObjectReader])[] = [
  ['CatFileReader', (repo) => new CatFileReader(new Git(repo.folder, repo.sandbox.env))],
  ['BatchReader', (repo) => new BatchReader(new Git(repo.folder, repo.sandbox.env))],
  ['IsomorphicReader', (repo) => new IsomorphicReader(join(repo.folder, '.git'))],
  ['LongLivedReader', (repo) => longLived(repo)],
]

function longLived({ folder, sandbox }: Repo, format: 'sha1' | 'sha256' = 'sha1') {
  const gitDir = join(folder, '.git')
  const place = { top: folder, gitDir, commonDir: gitDir, format, prefix: '' }
  return new LongLivedReader(new Git(folder, sandbox.env), place)
}

function opened(make: (repo: Repo) => ObjectReader, repo: Repo): ObjectReader {
  const reader = make(repo)
  onTestFinished(() => reader.close())
  return reader
}

function store(repo: Repo, bytes: Buffer): string {
  const ran = repo.run('git', ['hash-object', '-w', '--stdin'], { input: bytes })
  return ran.stdout.trim()
}

/** A repository whose objects are loose or all in one pack with deltas. */
function filled(form: 'loose' | 'packed'): { repo: Repo; big: Buffer; blobs: Map<string, Buffer> } {
  const repo = new Sandbox().init()
  const text = randomBytes(20_000).toString('hex')
  const big = randomBytes((IS_LONG ? 5 : 1) * 1024 * 1024)
  const contents = [
    Buffer.from(''),
    Buffer.from('\n'),
    Buffer.from('no final line break'),
    Buffer.from([0, 10, 13, 255, 0]),
    Buffer.from(`${'0'.repeat(40)} blob 3\nabc\n`), // looks like an answer of cat-file
    Buffer.from(text), // and variants of it, so that the pack has deltas
    ...Array.from({ length: 5 }, (_, i) => Buffer.from(`${text}variant ${i}\n`)),
    big,
  ]
  contents.forEach((bytes, i) => repo.write(`file-${i}`, bytes))
  repo.commit('all')
  const blobs = new Map(contents.map((bytes) => [hashObject('blob', bytes, 'sha1'), bytes]))
  if (form === 'packed') {
    repo.git('repack', '-q', '-a', '-d', '-f', '--window=20')
    repo.git('prune-packed')
  }
  return { repo, big, blobs }
}

describe.each(READERS)('%s', (_name, make) => {
  test.each(['loose', 'packed'] as const)('reads every kind of object, %s', async (form) => {
    const { repo, blobs } = filled(form)
    if (form === 'packed') {
      const pack = readdirSync(join(repo.folder, '.git/objects/pack')).find((name) =>
        name.endsWith('.idx'),
      )
      const listed = repo.git('verify-pack', '-v', `.git/objects/pack/${pack}`)
      expect(listed, 'the pack must hold deltas').toMatch(/chain length = [1-9]/)
    }
    const reader = opened(make, repo)
    for (const [oid, bytes] of blobs) {
      const object = await reader.read(oid)
      expect(object).toMatchObject({ oid, type: 'blob' })
      expect(Buffer.from(object?.content ?? 'x').equals(bytes)).toBe(true)
    }
    const tree = await reader.read(repo.git('rev-parse', 'HEAD^{tree}'))
    expect(tree?.type).toBe('tree')
    expect(digest('tree', tree?.content)).toBe(tree?.oid)
    const commit = await reader.read(repo.git('rev-parse', 'HEAD'))
    expect(commit?.type).toBe('commit')
    expect(Buffer.from(commit?.content ?? []).toString('utf8')).toMatch(
      /^tree [0-9a-f]{40}\nauthor Ada /,
    )
    repo.git('tag', '-m', 'annotated', 'v1')
    const tag = await reader.read(repo.git('rev-parse', 'v1'))
    expect(tag?.type).toBe('tag')
  })

  test('returns undefined for a missing object and still reads the next one', async () => {
    const { repo, blobs } = filled('loose')
    const reader = opened(make, repo)
    expect(await reader.read('1'.repeat(40))).toBeUndefined()
    const [[oid] = ['']] = blobs
    expect(await reader.read(oid)).toMatchObject({ oid })
    // Written after the reader was opened.
    const late = store(repo, Buffer.from('late\n'))
    expect(await reader.read(late)).toMatchObject({ oid: late })
  })

  test('answers each of many simultaneous requests with its own object', async () => {
    const { repo, blobs } = filled('packed')
    const reader = opened(make, repo)
    const oids = Array.from({ length: 10 }, () => [...blobs.keys(), '2'.repeat(40)]).flat()
    const objects = await Promise.all(oids.map((oid) => reader.read(oid)))
    for (const [i, oid] of oids.entries()) {
      const bytes = blobs.get(oid)
      if (bytes === undefined) expect(objects[i]).toBeUndefined()
      else expect(Buffer.from(objects[i]?.content ?? 'x').equals(bytes)).toBe(true)
    }
  })

  test('may be closed twice, even without ever reading', () => {
    const reader = make(new Sandbox().init())
    reader.close()
    expect(() => reader.close()).not.toThrow()
  })
})

function digest(type: string, content: Uint8Array | undefined): string {
  const bytes = content ?? new Uint8Array()
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

describe('LongLivedReader', () => {
  const read = async (repo: Repo, reader = longLived(repo)) => {
    onTestFinished(() => reader.close())
    const oid = repo.git('rev-parse', 'HEAD:a.txt')
    return { oid, found: await reader.read(oid) }
  }

  test('reads a single request in process, and leaves simultaneous ones to git', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a.txt': 'a\n' })
    const { folder, sandbox } = repo
    const gitDir = join(folder, '.git')
    const place = { top: folder, gitDir, commonDir: gitDir, format: 'sha1' as const, prefix: '' }
    const noGit = new Git(folder, { ...sandbox.env, PATH: sandbox.folder })
    const { oid, found } = await read(repo, new LongLivedReader(noGit, place))
    expect(found).toMatchObject({ oid, type: 'blob' })
    const together = new LongLivedReader(noGit, place)
    const answers = await Promise.allSettled([together.read(oid), together.read(oid)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('leaves to git what only git can read', async () => {
    const sandbox = new Sandbox()
    const sha256 = sandbox.init('sha256', '--object-format=sha256')
    sha256.commit('x', { 'a.txt': 'a\n' })
    const other = await read(sha256, longLived(sha256, 'sha256'))
    expect(other.found).toMatchObject({ oid: other.oid, type: 'blob' })

    const origin = sandbox.init('origin')
    origin.commit('x', { 'a.txt': 'from the alternate\n' })
    origin.git('clone', '-q', '--shared', '.', '../shared')
    const shared = await read(sandbox.at(join(sandbox.folder, 'shared')))
    expect(shared.found).toMatchObject({ oid: shared.oid, type: 'blob' })
  })

  test('reads what was packed or changed since it was opened', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a.txt': 'one\n' })
    const reader = longLived(repo)
    const first = await read(repo, reader)
    repo.commit('y', { 'a.txt': 'two\n' })
    repo.git('repack', '-q', '-a', '-d')
    repo.git('prune-packed')
    const second = await read(repo, reader)
    expect(second.found).toMatchObject({ oid: second.oid })
    expect(await reader.read(first.oid)).toMatchObject({ oid: first.oid })
    expect(await reader.find('HEAD:a.txt')).toMatchObject({ oid: second.oid })
  })
})

describe('CatFileReader alone', () => {
  const reader = (repo: Repo) =>
    opened(() => new CatFileReader(new Git(repo.folder, repo.sandbox.env)), repo) as CatFileReader

  test('reads SHA-256, alternates and linked worktrees', async () => {
    const sandbox = new Sandbox()
    const sha256 = sandbox.init('sha256', '--object-format=sha256')
    sha256.commit('x', { 'a.txt': 'a\n' })
    const object = await reader(sha256).find('HEAD:a.txt')
    expect(object).toMatchObject({ oid: expect.stringMatching(/^[0-9a-f]{64}$/), type: 'blob' })

    const origin = sandbox.init('origin')
    origin.commit('x', { 'a.txt': 'from the alternate\n' })
    origin.git('clone', '-q', '--shared', '.', '../shared')
    const shared = await reader(sandbox.at(join(sandbox.folder, 'shared'))).find('HEAD:a.txt')
    expect(Buffer.from(shared?.content ?? []).toString('utf8')).toBe('from the alternate\n')

    origin.git('worktree', 'add', '-q', '-b', 'side', '../linked')
    const linked = sandbox.at(join(sandbox.folder, 'linked'))
    linked.commit('y', { 'a.txt': 'linked\n' })
    const own = await reader(linked).find('HEAD:a.txt')
    expect(Buffer.from(own?.content ?? []).toString('utf8')).toBe('linked\n')
  })

  test('finds paths with spaces and other scripts, and returns undefined for impossible names', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a b/ü 猫 "q".md': 'found\n' })
    const cat = reader(repo)
    expect(await cat.find('HEAD:a b/ü 猫 "q".md')).toMatchObject({ type: 'blob' })
    expect(await cat.find('HEAD^{tree}')).toMatchObject({ type: 'tree' })
    for (const expression of ['HEAD:nothing here', 'nonesuch', '', 'HEAD:a\nHEAD', 'a\0b']) {
      expect(await cat.find(expression), expression).toBeUndefined()
    }
    expect(await cat.find('HEAD')).toMatchObject({ type: 'commit' })
  })

  test('returns undefined for an ambiguous name and stays in step', async () => {
    const repo = new Sandbox().init()
    const texts = Array.from({ length: 900 }, (_, i) => Buffer.from(`${i}\n`))
    const short = texts.map((text) => hashObject('blob', text, 'sha1').slice(0, 4))
    const later = short.findIndex((prefix, i) => short.indexOf(prefix) !== i)
    const twice = short[later] ?? ''
    const [oid = ''] = [short.indexOf(twice), later].map((i) => store(repo, texts[i] as Buffer))
    expect(repo.tryGit('rev-parse', twice).stderr).toContain('ambiguous')
    const cat = reader(repo)
    const answers = await Promise.all([cat.find(twice), cat.find(oid)])
    expect(answers).toMatchObject([undefined, { oid }])
  })

  test('ends with an error or undefined, and does not hang, when its child dies', async () => {
    const sandbox = new Sandbox()
    const cat = reader(sandbox.at(sandbox.folder)) // no repository here
    await expect(cat.read('1'.repeat(40))).rejects.toThrow(
      /git cat-file ended early.*not a git repository/s,
    )

    const repo = sandbox.init()
    const oid = store(repo, Buffer.from('x\n'))
    const file = join(repo.folder, '.git/objects', oid.slice(0, 2), oid.slice(2))
    repo.chmod(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, 0o644)
    writeFileSync(file, 'not zlib')
    const corrupt = reader(repo)
    const settled = await Promise.race([
      corrupt.read(oid).then(
        (object) => object,
        () => 'error',
      ),
      new Promise((resolve) => setTimeout(resolve, 10_000, 'hangs')),
    ])
    expect(settled === 'error' || settled === undefined).toBe(true)
  })

  test('reports git that cannot be started as an error of ours', async () => {
    const repo = new Sandbox().init()
    const cat = new CatFileReader(new Git(repo.folder, { PATH: '/nowhere' }))
    await expect(cat.read('1'.repeat(40))).rejects.toMatchObject({ code: 'GIT_MISSING' })
  })
})
