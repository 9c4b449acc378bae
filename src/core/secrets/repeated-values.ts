/**
 * Values that were recognized as secrets once. They stay secret where nothing precedes that gives them away:
 * `the value is …`. Pure.
 */

import { isRandom } from './secret-values.ts'
import { marker } from './secret.ts'

/** Kinds by value. */
export type SecretValues = Map<string, string>

/** Only random values: a password may also be an ordinary word. The first `MAX_VALUES` count. */
export function remember(values: SecretValues, value: string, kind: string): void {
  if (values.size < MAX_VALUES && value.length <= MAX_LENGTH && isRandom(value))
    values.set(value, kind)
}

const MAX_VALUES = 100
const MAX_LENGTH = 4096

export function withoutValues(text: string, values: SecretValues): string {
  let clean = text
  for (const [value, kind] of values) clean = clean.replaceAll(value, () => marker(kind))
  return clean
}
