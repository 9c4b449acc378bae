/** Compiled code that is kept: the same program with it and without, whatever became of it. */

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { diverged } from '../../git/scene.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CURRENT, Sandbox } from '../../support/git-repo.ts'
import { notRunUnless } from '../../support/not-run.ts'
import { builtFrom } from '../../support/built-from.ts'

builtFrom(
  () => import('../../../src/entry/git-entry-start.ts'),
  () => import('../../../src/io/cache/code-cache.ts'),
)

const HOT = fileURLToPath(new URL('../../../dist/hot.cjs', import.meta.url))

/** Two files that load each other, and a module of Node that only one call needs. */
const MAIN = `let node_crypto = require('node:crypto')
exports.name = 'main'
const hash = (text) => (0, node_crypto.createHash)('sha1').update(text).digest('hex')
const said = require('./part.cjs').greet('you')
if (process.argv[3] === 'fail') throw new Error('here')
if (process.argv[3] === 'hash') console.log(hash('x'))
console.log(said, process.moduleLoadList.includes('NativeModule crypto'))
`
const PART = `const main = require('./hot-main.cjs')
exports.greet = (who) => main.name + ' greets ' + who + ' …'
`

interface Bundle {
  readonly folder: string
  /** As the launcher hands it over. */
  readonly home: string
}

/** The built loader with a program of ours instead of the real one. */
function newBundle(): Bundle {
  const { folder } = new Sandbox()
  copyFileSync(HOT, join(folder, 'hot.cjs'))
  writeFileSync(join(folder, 'hot-main.cjs'), MAIN)
  writeFileSync(join(folder, 'part.cjs'), PART)
  return { folder, home: join(folder, 'cache') }
}

/** One run of the program, in a process of its own. */
function run({ folder, home }: Bundle, ...words: string[]) {
  const env = { PATH: process.env['PATH'], LEDGER_GIT_CACHE: home }
  const options = { env, encoding: 'utf8' } as const
  const args = [join(folder, 'hot.cjs'), ...(words.length === 0 ? ['hook'] : words)]
  return spawnSync(process.execPath, args, options)
}

function expectRuns(bundle: Bundle): void {
  expect(run(bundle)).toMatchObject({ status: 0, stderr: '', stdout: `${GREETING} false\n` })
}

const GREETING = 'main greets you …'

/** The folder of compiled code. */
function codeIn({ home }: Bundle): string {
  const [build = '', ...others] = readdirSync(home)
  expect(others).toEqual([])
  return join(home, build, 'code')
}

/** Runs that are in a file: its last byte. */
const runsIn = (path: string) => readFileSync(path).at(-1)

const allRuns = (code: string) => readdirSync(code).map((name) => runsIn(join(code, name)))

describe('the code of a bundle', () => {
  test('runs without anything kept, and keeps nothing where there is no place', () => {
    const { folder } = newBundle()
    const before = readdirSync(folder)
    const env = { PATH: process.env['PATH'] }
    const words = [join(folder, 'hot.cjs'), 'hook', 'hash']
    const ran = spawnSync(process.execPath, words, { env, encoding: 'utf8' })
    const hash = '11f6ad8ec52a2984abaafd7c3b516503785c2072'
    expect(ran).toMatchObject({ status: 0, stderr: '', stdout: `${hash}\n${GREETING} true\n` })
    expect(readdirSync(folder)).toEqual(before)
  })

  test('is kept after a run, for each command and file, and not for ever anew', () => {
    const bundle = newBundle()
    const seen = Array.from({ length: 8 }, () => {
      expectRuns(bundle)
      return runsIn(join(codeIn(bundle), 'hook-.hot-main.cjs'))
    })
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 6, 6])
    const last = readFileSync(join(codeIn(bundle), 'hook-.hot-main.cjs'))
    run(bundle, 'merge-driver')
    expect(readFileSync(join(codeIn(bundle), 'hook-.hot-main.cjs'))).toEqual(last)
    expect(readdirSync(codeIn(bundle)).toSorted()).toEqual([
      'hook-.hot-main.cjs',
      'hook-.part.cjs',
      'merge-driver-.hot-main.cjs',
      'merge-driver-.part.cjs',
    ])
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.of()],
    ['garbage, twice', () => Buffer.from('garbage!'.repeat(2))],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    [
      'one bit',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 900 ? byte ^ 4 : byte))),
    ],
    ['another V8', (bytes: Buffer) => withOther(bytes, 4)],
    ['another source', (bytes: Buffer) => withOther(bytes, 8)],
  ] as const)('damaged (%s) counts for nothing and is made anew', (_name, damage) => {
    const bundle = newBundle()
    expectRuns(bundle)
    expectRuns(bundle)
    const code = codeIn(bundle)
    expect(allRuns(code)).toEqual([2, 2])
    for (const name of readdirSync(code)) {
      writeFileSync(join(code, name), damage(readFileSync(join(code, name))))
    }
    expectRuns(bundle)
    expect(allRuns(code)).toEqual([1, 1])
  })

  test('of a file that has another length now is compiled again', () => {
    const bundle = newBundle()
    expectRuns(bundle)
    writeFileSync(join(bundle.folder, 'part.cjs'), `// a longer text\n${PART}`)
    expectRuns(bundle)
    expect(runsIn(join(codeIn(bundle), 'hook-.part.cjs'))).toBe(1)
    expect(runsIn(join(codeIn(bundle), 'hook-.hot-main.cjs'))).toBe(2)
  })

  test('says the right line when it fails', () => {
    const bundle = newBundle()
    for (const _ of ['compiled', 'kept']) {
      const { status, stderr } = run(bundle, 'hook', 'fail')
      expect(status).toBe(1)
      expect(stderr).toContain(`${join(bundle.folder, 'hot-main.cjs')}:5\n`)
    }
  })

  test.skipIf(notRunUnless(process.getuid?.() !== 0, 'a folder nobody may write', 'this is root'))(
    'is not kept where nobody may write',
    () => {
      const bundle = newBundle()
      mkdirSync(bundle.home, { mode: 0o500 })
      expectRuns(bundle)
      expect(readdirSync(bundle.home)).toEqual([])
    },
  )

  test('is not kept where a file is in the way', () => {
    const bundle = newBundle()
    writeFileSync(bundle.home, 'a file')
    expectRuns(bundle)
    expect(readFileSync(bundle.home, 'utf8')).toBe('a file')
  })
})

