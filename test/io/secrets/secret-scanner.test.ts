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

describe('a secret of any kind', () => {
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

  test.each(places)('is removed %s', (_, place) => {
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

/** Writes characters as `\uXXXX`, as some agents do with those that are not letters. */
function escaped(text: string): string {
  return text.replace(
    /[^A-Za-z]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

describe('ordinary text is unchanged', () => {
  test.each(ORDINARY)('%s', (text) => {
    for (const whole of [text, `a\n${text}\nb`, JSON.stringify({ text }), JSON.stringify([text])]) {
      expect(redactText(whole, findSecrets)).toBe(whole)
      expect(whole.split('\n').map(lineRedactor(findSecrets)).join('\n')).toBe(whole)
    }
  })

  test('all samples in one text', () => {
    const all = ORDINARY.join('\n\n')
    expect(secretScanner.redact(all)).toBe(all)
  })
})

/** What is removed is in `<…>`. */
const SAID: readonly string[] = [
  'contraseña `<demo123>`',
  'log in as `admin`, password `<hunter2>`.',
  'Das Passwort **<geheim7>**',
  'Das Passwort lautet „<geheim7>“',
  'mot de passe : « <soleil1> »',
  'A senha é "<mudar12>"',
  '密码 `<abc123x>`',
  "WITH PASSWORD '<Box2024!>'",
  // Verbs, with a colon or without.
  'the password is: `<Geheim42!>`',
  'Das Passwort lautet: `<Geheim42!>`',
  'La contraseña es: `<Geheim42!>`',
  'Le mot de passe est : `<Geheim42!>`',
  'the password is now\n`<Geheim42!>`',
  'changed the password to `<Geheim42!>`',
  'the password was set to **<Geheim42!>**',
  'the password has been reset to `<Geheim42!>`',
  'Passwort auf `<Geheim42!>` geändert',
  '密码是 `<abc12345>`',
  '密码是`<abc12345>`',
  'パスワードは `<demo123>`',
  // Words that end in the word for a password.
  'Das Admin-Passwort ist `<Geheim42!>`',
  'Das Datenbankpasswort lautet „<Geheim42>“',
  // A row of a table.
  '| Password | `<Geheim42!>` |',
  '| **Passwort**   | `<Geheim42!>` |',
  // Generated passwords, with the marks of paths, and passwords that look a little like names.
  `The admin password is \`<${chance(11)}/${chance(10, undefined, 2)}==>\`.`,
  `The admin password is \`<${chance(15, undefined, 3)}+7==>\`.`,
  `The admin password is \`<${chance(100, undefined, 4)}>\`, or password \`<${chance(11)}=>\`.`,
  'the password `<@dm1nPass>`, the password `<$tr0ngpw1>`, the password `<@Summer2024>`',
  'Passwort `<Änderung7>`, mot de passe `<élan4242>`',
  'password `<admin@123>`, password `<monkey1>`, password `<Natasha2>`, password `<12345678a>`',
  // Of a login.
  '**Login:** `ada@shop.example` / `<Geheim4!>`',
  '**DB:** `shop` / `shop` / `<Geheim4!>`',
  'DB: `shop` / `shop` / `<Geheim4!>` / `localhost`',
  'DB: `shop` / `owner` / `<Geheim4!>`',
  'DB: `shop` / `shop` / `<Geheim42>`',
  'Login: `admin` / `<admin123>`',
  'User: `admin` / `<admin123>`',
  'Demo credentials: `ada@shop.example` / `<demo1234>`',
  'Credentials: `admin` / `<hunter2x>`',
]

/** Names of things that may also follow the word for a password. */
const THINGS =
  'sha512crypt md5sum base64url PKCS12 pkcs8pem Argon2Hasher useOAuth2 Uint8Array Form2FA WPA2-PSK confirm2 newPwd2 ' +
  'login2 account2 Field2 data-testid2 addressLine2 AUTH12 RFC7617 TS-2322 auth-2fa.ts login-v2b.test.ts bcrypt@5.1.0 ' +
  `react@18 HEAD~1 main~2 getUser2() min_length=8 --with-2fa --use-v2x src/core/OAuth2Login/Form3Page api/v1/a2/b3/c4x useOAuth2TokenRefresh2 abc123 123456 9f2c41ab ${chance(40, '0123456789abcdef')}`

const UNSAID: readonly string[] = [
  // No digit and no mark: it may be the name of a field.
  'password `letmein`',
  // In code, the stricter minimum length applies.
  "{ password: 'abc12x' }",
  "password: 'abc12x' | null, password | 'abc12x'",
  'password: hunter2',
  'the password `123456` is refused as too weak; tests that the password "abc123" is rejected',
  // Words of the shell and of its files.
  'pwd: `app2x7`; echo $PWD "out2dir"; /etc/passwd "uid1000x"; wpa_passphrase "SSID-2x4"; DB_KENNWORT "abc12x"',
  'DB: `shop` / `mysql8`, routes: `/a` / `Cart2!`',
  'Database: `PostgreSQL` / `MySQL8`, DB: `MySQL5` / `MySQL8`',
  'DB: `utf8` / `utf8mb4_0900_AI_ci`, DB: `users2` / `orders2` / `items2x`',
  'Login: `Login.tsx` / `Login2FA.tsx`, Login: `401` / `HTTP401`, Login: `Ctrl+L` / `Cmd+Shift+L`',
  'Users: `getUsers()` / `getUserV2()`, User: `user.firstName` / `user.addressLine2`',
  'Sign-in: `OAuth2` / `SAML2.0`, Users: `admin` / `editor1` / `viewer2`',
]

describe('a password introduced by a sentence', () => {
  test.each([...SAID, ...UNSAID])('%s', (marked) => {
    const before = marked.replace(/[<>]/g, '')
    const after = marked.replace(/<[^>]*>/g, '[redacted: password]')
    expect(mayHoldSecret(before) || before === after).toBe(true)
    expect(secretScanner.redact(before)).toBe(after)
    expect(secretScanner.redact(JSON.stringify({ before }))).toBe(JSON.stringify({ before: after }))
  })

  test.each(THINGS.split(' '))('%s is a thing, not a password', (thing) => {
    for (const text of [
      `the password \`${thing}\``,
      `the password is: "${thing}"`,
      `changed the password to **${thing}**`,
      `| Password | \`${thing}\` |`,
      `Login: \`admin\` / \`${thing}\``,
    ])
      expect.soft(findSecrets(text), text).toEqual([])
  })
})

describe('only the secret is removed', () => {
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
