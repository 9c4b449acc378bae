/**
 * Can this text hold a secret at all? Answers at once, without the detector.
 *
 * A necessary condition: whatever the detector finds, this says yes to (tested on the corpus). It spares
 * an ordinary `event add` the loading of the detector.
 */

const RUN = /[A-Za-z0-9_.~%-]{20,}/g
/** A name before a value, a header, the user of a URL, a key's first line. */
const CONTEXT =
  /(?:pass|pwd|secret|token|credential|key)[\w-]{0,20}["'`\\]{0,3}\s{0,3}[:=]|--[\w-]*(?:pass|pwd|secret|token|credential|key)|authorization|(?:bearer|basic)\s{1,3}\S{12}|:\/\/[^\s/@]*@|[?&;]sig=|whsec_|hooks\.slack|PRIVATE KEY/i

export function mayHoldSecret(text: string): boolean {
  if (CONTEXT.test(text)) return true
  // Names of branches and files are long, too, but in small letters.
  for (const [run] of text.matchAll(RUN)) if (/[A-Z\d]/.test(run)) return true
  return false
}
