/**
 * Secrets known by what stands before them: a name (`password=`, `"api_key": "…"`, `--token …`), an
 * `Authorization` header, the user part of a URL.
 *
 * What counts. A name ends in one of the words of `NAME`, alone or after any prefix, before `=`, `:`,
 * `:=`, `=>`, or white space after `--name`, in bold or not. A password counts from 8 characters with letters and a
 * digit or an odd mark; any other secret from 16 with letters, digits and the spread of chance.
 * Placeholders, words, variables and code do not count; nor does a value with white space in it.
 *
 * What a sentence sets off behind the word for a password (backticks, quotes, bold; behind a verb, a `:` or the line of a
 * table) counts from 6 characters, and so does what stands behind the user of a login: `login: user / password`, in
 * backticks each.
 */

import type { Secret } from './secret.ts'
import { isPassword, isPlaceholder, isRandom, isSaidPassword } from './secret-values.ts'

const WORD =
  'password|passphrase|mot de passe|contraseña|senha|парол[ья]|密码|密碼|パスワード|비밀번호'
/** They end longer words: `Datenbankpasswort`. */
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
/** Brackets, and members such as `config.apiKey2`. */
const CODE = /[()[\]{}<>]|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/
/** Marks of a text, not of a value. */
const TAIL = /[,;.)\]}>|]+$|&[\w.-]+=.*$/
/** Names of things that are passed around in the open. */
const OPEN_NAME = /(?:page|next|sync|cursor|continuation|csrf|xsrf|cancel|cancellation)[_-]?$/i

/** Values after names, in headers and in URLs. */
export function namedSecrets(text: string): Secret[] {
  return [
    ...assignedSecrets(text),
    ...saidPasswords(text),
    ...loginPasswords(text),
    ...headerSecrets(text),
    ...urlSecrets(text),
  ]
}

/** The kind of a value that stands under a name in JSON; undefined when it is none. */
export function memberKind(name: string, value: string): string | undefined {
  if (value.length > 4096 || /\s/.test(value)) return undefined
  const match = MEMBER.exec(name)
  if (match === null || OPEN_NAME.test(name.slice(0, match.index))) return undefined
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
    // `https://x-access-token:…@host` is a URL's user, not an assignment.
    if (OPEN_NAME.test(before) || (value.includes('@') && /:\/\/\S*$/.test(before))) continue
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

/** What a sentence says `password` with; `pwd` and `passwd` are the shell's. */
export const SAYABLE = `${WORD}|${COMPOUND}`

/** From behind the word to what sets the password off: ` is now: `. Before `"`, a colon is code's. */
export function saying(white: string): string {
  const is = `(?:is|was|has${white}been)(?:${white}now)?(?:${white}(?:re)?set|${white}changed)?(?:${white}to)?`
  return (
    `${SUFFIX}\\*{0,2}(?:${white}{0,20}[:：|是为為は는]\\*{0,2}(?!${white}{0,20}["'])${white}{0,20}|${white}{1,3})` +
    `(?:(?:${is}|to|ist|lautet|auf|est|es|é)${white}{0,3}[:：]?\\*{0,2}${white}{1,3})?`
  )
}

const SAID = new RegExp(
  `(?:(?<![\\w-])(?:${WORD})|(?<!_)(?:${COMPOUND}))${saying('\\s')}` +
    '(?:\\*{0,2}(?:["\'`“„‚‘]|«\\s?)|\\*\\*)' +
    '([^\\s*"\'`“”„«»‚‘’\\\\]{6,256})' +
    '(?:["\'`”“’‘]|\\s?»|\\*\\*)',
  'gi',
)

function saidPasswords(text: string): Secret[] {
  return [...text.matchAll(SAID)].flatMap(({ index, 0: all, 1: said = '' }) => {
    const value = said.replace(TAIL, '')
    if (CODE.test(value) || !isSaidPassword(value)) return []
    const start = index + all.lastIndexOf(said)
    return [{ kind: 'password', start, end: start + value.length }]
  })
}

/** `Login: \`ada@example.org\` / \`…\``; those of the first group also stand before lists of names. */
const LOGIN =
  /(?<![\w-])(?:(accounts|users|usernames|db|database)|log-?in|sign-?in|credentials?|account|user|username|admin|zugang(?:sdaten)?|identifiants?|usuario|acceso|acesso)\*{0,2}\s?[:：]\*{0,2}\s{1,3}((?:`[^\s`\\]{1,128}`\s?\/\s?){1,4}`[^\s`\\]{1,128}`)/gi
const USER = /^(?:\S+@\S+\.\w+|(?:admin(?:istrator)?|demo|guest|root|test(?:er|user)?|user)\d*)$/i

function loginPasswords(text: string): Secret[] {
  return [...text.matchAll(LOGIN)].flatMap(({ index, 0: all, 1: list, 2: said = '' }) => {
    const parts = [...said.matchAll(/`([^`]+)`/g)]
    const [user = '', second] = parts.map(([, part = '']) => part)
    const isUser = USER.test(user) || user === second
    return parts.slice(1).flatMap(({ index: at, 1: value = '' }) => {
      // Names have no odd mark within, and those of users and databases small letters.
      const isMeant = /.[!@#$%^&]/.test(value) || (isUser && (!list || /[A-Z]/.test(value)))
      if (!isMeant || CODE.test(value) || !isSaidPassword(value)) return []
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

/** `Basic` is followed by base64 of `user:password`. */
function hasColon(value: string): boolean {
  try {
    return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(atob(value))
  } catch {
    return false
  }
}

const USER_INFO = /([^\s/?#@:"'`<>\\]{0,256}):([^\s/@"'`<>\\]{4,256})@[A-Za-z0-9[]/y
/** What tutorials and containers for development call their users and passwords. */
const OPEN_PASSWORD =
  /^(?:pass|passwd|password|pwd|pw|secret|mysecret|mypassword|user|username|root|admin|postgres|mysql|mongo|redis|guest|test|testing|dev|local|demo|foo|bar|token|[A-Z_]+|[xX*]+|[{[%$].*)$/

function urlSecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    USER_INFO.lastIndex = at + 3
    const [, user = '', password = ''] = USER_INFO.exec(text) ?? []
    const start = at + 3 + user.length + 1
    if (password === 'x-oauth-basic') {
      if (isRandom(user)) found.push({ kind: 'url-password', start: at + 3, end: start - 1 })
    } else if (password !== '' && password !== user && !isOpen(password)) {
      found.push({ kind: 'url-password', start, end: start + password.length })
    }
  }
  return found
}

function isOpen(password: string): boolean {
  return OPEN_PASSWORD.test(password) || isPlaceholder(password)
}
