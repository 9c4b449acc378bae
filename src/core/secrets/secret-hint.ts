/**
 * Can this text hold a secret at all? Answers at once, without the detector.
 *
 * A necessary condition: whatever the detector finds, this says yes to (tested on the corpus). It spares
 * an ordinary `event add` the loading of the detector.
 */

/** Shorter words without a context are no secrets. */
const LONG = 20

/** A name before a value, a header, the user of a URL, a key's first line. */
const CONTEXT =
  /(?:pass|pwd|secret|token|credential|key)[\w-]{0,20}["'`\\]{0,3}\s{0,3}[:=]|--[\w-]*(?:pass|pwd|secret|token|credential|key)|authorization|(?:bearer|basic)\s{1,3}\S{12}|:\/\/[^\s/@]*@|[?&;]sig=|whsec_|hooks\.slack|PRIVATE KEY/i

export function mayHoldSecret(text: string): boolean {
  return CONTEXT.test(text) || hasLongWord(text)
}

/** Names of branches and files are long, too, but in small letters. No pattern: V8 cannot match megabytes. */
function hasLongWord(text: string): boolean {
  let length = 0
  let isMixed = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isOther = isDigit(code) || isCapital(code)
    if (!isOther && !isSmall(code) && !MARKS.has(code)) {
      length = 0
      isMixed = false
      continue
    }
    length += 1
    isMixed ||= isOther
    if (isMixed && length >= LONG) return true
  }
  return false
}

const MARKS = new Set([...'_.~%-'].map((mark) => mark.charCodeAt(0)))
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isCapital = (code: number) => code >= 0x41 && code <= 0x5a
const isSmall = (code: number) => code >= 0x61 && code <= 0x7a
