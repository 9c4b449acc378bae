/** The cache saves time and nothing else: whatever happens to it, the same bytes come out. */

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
import { ledgerOf, readEvents } from '../../../src/app/ledger/ledger-tree.ts'
import { renderEvents, renderTree } from '../../../src/app/ledger/render-tree.ts'
import type { ObjectReader } from '../../../src/app/ports.ts'
import type { TreeEntry } from '../../../src/core/git/objects.ts'
import { encodeTree, hashObject, nameToText, textToName } from '../../../src/core/git/objects.ts'
import type { Digest } from '../../../src/core/ledger/digest.ts'
import { digestEvents, extendDigest, foldDigest } from '../../../src/core/ledger/digest.ts'
import { ledgerToJson } from '../../../src/core/ledger/ledger-json.ts'
import type { ParsedEvent } from '../../../src/core/event/event-reader.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { newSnapshot } from '../../../src/core/event/snapshot.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { FileCache, openCache } from '../../../src/io/cache/ledger-cache.ts'
import { diverged, noteText } from '../../git/scene.ts'
import { anyPool, HOSTILE_TEXTS } from '../../support/arbitraries.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, Sandbox } from '../../support/git-repo.ts'
import { asOther, IS_ROOT, needsOther } from '../../support/other-user.ts'
import { longTest, runs } from '../../support/long.ts'

const TREE = '1'.repeat(40)
const TEXT = '# Work Stream: ledger\n\n- [x] Größe 🎉\n'

function newHome(): string {
  const home = join(new Sandbox().folder, 'ledger-git')
  mkdirSync(home)
  return home
}

const below = (home: string, ...names: string[]) => join(home, 'cache', 'source', ...names)

/** The only file of a folder, but for a digest's base. */
function fileIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.base'))
  expect(names).toHaveLength(1)
  return join(folder, names[0] ?? '')
}

function parsed(id: string, now = 'x', ts = '2026-01-01T00:00:00Z'): ParsedEvent {
  const text = `---\nts: ${ts}\nagent: a\n---\n\nnow: ${now}\nthis_session:\n- did ${id.slice(0, 5)}\n`
  return parseEvent({ file: `${id}.md`, id, text })
}

const oddly = (text: string): ParsedEvent => parseEvent({ file: 'odd.md', id: 'odd', text })
const EVENTS_KEPT: ReadonlyMap<string, ParsedEvent> = new Map([
  ['plain', parsed('plain')],
  ['unicode', parsed('unicode', 'Größe 🎉')],
  ['nothing', oddly('no front matter')],
  ['salvaged', oddly('---\nts: 2026-01-01\nagent: a\n---\n\nnow: "x\nnext:\n- b\ngoal: c: d\n')],
])

const KEPT_EVENTS = [...EVENTS_KEPT.values()].flatMap(({ event: kept }) => kept ?? [])
const DIGEST = digestEvents({ events: KEPT_EVENTS, problems: [] }, { events: 1, items: 0 })
const BASE = `${TREE}.base`

/** As JSON keeps it: without what is undefined. */
const plain = (digest: Digest | undefined): unknown =>
  digest && JSON.parse(JSON.stringify({ ...digest, earlier: [...digest.earlier] }))

function fill(home: string): void {
  const cache = new FileCache(home)
  cache.addEvents(EVENTS_KEPT, new Set(EVENTS_KEPT.keys()))
  cache.addRendering(TREE, TEXT)
  cache.addDigest(TREE, DIGEST)
}

const sumOf = (text: string) => createHash('sha1').update(text).digest('hex')

