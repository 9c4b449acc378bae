/**
 * Values that were recognized as secrets once. They stay secret where nothing precedes that gives them away:
 * `the value is …`. Pure.
 */

import { isRandom, isSpokenPassword } from './secret-values.ts'
import { marker } from './secret.ts'

/** Kinds by value. */
export type SecretValues = Map<string, string>

/** Only random values, and passwords that look like no name of a thing. The first `MAX_VALUES` count. */
export function remember(values: SecretValues, value: string, kind: string): void {
  if (values.size >= MAX_VALUES || value.length > MAX_LENGTH) return
  if (isRandom(value) || (kind === 'password' && isUnlikeNames(value))) values.set(value, kind)
}

/** Letters and digits without `-`, `_` or `.`, which join the words of names. */
function isUnlikeNames(value: string): boolean {
  return value.length >= MIN_PASSWORD && !/[-_.]/.test(value) && isSpokenPassword(value)
}

const MIN_PASSWORD = 8
const MAX_VALUES = 100
const MAX_LENGTH = 4096

export function withoutValues(text: string, values: SecretValues): string {
  let clean = text
  for (const [value, kind] of values) clean = clean.replaceAll(value, () => marker(kind))
  return clean
}
