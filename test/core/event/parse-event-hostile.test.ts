/** Event files that were written to break the reader: they lose only themselves. */

/* oxlint-disable unicorn/no-useless-spread -- the spreads keep lists of words in rows */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEventText, MAX_EVENT_BYTES } from '../../../src/core/event/event-bytes.ts'
import { insideFence } from '../../../src/core/event/fence.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { problemText } from '../../../src/core/event/problem.ts'
import { anyText } from '../../support/arbitraries.ts'
import { IS_LONG, runs, sampleOf } from '../../support/long.ts'

const HEAD = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n'
const parse = (text: string) => parseEvent({ file: 'e.md', id: 'id', text })
const MIB = 1024 * 1024

describe('parseEvent never throws and is deterministic', () => {
  const anyYaml = fc
    .array(
      fc.constantFrom(
        ...['now: ', 'next:', '- ', '  ', '\n', '\n', '\t', '"', "'", '[', ']', '{', '}', ', '],
        ...['&a ', '*a', '!!x ', '|', '>', '? ', ': ', '#', '---\n', '...\n', '%YAML 1.2\n', '<<'],
        ...['decisions:\n', '__proto__', 'checkpoints:', 'a', '1', '~', '`', '\u2028', '\u0000'],
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join(''))
  const check = (text: string) => {
    const parsed = parse(text)
    expect(parse(text)).toEqual(parsed)
    if (parsed.event === undefined) expect(parsed.problems).not.toEqual([])
    for (const problem of [...parsed.problems, ...parsed.warnings]) {
      expect(problemText(problem)).toMatch(/^[\x20-\x7e]+$/)
      expect(problem.line === undefined || problem.line >= 1).toBe(true)
    }
  }

  test('on any text', () => fc.assert(fc.property(anyText, check)))
  test('on any front matter', () =>
    fc.assert(fc.property(anyYaml, (front) => check(`---\n${front}\n---\n`))))
  test('on any body', () =>
    fc.assert(
      fc.property(anyYaml, (body) => check(HEAD + body)),
      runs(500),
    ))
  test('on any bytes', () =>
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        check(decodeEventText(bytes))
        check(decodeEventText(Buffer.concat([Buffer.from(`${HEAD}now: `), bytes])))
      }),
    ))
})