describe('what was kept', () => {
  test('comes back', () => {
    const home = newHome()
    fill(home)
    const cache = new FileCache(home)
    expect(cache.events()).toEqual(EVENTS_KEPT)
    expect(cache.rendering(TREE)).toBe(TEXT)
    expect(cache.rendering('2'.repeat(40))).toBeUndefined()
    expect(DIGEST.earlier.size).toBeGreaterThan(0)
    const digest = cache.digest(TREE)
    expect(plain(digest)).toEqual(plain(DIGEST))
    expect(digest?.earlier.size).toBe(DIGEST.earlier.size)
    for (const key of DIGEST.earlier) expect(digest?.earlier.has(key), key).toBe(true)
    for (const key of ['did', 'did plai', 'id plain', '', '\n', '"'])
      expect(digest?.earlier.has(key), key).toBe(false)
    expect(cache.digest('2'.repeat(40))).toBeUndefined()
  })

  test('a digest comes back with what was added to it, however often', () => {
    const home = newHome()
    new FileCache(home).addDigest('tree0', DIGEST)
    let expected = DIGEST
    for (let i = 0; i < 50; i++) {
      const { event: added } = parsed(
        `${i % 2 === 0 ? 'plain' : 'added'}${i}`.padEnd(40, 'x'),
        `now ${i}`,
        '2026-02-02T00:00:00Z',
      )
      const addition = { events: added === undefined ? [] : [added], problems: [] }
      const cache = new FileCache(home)
      cache.addExtendedDigest(`other${i}`, `tree${i}`, addition) // of a digest that it has not read
      expect(cache.digest(`other${i}`)).toBeUndefined()
      expect(cache.digest(`tree${i}`)).toBeDefined()
      cache.addExtendedDigest(`tree${i + 1}`, `tree${i}`, addition)
      expected = extendDigest(expected, addition)
    }
    const kept = new FileCache(home).digest('tree50')
    expect(kept && renderLedger(foldDigest(kept), TREE)).toBe(
      renderLedger(foldDigest(expected), TREE),
    )
    // What was added is overtaken, and goes after a while.
    expect(kept?.events.length).toBeLessThan(DIGEST.events.length + 25)
    expect(readdirSync(below(home, 'digests')).length).toBeLessThan(66)
  })

  test('by another build is not read, and goes when nobody used it for long', () => {
    const home = newHome()
    const [used, left, compiled] = ['0', '1', '2'].map((digit) => digit.repeat(16)) as [
      string,
      string,
      string,
    ]
    // What is not a build's stays, however old: the folder may be a link to one that others use.
    const names = [used, left, `${compiled}-11.3.244.8-node.38-x64`, 'other-app', 'ab12', 'source2']
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
    writeFileSync(join(home, 'cache', used, 'renderings', 'new'), 'of today')
    expect(new FileCache(home).events().size).toBe(0)
    expect(new FileCache(home).rendering(TREE)).toBeUndefined()
    fill(home)
    const kept = [used, 'other-app', 'ab12', 'source2', 'source']
    expect(readdirSync(join(home, 'cache')).toSorted()).toEqual(kept.toSorted())
  })

  test('is kept nowhere without install', () => {
    const repo = new Sandbox().init()
    repo.commit('events', { [`${EVENTS}/a.md`]: noteText('a'), [CURRENT]: 'by hand\n' })
    expect(openCache(join(repo.folder, '.git'))).toBeUndefined()
    repo.tryLedger('check', '--rev', 'HEAD')
    repo.ledger('show', '--rev', 'HEAD')
    expect(repo.exists('.git/ledger-git')).toBe(false)
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

/** Texts that carry the right sum and are not what the cache writes. */
const WRONG_JSON = [
  '',
  'nope',
  'null',
  '5',
  '{}',
  '[1]',
  '["ab"]',
  '[["id"]]',
  '[["id",null]]',
].concat([
  '[["id",{}]]',
  '[["id",{"problems":[]}]]',
  '[["id",{"problems":1,"warnings":[]}]]',
  '[[1,2]]',
])

const NO_EVENTS = '"events":[],"problems":[]'
const WRONG_DIGESTS = [
  ...WRONG_JSON,
  `{${NO_EVENTS}}`,
  `{${NO_EVENTS},"dropped":0}`,
  `{${NO_EVENTS},"dropped":"0","earlier":0,"repeated":[]}`,
  `{${NO_EVENTS},"dropped":0,"earlier":0,"repeated":[],"since":{}}`,
  `{${NO_EVENTS},"dropped":0,"earlier":0,"repeated":[],"since":null}`,
  `{${NO_EVENTS},"dropped":0,"earlier":[],"repeated":[]}`,
  `{${NO_EVENTS},"dropped":0,"earlier":0}`,
  `{"events":[],"dropped":0,"earlier":0,"repeated":[]}`,
]
const RIGHT_BASE = `{${NO_EVENTS},"dropped":0,"earlier":0,"repeated":[]}\n`
const WRONG_ADDITIONS = ['nope', '{}', '', ...WRONG_JSON]

/** A file as the cache writes it. */
const asKept = (name: string, text: string) =>
  `${name} ${Buffer.byteLength(text)}\n${text}`.repeat(2)

function expectNothing(home: string): void {
  expect(new FileCache(home).events()).toEqual(new Map())
  expect(new FileCache(home).rendering(TREE)).toBeUndefined()
  expect(new FileCache(home).digest(TREE)).toBeUndefined()
}

describe('a damaged file counts for nothing', () => {
  test.each(DAMAGE)('%s', (_name, damage) => {
    const home = newHome()
    fill(home)
    damage(fileIn(below(home, 'events')))
    damage(fileIn(below(home, 'renderings')))
    damage(fileIn(below(home, 'digests')))
    expectNothing(home)
    fill(home)
    expect(new FileCache(home).events()).toEqual(EVENTS_KEPT)
    damage(below(home, 'digests', BASE))
    expect(new FileCache(home).digest(TREE)).toBeUndefined()
    if (existsSync(join(below(home, 'digests', BASE), '.'))) return // a folder stays
    fill(home)
    expect(plain(new FileCache(home).digest(TREE))).toEqual(plain(DIGEST))
  })

  test('cut off anywhere, any bit turned', () => {
    const home = newHome()
    fill(home)
    const files = ['events', 'renderings', 'digests'].map((kind) => fileIn(below(home, kind)))
    const whole = files.map((path) => readFileSync(path))
    const put = (contents: readonly Buffer[]) =>
      files.forEach((path, i) => writeFileSync(path, contents[i] ?? ''))
    const length = Math.max(...whole.map((bytes) => bytes.length))
    const base = below(home, 'digests', BASE)
    const wholeBase = readFileSync(base)
    for (let at = 1; at <= length; at++) {
      put(whole.map((bytes) => bytes.subarray(0, Math.max(0, bytes.length - at))))
      expectNothing(home)
      put(
        whole.map((bytes) => {
          const turned = Buffer.from(bytes)
          const place = (at - 1) % bytes.length
          turned[place] = (turned[place] ?? 0) ^ (1 << (at % 8))
          return turned
        }),
      )
      expectNothing(home)
    }
    put(whole)
    expect(new FileCache(home).events()).toEqual(EVENTS_KEPT)
    for (let at = 0; at < wholeBase.length; at++) {
      writeFileSync(base, wholeBase.subarray(0, at))
      expect(new FileCache(home).digest(TREE), String(at)).toBeUndefined()
      const turned = Buffer.from(wholeBase)
      turned[at] = (turned[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(base, turned)
      expect(new FileCache(home).digest(TREE), String(at)).toBeUndefined()
    }
    writeFileSync(base, wholeBase)
    expect(new FileCache(home).digest(TREE)).toBeDefined()
  })

  test.each(WRONG_JSON)('%j with a right sum', (text) => {
    const home = newHome()
    fill(home)
    writeFileSync(fileIn(below(home, 'events')), text + sumOf(text))
    expect(new FileCache(home).events()).toEqual(new Map())
  })

  test.each(WRONG_DIGESTS)('the digest %j, written as ours are', (text) => {
    const home = newHome()
    fill(home)
    const base = below(home, 'digests', BASE)
    for (const [content, isRight] of [
      [`${text}\n`, false],
      [RIGHT_BASE, true],
    ] as const) {
      writeFileSync(base, asKept(BASE, content))
      expect(new FileCache(home).digest(TREE) !== undefined).toBe(isRight)
    }
  })

  test.each(WRONG_ADDITIONS)('a digest with the addition %j', (text) => {
    const home = newHome()
    fill(home)
    const right = `{${NO_EVENTS}}`
    for (const [lines, isRight] of [
      [[TREE, right, text], false],
      [[TREE, text, right], false],
      [['no such tree', right], false],
      [[TREE, right, right], true],
    ] as const) {
      writeFileSync(below(home, 'digests', TREE), asKept(TREE, lines.join('\n')))
      expect(new FileCache(home).digest(TREE) !== undefined).toBe(isRight)
    }
  })

  test('keys of earlier items are found, and no others', () => {
    const home = newHome()
    const anyKey = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', 'b', '\n', '"', '\\', ' ', 'é', '🎉', '\ud800'),
        maxLength: 4,
      }),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { maxLength: 40 }), fc.array(anyKey), (keys, others) => {
        const earlier = new Set(keys)
        new FileCache(home).addDigest(TREE, { ...DIGEST, earlier })
        const kept = new FileCache(home).digest(TREE)?.earlier
        expect(kept?.size).toBe(earlier.size)
        for (const key of [...keys, ...others]) expect(kept?.has(key), key).toBe(earlier.has(key))
        expect(new Set(kept)).toEqual(earlier)
      }),
      runs(200),
    )
  })

  test('a pipe in its place is not waited for', () => {
    const home = newHome()
    fill(home)
    const digests = below(home, 'digests')
    for (const path of [
      fileIn(below(home, 'events')),
      fileIn(below(home, 'renderings')),
      fileIn(digests),
    ]) {
      rmSync(path)
      expect(spawnSync('mkfifo', [path]).status).toBe(0)
    }
    expectNothing(home)
  })

  test('a digest whose base was replaced by one that begins later', () => {
    const home = newHome()
    const events = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].flatMap(
      (day) => parsed(day, day, `${day}T00:00:00Z`).event ?? [],
    )
    const [addition] = events.splice(1, 1)
    const digests = [3, 0].map((window) =>
      digestEvents({ events, problems: [] }, { events: window, items: 0 }),
    ) as [Digest, Digest]
    const cache = new FileCache(home)
    cache.addDigest('from', digests[0])
    const added = { events: addition === undefined ? [] : [addition], problems: [] }
    cache.addExtendedDigest('to', 'from', added)
    expect(new FileCache(home).digest('to')?.events).toContainEqual(
      expect.objectContaining({ file: '2026-01-02.md' }),
    )
    new FileCache(home).addDigest('from', digests[1])
    expect(new FileCache(home).digest('from')).toBeDefined()
    expect(new FileCache(home).digest('to')).toBeUndefined()
  })

  test('the digest of another tree', () => {
    const home = newHome()
    fill(home)
    const other = '4'.repeat(40)
    renameSync(below(home, 'digests', TREE), below(home, 'digests', other))
    expect(new FileCache(home).digest(other)).toBeUndefined()
  })

  test('the rendering of another tree', () => {
    const home = newHome()
    const footer = (tree: string) =>
      `text\n\n---\n_synthesized:\n  format: 1\n  events_tree: ${tree}\n---\n`
    const [tree, other] = ['3'.repeat(40), '4'.repeat(40)]
    new FileCache(home).addRendering(tree, footer(tree))
    expect(new FileCache(home).rendering(tree)).toBe(footer(tree))
    renameSync(below(home, 'renderings', tree), below(home, 'renderings', other))
    expect(new FileCache(home).rendering(other)).toBeUndefined()
  })
})

