/**
 * Is a value random, as machines make secrets, or words that a person wrote?
 *
 * Names decide what is looked at, these functions decide what counts. No value counts by its entropy
 * alone: git ids, check sums and pictures have as much of it as keys.
 */

const PLACEHOLDER =
  /\.\.\.|…|\*{3}|<[^>]*>|\$\{|\{\{|^\$[A-Za-z_]|^%[A-Za-z_]+%$|process\.env|environ|example|placeholder|change[-_]?me|redacted|your[-_]|dummy|insert[-_]/i

/** What documentation writes where a secret would be: `ghp_xxxxxxxx`, `<your-key>`, `$API_KEY`. */
export function isPlaceholder(value: string): boolean {
  if (PLACEHOLDER.test(value)) return true
  const run = longestRun(value)
  return run >= 4 && run * 3 >= value.length
}

/** The longest repetition of one character. */
function longestRun(value: string): number {
  let longest = 0
  let start = 0
  for (let i = 1; i <= value.length; i++) {
    if (i < value.length && value[i] === value[start]) continue
    longest = Math.max(longest, i - start)
    start = i
  }
  return longest
}

/** Shannon's entropy in bits for each character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

const WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,4}|[a-z]+(?:[A-Z][a-z]+)+)$/
const TECHNICAL =
  /^(?:argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|sha\d{1,3}|hmac|hs\d{3}|rs\d{3}|es\d{3}|md5|aes\d*|oauth2?|base64|utf8|utf16|ed25519|x25519|p256|rsa\d*|http2?|s3|ec2|k8s|i18n|l10n|ipv[46]|\d+(?:ms|s|m|h|d|px|kb|mb|gb|k))$/i

/** Words, numbers and names of algorithms joined by marks: `session-2-id`, `argon2id`, `user.name`. */
function isWordy(value: string): boolean {
  return value
    .split(/[-_.:/\\]+/)
    .every((part) => part === '' || WORD.test(part) || TECHNICAL.test(part))
}

/** At least 16 characters with letters and digits and the spread of chance. */
export function isRandom(value: string): boolean {
  return (
    value.length >= 16 &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    entropy(value) >= 3 &&
    !isPlaceholder(value) &&
    !isWordy(value)
  )
}

/** Git's ids count nowhere, short ones and whole ones; chance does not count up. */
const GIT_ID = /^(?!.*1234)(?:[\da-f]{7,12}|[\da-f]{40})$/
/** What else a sentence about passwords sets off. */
const THINGS = [
  // Digits, and what examples of weak passwords are.
  /^(?:\d+|abc123|123abc|qwerty\d+|1q2w3e\w*|p[a@]ssw0rd\W?\d*\W?)$/i,
  // Paths, assignments, flags, selectors, variables; base64 ends in `=`.
  /[/,;]|=(?!=?$)|^[^\p{L}\d]/u,
  // Files, addresses, versions of packages, revisions.
  /\.[a-z]+$|@v?\d{1,2}(?:\.|$)|^HEAD|~\d$/,
  // Constants, and numbers of errors and standards.
  /^[A-Z]+(?:_[A-Z\d_]*|-?\d+)$/,
  /argon2|[bs]crypt|pbkdf2|\bsha1|sha(?:256|384|512)|md5|pkcs|base(?:32|58|64)|utf-?\d|oauth\d|saml\d|wpa\d|2fa/i,
  // Names that are counted, and names of code.
  /(?:^|[-_.])(?:account|arg|button|col|column|confirm|email|field|form|hash|input|item|key|label|line|login|name|new|old|option|page|param|phase|prop|pwd|pw|row|step|test|testid|text|type|user|value|var|version|view)\d{1,2}$/i,
  /^(?:[a-z]+(?:[A-Z][a-z]+)+\d{1,2}|[A-Za-z][a-z]+\d{1,2}[A-Z][A-Za-z]+)$/,
]

/** A password that a sentence sets off: 6 characters, a digit or an odd mark within, and nothing's name. */
export function isSaidPassword(value: string): boolean {
  if (GIT_ID.test(value) || /password|passwd|secret|token/i.test(value)) return false
  if (isGenerated(value)) return true
  // `@dm1n`, `$hop2024`: a mark in a letter's place.
  const word = value.replace(/^[!@$](?=[a-z]{1,4}[013457][a-z]|[a-z]+\d{4})/i, '')
  return (
    value.length >= 6 &&
    /\d|[!@#$%^&?~+](?=[A-Za-z])/.test(word) &&
    !THINGS.some((thing) => thing.test(word)) &&
    !isPlaceholder(word) &&
    !isWordy(word)
  )
}

/** Base64, which holds `/` like a path, but no words: its runs of like letters are short. */
function isGenerated(value: string): boolean {
  if (!/^[\w+/-]+={0,2}$/.test(value) || !/[A-Z]/.test(value) || !isRandom(value)) return false
  return (value.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length * 3 >= value.length
}

/** A secret somebody thought up: 8 characters, letters with a digit or an odd mark, no word of code. */
export function isPassword(value: string): boolean {
  return (
    value.length >= 8 &&
    /[A-Za-z]/.test(value) &&
    /[\d!@#$%^&*?~+]/.test(value) &&
    !/password|passwd|secret|token/i.test(value) &&
    !isPlaceholder(value) &&
    !isWordy(value)
  )
}