describe('bytes that are not text', () => {
  test('keeps NUL, invalid UTF-8 and lone surrogates as data', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEAD}now: a`),
      Buffer.from([0, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from('b\nnext: ["\\ud800"]\n'),
    ])
    const { event } = parse(decodeEventText(bytes))
    expect(event?.now).toMatch(/^a\0\ufffd+b$/)
    expect(event?.next).toEqual(['\ud800'])
  })

  test('does not misread UTF-16', () => {
    const utf16 = decodeEventText(Buffer.from(`\ufeff${HEAD}`, 'utf16le'))
    expect(parse(utf16).problems).toMatchObject([{ code: 'no-front-matter' }])
  })
})

describe('keys that JavaScript treats specially', () => {
  test('are ordinary keys in front matter, body and decisions', () => {
    const keys = '__proto__: {now: p}\nconstructor: {prototype: {now: p}}\ntoString: x\n'
    const { event, problems } = parse(
      `---\nts: 2026-01-10\nagent: a\n${keys}---\n${keys}decisions:\n  __proto__: v\n  hasOwnProperty: w\n`,
    )
    expect(problems).toEqual([])
    expect(event?.now).toBeUndefined()
    expect(event?.decisions.map(({ key, text }) => [key, text])).toEqual([
      ['__proto__', 'v'],
      ['hasOwnProperty', 'w'],
    ])
    expect(({} as { now?: unknown }).now).toBeUndefined()
  })
})

describe('aliases', () => {
  test('does not expand an alias bomb', () => {
    const levels = Array.from({ length: 30 }, (_, i) => {
      const last = `*a${i}, `.repeat(9)
      return `a${i + 1}: &a${i + 1} [${i === 0 ? 'x' : last}]`
    })
    const { event } = parse(`${HEAD}${levels.join('\n')}\nnow: n\nthis_session: *a30\n`)
    expect(event?.now).toBe('n')
    expect(JSON.stringify(event).length).toBeLessThan(5000)
  })

  test('reads a scalar behind an alias, and does not follow a loop', () => {
    const { event } = parse(`${HEAD}goal: &g the goal\nnow: *g\nnext: &n [*n, a]\ntest: *missing\n`)
    expect(event?.goal).toBe('the goal')
    expect(parse(`${HEAD}goal: &g the goal\nnow: *g\nnext: &n [*n, a]\n`).event).toMatchObject({
      now: 'the goal',
      next: ['*n', 'a'],
    })
  })

  // Quadratic if each alias walks the document: 10,000 (50 kB) took 6 s, 40,000 took two minutes.
  test('reads tens of thousands of aliases', () => {
    const count = IS_LONG ? 100_000 : 10_000
    const { event } = parse(`${HEAD}goal: &g x\nthis_session:\n${'- *g\n'.repeat(count)}`)
    expect(event?.thisSession).toHaveLength(count)
  })

  // 1 MB named 1,000 times: every section after it would work on 1 GB of text.
  test('does not multiply one large scalar behind many aliases', () => {
    const body = `goal: &g ${'x '.repeat(500_000)}\nthis_session:\n${'- *g\n'.repeat(1000)}`
    const said = parse(HEAD + body).event?.thisSession ?? []
    expect(said.join('').length).toBeLessThan(20 * MIB)
  })
})

describe('deep nesting', () => {
  // Without a limit on depth, 20,000 levels after 10,000 aborted the whole process (V8 compiles a
  // regular expression with no stack left).
  test('loses only the section with 100,000 levels', () => {
    const { event } = parse(`${HEAD}now: x\ngoal: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`)
    expect(event).toMatchObject({ now: 'x', goal: undefined })
    expect(parse(`${HEAD}${'- '.repeat(100_000)}\n`).event?.agent).toBe('toast')
    expect(parse(`${HEAD}${'{a: '.repeat(100_000)}\n`).event?.agent).toBe('toast')
  })

  // Without a limit, how deep is too deep depended on the remaining stack: two callers could get
  // two ledgers.
  test('reads the same depth the same way from any caller', () => {
    const text = `${HEAD}goal: ${'['.repeat(600)}${']'.repeat(600)}\n`
    const from = (frames: number): unknown => (frames === 0 ? parse(text) : [from(frames - 1)][0])
    expect(from(0)).toEqual(parse(text))
    expect(from(6000)).toEqual(parse(text))
  })
})

describe('10 MB of one thing', () => {
  const shapes: [string, string, object][] = [
    ['one line', `now: ${'a b '.repeat(1_000_000)}\n`, {}],
    ['one line of spaces', `now: a${' '.repeat(10_000_000)}b\n`, {}],
    ['blank lines', `now: x\n${'\n'.repeat(10_000_000)}`, { now: 'x' }],
    ['leading blank lines', `${'\n'.repeat(500_000)}now: x\n`, { now: 'x' }],
    ['free text', 'free text line\n'.repeat(600_000), { now: undefined }],
    ['keys', Array.from({ length: 20_000 }, (_, i) => `k${i}: v\n`).join(''), {}],
    ['one repeated key', `${'now: v\n'.repeat(20_000)}now: w\n`, { now: 'w' }],
    ['folded text', `now: a\n${'  a\n'.repeat(500_000)}`, {}],
  ]
  test.each(sampleOf(shapes, 8))('%s', (_name, body, expected) => {
    const { event, problems } = parse(HEAD + body)
    expect(problems).toEqual([])
    expect(event).toMatchObject({ agent: 'toast', ...expected })
  })

  test('keeps every item and every pair among broken lines', () => {
    const count = IS_LONG ? 5000 : 700
    const { event } = parse(
      `${HEAD}this_session:\n${'- "a" b\n'.repeat(count)}decisions:\n${'  a: "b" c\n'.repeat(count)}`,
    )
    expect(event?.thisSession).toHaveLength(count)
    expect(event?.decisions).toHaveLength(1)
  })

  test('a pair of a million spaces does not stop the salvage', () => {
    const spaces = ' '.repeat(1_000_000)
    const { event } = parse(`${HEAD}decisions:\n  a: "b" c\n  x${spaces}y\n${spaces}"z\n  k: v\n`)
    expect(event?.decisions.map(({ key }) => key)).toEqual(['a', 'k'])
  })

  test('skips and reports a file larger than 16 MiB', () => {
    const { event, problems } = parse(HEAD + 'x'.repeat(MAX_EVENT_BYTES))
    expect(event).toBeUndefined()
    expect(problems).toMatchObject([{ code: 'too-large' }])
  })
})

test('finds the fence around a body with as many lines as a file may have', () => {
  const lines = '\n'.repeat(MAX_EVENT_BYTES - 100)
  expect(insideFence(`\`\`\`ledger\n${lines}\`\`\`\n`).text === lines).toBe(true)
  expect(insideFence(`${lines}\`\`\`ledger\nnow: x\n\`\`\`\n`).text).toBe('now: x\n')
})
