/** The cache saves time and does nothing else: whatever happens to it, the same bytes come out. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { build } from 'tsdown'
import { describe, expect, test } from 'vitest'
import { readEvents } from '../../../src/app/ledger/ledger-tree.ts'
import { renderEvents, renderTree, stateOfTree } from '../../../src/app/ledger/render-tree.ts'
import type { VerifiedTree } from '../../../src/app/ports/ledger-cache.ts'
import type { GitObject, ObjectReader } from '../../../src/app/ports.ts'
import type { TreeEntry } from '../../../src/core/git/objects.ts'
import { encodeTree, hashObject, textToName } from '../../../src/core/git/objects.ts'
import type { JoinState } from '../../../src/core/ledger/join-state.ts'
import { stateOf } from '../../../src/core/ledger/join-state.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { newSnapshot } from '../../../src/core/event/snapshot.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { FileCache } from '../../../src/io/cache/ledger-cache.ts'
import { diverged, noteText, ONLY_DECISIONS } from '../../git/scene.ts'
import { anyPool, HOSTILE_TEXTS } from '../../support/arbitraries.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../../support/git-repo.ts'
import { asOther, IS_ROOT, needsOther } from '../../support/other-user.ts'
import { sourceHash } from '../../../scripts/source-hash.mjs'
import { longTest, runs, sampleOf } from '../../support/long.ts'

const TREE = '1'.repeat(40)
const OTHER = '2'.repeat(40)

function newHome(): string {
  const home = join(new Sandbox().folder, 'ledger-git')
  mkdirSync(home)
  return home
}

const below = (home: string, ...names: string[]) => join(home, 'cache', 'source', ...names)

/** The state of some events: ordinary, salvaged and unreadable ones. */
function someState(now = 'Größe 🎉'): JoinState {
  const texts = [
    `---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: ${now}\nthis_session:\n- did it\n`,
    'no front matter',
    '---\nts: 2026-01-01\nagent: a\n---\n\nnow: "x\nnext:\n- b\ngoal: c: d\n',
  ]
  const parsed = texts.map((text, i) => parseEvent({ file: `${i}.md`, id: `${i}`, text }))
  const events = parsed.flatMap(({ event }) => event ?? [])
  return stateOf(
    events,
    parsed.flatMap(({ problems }) => problems),
  )
}

const STATE = someState()
const VERIFIED: VerifiedTree = {
  tree: TREE,
  damaged: [{ file: 'größe.md', oid: OTHER }],
  open: [],
}

function fill(home: string): void {
  const cache = new FileCache(home)
  cache.keepState(TREE, STATE)
  cache.keepVerified(VERIFIED)
}

const sumOf = (text: string) => createHash('sha1').update(text).digest('hex')

