/**
 * Can this text hold a secret at all? Answers at once, without the detector.
 *
 * A necessary condition: whatever the detector finds, this says yes to (tested on the corpus). It spares
 * an ordinary `event add` the loading of the detector.
 */

const NAMES = /pass|pwd|secret|token|credential|key|bearer|authorization/i
const LONG_RUN = /[A-Za-z0-9_~-]{20}/
const USER_IN_URL = /:\/\/[^\s/@]*@/

export function mayHoldSecret(text: string): boolean {
  return LONG_RUN.test(text) || NAMES.test(text) || USER_IN_URL.test(text)
}
