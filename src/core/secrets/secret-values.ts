/**
 * Decides whether a value is random, as secrets made by machines are, or consists of words that a person wrote.
 *
 * Names decide which values are checked, and these functions decide which count. Entropy alone is never enough: git
 * ids, checksums, and pictures have as much as keys.
 */

const PLACEHOLDER =
  /\.\.\.|…|\*{3}|<[^>]*>|\$\{|\{\{|^\$[A-Za-z_]|^%[A-Za-z_]+%$|process\.env|environ|example|placeholder|change[-_]?me|redacted|your[-_]|dummy|insert[-_]/i

/** Text that documentation uses in place of a secret: `ghp_xxxxxxxx`, `<your-key>`, `$API_KEY`. */
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

/** Shannon entropy in bits per character. */
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

/** Words, numbers, and names of algorithms joined by punctuation: `session-2-id`, `argon2id`, `user.name`. */
function isWordy(value: string): boolean {
  return value
    .split(/[-_.:/\\]+/)
    .every((part) => part === '' || WORD.test(part) || TECHNICAL.test(part))
}

/** At least 16 characters, with letters and digits, that look random. */
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

/** Git ids, short or full, never count. A value with `1234` is not taken for one: random digits rarely count up. */
const GIT_ID = /^(?!.*1234)(?:[\da-f]{7,12}|[\da-f]{40})$/
/** Other values that a sentence about passwords may set off. */
const NOT_PASSWORDS = [
  // Digits, and common examples of weak passwords.
  /^(?:\d+|abc123|123abc|qwerty\d+|1q2w3e\w*|p[a@]ssw0rd\W?\d*\W?)$/i,
  // Paths, assignments, flags, selectors, variables; base64 ends with `=`.
  /[/,;]|=(?!=?$)|^[^\p{L}\d]/u,
  // Files, addresses, package versions, revisions.
  /\.[a-z]+$|@v?\d{1,2}(?:\.|$)|^HEAD|~\d$/,
  // Constants, and numbers of errors and standards.
  /^[A-Z]+(?:_[A-Z\d_]*|-?\d+)$/,
  /argon2|[bs]crypt|pbkdf2|\bsha1|sha(?:256|384|512)|md5|pkcs|base(?:32|58|64)|utf-?\d|oauth\d|saml\d|wpa\d|2fa/i,
  // Numbered names, and identifiers in code.
  /(?:^|[-_.])(?:account|arg|button|col|column|confirm|email|field|form|hash|input|item|key|label|line|login|name|new|old|option|page|param|phase|prop|pwd|pw|row|step|test|testid|text|type|user|value|var|version|view)\d{1,2}$/i,
  /^(?:[a-z]+(?:[A-Z][a-z]+)+\d{1,2}|[A-Za-z][a-z]+\d{1,2}[A-Z][A-Za-z]+)$/,
]

/** A password that a sentence sets off: 6 characters, including a digit or symbol, and not a known kind of name. */
export function isSpokenPassword(value: string): boolean {
  if (GIT_ID.test(value) || /password|passwd|secret|token/i.test(value)) return false
  if (isGenerated(value)) return true
  // `@dm1n`, `$hop2024`: a symbol in place of a letter.
  const word = value.replace(/^[!@$](?=[a-z]{1,4}[013457][a-z]|[a-z]+\d{4})/i, '')
  return (
    value.length >= 6 &&
    /\d|[!@#$%^&?~+](?=[A-Za-z])/.test(word) &&
    !NOT_PASSWORDS.some((pattern) => pattern.test(word)) &&
    !isPlaceholder(word) &&
    !isWordy(word)
  )
}

/** Base64, which contains `/` like a path but no words: its runs of similar characters are short. */
function isGenerated(value: string): boolean {
  if (!/^[\w+/-]+={0,2}$/.test(value) || !/[A-Z]/.test(value) || !isRandom(value)) return false
  return (value.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length * 3 >= value.length
}

/** A password made up by a person: 8 characters, letters with a digit or symbol, and not a word used in code. */
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
