/** Slices of files that are large, torn, replaced, or not files at all. */

import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { TranscriptSlice } from '../../../src/app/shadow/session-ports.ts'
import type { OpenTranscript } from '../../../src/io/agents/transcript-file.ts'
import { readFrom, readTail, readTailText } from '../../../src/io/agents/transcript-file.ts'
import { runs } from '../../support/long.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-git-transcript-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function file(content: string | Buffer): string {
  const path = join(folder, `${count++}.jsonl`)
  writeFileSync(path, content)
  return path
}

function ok<T extends TranscriptSlice>(slice: T | undefined): T {
  if (slice === undefined) throw new Error('no transcript')
  return slice
}

/** A file in memory that counts how much of it was read. */
function counting(content: Buffer) {
  const read = { bytes: 0, open: 0 }
  const open = (): OpenTranscript => {
    read.open++
    return {
      size: content.length,
      read: (position, length) => {
        const bytes = content.subarray(position, position + length)
        read.bytes += bytes.length
        return bytes
      },
      close: () => read.open--,
    }
  }
  return { read, open }
}

const anyContent = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'é', '🎉', '"', ' '), maxLength: 9 }))
  .chain((lines) =>
    fc.record({
      eol: fc.constantFrom('\n', '\r\n'),
      tail: fc.constantFrom('', 'torn', 'é'),
      lines: fc.constant(lines),
    }),
  )
  .map(({ eol, tail, lines }) => lines.map((line) => line + eol).join('') + tail)

function completeLines(content: string): string[] {
  return content
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line !== '')
}

describe('laws', () => {
  test('successive slices return every complete line once, except lines longer than a slice', () => {
    fc.assert(
      fc.property(anyContent, fc.integer({ min: 1, max: 80 }), (content, maxBytes) => {
        const bytes = Buffer.from(content)
        const { read, open } = counting(bytes)
        const lines: string[] = []
        for (let at = 0, i = 0; ; i++) {
          expect(i).toBeLessThanOrEqual(bytes.length + 1)
          const before = read.bytes
          const slice = ok(readFrom('', at, maxBytes, open))
          expect(read.bytes - before).toBeLessThanOrEqual(maxBytes + 1)
          lines.push(...slice.lines)
          if (slice.toEnd) break
          expect(slice.next).toBeGreaterThan(at)
          at = slice.next
        }
        expect(read.open).toBe(0)
        const fits = (line: string) => Buffer.byteLength(line) + 2 <= maxBytes
        const all = completeLines(content)
        // A subsequence with at least every line that surely fits.
        let i = 0
        for (const line of lines) {
          i = all.indexOf(line, i) + 1
          expect(i).toBeGreaterThan(0)
        }
        expect(lines.filter(fits)).toEqual(all.filter(fits))
      }),
      runs(500),
    )
  })

  test('the tail consists of the last complete lines of the file', () => {
    fc.assert(
      fc.property(anyContent, fc.nat(80), (content, maxBytes) => {
        const slice = ok(readTail('', maxBytes, counting(Buffer.from(content)).open))
        const all = completeLines(content)
        expect(slice.lines).toEqual(slice.lines.length === 0 ? [] : all.slice(-slice.lines.length))
        expect(slice.toEnd).toBe(true)
        if (maxBytes >= Buffer.byteLength(content)) {
          expect(slice.lines).toEqual(all)
          expect(slice.rest).toBe(content.slice(content.lastIndexOf('\n') + 1))
        }
      }),
      runs(500),
    )
  })
})

