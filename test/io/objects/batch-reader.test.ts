/** One `git cat-file --batch` for many requests: every answer belongs to its request. */

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashObject } from '../../../src/core/git/objects.ts'
import { readBatch } from '../../../src/io/objects/batch-reader.ts'
import { BatchReader } from '../../../src/io/objects/batch-reader.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { Sandbox } from '../../support/git-repo.ts'

const OID = 'a'.repeat(40)
/** Contents that look like answers themselves. */
const CONTENTS = [
  '',
  '\n',
  'text',
  'no end\n\n',
  `${OID} blob 3\nabc\n`,
  `${OID} missing\n`,
  '\0\n\0',
]

const answer = (content: string, oid = OID) =>
  `${oid} blob ${Buffer.byteLength(content)}\n${content}\n`

const answersOf = (contents: readonly string[]) =>
  Buffer.from(contents.map((text) => answer(text)).join(''))

describe('git’s output', () => {
  test('is split into answers by the sizes that it states', () => {
    const output = Buffer.from(`x missing\n${CONTENTS.map((text) => answer(text)).join('')}`)
    const answers = readBatch(output)
    expect(answers?.[0]).toBeUndefined()
    expect(answers?.slice(1).map((object) => String(object?.content))).toEqual(CONTENTS)
  })

  test('gives no answer that ends too early', () => {
    const output = answersOf(CONTENTS)
    const whole = readBatch(output)
    const ends = CONTENTS.map((_, i) => answersOf(CONTENTS.slice(0, i + 1)).length)
    for (let length = 1; length < output.length; length++) {
      const answers = readBatch(output.subarray(0, length))
      // The line break after a content is not needed.
      const count = 1 + ends.findLastIndex((end) => end === length || end === length + 1)
      if (count === 0) expect(answers, String(length)).toBeUndefined()
      else expect(answers, String(length)).toEqual(whole?.slice(0, count))
    }
    expect(readBatch(Buffer.alloc(0))).toEqual([])
  })

  test.each([
    ['missing', `${OID} missing`],
    ['ambiguous', 'abcd ambiguous'],
    ['a name like an answer', `${OID} blob 5 missing`],
    ['a name with an answer in it', `HEAD:${OID} tree 0 missing`],
    ['a kind that is none', `${OID} thing 5`],
    ['a size that is none', `${OID} blob -1`],
    ['an id that is too short', 'abc blob 5'],
  ])('has no object for %s', (_name, line) => {
    const answers = readBatch(Buffer.from(`${line}\n${answer('next')}`))
    expect(answers?.[0]).toBeUndefined()
    expect(String(answers?.[1]?.content)).toBe('next')
  })
})

describe('the reader', () => {
  test.each([['sha1'], ['sha256']] as const)('answers all requests at once, %s', async (format) => {
    const repo = new Sandbox().init('repo', `--object-format=${format}`)
    repo.commit('x', { 'a b.txt': 'a\n', 'ä.txt': 'ä\n' })
    const reader = new BatchReader(new Git(repo.folder, repo.sandbox.env))
    const names = [
      'HEAD:a b.txt',
      'HEAD:gone',
      '',
      'a\nb',
      'a\0b',
      'HEAD:ä.txt',
      'HEAD^{tree}',
      'HEAD:',
    ]
    const found = await Promise.all(names.map((name) => reader.find(name)))
    expect(found.map((object) => object?.type)).toEqual([
      'blob',
      undefined,
      undefined,
      undefined,
      undefined,
      'blob',
      'tree',
      'tree',
    ])
    expect(String(found[0]?.content)).toBe('a\n')
    expect(found[5]?.oid).toBe(hashObject('blob', Buffer.from('ä\n'), format))
    expect(found[7]?.oid).toBe(found[6]?.oid)
  })

  test('gives each request its own answer across several batches', async () => {
    const repo = new Sandbox().init()
    const texts = Array.from({ length: 4500 }, (_, i) => `${i}\n`)
    const stream = texts.map((text) => `blob\ndata ${text.length}\n${text}`).join('')
    repo.run('git', ['fast-import', '--quiet'], { input: stream })
    const reader = new BatchReader(new Git(repo.folder, repo.sandbox.env))
    const oids = texts.map((text) => hashObject('blob', Buffer.from(text), 'sha1'))
    const asked = oids.flatMap((oid, i) => (i % 9 === 0 ? [oid, 'f'.repeat(40)] : [oid]))
    const found = await Promise.all(asked.map((oid) => reader.read(oid)))
    expect(found.flatMap((object) => object?.oid ?? [])).toEqual(oids)
    expect(found.flatMap((object) => (object ? String(object.content) : []))).toEqual(texts)
  })

  test('asks git once for what several ask for together', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a.txt': 'a\n' })
    const git = new Git(repo.folder, repo.sandbox.env)
    const asked = vi.spyOn(git, 'runNow')
    const reader = new BatchReader(git)
    const ask = () =>
      Promise.all(['HEAD:a.txt', 'nowhere', 'HEAD:a.txt'].map((name) => reader.find(name)))
    const [first, none, second] = await ask()
    expect([first, none, second].map((object) => object && String(object.content))).toEqual([
      'a\n',
      undefined,
      'a\n',
    ])
    expect(asked.mock.calls.map(([, options]) => options?.input)).toEqual(['HEAD:a.txt\nnowhere\n'])
    // HEAD may be another commit later.
    repo.commit('y', { 'a.txt': 'b\n' })
    expect(String((await ask())[0]?.content)).toBe('b\n')
  })

  test('switches to one lasting child when it is asked again and again', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a.txt': 'a\n' })
    const git = new Git(repo.folder, repo.sandbox.env)
    const started = vi.spyOn(git, 'runNow')
    const reader = new BatchReader(git)
    onTestFinished(() => reader.close())
    for (let i = 0; i < 20; i++) {
      expect(String((await reader.find('HEAD:a.txt'))?.content)).toBe('a\n')
      expect(await reader.find(`HEAD:${i}`)).toBeUndefined()
    }
    expect(started).toHaveBeenCalledTimes(4)
  })

  test('does not ask git for what it was told', async () => {
    const repo = new Sandbox().init()
    repo.commit('x', { 'a.txt': 'a\n' })
    const git = new Git(repo.folder, repo.sandbox.env)
    const asked = vi.spyOn(git, 'runNow')
    const told = { oid: OID, type: 'blob', content: Buffer.from('told') } as const
    const tell = vi.fn(() => new Map([['HEAD:a.txt', told] as const, ['HEAD:b.txt', undefined]]))
    const reader = new BatchReader(git, tell)
    expect(tell, 'before somebody asks').not.toHaveBeenCalled()
    expect(await reader.find('HEAD:a.txt')).toBe(told)
    expect(await reader.find('HEAD:b.txt')).toBeUndefined()
    expect(asked).not.toHaveBeenCalled()
    expect((await reader.find('HEAD'))?.type).toBe('commit')
    expect(asked).toHaveBeenCalledTimes(1)
  })

  test('keeps objects that are not blobs', async () => {
    const repo = new Sandbox().init()
    const commit = repo.commit('x', { 'a.txt': 'a\n' })
    const reader = new BatchReader(new Git(repo.folder, repo.sandbox.env))
    expect((await reader.find('HEAD'))?.oid).toBe(commit)
    repo.run('rm', ['-rf', '.git'])
    expect((await reader.read(commit))?.type, 'kept').toBe('commit')
    await expect(reader.find('HEAD~1')).rejects.toMatchObject({ code: 'GIT_FAILED' })
  })
})