/** Both halves with other bytes at a place of V8's header: its version, the length of the source. */
function withOther(bytes: Buffer, at: number): Buffer {
  const half = Buffer.from(bytes.subarray(0, bytes.length / 2))
  half[at] = (half[at] ?? 0) ^ 0xff
  return Buffer.concat([half, half])
}

/** What a driver of this repository loads of Node, one merge after the other. */
function modulesOf(repo: Repo): (merge: () => void) => string[] {
  const [program, out] = [`${repo.sandbox.folder}/driver.cjs`, `${repo.sandbox.folder}/modules`]
  const list = `process.moduleLoadList.join('\\n')`
  writeFileSync(
    program,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(out)}, ${list}))\n` +
      `require(${JSON.stringify(HOT)})\n`,
  )
  return (merge) => {
    rmSync(out, { force: true })
    merge()
    return readFileSync(out, 'utf8').split('\n')
  }
}

describe('in a repository', () => {
  test('the driver keeps its code, and a merge needs neither crypto nor a child', () => {
    const repo = diverged()
    const before = repo.git('rev-parse', 'HEAD')
    const loaded = modulesOf(repo)
    const merge = () =>
      loaded(() => {
        repo.git('reset', '-q', '--hard', before)
        const env = { LEDGER_GIT_BIN: `${repo.sandbox.folder}/driver.cjs`, LEDGER_GIT_CACHE: '' }
        expect(repo.run('git', ['merge', '-q', '--no-edit', 'topic'], { env }).status).toBe(0)
      })
    merge()
    const text = repo.read(CURRENT)
    const code = `${repo.folder}/.git/ledger-git/cache`
    const kept = readdirSync(code, { recursive: true, encoding: 'utf8' })
    expect(kept.filter((name) => name.includes('/code/merge-driver-.hot-main.cjs'))).toHaveLength(1)
    // Once more without the rendering: with our digest and theirs to be added.
    for (const name of kept.filter((name) => name.includes('/renderings/')))
      rmSync(`${code}/${name}`)
    const modules = merge()
    expect(modules).toContain('NativeModule vm')
    expect(modules.filter((name) => / crypto$| child_process$| stream$/.test(name))).toEqual([])
    expect(repo.read(CURRENT)).toBe(text)
  })

  test('a build has a folder of its own', () => {
    const script = `import { readFileSync, readdirSync } from 'node:fs'
      import { createHash } from 'node:crypto'
      const hash = createHash('sha256').update(readFileSync('package-lock.json'))
      const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => name.endsWith('.ts')).toSorted())
        hash.update(file + '\\0').update(readFileSync('src/' + file))
      console.log(hash.digest('hex').slice(0, 16))`
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const words = ['--input-type=module', '-e', script]
    const hash = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).trim()
    expect(readFileSync(HOT, 'utf8')).toContain(`/${hash}-`)
    // Of everything else, too: the form of what is kept is not the core's alone.
    const dist = fileURLToPath(new URL('../../../dist', import.meta.url))
    const bundles = readdirSync(dist).filter((name) =>
      /^(?:hot-main\.c|commands-.*\.)js$/.test(name),
    )
    expect(bundles).toHaveLength(2)
    for (const name of bundles)
      expect(readFileSync(dist + name, 'utf8'), name).toContain(`VERSION = "${hash}"`)
  })
})
