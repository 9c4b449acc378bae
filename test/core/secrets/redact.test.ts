/**
 * The laws of redaction, with a simple detector of one pattern where the details of the real one
 * would only distract.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineRedactor, MAX_LINE, MAX_STRING, redactText } from '../../../src/core/secrets/redact.ts'
import { mayHoldSecret } from '../../../src/core/secrets/may-hold-secret.ts'
import type { FindSecrets } from '../../../src/core/secrets/secret.ts'
import { joinSecrets } from '../../../src/core/secrets/secret.ts'
import { findSecrets } from '../../../src/io/secrets/secret-scanner.ts'
import { armour, chance, ORDINARY, SECRETS } from '../../support/secrets.ts'
import { runs } from '../../support/long.ts'

function redactLines(lines: readonly string[], find: FindSecrets): string[] {
  return lines.map(lineRedactor(find))
}

/** Pieces that collide: secrets, halves of secrets, names, quotes, escapes, markers. */
const anyPiece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SECRETS.map(({ text }) => text)) },
  fc.constantFrom(...SECRETS.map(({ secret }) => secret.slice(0, secret.length >> 1))),
  fc.constantFrom(...SECRETS.map(({ secret }) => secret.slice(secret.length >> 1))),
  { weight: 2, arbitrary: fc.constantFrom(...ORDINARY) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '"',
      '\\',
      '\\"',
      '\\n',
      '\n',
      ' ',
      '',
      ':',
      '=',
      ',',
      '{',
      '}',
      '[',
      ']',
      '@',
      '://',
      '-',
      '_',
      'é',
      '\u0000',
      '\ud800',
      'password',
      'token=',
      '"api_key": "',
      '[redacted: jwt]',
      '[redacted: ',
      'jwt]',
      '\\u002d',
      'Passwort',
      'mot de passe',
      '密码',
      ' is: ',
      ' est : ',
      ' was set to ',
      '是',
      ' | ',
      '**',
      '`',
      '`Geheim42!`',
      '« Geheim42 »',
      'login: `admin` / ',
    ),
  },
)
const anyText = fc.array(anyPiece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const anyCalmLine = fc.oneof(
  fc.constantFrom(...ORDINARY),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\\n', '{', '}', ':', ' ', 'é', '\ud800', 'u0041'),
  }),
)
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.constantFrom(null, true, 1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('password', 'apiKey', 'text', 'id'), anyText),
      tie('value'),
      { maxKeys: 3 },
    ),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value
const anyObject = fc.record({ type: fc.constant('user'), content: anyJson })
const some = runs(200)

