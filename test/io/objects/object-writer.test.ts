/** Objects as sessions write them, compared with what git itself writes for the same content. */

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeTree, hashObject, textToName } from '../../../src/core/git/objects.ts'
import type { GitResult, RunOptions } from '../../../src/io/process/exec.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { gitObjectWriter } from '../../../src/io/objects/object-writer.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { IS_LONG } from '../../support/long.ts'

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
  const format = args.length === 0 ? 'sha1' : 'sha256'
  return { repo, git, writer: gitObjectWriter(git, format) }
}

function contentOf(repo: Repo, oid: string): Buffer {
  const words = ['cat-file', 'blob', oid]
  return execFileSync('git', words, { cwd: repo.folder, env: repo.sandbox.env, maxBuffer: 1e9 })
}

describe('blobs', () => {
  test('contain any bytes, in the given order, also the same ones twice', () => {
    const { repo, writer } = open()
    const written = new Set<string>()
    const anyContent = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('', '\n', 'done\n', 'blob\nmark :1\n', 'data 3\nabc', '\0', 'ü🎉', '\r\n'),
    )
    fc.assert(
      fc.property(fc.array(anyContent, { maxLength: 6 }), (contents) => {
        const oids = writer.blobs(contents)
        writer.flush()
        expect(oids).toEqual(
          contents.map((content) => hashObject('blob', Buffer.from(content as string), 'sha1')),
        )
        oids.forEach((oid) => written.add(oid))
      }),
      { numRuns: 40 },
    )
    const all = repo.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
    expect(all.split('\n').sort()).toEqual([...written].sort())
    expect(repo.tryGit('fsck', '--strict', '--no-dangling')).toMatchObject({ status: 0 })
  })

  test('that could not be written are written with the next ones', () => {
    const { repo, writer } = open()
    const objects = join(repo.folder, '.git/objects')
    const [oid = ''] = writer.blobs(['kept'])
    renameSync(objects, `${objects}.away`)
    expect(() => writer.flush()).toThrow(/unpack-objects failed/)
    renameSync(`${objects}.away`, objects)
    writer.flush()
    expect(contentOf(repo, oid).toString()).toBe('kept')
  })

  test('are written in few calls, hundreds of them or large ones', () => {
    const { repo, git, writer } = open('--object-format=sha256')
    const contents = Array.from({ length: 300 }, (_, i) => `content ${i}`)
    const oids = writer.blobs(contents)
    expect(git.calls).toBe(0)
    writer.flush()
    writer.flush()
    expect(git.calls).toBe(1)
    expect(contentOf(repo, oids[299] ?? '').toString()).toBe('content 299')
    const long = [65_534, 65_535, 65_536, 200_000].map((length) => randomBytes(length))
    const longOids = writer.blobs(long)
    writer.flush()
    longOids.forEach((oid, i) => expect(contentOf(repo, oid).equals(long[i] as Buffer)).toBe(true))
    expect(oids).toEqual(contents.map((text) => hashObject('blob', Buffer.from(text), 'sha256')))
    if (!IS_LONG) return
    const large = [randomBytes(70_000_000), Buffer.alloc(5_000_000), 'small', randomBytes(100)]
    const [first = '', second = '', third = ''] = writer.blobs(large)
    writer.flush()
    expect(git.calls).toBe(4)
    expect(contentOf(repo, first).equals(large[0] as Buffer)).toBe(true)
    expect(contentOf(repo, second).equals(large[1] as Buffer)).toBe(true)
    expect(contentOf(repo, third).toString()).toBe('small')
    expect(writer.blobs([])).toEqual([])
    writer.flush()
    expect(git.calls).toBe(4)
  })

  test('leave nothing else behind: no ref, no index, no change of the worktree', () => {
    const { repo, writer } = open()
    writer.blobs(['a', 'b'])
    writer.flush()
    expect(repo.git('for-each-ref')).toBe('')
    expect(repo.status()).toBe('')
    expect(existsSync(join(repo.folder, '.git/index'))).toBe(false)
  })
})