describe('it stays small', () => {
  const keep = (home: string, id: string, used: readonly string[]) =>
    new FileCache(home).addEvents(new Map([[id, parsed(id)]]), new Set([...used, id]))

  test('files of events become one, with what is in use', () => {
    const home = newHome()
    const ids = Array.from({ length: 30 }, (_, i) => `id${i}`)
    ids.forEach((id, i) => {
      const used = ids.slice(Math.max(0, i - 5), i)
      keep(home, id, used)
      expect(readdirSync(below(home, 'events')).length).toBeLessThan(10)
      const kept = new FileCache(home).events()
      expect([...kept.keys()]).toEqual(expect.arrayContaining([...used, id]))
    })
    const kept = new FileCache(home).events()
    expect(kept.size).toBeLessThan(16)
  })

  test('renderings: the newest stay', () => {
    const home = newHome()
    const cache = new FileCache(home)
    for (let i = 0; i < 100; i++) {
      cache.addRendering(`tree${i}`, `${i}`)
      const path = below(home, 'renderings', `tree${i}`)
      utimesSync(path, 1e9 + i, 1e9 + i)
      expect(readdirSync(below(home, 'renderings')).length).toBeLessThan(34)
    }
    for (let i = 90; i < 100; i++) expect(cache.rendering(`tree${i}`)).toBe(`${i}`)
    expect(cache.rendering('tree0')).toBeUndefined()
  })

  test('what killed writers leave goes', () => {
    const home = newHome()
    fill(home)
    const then = Date.now() / 1000 - 8 * 86_400
    const left = ['events', 'renderings', 'digests'].flatMap((kind) =>
      Array.from({ length: 20 }, (_, i) => below(home, kind, `.dead-${i}.tmp`)),
    )
    for (const path of left) {
      writeFileSync(path, 'half')
      utimesSync(path, then, then)
    }
    const ids = Array.from({ length: 60 }, (_, i) => `id${i}`)
    for (const id of ids) {
      keep(home, id, [])
      new FileCache(home).addRendering(id, id)
      new FileCache(home).addDigest(id, DIGEST)
    }
    expect(left.filter((path) => existsSync(path))).toEqual([])
  })
})