describe('redactText', () => {
  test('redacting twice changes nothing more', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyJson.map((value) => JSON.stringify(value, null, 1)),
        ),
        (text) => {
          const once = redactText(text, findSecrets)
          expect(redactText(once, findSecrets)).toBe(once)
        },
      ),
      some,
    )
  })

  test('leaves nothing that the detector finds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const left = redactText(text, findSecrets)
        const markers = [...left.matchAll(/\[redacted: [a-z-]+\]/g)].map(
          ({ index, 0: all }) => [index, index + all.length] as const,
        )
        const found = findSecrets(left).filter(
          ({ start, end }) => !markers.some(([from, to]) => from <= start && end <= to),
        )
        expect(found).toEqual([])
      }),
      some,
    )
  })

  test('leaves a text without secrets unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyCalmLine, { maxLength: 8 }), (lines) => {
        const text = lines.join('\n\n\n\n')
        expect(redactText(text, findSecrets)).toBe(text)
        expect(redactLines([JSON.stringify({ text })], findSecrets)).toEqual([
          JSON.stringify({ text }),
        ])
      }),
      some,
    )
  })

  test('gives the same result with and without the quick check', () => {
    // Escaped several times: a log contains what tools have printed from logs.
    const anyDeep = fc.tuple(
      fc.oneof(
        anyText,
        anyJson.map((one) => JSON.stringify(one)),
      ),
      fc.nat(3),
    )
    const deep = ([text, depth]: [string, number]): string =>
      depth === 0 ? text : deep([JSON.stringify({ text }), depth - 1])
    fc.assert(
      fc.property(fc.array(anyDeep.map(deep), { maxLength: 3 }), (texts) => {
        for (const text of texts) {
          expect(redactText(text, findSecrets, mayHoldSecret)).toBe(redactText(text, findSecrets))
        }
        const quick = lineRedactor(findSecrets, mayHoldSecret)
        expect(texts.map(quick)).toEqual(redactLines(texts, findSecrets))
      }),
      runs(1000),
    )
  })

  test('the quick check passes no text that contains a secret', () => {
    expect(mayHoldSecret('fix the token refresh in feat/fix-hooks-path-spaces')).toBe(false)
    // A word of a megabyte does not end the check.
    expect(mayHoldSecret('a'.repeat(10_000_000))).toBe(false)
    expect(mayHoldSecret(`${'a'.repeat(10_000_000)} token=7`)).toBe(true)
    expect(mayHoldSecret('tests pass; the key of the map is a secret no more')).toBe(false)
    const anyCut = fc.tuple(anyPiece, fc.nat(60)).map(([text, length]) => text.slice(0, length))
    fc.assert(
      fc.property(fc.array(anyCut, { maxLength: 5 }), (pieces) => {
        const text = pieces.join('')
        if (!mayHoldSecret(text)) expect(findSecrets(text)).toEqual([])
      }),
      runs(1000),
    )
  })

  test('a detector that finds secrets in markers does not break the markers', () => {
    const find: FindSecrets = (text) =>
      [...text.matchAll(/key\]?x?/g)].map(({ index, 0: all }) => ({
        kind: 'key',
        start: index,
        end: index + all.length,
      }))
    expect(redactText('a key b', find)).toBe('a [redacted: key] b')
    expect(redactText('a [redacted: some-key]x b', find)).toBe('a [redacted: key] b')
  })

  test('rescans the following strings after redacting a secret that contained a quote', () => {
    const token = `gh${'p_'}${chance(36)}`
    const escaped = token.replace('_', '\\u005f')
    const key = armour('', `"MI${chance(64)}`).replaceAll('\n', ' ')
    expect(redactText(`${key} "${escaped}"`, findSecrets)).toBe(
      '[redacted: private-key] "[redacted: github-token]"',
    )
  })

  test('redacts a secret that only its neighbour hid, and a chain of them in few rounds', () => {
    const find: FindSecrets = (text) =>
      [...text.matchAll(/k\d{4}(?![k\d])/g)].map(({ index }) => ({
        kind: 'key',
        start: index,
        end: index + 5,
      }))
    expect(redactText('k1234', find)).toBe('[redacted: key]')
    expect(redactText('a k1234k5678 b', find)).toBe('a [redacted: key][redacted: key] b')
    let calls = 0
    const counting: FindSecrets = (text) => (calls++, find(text))
    expect(redactText('a k1234 '.replace('k1234', 'k1234'.repeat(500)), counting)).not.toMatch(/\d/)
    expect(calls).toBeLessThan(20)
  })
})