describe('the cache', () => {
  test('returns what was stored', () => {
    const home = newHome()
    fill(home)
    const cache = new FileCache(home)
    expect(cache.states()).toEqual([TREE])
    expect(cache.state(TREE)).toEqual(STATE)
    expect(cache.state(OTHER)).toBeUndefined()
    expect(cache.verified()).toEqual(VERIFIED)
  })

  test('lists the most recently used state first', () => {
    const home = newHome()
    const cache = new FileCache(home)
    const names = ['a', 'b', 'c']
    for (const [i, name] of names.entries()) {
      cache.keepState(name, STATE)
      utimesSync(below(home, 'states', name), 1e9 + i, 1e9 + i)
    }
    expect(cache.states()).toEqual(['c', 'b', 'a'])
    new FileCache(home).state('a')
    expect(new FileCache(home).states()).toEqual(['a', 'c', 'b'])
  })

  test('forgets everything when cleared, also what other builds stored', () => {
    const home = newHome()
    fill(home)
    cpSync(below(home), join(home, 'cache', '0'.repeat(16)), { recursive: true })
    const cache = new FileCache(home)
    expect(cache.state(TREE)).toBeDefined()
    cache.clear()
    expectNothing(home)
    expect(cache.state(TREE)).toBeUndefined()
    const left = readdirSync(join(home, 'cache'), { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => name.includes('/'))).toEqual([])
  })

  test('ignores what another build stored, and removes it when long unused', () => {
    const home = newHome()
    const [used, left] = ['0', '1'].map((digit) => digit.repeat(16)) as [string, string]
    // Folders that are not a build's stay, however old: the cache may be a link to a folder that others use.
    const names = [used, left, 'code', 'other-app', 'ab12', 'source2']
    for (const name of names) {
      fill(home)
      renameSync(below(home), join(home, 'cache', name))
    }
    const then = Date.now() / 1000 - 8 * 86_400
    for (const name of names) {
      const folder = join(home, 'cache', name)
      for (const inner of readdirSync(folder)) utimesSync(join(folder, inner), then, then)
      utimesSync(folder, then, then)
    }
    writeFileSync(join(home, 'cache', used, 'states', 'new'), 'of today')
    expectNothing(home)
    fill(home)
    const kept = [used, 'code', 'other-app', 'ab12', 'source2', 'source', 'joined']
    expect(readdirSync(join(home, 'cache')).toSorted()).toEqual(kept.toSorted())
  })

  test('is filled by install, so that the first merge of a clone reads only what is new', () => {
    const repo = new Sandbox().init()
    repo.commit('events', { [`${EVENTS}/a.md`]: noteText('a') })
    repo.ledger('install')
    const tree = repo.git('rev-parse', `HEAD:${EVENTS}`)
    const cache = join(repo.folder, '.git/ledger-git/cache')
    expect(
      readdirSync(cache)
        .filter((name) => name !== 'joined')
        .flatMap((build) => readdirSync(join(cache, build, 'states'))),
    ).toEqual([tree])
    expect(readFileSync(join(cache, 'joined'), 'utf8')).toBe(`${tree}\n`)
  })

  test('stores nothing without install', () => {
    const repo = new Sandbox().init()
    repo.commit('events', { [`${EVENTS}/a.md`]: noteText('a'), [CURRENT]: 'by hand\n' })
    const cache = new FileCache(join(repo.folder, '.git/ledger-git'))
    cache.keepState('a', STATE)
    expect(cache.states()).toEqual([])
    repo.tryLedger('check', '--rev', 'HEAD')
    repo.ledger('show', '--rev', 'HEAD')
    expect(repo.exists('.git/ledger-git')).toBe(false)
  })

  test('has a folder for each build', () => {
    const hash = sourceHash(fileURLToPath(new URL('../../..', import.meta.url)))
    // The hash covers all sources, not only those of the cache.
    const dist = fileURLToPath(new URL('../../../dist/', import.meta.url))
    const named = readdirSync(dist)
      .filter((name) => /\.c?js$/.test(name))
      .flatMap(
        (name) => /VERSION = "([0-9a-f]{16})"/.exec(readFileSync(dist + name, 'utf8'))?.[1] ?? [],
      )
    expect(named).toEqual([hash, hash]) // for git and for people
  })
})

/** Damage to one file of the cache. */
const DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ['empty', (path) => writeFileSync(path, '')],
  ['garbage', (path) => writeFileSync(path, 'x'.repeat(500))],
  ['without its sum', (path) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
  ['twice', (path) => writeFileSync(path, readFileSync(path), { flag: 'a' })],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['gone', (path) => rmSync(path)],
  [
    'a folder',
    (path) => {
      rmSync(path)
      mkdirSync(join(path, 'inner'), { recursive: true })
    },
  ],
  [
    'a link to itself',
    (path) => {
      rmSync(path)
      symlinkSync(path, path)
    },
  ],
]

/** A file as the cache writes it. */
const asKept = (name: string, text: string) => `${name}\n${text}${sumOf(`${name}\n${text}`)}`
const WRONG = [
  '',
  'nope',
  'null',
  '5',
  '{}',
  '[1]',
  '{"origins":[]}',
  '{"origins":[],"sections":{}}',
]

