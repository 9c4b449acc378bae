/** JSON that somebody else may have written: checks of values, without exceptions. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** An integer of at least zero. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export type Guard<T> = (value: unknown) => value is T

/** The type that each field of an object must have. */
export type Guards<T> = { readonly [K in keyof T]-?: Guard<T[K]> }

export function oneOf<const T extends string>(...words: readonly T[]): Guard<T> {
  return (value): value is T => isText(value) && (words as readonly string[]).includes(value)
}

export function listOf<T>(accepts: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(accepts)
}

export function maybe<T>(accepts: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || accepts(value)
}

export function withFields<T>(guards: Guards<T>): Guard<T> {
  const checks = Object.entries<Guard<unknown>>(guards)
  return (value): value is T =>
    isObject(value) && checks.every(([key, accepts]) => accepts(value[key]))
}

/** Undefined also for a text that is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return undefined
  }
}

/** Empty if the text is not a JSON object. */
export function parseObject(text: string | undefined): Record<string, unknown> {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** The value as the text of a file: indented, with a final line break. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