describe('processes at once', () => {
  /** Writes and reads for a while; says what was wrong. */
  const WORKER = `import { FileCache } from './ledger-cache.mjs'
    const [home, name, rounds] = process.argv.slice(2)
    const long = (id) => ({ event: { file: id, now: id.repeat(2000) }, problems: [], warnings: [] })
    for (let i = 0; i < Number(rounds); i++) {
      const cache = new FileCache(home)
      for (const [id, { event }] of cache.events()) {
        if (event.now !== id.repeat(2000)) console.log('torn event', id)
      }
      const id = name + i
      cache.addEvents(new Map([[id, long(id)]]), new Set([id, ...[...cache.events().keys()].slice(-9)]))
      cache.addRendering('tree' + i, 'text'.repeat(i * 500))
      const text = cache.rendering('tree' + ((i * 7) % 40))
      const events = Array.from({ length: i * 9 }, (_, n) => long(name + n).event)
      cache.addDigest('tree' + (i % 40), { events, problems: [], dropped: i, earlier: [], repeated: [] })
      const digest = cache.digest('tree' + ((i * 7) % 40))
      if (digest !== undefined && digest.events.length !== digest.dropped * 9) console.log('torn digest')
      if (text !== undefined && text !== 'text'.repeat(((i * 7) % 40) * 500)) console.log('torn text')
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

  test('never tear it', async () => {
    const home = await newWorkers()
    const said = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(home, name, 40)))
    expect(said.join('')).toBe('')
    expect(new FileCache(home).events().size).toBeGreaterThan(0)
    for (const kind of ['events', 'renderings', 'digests']) {
      expect(readdirSync(below(home, kind)).filter((name) => name.startsWith('.'))).toEqual([])
    }
  })

  test('lose it at any time', async () => {
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
    expect(new FileCache(home).rendering(TREE)).toBe(TEXT)
  })
})

/** The command that git starts. */
const CLI_HOT = fileURLToPath(new URL('../../../dist/hot.cjs', import.meta.url))

const isRendering = (path: string) => path.includes('/renderings/')

/** Every file of a repository's cache of events and renderings. */
function cacheFiles(repo: Repo): string[] {
  const home = join(repo.folder, '.git/ledger-git/cache')
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/(?:events|renderings|digests)\/[^/]+$/.test(name))
    .map((name) => join(home, name))
}

/** By a program: it goes on where a writer is quicker. */
const wipe = (repo: Repo) => spawnSync('rm', ['-rf', join(repo.folder, '.git/ledger-git/cache')])

describe('in a repository', () => {
  test.each([
    ...DAMAGE.filter(([name]) => ['empty', 'garbage', 'a folder'].includes(name)),
    ['wrong JSON', (path: string) => writeFileSync(path, `nope${sumOf('nope')}`)] as const,
  ])('a merge and a check with it damaged (%s) say what they say without', (name, damage) => {
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
      const files = cacheFiles(repo)
      expect(files.filter(isRendering)).not.toEqual([])
      // Any text may be a rendering: this damage is one of events.
      for (const path of files) (name === 'wrong JSON' && isRendering(path) ? rmSync : damage)(path)
    })
    expect(broken).toEqual({ ...without, status: 0, stderr: '' })
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  test('a merge reads only the events that it brings', () => {
    const repo = diverged()
    wipe(repo)
    repo.ledger('check')
    // Whatever else was parsed is gone: only the digest of our side is left.
    for (const path of cacheFiles(repo)) if (!path.includes('/digests/')) rmSync(path)
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(cacheFiles(repo).filter((path) => path.includes('/events/'))).toEqual([])
    const tree = repo.git('rev-parse', `HEAD:${EVENTS}`)
    const digest = cacheFiles(repo).find((path) => path.endsWith(`/digests/${tree}`)) ?? ''
    // Itself, the base, theirs; all of it twice.
    expect(readFileSync(digest, 'utf8').match(/^\{/gm)).toHaveLength(2)
    wipe(repo)
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  longTest('it may go while commands run', async () => {
    const repo = diverged()
    const revisions = ['HEAD', 'topic', 'HEAD~1', 'topic~1'].flatMap((name) => [name, name, name])
    const all = Promise.all(
      revisions.map(
        (revision) =>
          new Promise((resolve) => {
            const words = [CLI_HOT, 'check', '--rev', revision]
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

  test.each([
    ['that git stores in another form', '*.md ident', 'price $Id: 5 $ today', 'price $Id$ today'],
    ['in another encoding', `${EVENTS}/p.md working-tree-encoding=UTF-16`, 'Größe', 'Größe'],
  ])('a pending event %s', (_name, attribute, now, stored) => {
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
  ])('of another user (%s)', (_name, mode) => {
    const repo = diverged()
    repo.ledger('check', '--range', 'topic')
    const folders = [...new Set(cacheFiles(repo).map((path) => join(path, '..')))]
    const renderings = folders.find((folder) => folder.endsWith('/renderings')) ?? ''
    for (let i = 0; i < 40; i++) writeFileSync(join(renderings, `tree${i}`), 'x')
    const files = cacheFiles(repo)
    // Nothing of what is asked below may be there already, else nothing is written.
    for (const path of files) if (!path.includes('/tree')) rmSync(path)
    for (const folder of folders) chmodSync(folder, mode)
    if (IS_ROOT) {
      execFileSync('chmod', ['-R', 'a+rX', repo.sandbox.folder])
      for (const folder of folders) chmodSync(folder, mode)
      repo.sandbox.at(repo.sandbox.folder).write('home/.gitconfig', '[safe]\n\tdirectory = *\n')
    }
    const [program, ...words] = asOther('hot.cjs')
    const ran = repo.run(program, [...words, 'check', '--rev', 'topic'])
    for (const folder of folders) chmodSync(folder, 0o755)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
  })
})

/** Blobs in memory, and a cache on disk. */
class MemoryReader implements ObjectReader {
  readonly blobs: ReadonlyMap<string, Buffer>
  readonly cache: FileCache | undefined
  reads = 0

  constructor(blobs: ReadonlyMap<string, Buffer>, cache?: FileCache) {
    this.blobs = blobs
    this.cache = cache
  }

  async read(oid: string) {
    this.reads += 1
    const content = this.blobs.get(oid)
    return content && { oid, type: 'blob' as const, content }
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

/** A tree of files, some with the same content under two names, some no files at all. */
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

describe('the same comes out with it and without', () => {
  test('whatever the events are', async () => {
    const home = newHome()
    const property = fc.asyncProperty(anyTree, async ({ blobs, entries, tree }) => {
      rmSync(join(home, 'cache'), { recursive: true, force: true })
      const plain = await readEvents(new MemoryReader(blobs), tree, entries)
      const first = await readEvents(new MemoryReader(blobs, new FileCache(home)), tree, entries)
      const warm = new MemoryReader(blobs, new FileCache(home))
      // Names come from the tree, also where the content was read under another one.
      const again = await readEvents(warm, tree, entries.toReversed())
      const second = await readEvents(new MemoryReader(blobs, new FileCache(home)), tree, entries)
      expect(warm.reads).toBe(0)
      const names = new Set(entries.map(({ name }) => nameToText(name)))
      for (const { events, problems } of [plain, first, second, again]) {
        expect(new Set([...events, ...problems].map(({ file }) => file))).toEqual(names)
      }
      for (const set of [first, second]) {
        expect(JSON.stringify(set.problems)).toBe(JSON.stringify(plain.problems))
        expect(JSON.stringify(set.warnings)).toBe(JSON.stringify(plain.warnings))
        expect(renderEvents(set)).toBe(renderEvents(plain))
        const json = (one: typeof set) => JSON.stringify(ledgerToJson(ledgerOf(one), tree))
        expect(json(set)).toBe(json(plain))
      }
      expect(renderEvents(again)).toBe(renderEvents(plain))
    })
    await fc.assert(property, { numRuns: 150 })
  })

  test('a tree that adds to one that was rendered', async () => {
    const home = newHome()
    const seen = { growths: 0 }
    const property = fc.asyncProperty(anyTree, fc.nat(5), async ({ blobs, entries, tree }, cut) => {
      rmSync(join(home, 'cache'), { recursive: true, force: true })
      const [before, added] = [entries.slice(0, cut), entries.slice(cut)]
      const from = hashObject('tree', encodeTree(before), 'sha1')
      const plain = renderEvents(await readEvents(new MemoryReader(blobs), tree, entries))
      await renderTree(new MemoryReader(blobs, new FileCache(home)), from, () => before, {
        growths: [],
      })
      const reader = new MemoryReader(blobs, new FileCache(home))
      const growths = [{ from, to: tree, added }]
      const grown = await renderTree(reader, tree, () => entries, { growths })
      const again = await renderTree(new MemoryReader(blobs, new FileCache(home)), tree, () => [])
      expect([grown, again]).toEqual([plain, plain])
      const onlyAdded = new Set(added.map(({ oid }) => oid)).size
      if (before.length > 0 && reader.reads === onlyAdded) seen.growths += 1
      // Hints about another tree are not believed.
      const other = [{ from, to: TREE, added: [] }]
      rmSync(join(home, 'cache', 'source', 'renderings'), { recursive: true, force: true })
      const asked = new MemoryReader(blobs, new FileCache(home))
      expect(await renderTree(asked, tree, () => entries, { growths: other })).toBe(plain)
    })
    const { numRuns } = runs(300)
    await fc.assert(property, { numRuns })
    expect(seen.growths).toBeGreaterThan(numRuns / 6)
  })

  test('for bytes of the worktree that are not what git stores', async () => {
    const home = newHome()
    const [stored, seen] = [Buffer.from(noteText('stored')), Buffer.from('half')]
    const oid = hashObject('blob', stored, 'sha1')
    const entries: TreeEntry[] = [{ mode: '100644', name: 'a.md', oid }]
    const blobs = new Map([[oid, stored]])
    const overlay = new Map([[oid, seen]])
    const read = (over?: typeof overlay) =>
      readEvents(new MemoryReader(blobs, new FileCache(home)), TREE, entries, over)
    await read(overlay)
    expect((await read()).events.map(({ now }) => now)).toEqual(['stored'])
  })
})