function expectNothing(home: string): void {
  expect(new FileCache(home).state(TREE)).toBeUndefined()
  expect(new FileCache(home).verified()).toBeUndefined()
}

describe('a damaged cache file is ignored', () => {
  const files = (home: string) => [below(home, 'states', TREE), below(home, 'verified')]

  test.each(DAMAGE)('%s', (name, damage) => {
    const home = newHome()
    fill(home)
    for (const path of files(home)) damage(path)
    expectNothing(home)
    if (name === 'a folder') return // the folder stays
    fill(home)
    expect(new FileCache(home).state(TREE)).toEqual(STATE)
  })

  test('cut off anywhere, or with any bit flipped', () => {
    const home = newHome()
    fill(home)
    const paths = files(home)
    const whole = paths.map((path) => readFileSync(path))
    const put = (change: (bytes: Buffer) => Buffer) =>
      paths.forEach((path, i) => writeFileSync(path, change(whole[i] ?? Buffer.of())))
    for (let at = 1; at <= Math.max(...whole.map((bytes) => bytes.length)); at++) {
      put((bytes) => bytes.subarray(0, Math.max(0, bytes.length - at)))
      expectNothing(home)
      put((bytes) => {
        const turned = Buffer.from(bytes)
        const place = (at - 1) % bytes.length
        turned[place] = (turned[place] ?? 0) ^ (1 << (at % 8))
        return turned
      })
      expectNothing(home)
    }
    put((bytes) => bytes)
    expect(new FileCache(home).state(TREE)).toEqual(STATE)
  })

  test.each(WRONG)('%j with a correct checksum', (text) => {
    const home = newHome()
    fill(home)
    writeFileSync(below(home, 'states', TREE), asKept(TREE, text))
    expect(new FileCache(home).state(TREE)).toBeUndefined()
  })

  test('a pipe in its place, without waiting for it', () => {
    const home = newHome()
    fill(home)
    for (const path of files(home)) {
      rmSync(path)
      expect(spawnSync('mkfifo', [path]).status).toBe(0)
    }
    expectNothing(home)
  })

  test('the state of another tree', () => {
    const home = newHome()
    fill(home)
    renameSync(below(home, 'states', TREE), below(home, 'states', OTHER))
    expect(new FileCache(home).state(OTHER)).toBeUndefined()
  })
})

describe('the cache stays small', () => {
  test('and keeps the most recently used states', () => {
    const home = newHome()
    const cache = new FileCache(home)
    for (let i = 0; i < 30; i++) {
      cache.keepState(`tree${i}`, someState(`now ${i}`))
      utimesSync(below(home, 'states', `tree${i}`), 1e9 + i, 1e9 + i)
      expect(readdirSync(below(home, 'states')).length).toBeLessThan(10)
    }
    const kept = new FileCache(home)
    for (let i = 23; i < 30; i++) expect(kept.state(`tree${i}`)).toEqual(someState(`now ${i}`))
    expect(kept.state('tree0')).toBeUndefined()
  })

  longTest('and keeps fewer states if they are large, the newest among them', () => {
    const home = newHome()
    const cache = new FileCache(home)
    const problem = {
      code: 'bad-ts',
      file: 'x'.repeat(20 << 20),
      line: 1,
      section: undefined,
    } as const
    const large = { ...STATE, problems: [problem] }
    for (let i = 0; i < 5; i++) {
      cache.keepState(`tree${i}`, large)
      utimesSync(below(home, 'states', `tree${i}`), 1e9 + i, 1e9 + i)
    }
    expect(new FileCache(home).states()).toEqual(['tree4', 'tree3', 'tree2'])
  })
})

