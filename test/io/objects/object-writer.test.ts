/** Objects as sessions write them, compared with what git itself makes of the same. */

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashObject, textToName } from '../../../src/core/git/objects.ts'
import type { GitResult, RunOptions } from '../../../src/io/git/exec.ts'
import { Git } from '../../../src/io/git/exec.ts'
import { GitObjectWriter } from '../../../src/io/objects/object-writer.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

class CountingGit extends Git {
  calls = 0
  override runNow(args: readonly string[], options?: RunOptions): GitResult {
    this.calls += 1
    return super.runNow(args, options)
  }
}

function open(...args: string[]) {
  const repo = new Sandbox().init('repo', ...args)
  const git = new CountingGit(repo.folder, repo.sandbox.env)
  return { repo, git, writer: new GitObjectWriter(git, repo.folder) }
}

function contentOf(repo: Repo, oid: string): Buffer {
  const words = ['cat-file', 'blob', oid]
  return execFileSync('git', words, { cwd: repo.folder, env: repo.sandbox.env, maxBuffer: 1e9 })
}

describe('blobs', () => {
  test('any bytes, in the order given, the same ones twice', async () => {
    const { repo, writer } = open()
    const anyContent = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('', '\n', 'done\n', 'blob\nmark :1\n', 'data 3\nabc', '\0', 'ü🎉', '\r\n'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyContent, { maxLength: 6 }), async (contents) => {
        const oids = await writer.blobs(contents)
        expect(oids).toEqual(
          contents.map((content) => hashObject('blob', Buffer.from(content as string), 'sha1')),
        )
        for (const oid of oids) expect(repo.tryGit('cat-file', '-e', oid).status).toBe(0)
      }),
      { numRuns: 40 },
    )
    expect(repo.tryGit('fsck', '--strict', '--no-dangling')).toMatchObject({ status: 0 })
  })

  test('hundreds of them, and large ones, by few calls', async () => {
    const { repo, git, writer } = open('--object-format=sha256')
    const contents = Array.from({ length: 300 }, (_, i) => `content ${i}`)
    const oids = await writer.blobs(contents)
    expect(git.calls).toBe(1)
    expect(oids).toEqual(contents.map((text) => hashObject('blob', Buffer.from(text), 'sha256')))
    const large = [randomBytes(70_000_000), Buffer.alloc(5_000_000), 'small', randomBytes(100)]
    const [first = '', second = '', third = ''] = await writer.blobs(large)
    expect(git.calls).toBe(3)
    expect(contentOf(repo, first).equals(large[0] as Buffer)).toBe(true)
    expect(contentOf(repo, second).equals(large[1] as Buffer)).toBe(true)
    expect(contentOf(repo, third).toString()).toBe('small')
    expect(await writer.blobs([])).toEqual([])
    expect(git.calls).toBe(3)
  })

  test('nothing else is left: no ref, no crash report, no change of the worktree', async () => {
    const { repo, writer } = open()
    await writer.blobs(['a', 'b'])
    expect(repo.git('for-each-ref')).toBe('')
    expect(repo.status()).toBe('')
    expect(existsSync(join(repo.folder, '.git/index'))).toBe(false)
  })
})

describe('files', () => {
  /** What `git add` makes of each path, undefined for what it does not add as a file or link. */
  function added(repo: Repo, path: string): string | undefined {
    repo.tryGit('--literal-pathspecs', 'add', '-f', '--', path)
    const line = repo.git('--literal-pathspecs', 'ls-files', '-s', '-z', '--', path)
    return /^1(?:00|20)\S+ ([0-9a-f]+)/.exec(line)?.[1]
  }

  test('through filters, by one call, whatever they are called', async () => {
    const { repo, git, writer } = open()
    repo.git('config', 'filter.up.clean', 'tr a-z A-Z')
    repo.git('config', 'core.safecrlf', 'true')
    repo.write('.gitattributes', '*.up filter=up\n*.txt text\n')
    const paths = ['a.up', 'crlf.txt', 'deep/er/ü.up', '"quoted".up', '\\back.up', ' .up', '*.up']
    paths.push('tab\t.up', 'line\nbreak.up', 'end\r', '-n', ':(top)x', 'a"b\n')
    for (const path of paths) repo.write(path, `text of ${path}\r\n`)
    const oids = await writer.files(paths)
    expect(git.calls).toBe(1)
    repo.git('config', 'core.safecrlf', 'false')
    expect(oids).toEqual(paths.map((path) => added(repo, path)))
    expect(contentOf(repo, oids[0] as string).toString()).toBe('TEXT OF A.UP\r\n')
    expect(contentOf(repo, oids[1] as string).toString()).toBe('text of crlf.txt\n')
  })

  test('a link is what it says; what is no file there is none', async () => {
    const { repo, writer } = open()
    const outside = join(repo.sandbox.folder, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'secret'), 'secret')
    repo.write('folder/file', 'x')
    symlinkSync(outside, join(repo.folder, 'out'))
    symlinkSync('folder/nowhere', join(repo.folder, 'broken'))
    symlinkSync('folder', join(repo.folder, 'in'))
    repo.run('mkfifo', ['pipe'])
    repo.git('init', '-q', 'sub')
    repo.write('sub/file', 'of another repository')
    const links = ['out', 'broken', 'in']
    const none = ['gone', 'folder', 'out/secret', 'in/file', 'pipe', 'sub', 'sub/file']
    none.push('../outside/secret', join(outside, 'secret'), '', '.', 'folder/../folder/file')
    none.push('.git/HEAD', '.GIT/HEAD', 'folder/file/x', 'a\0b', `${'n'.repeat(300)}`)
    const oids = await writer.files([...none, 'folder/file', ...links])
    expect(oids.slice(0, none.length)).toEqual(none.map(() => undefined))
    expect(oids.slice(none.length)).toEqual([
      hashObject('blob', Buffer.from('x'), 'sha1'),
      ...links.map((path) => added(repo, path)),
    ])
    expect(contentOf(repo, oids.at(-2) as string).toString()).toBe('folder/nowhere')
  })

  test('one that goes meanwhile, or whose filter fails, takes no other with it', async () => {
    const { repo, writer } = open()
    repo.git('config', 'filter.bad.clean', 'exit 1')
    repo.git('config', 'filter.bad.required', 'true')
    repo.git('config', 'filter.rm.clean', `cat; rm -f '${repo.folder}/z-gone'`)
    repo.write('.gitattributes', '*.bad filter=bad\n*.rm filter=rm\n')
    for (const path of ['a', 'b.bad', 'c', 'd.rm', 'z-gone']) repo.write(path, path)
    const plain = (path: string) => hashObject('blob', Buffer.from(path), 'sha1')
    expect(await writer.files(['a', 'b.bad', 'c'])).toEqual(['a', 'b.bad', 'c'].map(plain))
    expect(await writer.files(['d.rm', 'z-gone', 'a'])).toEqual([
      plain('d.rm'),
      undefined,
      plain('a'),
    ])
  })

  test('a bare repository has none, and no paths are no call', async () => {
    const { repo, git, writer } = open()
    expect(await writer.files([])).toEqual([])
    expect(git.calls).toBe(0)
    expect(await new GitObjectWriter(git, undefined).files(['a'])).toEqual([undefined])
    expect(repo.status()).toBe('')
  })
})

