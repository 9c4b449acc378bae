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

/** Paths, addresses, assignments, what begins with a mark, constants, and names that are counted. */
const NAMED =
  /[/=,;]|^[^A-Za-z\d]|@.*\.[a-z]{2,}$|^[A-Z]+_[A-Z\d_]*$|^(?:arg|col|column|field|hash|input|key|line|name|option|page|param|phase|prop|row|step|test|type|user|value|var|version)\d+$/

/** A password that a sentence sets off: 6 characters, a digit or an odd mark within, and nothing's name. */
export function isSaidPassword(value: string): boolean {
  return (
    value.length >= 6 &&
    /\d|[!@#$%^&?~+](?=[A-Za-z])/.test(value) &&
    !/password|passwd|secret|token/i.test(value) &&
    !NAMED.test(value) &&
    !isPlaceholder(value) &&
    !isWordy(value)
  )
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
