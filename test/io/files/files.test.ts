/**
 * Files are written completely or not at all; locks exclude others and end with their owner; git is called in a single
 * way.
 */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFileAtomic } from '../../../src/io/files/create-file.ts'
import { readRegularFile, writeFileAtomic } from '../../../src/io/files/files.ts'
import { Git, splitNul } from '../../../src/io/process/exec.ts'
import { withLock } from '../../../src/io/files/lock.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { makeLock } from '../../support/locks.ts'
import { longTest, sampleOf } from '../../support/long.ts'

/** Runs a script of ours, with the sources it imports, in a process of its own. */
function start(script: string, ...args: string[]): Promise<string> {
  const source = new URL('../../../src/', import.meta.url).href
  const words = [
    '--import',
    LOADER,
    '--input-type=module',
    '-e',
    script.replaceAll('SRC/', source),
    ...args,
  ]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => out.push(chunk))
  return new Promise((resolve) => {
    child.on('close', () => resolve(Buffer.concat(out).toString('utf8')))
  })
}

/** Node 20 runs no TypeScript: strips the types with the project's compiler. */
const LOADER = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module'
  register('data:text/javascript,' + encodeURIComponent(\`
    import { readFileSync } from 'node:fs'
    import { createRequire } from 'node:module'
    const ts = createRequire('${import.meta.url}')('typescript')
    export async function load(url, context, next) {
      if (!url.endsWith('.ts')) return next(url, context)
      const source = ts.transpileModule(readFileSync(new URL(url), 'utf8'), {
        compilerOptions: { module: 'ESNext', target: 'ES2023', verbatimModuleSyntax: true },
      }).outputText
      return { format: 'module', source, shortCircuit: true }
    }\`))
`)}`

describe('files', () => {
  test('createFileAtomic makes folders, never overwrites and leaves nothing else behind', async () => {
    const { folder } = new Sandbox()
    const path = join(folder, 'a/b/event.md')
    expect(await createFileAtomic(path, 'one')).toBe(true)
    expect(await createFileAtomic(path, 'two')).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('one')
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['event.md'])
    mkdirSync(join(folder, 'taken'))
    expect(await createFileAtomic(join(folder, 'taken'), 'x')).toBe(false)
    symlinkSync('nowhere', join(folder, 'link'))
    expect(await createFileAtomic(join(folder, 'link'), 'x')).toBe(false)
    expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([])
  })

  test('files created at once are all written before any of them waits for the disk', async () => {
    const { folder } = new Sandbox()
    const paths = ['one', 'two', 'one'].map((name) => join(folder, 'events', name))
    const created = paths.map((path) => createFileAtomic(path, path))
    expect(
      readdirSync(join(folder, 'events')).filter((name) => name.endsWith('.tmp')),
    ).toHaveLength(3)
    expect((await Promise.all(created)).toSorted()).toEqual([false, true, true])
    expect(readdirSync(join(folder, 'events')).toSorted()).toEqual(['one', 'two'])
  })

  test('a process that exits while it waits for the disk leaves no temporary file', async () => {
    const { folder } = new Sandbox()
    const script = `import { createFileAtomic } from 'SRC/io/files/create-file.ts'
      const [folder] = process.argv.slice(-1)
      for (const name of ['a', 'b']) void createFileAtomic(folder + '/' + name, 'x'.repeat(1e6))
      process.exit(0)`
    await start(script, join(folder, 'events'))
    expect(readdirSync(join(folder, 'events'))).toEqual([])
  })

  test('exactly one of several simultaneous creators wins, and its bytes are whole', async () => {
    const { folder } = new Sandbox()
    const path = join(folder, 'event.md')
    const script = `import { createFileAtomic } from 'SRC/io/files/create-file.ts'
      const [path, text] = process.argv.slice(-2)
      while (Date.now() % 500 > 5);
      console.log((await createFileAtomic(path, text.repeat(1e6))) ? text : '')`
    const names = sampleOf(['a', 'b', 'c', 'd'], 2)
    const winners = (await Promise.all(names.map((name) => start(script, path, name)))).map((out) =>
      out.trim(),
    )
    const [winner = '', ...others] = winners.filter((name) => name !== '')
    expect(names).toContain(winner)
    expect(others).toEqual([])
    expect(readFileSync(path, 'utf8') === winner.repeat(1e6)).toBe(true)
    expect(readdirSync(folder).toSorted()).toEqual(['event.md', 'home'])
  })

  test('writeFileAtomic replaces a file, keeps its mode and leaves nothing else behind', () => {
    const { folder } = new Sandbox()
    const path = join(folder, 'hook')
    writeFileSync(path, 'old')
    chmodSync(path, 0o750)
    const inode = lstatSync(path).ino
    writeFileAtomic(path, 'new')
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(lstatSync(path).mode & 0o777).toBe(0o750)
    expect(lstatSync(path).ino, 'another file took its name').not.toBe(inode)
    writeFileAtomic(path, new Uint8Array([0, 255]), 0o755)
    expect(readFileSync(path)).toEqual(Buffer.from([0, 255]))
    expect(lstatSync(path).mode & 0o777).toBe(0o755)
    expect(readdirSync(folder).toSorted()).toEqual(['home', 'hook'])
  })

  test('a path that cannot be written is an error, and nothing is left behind', async () => {
    const { folder } = new Sandbox()
    writeFileSync(join(folder, 'file'), 'x')
    mkdirSync(join(folder, 'folder/inner'), { recursive: true })
    const code = { code: 'FILE_UNWRITABLE' }
    await expect(createFileAtomic(join(folder, 'file/below'), 'x')).rejects.toMatchObject(code)
    expect(() => writeFileAtomic(join(folder, 'folder'), 'x')).toThrow(
      expect.objectContaining(code),
    )
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'folder', 'home'])
  })

  test('writeFileAtomic replaces a link with a file of the usual mode and keeps its target', () => {
    const { folder } = new Sandbox()
    const [target, link] = [join(folder, 'target'), join(folder, 'link')]
    writeFileSync(target, 'theirs')
    symlinkSync('target', link)
    writeFileAtomic(link, 'ours')
    expect(lstatSync(link).isFile()).toBe(true)
    expect(lstatSync(link).mode & 0o133).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe('theirs')
  })

  test('readRegularFile follows no links and opens no folders', () => {
    const { folder } = new Sandbox()
    writeFileSync(join(folder, 'file'), 'x')
    symlinkSync('file', join(folder, 'link'))
    expect(readRegularFile(join(folder, 'file'))?.toString()).toBe('x')
    for (const name of ['link', 'home', 'gone', 'file/below']) {
      expect(readRegularFile(join(folder, name)), name).toBeUndefined()
    }
  })
})

describe('the lock', () => {
  longTest('is never held by two processes at once', async () => {
    const { folder } = new Sandbox()
    const [lock, log] = [join(folder, 'deep/.lock'), join(folder, 'log')]
    const script = `import { withLock } from 'SRC/io/files/lock.ts'
      import { appendFileSync } from 'node:fs'
      const [lock, log] = process.argv.slice(-2)
      for (let i = 0; i < 15; i++) await withLock(lock, async () => {
        appendFileSync(log, 'in\\n')
        await new Promise((resolve) => setTimeout(resolve, 3))
        appendFileSync(log, 'out\\n')
      })`
    const talk = await Promise.all([
      start(script, lock, log),
      start(script, lock, log),
      start(script, lock, log),
    ])
    expect(talk.join('')).toBe('')
    expect(readFileSync(log, 'utf8')).toBe('in\nout\n'.repeat(45))
    expect(readdirSync(join(folder, 'deep'))).toEqual([])
  })

  test('is released when the action throws', async () => {
    const path = join(new Sandbox().folder, '.lock')
    const failing = withLock(path, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await withLock(path, async () => 'free')).toBe('free')
  })

  test('stays if somebody else has taken it over', async () => {
    const path = join(new Sandbox().folder, '.lock')
    await withLock(path, async () => {
      rmSync(path, { recursive: true })
      mkdirSync(path)
      writeFileSync(join(path, 'somebody'), '')
    })
    expect(readdirSync(path)).toEqual(['somebody'])
    await withLock(`${path}2`, async () => rmSync(`${path}2`, { recursive: true }))
  })

  test.each([
    ['a dead owner', {}, 0],
    ['an owner whose number another process has now', { pid: process.pid, startTime: '1' }, 0],
    ['an owner that nobody can judge, older than a minute', { pid: 7, startTime: '' }, 120],
  ])('is taken over from %s', async (_name, holder, ageSeconds) => {
    const path = join(new Sandbox().folder, '.lock')
    const file = join(path, makeLock(path, holder))
    const then = Date.now() / 1000 - ageSeconds
    utimesSync(file, then, then)
    expect(await withLock(path, async () => 'mine', 0)).toBe('mine')
  })

  test('is waited for while its owner lives', async () => {
    const path = join(new Sandbox().folder, '.lock')
    const order: string[] = []
    const first = withLock(path, async () => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      order.push('first')
    })
    const second = withLock(path, async () => void order.push('second'))
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })
})

describe('git', () => {
  const git = (cwd: string, env: NodeJS.ProcessEnv) => new Git(cwd, env)

  test('returns bytes, status and message, in one language', async () => {
    const { folder, sandbox } = new Sandbox().init()
    const door = git(folder, { ...sandbox.env, LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' })
    const bytes = Buffer.from([0, 10, 255])
    const oid = await door.text(['hash-object', '-w', '--stdin'], { input: bytes })
    expect(await door.output(['cat-file', 'blob', oid])).toEqual(bytes)
    expect(await door.run(['rev-parse', '--verify', 'nonesuch'])).toMatchObject({ status: 128 })
    await expect(door.output(['cat-file', 'blob', 'nonesuch'])).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringMatching(/^git cat-file failed: fatal: Not a valid object name/),
    })
    expect(await door.query(['config', 'no.such'])).toBeUndefined()
  })

  test('accepts input that git does not read, and ends a call after its timeout', async () => {
    const { folder, sandbox } = new Sandbox().init()
    const door = git(folder, sandbox.env)
    const input = Buffer.alloc(5 * 1024 * 1024)
    expect((await door.run(['--version'], { input })).status).toBe(0)
    const alias = ['-c', 'alias.slow=!exec sleep 20', 'slow']
    // Without the timeout it ends with 0.
    expect((await door.run(alias, { timeout: 200 })).status).not.toBe(0)
  })

  test('reports a missing git or folder as an error of ours', async () => {
    const { folder, env } = new Sandbox()
    await expect(git(folder, { PATH: '/nowhere' }).run(['--version'])).rejects.toMatchObject({
      code: 'GIT_MISSING',
    })
    await expect(git(join(folder, 'gone'), env).run(['--version'])).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      message: `${join(folder, 'gone')} does not exist`,
    })
  })

  test('splitNul keeps bytes that are not UTF-8', () => {
    expect(splitNul(Buffer.from([97, 0, 228, 10, 0]))).toEqual(['a', '\u00e4\n'])
  })
})
