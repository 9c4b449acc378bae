/**
 * Texts without secrets: the detector's result, and that the detector is not loaded for texts that cannot contain a
 * secret.
 */

import { expect, test } from 'vitest'
import { linesWithoutSecrets, withoutSecrets } from '../../../src/app/secrets/find-secrets.ts'
import { MAX_STRING } from '../../../src/core/secrets/redact.ts'
import { secretScanner } from '../../../src/io/secrets/secret-scanner.ts'
import { SECRETS } from '../../support/secrets.ts'

const load = () => Promise.resolve(secretScanner)
const refuse = () => Promise.reject(new Error('loaded'))

test('returns a text that can contain no secret unchanged, without loading the detector', async () => {
  const said = { now: 'The parser is in place.', next: ['Read "numbers"\n'], reason: undefined }
  expect(await withoutSecrets(said, refuse)).toEqual(said)
  expect(await linesWithoutSecrets(['{"a":"b"}', 'plain', ''], refuse)).toEqual([
    '{"a":"b"}',
    'plain',
    '',
  ])
})

test('removes a secret from every text in a value', async () => {
  for (const { text, secret, kind } of SECRETS) {
    const told = await withoutSecrets({ now: 'x', next: ['y', `say "${text}"`] }, load)
    expect.soft(told.next, kind).toEqual(['y', secretScanner.redact(`say "${text}"`)])
    expect.soft(told.next.join(''), kind).not.toContain(secret)
  }
})

/** Random, but nothing in it shows what it is. */
const VALUE = `3f9c${'0a7d51e8'.repeat(2)}b2649d`

test('removes a value wherever it recurs, once a name or a header has given it away', async () => {
  const header = `curl -H "Authorization: Bearer ${VALUE}" https://example.invalid`
  const prose = `Set the variable to the value \`${VALUE}\`.`
  const gone = 'Set the variable to the value `[redacted: bearer-token]`.'
  expect(secretScanner.redact(`${prose}\n${header}`)).toMatch(/^Set .*`\[redacted: bearer-token\]`/)
  expect(await withoutSecrets({ now: prose, next: [header] }, load)).toMatchObject({ now: gone })
  // Before it as well as after it, and in JSON.
  const lines = [prose, JSON.stringify({ text: prose }), header, prose]
  const [first, json = '', , last] = await linesWithoutSecrets(lines, load)
  expect([first, last]).toEqual([gone, gone])
  expect(JSON.parse(json)).toEqual({ text: gone })
  const member = JSON.stringify({ CRON_SECRET: VALUE })
  expect((await linesWithoutSecrets([prose, member], load)).join('')).not.toContain(VALUE)
  // Nothing gives it away.
  expect(await linesWithoutSecrets([prose], load)).toEqual([prose])
  expect(await withoutSecrets({ now: prose }, load)).toEqual({ now: prose })
})

test('removes a password wherever it recurs, once a word for password has given it away', async () => {
  const password = `camera${'4'.repeat(2)}19ab`
  const lines = [`10.0.0.5 / admin / ${password}`, `The password is \`${password}\`.`]
  expect(await linesWithoutSecrets(lines, load)).toEqual([
    '10.0.0.5 / admin / [redacted: password]',
    'The password is `[redacted: password]`.',
  ])
})

test('leaves a password that may be a word where nothing gives it away', async () => {
  const lines = ['password=footer-2-menu!', 'The class is footer-2-menu! now.']
  expect((await linesWithoutSecrets(lines, load))[1]).toBe(lines[1])
})

test('redacts lines as the detector does, including lines inside a private key', async () => {
  const mark = (word: string) => `-----${word} PRIVATE ${'KEY'}-----`
  const body = 'aGVsbG8gd29ybGQgYW5kIG1vcmU'
  const lines = ['{"a":"b"}', 'plain', mark('BEGIN'), body, mark('END'), 'plain again']
  const redact = secretScanner.lineRedactor()
  const clean = await linesWithoutSecrets(lines, load)
  expect(clean).toEqual(lines.map((line) => redact(line)))
  expect(clean.join('\n')).not.toContain(body)
})

test('replaces texts that are too long to be searched', async () => {
  const long = 'a '.repeat(MAX_STRING / 2 + 1)
  expect(await withoutSecrets(long, load)).toBe('[redacted: oversized-text]')
  expect(await linesWithoutSecrets(['x', JSON.stringify(long)], load)).toEqual([
    'x',
    JSON.stringify('[redacted: oversized-text]'),
  ])
})