describe('trees and commits', () => {
  test('a tree takes entries in any order and with names of any bytes, but no invalid ones', () => {
    const { repo, writer } = open()
    const [blob = ''] = writer.blobs(['x'])
    const inner = writer.tree([{ mode: '100755', name: 'run', oid: blob }])
    const tree = writer.tree([
      { mode: '100644', name: 'b.txt', oid: blob },
      { mode: '40000', name: 'b', oid: inner },
      { mode: '100644', name: textToName('ü'), oid: blob },
      { mode: '120000', name: '\xff', oid: blob },
    ])
    writer.flush()
    expect(repo.git('ls-tree', '-r', '--name-only', '-z', tree).split('\0').slice(0, 3)).toEqual([
      'b.txt',
      'b/run',
      'ü',
    ])
    expect(writer.tree([])).toBe(hashObject('tree', new Uint8Array(), 'sha1'))
    for (const name of ['', '.', '..', '.git', '.GIT', 'a/b', 'a\0b']) {
      expect(() => writer.tree([{ mode: '100644', name, oid: blob }])).toThrow('not a name')
    }
    const twice = { mode: '100644', name: 'a', oid: blob }
    expect(() => writer.tree([twice, twice])).toThrow('two entries')
    writer.flush()
    expect(repo.tryGit('fsck', '--strict', '--no-dangling')).toMatchObject({ status: 0 })
  })

  test('a commit has its author, time and message, whatever configuration and environment say', () => {
    const { repo, git } = open()
    repo.git('config', 'commit.gpgSign', 'true')
    repo.git('config', 'i18n.commitEncoding', 'ISO-8859-1')
    repo.git('config', 'user.signingKey', 'none')
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit']) {
      repo.write(`.git/hooks/${hook}`, '#!/bin/sh\ntouch "$GIT_DIR/hook-ran"; exit 1\n')
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
    const env = { ...repo.sandbox.env, GIT_AUTHOR_DATE: '2001-01-01', TZ: 'Asia/Tokyo' }
    const writer = gitObjectWriter(new Git(git.cwd, env), 'sha1')
    const tree = writer.tree([])
    const at = Date.UTC(2026, 0, 10, 12, 0, 0, 999)
    const first = writer.commit({ tree, parents: [], message: 'Step 1 of ü\n\nT: x\n\n', at })
    const about = { tree, parents: [first], message: 'Step 2', at: -5 }
    const second = writer.commit(about)
    writer.flush()
    const who = 'ledger-git <ledger-git@localhost>'
    expect(repo.git('cat-file', 'commit', first)).toBe(
      `tree ${tree}\nauthor ${who} 1768046400 +0000\ncommitter ${who} 1768046400 +0000\n\nStep 1 of ü\n\nT: x`,
    )
    expect(repo.git('cat-file', 'commit', second)).toBe(
      `tree ${tree}\nparent ${first}\nauthor ${who} 0 +0000\ncommitter ${who} 0 +0000\n\nStep 2`,
    )
    expect(writer.commit(about)).toBe(second)
    expect(repo.exists('.git/hook-ran')).toBe(false)
    expect(repo.git('for-each-ref')).toBe('')
  })

  test('what git refuses is an error', () => {
    const { repo, writer } = open()
    rmSync(join(repo.folder, '.git/objects'), { recursive: true })
    writeFileSync(join(repo.folder, '.git/objects'), '')
    for (const contents of [['a'], ['a', 'b']]) {
      writer.blobs(contents)
      expect(() => writer.flush()).toThrow(expect.objectContaining({ code: 'GIT_FAILED' }))
    }
  })
})

test.each(['sha1', 'sha256'])(
  'a merged tree has the entries of its sides, also those that git refuses in a new tree: %s',
  async (asked) => {
    const { folder, sandbox } = new Sandbox().init('repo', `--object-format=${asked}`)
    const repository = await openRepository(folder, sandbox.env)
    const { format } = repository.place
    const oid = hashObject('blob', Buffer.from('x'), format)
    // Git 2.40 refuses the zero; older versions refuse only an empty name.
    for (const [mode, name] of [
      ['100644', 'a'],
      ['0100644', 'a'],
      ['100644', ''],
    ] as const) {
      const entries = [{ mode, oid, name: textToName(name) }]
      const tree = await repository.writeTree(entries)
      expect(tree).toBe(hashObject('tree', encodeTree(entries), format))
      expect((await repository.objects.read(tree))?.content).toEqual(encodeTree(entries))
    }
  },
)
