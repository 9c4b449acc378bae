/** Other people's files, which may contain any bytes, and hooks that are put aside. */

import * as fc from 'fast-check'
import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../../src/io/files/node-files.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'

test('write puts back byte for byte what read returned, with text added', () => {
  const path = join(new Sandbox().folder, 'file')
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 10 }).map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(bytes, fc.constantFrom('', 'ü 猫 😀'), (before, added) => {
      writeFileSync(path, before)
      nodeFiles.write(path, `${nodeFiles.read(path)}${added}`)
      expect(readFileSync(path)).toEqual(Buffer.concat([before, Buffer.from(added)]))
    }),
    { numRuns: 60 },
  )
})

test.each(['dispatch', './dispatch', '../../tools/dispatch', '/absolute/dispatch', '../no/where'])(
  'keep and restore preserve a link to %s',
  (target) => {
    const { folder } = new Sandbox()
    const hook = join(folder, 'hook')
    const kept = join(folder, 'hook.kept')
    symlinkSync(target, hook)
    nodeFiles.keep(hook, kept)
    expect(readlinkSync(kept)).toBe(target)
    expect(readlinkSync(hook), 'never without the old one').toBe(target)
    nodeFiles.write(hook, 'ours\n', 0o755)
    nodeFiles.restore(kept, hook)
    expect(readlinkSync(hook)).toBe(target)
    expect(nodeFiles.kind(kept)).toBe('absent')
  },
)

test('keep preserves mode and content, and never replaces a file kept earlier', () => {
  const { folder } = new Sandbox()
  const [hook, kept] = [join(folder, 'hook'), join(folder, 'kept')]
  writeFileSync(hook, 'user\n', { mode: 0o755 })
  nodeFiles.keep(hook, kept)
  expect(nodeFiles.mode(kept)).toBe(nodeFiles.mode(hook))
  expect(() => nodeFiles.keep(hook, kept)).toThrow('could not be written')
  nodeFiles.write(hook, 'ours\n')
  expect(readFileSync(kept, 'utf8')).toBe('user\n')
})

test('restore brings back what was kept, even before it was replaced', () => {
  const { folder } = new Sandbox()
  const [hook, kept] = [join(folder, 'hook'), join(folder, 'kept')]
  writeFileSync(hook, 'user\n')
  nodeFiles.keep(hook, kept)
  nodeFiles.restore(kept, hook)
  expect(nodeFiles.kind(kept)).toBe('absent')
  expect(readFileSync(hook, 'utf8')).toBe('user\n')
})

test('change waits for git’s lock and works on the text that the file then has', async () => {
  const repo = new Sandbox().init()
  const [path, lock] = [join(repo.folder, '.git/config'), join(repo.folder, '.git/config.lock')]
  // Like a slow git.
  writeFileSync(lock, `${repo.read('.git/config')}[user]\n\tother = mine\n`)
  const others = promisify(exec)(`sleep 0.3; mv '${lock}' '${path}'`)
  nodeFiles.change(path, (text) => {
    expect(existsSync(lock)).toBe(true)
    return `${text}[alias]\n\tours = x\n`
  })
  await others
  expect(repo.git('config', 'alias.ours')).toBe('x')
  expect(repo.git('config', 'user.other')).toBe('mine')
  expect(existsSync(lock)).toBe(false)
})

longTest('change names a lock that stays, and leaves it', () => {
  const repo = new Sandbox().init()
  writeFileSync(join(repo.folder, '.git/config.lock'), '')
  const change = () => nodeFiles.change(join(repo.folder, '.git/config'), () => '')
  expect(change).toThrow(/config is locked by another program/)
  expect(repo.exists('.git/config.lock')).toBe(true)
})

test('keep and restore work for a folder', () => {
  const { folder } = new Sandbox()
  const [hook, kept] = [join(folder, 'hook'), join(folder, 'kept')]
  mkdirSync(hook)
  writeFileSync(join(hook, 'note'), 'mine\n')
  nodeFiles.keep(hook, kept)
  nodeFiles.write(hook, 'ours\n')
  nodeFiles.restore(kept, hook)
  expect(readFileSync(join(hook, 'note'), 'utf8')).toBe('mine\n')
})

test('a path with too long a name is absent and cannot be written', () => {
  const path = join(new Sandbox().folder, 'x'.repeat(300))
  expect(nodeFiles.kind(path)).toBe('absent')
  expect(nodeFiles.read(path)).toBeUndefined()
  expect(nodeFiles.list(path)).toEqual([])
  expect(() => nodeFiles.write(path, '')).toThrow('could not be written (ENAMETOOLONG)')
})

test('a file that exists but cannot be read is reported with the reason', () => {
  const path = join(new Sandbox().folder, 'loop')
  symlinkSync(path, path)
  expect(() => nodeFiles.read(path)).toThrow('could not be read (ELOOP)')
})
