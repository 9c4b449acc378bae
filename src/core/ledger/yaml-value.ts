/**
 * YAML text as plain values that remember how they were written.
 *
 * The document tree is read directly instead of being turned into JavaScript objects: no object keys
 * (`__proto__`), no alias expansion, and `1.10` keeps its zero.
 */

import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import type { Document, Node, ParsedNode } from 'yaml'
import type { DecisionValue } from './event.ts'

export type Value =
  | { readonly kind: 'null'; readonly at: number }
  | ScalarValue
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly at: number; text: string }
  | { readonly kind: 'map'; readonly entries: readonly Entry[]; readonly at: number; text: string }

export interface ScalarValue {
  readonly kind: 'scalar'
  /** The text as written for plain scalars, the string for quoted ones. */
  readonly text: string
  readonly json: Exclude<DecisionValue, null>
  /** Offset in the source text. */
  readonly at: number
}

export interface Entry {
  readonly key: string
  readonly value: Value
  readonly at: number
}

/** Parses one YAML document. Returns undefined when it is not valid YAML. */
export function parseYaml(text: string): Value | undefined {
  try {
    const document = parseDocument(text, {
      logLevel: 'silent',
      prettyErrors: false,
      uniqueKeys: false, // checked by the reader; the library's check is quadratic
    })
    if (document.errors.length > 0) return undefined
    return toValue(document.contents, { document, source: text })
  } catch {
    return undefined // nesting too deep for the parser's stack
  }
}

interface Context {
  readonly document: Document.Parsed
  readonly source: string
}

function toValue(node: ParsedNode | Node | null, context: Context): Value {
  if (node === null) return { kind: 'null', at: 0 }
  const at = node.range?.[0] ?? 0
  if (isAlias(node)) {
    const target = node.resolve(context.document)
    // A collection behind an alias can name itself or grow without bound: read as its own text.
    return target !== undefined && isScalar(target)
      ? { ...scalar(target.value, target.source, at), at }
      : { kind: 'scalar', text: slice(node, context), json: slice(node, context), at }
  }
  if (isScalar(node)) return scalar(node.value, node.source, at)
  if (isSeq(node)) {
    const items = node.items.map((item) => toValue(item as Node | null, context))
    return { kind: 'list', items, at, text: slice(node, context) }
  }
  if (isMap(node)) {
    const entries = node.items.filter(isPair).map((pair): Entry => {
      const key = pair.key as Node | null
      const value = toValue(pair.value as Node | null, context)
      return { key: keyText(key, context), value, at: key?.range?.[0] ?? at }
    })
    return { kind: 'map', entries, at, text: slice(node, context) }
  }
  return { kind: 'null', at }
}

function scalar(value: unknown, source: string | undefined, at: number): Value {
  if (value === null || value === undefined) return { kind: 'null', at }
  if (typeof value === 'string') return { kind: 'scalar', text: value, json: value, at }
  const text = source ?? String(value)
  const isJson = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  return { kind: 'scalar', text, json: isJson ? value : text, at }
}

function keyText(key: Node | null, context: Context): string {
  if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? '')
  return key === null ? '' : slice(key, context)
}

/** The source text of a node on one line. */
function slice(node: Node, context: Context): string {
  const [start, end] = node.range ?? [0, 0]
  return context.source.slice(start, end).replace(/\s+/g, ' ').trim()
}
