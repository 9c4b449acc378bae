/** JSON that somebody else may have written: values as they turn out to be, never an exception. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** A whole number from zero on. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Undefined for a text that is no JSON, too. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return undefined
  }
}

/** Empty for what is no JSON object. */
export function parseObject(text: string | undefined): Record<string, unknown> {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** As a file: indented, with a final line break. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
