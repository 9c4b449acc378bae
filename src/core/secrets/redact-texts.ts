/**
 * Removes secrets from every text within a value, and keeps the value's structure. What one text gives away is removed
 * from the others as well. Pure.
 */

import { isObject } from '../text/json-values.ts'
import type { SecretValues } from './repeated-values.ts'
import { withoutValues } from './repeated-values.ts'

export function redactTexts<T>(
  value: T,
  redact: (text: string, values: SecretValues) => string,
): T {
  const values: SecretValues = new Map()
  const clean = mapTexts(value, (text) => redact(text, values))
  return values.size === 0 ? clean : mapTexts(clean, (text) => withoutValues(text, values))
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one)
    if (Array.isArray(one)) return one.map(clean)
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, clean(inner)]))
  }
  return clean(value) as T
}