describe('several processes at once', () => {
  /** Writes and reads for a while; prints what was wrong. */
  const WORKER = `import { FileCache } from './ledger-cache.mjs'
    const [home, name, rounds] = process.argv.slice(2)
    const sections = { registers: [], now: [], next: [], items: [], archivedItems: [], decisions: [], checkpoints: [], questions: [] }
    const empty = Object.fromEntries(Object.keys(sections).map((section) => [section, new Map()]))
    const others = { sections: empty, retracted: new Set(), archived: new Set(), latest: undefined }
    for (let i = 0; i < Number(rounds); i++) {
      const cache = new FileCache(home)
      const problems = Array.from({ length: i * 50 }, () => ({ code: 'bad-ts', file: 'f'.repeat(20) }))
      cache.keepState('tree' + (i % 12), { ...others, eventCount: i * 50, problems })
      cache.keepVerified({ tree: 'tree', damaged: problems, open: problems })
      const state = new FileCache(home).state('tree' + ((i * 7) % 12))
      if (state !== undefined && state.problems.length !== state.eventCount) console.log('torn state')
      const verified = new FileCache(home).verified()
      if (verified !== undefined && verified.damaged.length !== verified.open.length) console.log('torn')
    }`

  async function newWorkers(): Promise<string> {
    const home = newHome()
    const source = new URL('../../../src/io/cache/ledger-cache.ts', import.meta.url)
    await build({
      config: false,
      entry: { 'ledger-cache': fileURLToPath(source) },
      outDir: join(home, '..', 'bundle'),
      outExtensions: () => ({ js: '.mjs' }),
      format: 'esm',
      platform: 'node',
      dts: false,
      logLevel: 'silent',
    })
    return home
  }

  function start(home: string, name: string, rounds: number): Promise<string> {
    const folder = join(home, '..', 'bundle')
    writeFileSync(join(folder, 'worker.mjs'), WORKER)
    const words = [join(folder, 'worker.mjs'), home, name, String(rounds)]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => out.push(chunk))
    return new Promise((resolve) => {
      child.on('close', (status, signal) => {
        const end = status === 0 ? '' : `status ${status ?? signal}`
        resolve(Buffer.concat(out).toString('utf8') + end)
      })
    })
  }

  test('never tear a state', async () => {
    const home = await newWorkers()
    const said = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(home, name, 40)))
    expect(said.join('')).toBe('')
    expect(new FileCache(home).states().length).toBeGreaterThan(0)
    const names = [...readdirSync(below(home)), ...readdirSync(below(home, 'states'))]
    expect(names.filter((name) => name.startsWith('.'))).toEqual([])
  })

  longTest('continue when the cache is deleted at any time', async () => {
    const home = await newWorkers()
    const all = Promise.all(['a', 'b', 'c'].map((name) => start(home, name, 60)))
    const state = { isDone: false }
    void all.then(() => (state.isDone = true))
    while (!state.isDone) {
      spawnSync('rm', ['-rf', join(home, 'cache')])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect((await all).join('')).toBe('')
    fill(home)
    expect(new FileCache(home).state(TREE)).toEqual(STATE)
  })
})

/** The command that git starts. */
const GIT_ENTRY = fileURLToPath(new URL('../../../dist/git-entry.cjs', import.meta.url))

/** Every file of a repository's cache. */
function cacheFiles(repo: Repo): string[] {
  const home = join(repo.folder, '.git/ledger-git/cache')
  if (!existsSync(home)) return []
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/(?:states\/[^/]+|verified)$/.test(name))
    .map((name) => join(home, name))
}

/** Uses a program, which continues if a writer is faster. */
const wipe = (repo: Repo) => spawnSync('rm', ['-rf', join(repo.folder, '.git/ledger-git/cache')])