describe('trees and commits', () => {
  test('entries in any order, with names of any bytes', async () => {
    const { repo, writer } = open()
    const [blob = ''] = await writer.blobs(['x'])
    const inner = await writer.tree([{ mode: '100755', name: 'run', oid: blob }])
    const tree = await writer.tree([
      { mode: '100644', name: 'b.txt', oid: blob },
      { mode: '40000', name: 'b', oid: inner },
      { mode: '100644', name: textToName('ü'), oid: blob },
      { mode: '120000', name: '\xff', oid: blob },
    ])
    expect(repo.git('ls-tree', '-r', '--name-only', '-z', tree).split('\0').slice(0, 3)).toEqual([
      'b.txt',
      'b/run',
      'ü',
    ])
    expect(await writer.tree([])).toBe(hashObject('tree', new Uint8Array(), 'sha1'))
    for (const name of ['', '.', '..', '.git', '.GIT', 'a/b', 'a\0b']) {
      await expect(writer.tree([{ mode: '100644', name, oid: blob }])).rejects.toThrow('not a name')
    }
    const twice = { mode: '100644', name: 'a', oid: blob }
    await expect(writer.tree([twice, twice])).rejects.toThrow('two entries')
    expect(repo.tryGit('fsck', '--strict', '--no-dangling')).toMatchObject({ status: 0 })
  })

  test('a commit says who, when and what, whatever the configuration and the environment', async () => {
    const { repo, git } = open()
    repo.git('config', 'commit.gpgSign', 'true')
    repo.git('config', 'i18n.commitEncoding', 'ISO-8859-1')
    repo.git('config', 'user.signingKey', 'none')
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit']) {
      repo.write(`.git/hooks/${hook}`, '#!/bin/sh\ntouch "$GIT_DIR/hook-ran"; exit 1\n')
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
    const env = { ...repo.sandbox.env, GIT_AUTHOR_DATE: '2001-01-01', TZ: 'Asia/Tokyo' }
    const writer = new GitObjectWriter(new Git(git.cwd, env), repo.folder)
    const tree = await writer.tree([])
    const at = Date.UTC(2026, 0, 10, 12, 0, 0, 999)
    const first = await writer.commit({ tree, parents: [], message: 'Step 1 of ü\n\nT: x\n\n', at })
    const about = { tree, parents: [first], message: 'Step 2', at: -5 }
    const second = await writer.commit(about)
    const who = 'ledger-git <ledger-git@localhost>'
    expect(repo.git('cat-file', 'commit', first)).toBe(
      `tree ${tree}\nauthor ${who} 1768046400 +0000\ncommitter ${who} 1768046400 +0000\n\nStep 1 of ü\n\nT: x`,
    )
    expect(repo.git('cat-file', 'commit', second)).toBe(
      `tree ${tree}\nparent ${first}\nauthor ${who} 0 +0000\ncommitter ${who} 0 +0000\n\nStep 2`,
    )
    expect(await writer.commit(about)).toBe(second)
    expect(repo.exists('.git/hook-ran')).toBe(false)
    expect(repo.git('for-each-ref')).toBe('')
  })

  test('what git refuses is said', async () => {
    const { repo, writer } = open()
    rmSync(join(repo.folder, '.git/objects'), { recursive: true })
    writeFileSync(join(repo.folder, '.git/objects'), '')
    for (const contents of [['a'], ['a', 'b']]) {
      await expect(writer.blobs(contents)).rejects.toMatchObject({ code: 'GIT_FAILED' })
    }
  })
})