describe('lines that are skipped', () => {
  const MARK = '"type":"progress"'
  const anyLine = fc.oneof(
    fc.constantFrom('{"a":1}', '{}', ''),
    fc.nat(40).map((n) => `{${MARK},"x":"${'x'.repeat(n)}"}`),
    fc.nat(40).map((n) => `{"type":"user","x":"${'ä'.repeat(n)}"}`),
  )

  test('leave a tail of the last other lines, as many as fit', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), fc.nat(200), (written, maxBytes) => {
        const content = written.map((line) => `${line}\n`).join('')
        const { open } = counting(Buffer.from(content))
        const { lines, isCut } = ok(readTailText('', maxBytes, MARK, open))
        const used = completeLines(content).filter((line) => !line.includes(MARK))
        if (!isCut) expect(lines).toEqual(used)
        expect(lines).toEqual(lines.length === 0 ? [] : used.slice(-lines.length))
        const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
        expect(size).toBeLessThanOrEqual(maxBytes)
        // All of them, if they fit and are within reach.
        const all = used.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
        const blank = written.filter((line) => line === '').length
        if (all + blank <= maxBytes && content.length * 2 <= maxBytes * 4) {
          expect(lines).toEqual(used)
          expect(isCut).toBe(false)
        }
      }),
      runs(1000),
    )
  })

  test('are recognized by their beginning, and at most four times the size is read', () => {
    const late = `{"text":"${'x'.repeat(800)}",${MARK}}`
    const early = `{"text":"${'x'.repeat(600)}",${MARK}}`
    const file = counting(Buffer.from(`{"far":1}\n${`${early}\n`.repeat(8)}${late}\n`))
    expect(ok(readTailText('', 1000, MARK, file.open)).lines).toEqual([late])
    expect(file.read.bytes).toBeLessThanOrEqual(4001)
    const near = counting(Buffer.from(`{"near":1}\n${early}\n{"a":1}\n`))
    expect(ok(readTailText('', 500, MARK, near.open)).lines).toEqual(['{"near":1}', '{"a":1}'])
  })
})

describe('data such as images', () => {
  const data = (n: number) => 'aB3+/_-='.repeat(Math.ceil(n / 8)).slice(0, n)
  const anyPart = fc.oneof(
    fc.integer({ min: 1990, max: 9000 }).map(data),
    fc.nat(900).map(data),
    fc.nat(1500).map((n) => 'a word, '.repeat(Math.ceil(n / 8))),
    fc.constantFrom('ä', '', '\u0000', '"'),
  )
  /** What a reader gets for a value: nothing, if it is one long run. */
  const without = (value: string) => value.replace(/[\w+/=-]{2001,}/g, '')

  test('is left out of strings, and everything else stays', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyPart, { maxLength: 4 }), { maxLength: 6 }), (lines) => {
        const values = lines.map((parts) => parts.join(' '))
        const content = values.map((value) => `${JSON.stringify({ type: 'a', value })}\n`).join('')
        const { open } = counting(Buffer.from(content))
        const text = ok(readTailText('', 1_000_000, undefined, open))
        expect(text.lines.map((one) => JSON.parse(one).value)).toEqual(values.map(without))
        expect(text.next).toBe(Buffer.byteLength(content))
      }),
      runs(300),
    )
  })

  test.each(['\n', '\\', '"', '\u0001', '\n\u0001'])('leaves the escape of %j whole', (before) => {
    const line = JSON.stringify({ value: `${before}${data(3000)}` })
    const { open } = counting(Buffer.from(`${line}\n`))
    const [left = ''] = ok(readTailText('', 5000, undefined, open)).lines
    expect(JSON.parse(left).value.slice(0, before.length)).toBe(before)
    expect(left.length).toBeLessThan(40)
  })

  test('does not count towards the size', () => {
    const image = `{"image":"data:image/png;base64,${data(9000)}"}\n`
    const file = counting(Buffer.from(`{"first":1}\n${image}${image}{"last":1}\n`))
    const { lines } = ok(readTailText('', 5000, undefined, file.open))
    const left = '{"image":"data:image/png;base64,"}'
    expect(lines).toEqual(['{"first":1}', left, left, '{"last":1}'])
    expect(ok(readTail('', 5000, file.open)).lines).toEqual(['{"last":1}'])
    expect(ok(readTailText('', 4000, undefined, file.open)).lines).toEqual([left, '{"last":1}'])
  })
})

