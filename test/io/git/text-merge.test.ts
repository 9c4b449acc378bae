/** Git's text merge, for texts that are not in a file. */

import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { openTextMerge } from '../../../src/io/git/text-merge.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { Sandbox } from '../../support/git-repo.ts'

function mergeOf(size?: string) {
  const { folder, env } = new Sandbox()
  const merge = openTextMerge(new Git(folder, env), size)
  return (base: string, ours: string, theirs: string) => {
    const bytes = [base, ours, theirs].map((text) => Buffer.from(text, 'latin1'))
    const [b, o, t] = bytes as [Buffer, Buffer, Buffer]
    const { content, isConflict } = merge({ base: b, ours: o, theirs: t })
    return { text: Buffer.from(content).toString('latin1'), isConflict }
  }
}

describe('openTextMerge', () => {
  test('takes lines that one side changed, whatever their bytes', () => {
    const merge = mergeOf()
    expect(merge('a\nb\nc\nd\n', '\xe9\nb\nc\nd\n', 'a\nb\nc\n\xff')).toEqual({
      text: '\xe9\nb\nc\n\xff',
      isConflict: false,
    })
  })

  test('puts lines that both sides changed between markers of the requested size', () => {
    const text = (size: number) =>
      `${'<'.repeat(size)} ours\no\n${'='.repeat(size)}\nt\n${'>'.repeat(size)} theirs\n`
    for (const [size, expected] of [
      [undefined, 7],
      ['12', 12],
      ['', 7],
      ['%L', 7],
      ['0', 7],
    ] as const) {
      expect(mergeOf(size)('b\n', 'o\n', 't\n')).toEqual({ text: text(expected), isConflict: true })
    }
  })

  test('treats an empty side like any other', () => {
    const merge = mergeOf()
    expect(merge('', 'same\n', 'same\n')).toEqual({ text: 'same\n', isConflict: false })
    expect(merge('b\n', '', 'b\n')).toEqual({ text: '', isConflict: false })
    expect(merge('', 'o\n', 't\n').isConflict).toBe(true)
  })

  test('puts what git refuses to merge between markers as a whole: never ours alone', () => {
    const merge = mergeOf('9')
    expect(merge('b\n', 'o\0', 't\0\n')).toEqual({
      text: '<<<<<<<<< ours\no\0\n=========\nt\0\n>>>>>>>>> theirs\n',
      isConflict: true,
    })
  })

  test('merges a text with more conflicts than an exit status can count', () => {
    // Conflicts that are nearer become one.
    const same = (i: number) => `same ${i}\n`.repeat(4)
    const lines = (word: string) =>
      Array.from({ length: 300 }, (_, i) => `${word}\n${same(i)}`).join('')
    const { text, isConflict } = mergeOf()(lines('b'), lines('o'), lines('t'))
    expect(isConflict).toBe(true)
    expect(text.match(/^<{7} ours$/gm)).toHaveLength(300)
  })

  test('merges a text larger than a pipe holds, and leaves no file', () => {
    const large = 'x'.repeat(100).concat('\n').repeat(3000)
    const files = () =>
      ['/dev/shm', tmpdir()]
        .filter((folder) => existsSync(folder))
        .flatMap((folder) => readdirSync(folder))
        .filter((name) => name.startsWith(`.ledger-git-${process.pid}-`))
    const before = files() // a process that had our number
    const { text } = mergeOf()(`a\n${large}z\n`, `o\n${large}z\n`, `a\n${large}t\n`)
    expect(text === `o\n${large}t\n`).toBe(true)
    expect(files()).toEqual(before)
  })
})
