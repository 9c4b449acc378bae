/**
 * Secrets recognized by what precedes them: a name (`password=`, `"api_key": "…"`, `--token …`), an `Authorization`
 * header, or the user part of a URL.
 *
 * A name ends with one of the words of `NAME`, alone or after any prefix, followed by `=`, `:`, `:=`, `=>`, or by white
 * space after `--name`; it may be bold. A password counts from 8 characters that include letters and a digit or symbol.
 * Any other secret counts from 16 characters that include letters and digits and look random. Placeholders, words,
 * variables, code, and values with white space do not count.
 *
 * A value that a sentence sets off after a word for password (in backticks, quotes, or bold; after a verb, a `:`, or a
 * table's `|`) counts from 6 characters. So does the value after the user name of a login: `login: user / password`,
 * each in backticks.
 */

import type { Secret } from './secret.ts'
import { isPassword, isPlaceholder, isRandom, isSpokenPassword } from './secret-values.ts'

const WORD =
  'password|passphrase|mot de passe|contraseña|senha|парол[ья]|密码|密碼|パスワード|비밀번호'
/** Words that also end longer words: `Datenbankpasswort`. */
const COMPOUND = 'passwort|kennwort'
export const PASSWORD = `passwd|pwd|[_-]pass|${WORD}|${COMPOUND}`
export const KEY =
  'secret|token|credentials?|(?:api|access|secret|private|auth|account|encryption|signing|master|deploy)[_-]?key'
export const SUFFIX = '(?:[_-]?(?:production|prod|development|dev|test|staging|live|\\d{1,2}))?'
const ASSIGNMENT = new RegExp(
  `(?:(${PASSWORD})|${KEY})${SUFFIX}(?:["'\`\\\\*]{0,3}\\s{0,3}(?:=>|:=|=|[:：])\\*{0,2}\\s{0,3}|(\\s{1,3}))`,
  'gi',
)
const MEMBER = new RegExp(`(?:(${PASSWORD})|${KEY})${SUFFIX}$`, 'i')
const QUOTED = /\\{0,3}(["'`])([^\s"'`\\]{8,512})/y
const PLAIN = /[^\s"'`\\]{8,512}/y
/** Brackets, and member accesses such as `config.apiKey2`. */
const CODE = /[()[\]{}<>]|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/
/** Punctuation of the text, which is not part of the value. */
const TAIL = /[,;.)\]}>|]+$|&[\w.-]+=.*$/
/** Names of values that are passed around openly. */
const NON_SECRET_NAME =
  /(?:page|next|sync|cursor|continuation|csrf|xsrf|cancel|cancellation)[_-]?$/i

/** Secrets after names, in headers, and in URLs. */
export function namedSecrets(text: string): Secret[] {
  return [
    ...assignedSecrets(text),
    ...spokenPasswords(text),
    ...loginPasswords(text),
    ...headerSecrets(text),
    ...urlSecrets(text),
  ]
}

/** The kind of the secret that a JSON member holds; undefined if its value is not a secret. */
export function memberKind(name: string, value: string): string | undefined {
  if (value.length > 4096 || /\s/.test(value)) return undefined
  const match = MEMBER.exec(name)
  if (match === null || NON_SECRET_NAME.test(name.slice(0, match.index))) return undefined
  return kindOf(match[1] !== undefined, value)
}

function kindOf(isForPassword: boolean, value: string): string | undefined {
  if (CODE.test(value)) return undefined
  if (isForPassword) return isPassword(value) ? 'password' : undefined
  return isRandom(value) ? 'named-secret' : undefined
}

function assignedSecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (const match of text.matchAll(ASSIGNMENT)) {
    const [all, password, space] = match
    const before = text.slice(Math.max(0, match.index - 40), match.index)
    if (space !== undefined && !/--[\w-]*$/.test(before)) continue
    const [start, value] = valueAt(text, match.index + all.length)
    // In `https://x-access-token:…@host`, this is the user part of a URL, not an assignment.
    if (NON_SECRET_NAME.test(before) || (value.includes('@') && /:\/\/\S*$/.test(before))) continue
    const kind = kindOf(password !== undefined, value)
    if (kind !== undefined) found.push({ kind, start, end: start + value.length })
  }
  return found
}

function valueAt(text: string, at: number): [start: number, value: string] {
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)
  if (quoted !== null) {
    const value = quoted[2] ?? ''
    return [QUOTED.lastIndex - value.length, value]
  }
  PLAIN.lastIndex = at
  const plain = PLAIN.exec(text)?.[0] ?? ''
  return [at, plain.replace(TAIL, '')]
}

/** Words for `password` in sentences; `pwd` and `passwd` occur in shells instead. */
export const SPOKEN_WORDS = `${WORD}|${COMPOUND}`