describe('large files', () => {
  test('only a slice is read of 200 MB with lines of 5 MB', () => {
    const path = join(folder, 'large.jsonl')
    const fd = openSync(path, 'w')
    const size = 200 * 1024 * 1024
    ftruncateSync(fd, size) // holes, which take no disk space
    for (let at = 5_000_000; at < size; at += 5_000_000) writeSync(fd, '\n', at)
    const end = '\n{"last":1}\n{"last":2}\n'
    writeSync(fd, end, size - end.length)
    closeSync(fd)
    const before = process.memoryUsage().arrayBuffers

    const tail = ok(readTail(path, 65_536))
    expect(tail.lines).toEqual(['{"last":1}', '{"last":2}'])
    expect(tail).toMatchObject({ next: size, rest: '' })
    expect(ok(readFrom(path, 0, 65_536))).toMatchObject({ lines: [], next: 65_536 })
    const whole = ok(readFrom(path, 5_000_001, 6_000_000))
    expect(whole.lines.map((line) => line.length)).toEqual([4_999_999])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('a line longer than a slice is skipped, however many slices it takes', () => {
    const content = Buffer.from(`a\n${'x'.repeat(1000)}\nb\n`)
    const { open } = counting(content)
    const lines: string[] = []
    let at = 0
    for (let slice; slice?.toEnd !== true; at = slice.next) {
      slice = ok(readFrom('', at, 64, open))
      lines.push(...slice.lines)
    }
    expect([lines, at]).toEqual([['a', 'b'], content.length])
  })
})

describe('files that change', () => {
  test('a torn line is returned once it is whole', () => {
    const path = file('{"a":1}\n{"b"')
    const first = ok(readFrom(path, 0, 100))
    expect(first).toMatchObject({ lines: ['{"a":1}'], next: 8, rest: '{"b"' })
    appendFileSync(path, ':2}\n{"c":3}\n')
    const second = ok(readFrom(path, first.next, 100))
    expect(second).toMatchObject({ lines: ['{"b":2}', '{"c":3}'], next: 24 })
    expect(ok(readFrom(path, second.next, 100))).toMatchObject({
      lines: [],
      next: 24,
    })
  })

  test('a file shorter than the offset is read from its beginning, as it was replaced', () => {
    const path = file('{"old":1}\n{"old":2}\n')
    writeFileSync(path, '{"new":1}\n')
    expect(ok(readFrom(path, 20, 100))).toMatchObject({
      lines: ['{"new":1}'],
      next: 10,
    })
  })

  test('reading from an offset inside a line starts with the next line', () => {
    const path = file('{"a":1}\n{"b":2}\n')
    expect(ok(readFrom(path, 3, 100)).lines).toEqual(['{"b":2}'])
    expect(ok(readFrom(path, 8, 100)).lines).toEqual(['{"b":2}'])
    for (const offset of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(ok(readFrom(path, offset, 100)).lines).toHaveLength(2)
    }
  })

  test('a file that shrinks while it is read gives no lines', () => {
    const path = file('{"a":1}\n{"b":2}\n')
    const open = (): OpenTranscript => ({ size: 16, read: () => Buffer.alloc(0), close: () => {} })
    expect(ok(readFrom(path, 8, 100, open)).lines).toEqual([])
    truncateSync(path, 0)
    expect(ok(readTail(path, 100))).toMatchObject({ lines: [], next: 0 })
  })
})

describe('what is not a transcript', () => {
  const MAX = 100

  test('is undefined: a missing path, a folder, a pipe, a file without permission, an impossible path', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const denied = () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    expect(readTail(join(folder, 'none'), MAX)).toBeUndefined()
    expect(readTail(join(file(''), 'x'), MAX)).toBeUndefined()
    expect(readTail(folder, MAX)).toBeUndefined()
    expect(readFrom(pipe, 0, MAX)).toBeUndefined()
    expect(readFrom('', 0, MAX, denied)).toBeUndefined()
    expect(readFrom('a\0b', 0, MAX)).toBeUndefined()
  })

  test('excludes neither links nor files with a BOM or bytes that are not text', () => {
    const link = join(folder, 'link')
    symlinkSync(file('\ufeff{"a":1}\r\n\r\n{"b":2}\r\n'), link)
    expect(ok(readTail(link, MAX)).lines).toEqual(['{"a":1}', '{"b":2}'])
    expect(ok(readTail(file(Buffer.from([0xff, 0x0a, 0x00, 0x0a])), MAX)).lines).toEqual([
      '\ufffd',
      '\0',
    ])
    expect(ok(readTail(file(''), MAX))).toMatchObject({ lines: [], next: 0, toEnd: true })
  })
})
