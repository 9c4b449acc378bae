/** Removes secrets from every text within a value, and keeps the value's structure. Pure. */

import { isObject } from '../text/json-values.ts'

export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return redact(one)
    if (Array.isArray(one)) return one.map(clean)
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, clean(inner)]))
  }
  return clean(value) as T
}
