/** Fields of JSON that others wrote: a value of the wanted type, or undefined. Nothing here throws. */

import { isObject, parseJson } from './json-values.ts'

export type Fields = Readonly<Record<string, unknown>>

export const NO_FIELDS: Fields = Object.freeze({})

/** A JSON object; undefined for anything else. */
export function parseFields(text: string): Fields | undefined {
  return asFields(parseJson(text))
}

/** The objects among these values; others are skipped. */
export function objectsIn(values: readonly unknown[]): Fields[] {
  return values.map(asFields).filter((value) => value !== undefined)
}

/** The JSON objects among these lines. */
export function parseRecords(lines: readonly string[]): Fields[] {
  return lines.map(parseFields).filter((record) => record !== undefined)
}

export function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

/** The object in a field; empty if there is none. */
export function fieldsIn(fields: Fields, key: string): Fields {
  return asFields(own(fields, key)) ?? NO_FIELDS
}

export function listIn(fields: Fields, key: string): readonly unknown[] {
  const value = own(fields, key)
  return Array.isArray(value) ? value : []
}

/** A string that is not blank. */
export function textIn(fields: Fields, key: string): string | undefined {
  const value = own(fields, key)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Inherited keys (`__proto__`, `constructor`) are not fields. */
export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** An absolute path without NUL bytes, which would make every system call throw. */
export function pathIn(fields: Fields, key: string): string | undefined {
  const path = textIn(fields, key)
  return path?.startsWith('/') === true && isPath(path) ? path : undefined
}

/** System calls accept neither a longer path nor one with a NUL byte. */
export function isPath(path: string): boolean {
  return path.length <= 4096 && !path.includes('\0')
}

/** A short word such as a reason or an id. */
export function wordIn(fields: Fields, key: string): string | undefined {
  const text = textIn(fields, key)
  return text === undefined || text.length > 200 ? undefined : text
}