/** The same value with each string mapped; names keep their order. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.values(value).map(shapeOf)
}

describe('JSON', () => {
  test('keeps its shape, without the secrets', () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        const line = JSON.stringify(value)
        const redacted = JSON.parse(lineRedactor(findSecrets)(line)) as object
        // Two names that contained secrets may have become one.
        const isSame = JSON.stringify(shapeOf(redacted)) === JSON.stringify(shapeOf(value))
        expect(isSame || /"[^"]*\[redacted: [^"]*":/.test(JSON.stringify(redacted))).toBe(true)
      }),
      some,
    )
  })

  test('stays valid inside a string', () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        const line = JSON.stringify({ out: JSON.stringify(value) })
        const { out } = JSON.parse(lineRedactor(findSecrets)(line)) as { out: string }
        expect(() => JSON.parse(out) as unknown).not.toThrow()
      }),
      some,
    )
  })

  test('is redacted the same however a string is escaped', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = lineRedactor(findSecrets)(JSON.stringify({ text }))
        const codes = [...Array(text.length).keys()].map((i) => text.charCodeAt(i))
        const escaped = codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')
        const redacted = lineRedactor(findSecrets)(`{"text":"${escaped}"}`)
        expect(JSON.parse(redacted)).toEqual(JSON.parse(plain))
      }),
      some,
    )
  })

  test('a secret does not reach from one string into the next', () => {
    const lines = armour('', `MI${chance(62)}`).split('\n')
    for (const text of [JSON.stringify(lines), JSON.stringify({ a: JSON.stringify(lines) })]) {
      const redacted = JSON.parse(redactText(text, findSecrets)) as object
      expect(Object.keys(redacted)).toEqual(Object.keys(JSON.parse(text) as object))
    }
  })

  test('strings without a secret keep their bytes', () => {
    const line = ' { "a" : "\\u00e9\\/\\ud83d", "n": 1.0e+2, "b":"k" , "a":"again" }\r'
    const find: FindSecrets = (text) => (text === 'k' ? [{ kind: 'key', start: 0, end: 1 }] : [])
    expect(lineRedactor(find)(line)).toBe(line.replace('"k"', '"[redacted: key]"'))
    expect(lineRedactor(find)('{"k":"v"}')).toBe('{"[redacted: key]":"v"}')
  })
})

describe('lines', () => {
  test('keep their number, each on its own', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anyText,
            anyJson.map((value) => JSON.stringify(value)),
          ),
          { maxLength: 8 },
        ),
        (texts) => {
          const before = texts.join('\n').split('\n')
          const after = redactLines(before, findSecrets)
          expect(after.length).toBe(before.length)
          expect(after.filter((line) => line.includes('\n'))).toEqual([])
          expect(redactLines(after, findSecrets)).toEqual(after)
        },
      ),
      some,
    )
  })

  test('lose a private key over several lines, even after line numbers or marks', () => {
    const key = SECRETS.find(({ text }) => text.includes('BEGIN RSA'))?.text ?? ''
    const body = key.split('\n').slice(1, -1)
    for (const mark of [(i: number) => `${i}→`, () => '+', () => '> ', () => '    ', () => '']) {
      const lines = key.split('\n').map((line, i) => `${mark(i)}${line}`)
      const left = redactLines(['a', ...lines, 'b', ...body.slice(0, 1)], findSecrets).join('\n')
      for (const line of body.slice(1)) expect(left).not.toContain(line.slice(0, 20))
      expect(left.split('\n').slice(-2)).toEqual(['b', body[0]])
      const cut = lines.slice(0, 4).join('\n')
      for (const line of body.slice(0, 3)) expect(redactText(cut, findSecrets)).not.toContain(line)
    }
  })
})

describe('size', () => {
  test('leaves a picture of 5 MB on one line unchanged', () => {
    const data = chance(1_000_000).repeat(5)
    const line = JSON.stringify({ type: 'image', source: { type: 'base64', data } })
    expect(lineRedactor(findSecrets)(line)).toBe(line)
  })

  test('replaces what is too long to be checked', () => {
    const long = 'a '.repeat(MAX_STRING / 2 + 1)
    expect(redactText(long, findSecrets)).toBe('[redacted: oversized-text]')
    expect(lineRedactor(findSecrets)(JSON.stringify({ a: 1, long }))).toBe(
      '{"a":1,"long":"[redacted: oversized-text]"}',
    )
    const line = lineRedactor(findSecrets)('x'.repeat(MAX_LINE + 1))
    expect(line).toBe('"[redacted: oversized-line]"')
    expect(lineRedactor(findSecrets)(line)).toBe(line)
    expect(redactText('a '.repeat(MAX_STRING / 2), findSecrets)).toHaveLength(MAX_STRING)
  })

  const hostile = [
    'token=',
    'password: ',
    'password ',
    'password is ',
    '| password | `',
    'login: `a` / ',
    '`a`/',
    '--token ',
    '://',
    '://a:',
    'bearer ',
    'eyJ',
    'sk-',
    'xoxb-1-',
    'SG.a.',
    'ghs_1_',
    'ops_ey',
    '-----BEGIN RSA PRIVATE KEY-----',
    '"',
    '\\',
    '\\"',
    '{',
    '\n',
    ' ',
    '[redacted: jwt]',
    'AKIA',
    '=',
  ]
  test.each(hostile)('terminates on an endless %j', (piece) => {
    for (const text of [piece.repeat(20_000), JSON.stringify({ a: piece.repeat(10_000) })]) {
      const once = lineRedactor(findSecrets)(text)
      expect(lineRedactor(findSecrets)(once)).toBe(once)
    }
  })
})

test('joins overlapping finds, named after the first of those that begin together', () => {
  const one = (kind: string, start: number, end: number) => ({ kind, start, end })
  expect(
    joinSecrets([
      one('b', 4, 6),
      one('a', 0, 3),
      one('c', 4, 9),
      one('d', 8, 10),
      one('e', 10, 11),
    ]),
  ).toEqual([one('a', 0, 3), one('b', 4, 10), one('e', 10, 11)])
})
