/** The detector as a whole, on a made-up key of every provider and on ordinary text. */

import { describe, expect, test } from 'vitest'
import { lineRedactor, redactText } from '../../../src/core/secrets/redact.ts'
import { mayHoldSecret } from '../../../src/core/secrets/may-hold-secret.ts'
import { findSecrets, secretScanner } from '../../../src/io/secrets/secret-scanner.ts'
import { chance, ORDINARY, SECRETS } from '../../support/secrets.ts'

/** What would still help a thief. */
function isLeft(text: string, secret: string): boolean {
  for (let at = 0; at + 8 <= secret.length; at += 4) {
    const piece = secret.slice(at, at + 8)
    if (/^[A-Za-z0-9+/=&]{8}$/.test(piece) && text.includes(piece)) return true
  }
  return false
}

const named = SECRETS.map((sample, i) => ({ ...sample, name: `${sample.kind} ${i}` }))

describe('every shape', () => {
  test.each(named)('$name is found with its kind', ({ text, kind }) => {
    expect(findSecrets(text).map((one) => one.kind)).toContain(kind)
    expect(mayHoldSecret(text)).toBe(true)
  })

  const places: [string, (text: string) => string][] = [
    ['alone', (text) => text],
    ['in a sentence', (text) => `I found ${text}, and wrote it down.`],
    ['after a line', (text) => `first line\n${text}\nlast line`],
    ['in quotes', (text) => `run '${text}' now`],
    ['in backticks', (text) => `\`${text}\``],
    ['in JSON', (text) => JSON.stringify({ type: 'user', content: [{ text }] })],
    ['after an escape', (text) => JSON.stringify({ text: `line\n${text}\tend` })],
    [
      'in JSON in JSON',
      (text) => JSON.stringify({ out: JSON.stringify({ text: `a\n${text}\n` }) }),
    ],
    [
      'three deep',
      (text) => JSON.stringify([JSON.stringify([JSON.stringify({ a: `\n${text}` })])]),
    ],
    ['in escapes', (text) => `{"text":"${escaped(text)}"}`],
    ['in JSON that is cut off', (text) => JSON.stringify({ text: `a\n${text}` }).slice(0, -2)],
    ['in a log line', (text) => `stdout: ${JSON.stringify(`\n${text}\n`)} exit 0`],
  ]

  test.each(places)('is taken out %s', (_, place) => {
    for (const { text, secret, kind } of SECRETS) {
      const whole = place(text)
      const redacted = redactText(whole, findSecrets)
      expect.soft(isLeft(redacted, secret), `${kind}: ${redacted}`).toBe(false)
      expect.soft(redacted, kind).toContain('[redacted: ')
      expect.soft(mayHoldSecret(whole), kind).toBe(true)
      expect.soft(secretScanner.redact(whole), kind).toBe(redacted)
      expect.soft(redactText(redacted, findSecrets), kind).toBe(redacted)
      const line = whole.split('\n').map(lineRedactor(findSecrets))
      expect.soft(line.length, kind).toBe(whole.split('\n').length)
      expect.soft(isLeft(line.join('\n'), secret), `${kind}: ${line.join('\n')}`).toBe(false)
    }
  })
})

/** Each character as `\\uXXXX`, as some agents write what is not a letter. */
function escaped(text: string): string {
  return text.replace(
    /[^A-Za-z]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

describe('ordinary text', () => {
  test.each(ORDINARY)('%s', (text) => {
    for (const whole of [text, `a\n${text}\nb`, JSON.stringify({ text }), JSON.stringify([text])]) {
      expect(redactText(whole, findSecrets)).toBe(whole)
      expect(whole.split('\n').map(lineRedactor(findSecrets)).join('\n')).toBe(whole)
    }
  })

  test('every kind of text at once', () => {
    const all = ORDINARY.join('\n\n')
    expect(secretScanner.redact(all)).toBe(all)
  })
})

describe('a password that a sentence sets off', () => {
  const gone = '[redacted: password]'
  test.each([
    ['contraseña `demo123`', `contraseña \`${gone}\``],
    ['log in as `admin`, password `hunter2`.', `log in as \`admin\`, password \`${gone}\`.`],
    ['Das Passwort **geheim7**', `Das Passwort **${gone}**`],
    ['Das Passwort lautet „geheim7“', `Das Passwort lautet „${gone}“`],
    ['mot de passe : « soleil1 »', `mot de passe : « ${gone} »`],
    ['A senha é "mudar12"', `A senha é "${gone}"`],
    ['密码 `abc123`', `密码 \`${gone}\``],
    ["WITH PASSWORD 'Box2024!'", `WITH PASSWORD '${gone}'`],
    ['the password `123456`', `the password \`${gone}\``],
    ['**Login:** `ada@shop.example` / `Geheim4!`', `**Login:** \`ada@shop.example\` / \`${gone}\``],
    ['DB: `shop` / `shop` / `Geheim4!`', `DB: \`shop\` / \`shop\` / \`${gone}\``],
    [
      'DB: `shop` / `mysql8`, routes: `/a` / `Cart2!`',
      'DB: `shop` / `mysql8`, routes: `/a` / `Cart2!`',
    ],
    // No digit and no mark: it may be the name of a field.
    ['password `letmein`', 'password `letmein`'],
    // Of code, the longer measure.
    ["{ password: 'abc123' }", "{ password: 'abc123' }"],
    ['password: hunter2', 'password: hunter2'],
  ])('%s', (before, after) => {
    expect(secretScanner.redact(before)).toBe(after)
    expect(secretScanner.redact(JSON.stringify({ before }))).toBe(JSON.stringify({ before: after }))
  })
})

describe('only the secret goes', () => {
  const token = `gh${'p_'}${chance(36)}`
  const cases: [string, string][] = [
    [`use ${token}, then go on`, 'use [redacted: github-token], then go on'],
    [`GITHUB_TOKEN=${token}`, 'GITHUB_TOKEN=[redacted: github-token]'],
    ['postgres://app:hunter22x@db/app', 'postgres://app:[redacted: url-password]@db/app'],
    ['{"password":"hunter22x","a":1.10}', '{"password":"[redacted: password]","a":1.10}'],
    [`{"a":"\\u00e9\\/","b":"${token}"}`, '{"a":"\\u00e9\\/","b":"[redacted: github-token]"}'],
    [`{ "x" : 1e400, "${token}" : null }`, '{ "x" : 1e400, "[redacted: github-token]" : null }'],
    [`${token}\r`, '[redacted: github-token]\r'],
    [`?api_key=${chance(18)}&page=2`, '?api_key=[redacted: named-secret]&page=2'],
  ]
  test.each(cases)('%s', (before, after) => {
    expect(secretScanner.redact(before)).toBe(after)
    expect(secretScanner.lineRedactor()(before)).toBe(after)
  })
})