/** The text between the word and the set-off password: ` is now: `. A colon before `"` belongs to code. */
export function phrasing(white: string): string {
  const is = `(?:is|was|has${white}been)(?:${white}now)?(?:${white}(?:(?:re)?set|changed|updated))?(?:${white}to)?`
  return (
    `${SUFFIX}\\*{0,2}(?:${white}{0,20}[:：|是为為は는]\\*{0,2}(?!${white}{0,20}["'])${white}{0,20}|${white}{1,3})` +
    `(?:(?:${is}|to|ist|lautet|auf|est|es|é)${white}{0,3}[:：]?\\*{0,2}${white}{1,3})?`
  )
}

const SPOKEN = new RegExp(
  `(?:(?<![\\w-])(?:${WORD})|(?<!_)(?:${COMPOUND}))${phrasing('\\s')}` +
    '(?:\\*{0,2}(?:["\'`“„‚‘]|«\\s?)|\\*\\*)' +
    '([^\\s*"\'`“”„«»‚‘’\\\\]{6,256})' +
    '(?:["\'`”“’‘]|\\s?»|\\*\\*)',
  'gi',
)

function spokenPasswords(text: string): Secret[] {
  return [...text.matchAll(SPOKEN)].flatMap(({ index, 0: all, 1: said = '' }) => {
    const value = said.replace(TAIL, '')
    if (CODE.test(value) || !isSpokenPassword(value)) return []
    const start = index + all.lastIndexOf(said)
    return [{ kind: 'password', start, end: start + value.length }]
  })
}

/** `Login: \`ada@example.org\` / \`…\``. The words of the first group also precede lists of names. */
const LOGIN =
  /(?<![\w-])(?:(accounts|users|usernames|db|database)|log-?in|sign-?in|credentials?|account|user|username|admin|zugang(?:sdaten)?|identifiants?|usuario|acceso|acesso)\*{0,2}\s?[:：]\*{0,2}\s{1,3}((?:`[^\s`\\]{1,128}`\s?\/\s?){1,4}`[^\s`\\]{1,128}`)/gi
const USER = /^(?:\S+@\S+\.\w+|(?:admin(?:istrator)?|demo|guest|root|test(?:er|user)?|user)\d*)$/i

function loginPasswords(text: string): Secret[] {
  return [...text.matchAll(LOGIN)].flatMap(({ index, 0: all, 1: list, 2: said = '' }) => {
    const parts = [...said.matchAll(/`([^`]+)`/g)]
    const [user = '', second] = parts.map(([, part = '']) => part)
    const isUser = USER.test(user) || user === second
    return parts.slice(1).flatMap(({ index: at, 1: value = '' }) => {
      // Names contain no such symbols, and names of users and databases are in lowercase.
      const isPasswordLike = /.[!@#$%^&]/.test(value) || (isUser && (!list || /[A-Z]/.test(value)))
      if (!isPasswordLike || CODE.test(value) || !isSpokenPassword(value)) return []
      const start = index + all.length - said.length + at + 1
      return [{ kind: 'password', start, end: start + value.length }]
    })
  })
}

const HEADER =
  /(?<![A-Za-z])(?:(authorization["'`\\]{0,3}\s{0,3}[:=]\s{0,3}["'`\\]{0,3}(?:(?:bearer|token|bot|basic)\s{1,3})?)|bearer\s{1,3})([A-Za-z0-9\-._~+/]{12,2048}={0,2})/gi

function headerSecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (const match of text.matchAll(HEADER)) {
    const [all, header = '', value = ''] = match
    const isBasic = /basic\s+$/i.test(header)
    if (isBasic ? !hasColon(value) : !isRandom(value)) continue
    const start = match.index + all.length - value.length
    found.push({ kind: isBasic ? 'basic-auth' : 'bearer-token', start, end: start + value.length })
  }
  return found
}

/** `Basic` is followed by the base64 of `user:password`. */
function hasColon(value: string): boolean {
  try {
    return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(atob(value))
  } catch {
    return false
  }
}

const USER_INFO = /([^\s/?#@:"'`<>\\]{0,256}):([^\s/@"'`<>\\]{4,256})@[A-Za-z0-9[]/y
/** Common users and passwords in tutorials and development containers. */
const WELL_KNOWN_PASSWORD =
  /^(?:pass|passwd|password|pwd|pw|secret|mysecret|mypassword|user|username|root|admin|postgres|mysql|mongo|redis|guest|test|testing|dev|local|demo|foo|bar|token|[A-Z_]+|[xX*]+|[{[%$].*)$/

function urlSecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    USER_INFO.lastIndex = at + 3
    const [, user = '', password = ''] = USER_INFO.exec(text) ?? []
    const start = at + 3 + user.length + 1
    if (password === 'x-oauth-basic') {
      if (isRandom(user)) found.push({ kind: 'url-password', start: at + 3, end: start - 1 })
    } else if (password !== '' && password !== user && !isWellKnown(password)) {
      found.push({ kind: 'url-password', start, end: start + password.length })
    }
  }
  return found
}

function isWellKnown(password: string): boolean {
  return WELL_KNOWN_PASSWORD.test(password) || isPlaceholder(password)
}