describe('in a repository', () => {
  const DAMAGES = [
    ...DAMAGE.filter(([name]) => ['empty', 'garbage', 'a folder'].includes(name)),
    ['wrong JSON', (path: string) => writeFileSync(path, `nope${sumOf('nope')}`)] as const,
  ]
  test.each(sampleOf(DAMAGES, 2))(
    'a merge and a check with a damaged cache (%s) say the same as without',
    (_name, damage) => {
      const repo = diverged()
      const before = repo.git('rev-parse', 'HEAD')
      const merge = (prepare: () => void) => {
        repo.git('reset', '-q', '--hard', before)
        prepare()
        const { status, stderr } = repo.tryGit('merge', '-q', '--no-edit', 'topic')
        return { status, stderr, text: repo.read(CURRENT) }
      }
      const without = merge(() => wipe(repo))
      expect(without.text).toContain('- [x] t2')
      const broken = merge(() => {
        expect(cacheFiles(repo)).not.toEqual([])
        for (const path of cacheFiles(repo)) damage(path)
      })
      expect(without).toMatchObject({ status: 0, stderr: ONLY_DECISIONS })
      expect(broken).toEqual(without)
      expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
    },
  )

  test('a merge that brings few events stores nothing', () => {
    const repo = diverged()
    wipe(repo)
    repo.ledger('check')
    const kept = cacheFiles(repo)
    expect(kept.some((path) => path.includes('/states/'))).toBe(true)
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(cacheFiles(repo)).toEqual(kept)
    wipe(repo)
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  longTest('the cache may be deleted while commands run', async () => {
    const repo = diverged()
    const revisions = ['HEAD', 'topic', 'HEAD~1', 'topic~1'].flatMap((name) => [name, name, name])
    const all = Promise.all(
      revisions.map(
        (revision) =>
          new Promise((resolve) => {
            const words = [GIT_ENTRY, 'check', '--rev', revision]
            const options = { cwd: repo.folder, env: repo.sandbox.env, stdio: 'ignore' } as const
            spawn(process.execPath, words, options).on('close', resolve)
          }),
      ),
    )
    const state = { isDone: false }
    void all.then(() => (state.isDone = true))
    while (!state.isDone) {
      wipe(repo)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await all).toEqual(revisions.map(() => 0))
  })

  const OTHER_FORMS = [
    ['that git stores in another form', '*.md ident', 'price $Id: 5 $ today', 'price $Id$ today'],
    ['in another encoding', `${EVENTS}/p.md working-tree-encoding=UTF-16`, 'Größe', 'Größe'],
  ]
  test.each(sampleOf(OTHER_FORMS, 2))('renders an event %s', (_name, attribute, now, stored) => {
    const repo = ledgerRepo()
    repo.commit('filter', { '.gitattributes': `${repo.read('.gitattributes')}${attribute}\n` })
    const text = noteText('p', { now })
    const isWide = attribute.includes('UTF-16')
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    repo.write(`${EVENTS}/p.md`, isWide ? wide : text)
    const other = repo.sandbox.at(join(repo.sandbox.folder, 'other'))
    cpSync(repo.folder, other.folder, { recursive: true, preserveTimestamps: true })
    repo.ledger('status') // reads the worktree's file
    repo.write('work.txt', 'x\n')
    repo.git('add', 'work.txt')
    repo.git('commit', '-q', '-m', 'work')
    // Reads it and commits it in one process.
    other.event('--done', 'later', '--commit')
    expect(other.git('show', `HEAD:${CURRENT}`)).toContain(`[->] ${stored}`)
    expect(repo.git('show', `HEAD:${CURRENT}`)).toContain(`[->] ${stored}`)
    wipe(repo)
    expect(repo.tryLedger('check', '--rev', 'HEAD').stdout).not.toContain('stale')
  })

  test.skipIf(needsOther('a cache of another user')).each([
    ['no access', 0o000],
    ['only its list', 0o444],
    ['only reading', 0o555],
  ])('another user’s cache (%s) does not stop a check', (_name, mode) => {
    const repo = diverged()
    repo.ledger('check', '--range', 'topic')
    const folders = [...new Set(cacheFiles(repo).map((path) => join(path, '..')))]
    const states = folders.find((folder) => folder.endsWith('/states')) ?? ''
    for (let i = 0; i < 20; i++) writeFileSync(join(states, `tree${i}`), 'x')
    // Nothing that is needed below may be there already, otherwise nothing is written.
    for (const path of cacheFiles(repo)) if (!path.includes('/tree')) rmSync(path)
    for (const folder of folders) chmodSync(folder, mode)
    if (IS_ROOT) {
      execFileSync('chmod', ['-R', 'a+rX', repo.sandbox.folder])
      for (const folder of folders) chmodSync(folder, mode)
      repo.sandbox.at(repo.sandbox.folder).write('home/.gitconfig', '[safe]\n\tdirectory = *\n')
    }
    const [program, ...words] = asOther('git-entry.cjs')
    const ran = repo.run(program, [...words, 'check', '--rev', 'topic'])
    for (const folder of folders) chmodSync(folder, 0o755)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
  })
})

/** Blobs and trees in memory, and a cache on disk. */
class MemoryReader implements ObjectReader {
  readonly objects: ReadonlyMap<string, Uint8Array>
  readonly cache: FileCache | undefined
  reads = 0

  constructor(objects: ReadonlyMap<string, Uint8Array>, cache?: FileCache) {
    this.objects = objects
    this.cache = cache
  }

  async read(oid: string): Promise<GitObject | undefined> {
    const content = this.objects.get(oid)
    if (content === undefined) return undefined
    const isTree = hashObject('tree', content, 'sha1') === oid
    if (!isTree) this.reads += 1
    return { oid, type: isTree ? 'tree' : 'blob', content }
  }

  close(): void {}
}

const oddValue = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.constantFrom(
    '.inf',
    '-.nan',
    '-0',
    '0x10',
    '1e400',
    '9007199254740993',
    '2026-01-01',
    '~',
    '!!x',
  ),
  fc.constantFrom('[a, b]', '{a: 1}', '&a b', '*a', '|', '"\\ud800"', '"\\u0000"', "'", '"open'),
)
const oddLine = fc.oneof(
  fc
    .tuple(fc.constantFrom('now', 'goal', 'title', 'test', 'k', '__proto__', 'now'), oddValue)
    .map(([key, value]) => `${key}: ${value}`),
  fc
    .tuple(fc.constantFrom('this_session', 'next', 'open_questions', 'retracts'), oddValue)
    .map(([key, value]) => `${key}:\n- ${value}\n- again`),
  oddValue.map((value) => `decisions:\n  key: ${value}\n  __proto__: x\n  gone: null`),
  oddValue.map((value) => `checkpoints:\n- phase: ${value}\n  status: validated\n  updated: no`),
  fc.constantFrom('retracts:\n- f0.md\n- f1.md', '\tno: yaml', 'covers:\n- x', '---', ''),
)
const oddHead = fc.constantFrom(
  '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\n',
  '---\nts: 2026-01-01T00:00:00.001+02:00\nagent: "é\\t"\nbranch: b\ntype: odd\nmore: {x: 1}\n---\n',
  '\ufeff---\r\nts: 2026-01-09\r\nagent: crlf\r\n---\r\n',
  '---\nts: never\nagent: a\n---\n',
  '---js\nthrow 1\n---\n',
  '',
)
const oddText = fc
  .tuple(oddHead, fc.array(oddLine, { maxLength: 4 }))
  .map(([head, lines]) => `${head}${lines.join('\n')}\n`)
const snapshotText = anyPool.map((pool) => {
  // One id, one content: what a snapshot covers is named by its blob.
  const covered = pool.map((one) => ({ ...one, id: sumOf(JSON.stringify(one)) }))
  const snapshot = newSnapshot(covered)
  return snapshot === undefined ? '' : renderEvent(snapshot)
})
const canonicalText = fc
  .record({
    ts: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'),
    agent: fc.constantFrom('a', 'b\u0001', '🎉'),
    now: fc.option(fc.constantFrom(...HOSTILE_TEXTS), { nil: undefined }),
    next: fc.option(fc.array(fc.constantFrom(...HOSTILE_TEXTS), { maxLength: 2 }), {
      nil: undefined,
    }),
    retracts: fc.constantFrom([], ['f0.md'], ['f3.md']),
  })
  .map((fields) => renderEvent(fields))
const anyBlob = fc
  .oneof(oddText, snapshotText, canonicalText)
  .map((text) => Buffer.from(text))
  .chain((bytes) =>
    fc.constantFrom(bytes, Buffer.concat([bytes, Buffer.from([0x80, 0xff])]), bytes),
  )

/** A tree of files, some with the same content under two names, some not regular files. */
const anyTree = fc
  .array(
    fc.tuple(anyBlob, fc.constantFrom(1, 1, 2), fc.constantFrom('100644', '100755', '120000')),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((files) => {
    const blobs = new Map(files.map(([bytes]) => [hashObject('blob', bytes, 'sha1'), bytes]))
    const entries = files.flatMap(([bytes, times, mode], i) =>
      Array.from({ length: times }, (_, again): TreeEntry => {
        const name = textToName(`${again === 0 ? '' : 'again-'}f${i}${again === 0 ? '' : ' é'}.md`)
        return { mode, name, oid: hashObject('blob', bytes, 'sha1') }
      }),
    )
    return { blobs, entries, tree: hashObject('tree', encodeTree(entries), 'sha1') }
  })

describe('the result is the same with the cache and without', () => {
  const treeOf = (entries: readonly TreeEntry[]) => hashObject('tree', encodeTree(entries), 'sha1')

  test('for a tree that extends one or several rendered ones', async () => {
    const home = newHome()
    let grown = 0
    const anyCuts = fc.array(fc.nat(6), { maxLength: 3 })
    const property = fc.asyncProperty(anyTree, anyCuts, async ({ blobs, entries, tree }, cuts) => {
      rmSync(join(home, 'cache'), { recursive: true, force: true })
      const objects = new Map<string, Uint8Array>(blobs)
      const plain = renderEvents(await readEvents(new MemoryReader(blobs), tree, entries))
      const isIn = (cut: number) => (_: unknown, i: number) => cut > 5 || i % (cut + 2) === 0
      for (const before of cuts.map((cut) => entries.filter(isIn(cut)))) {
        objects.set(treeOf(before), encodeTree(before))
        const reader = new MemoryReader(objects, new FileCache(home))
        await renderTree(reader, { eventsTree: treeOf(before), entries: before })
      }
      for (const order of [entries, entries.toReversed(), entries]) {
        const reader = new MemoryReader(objects, new FileCache(home))
        expect(await renderTree(reader, { eventsTree: tree, entries: order })).toBe(plain)
        if (reader.reads < blobs.size) grown += 1
      }
    })
    const { numRuns } = runs(300)
    await fc.assert(property, { numRuns })
    expect(grown).toBeGreaterThan(numRuns / 6)
  })

  test('also if git has pruned the tree of a stored state', async () => {
    const home = newHome()
    const text = Buffer.from(noteText('a'))
    const oid = hashObject('blob', text, 'sha1')
    const entries: TreeEntry[] = [{ mode: '100644', name: 'a.md', oid }]
    new FileCache(home).keepState(OTHER, STATE)
    const reader = new MemoryReader(new Map([[oid, text]]), new FileCache(home))
    const state = await stateOfTree(reader, { eventsTree: treeOf(entries), entries })
    expect(state.eventCount).toBe(1)
  })

  test('for bytes of the worktree that differ from what git stores', async () => {
    const home = newHome()
    const [stored, seen] = [Buffer.from(noteText('stored')), Buffer.from('half')]
    const oid = hashObject('blob', stored, 'sha1')
    const entries: TreeEntry[] = [{ mode: '100644', name: 'a.md', oid }]
    const blobs = new Map([[oid, stored]])
    const overlay = new Map([[oid, seen]])
    const reader = () => new MemoryReader(blobs, new FileCache(home))
    const tree = { eventsTree: treeOf(entries), entries }
    expect((await stateOfTree(reader(), { ...tree, overlay })).eventCount).toBe(0)
    expect((await stateOfTree(reader(), tree)).eventCount).toBe(1)
  })
})
