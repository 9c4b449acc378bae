/**
 * YAML text as plain values that remember their source text.
 *
 * The document tree is read directly instead of being converted to JavaScript objects, so that there are no object
 * keys (`__proto__`) and no alias expansion, and `1.10` keeps its zero.
 */

import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'
import type { DocumentOptions, Node, ParsedNode, ParseOptions, SchemaOptions } from 'yaml'
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

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  logLevel: 'error', // 'silent' would also hide a second document
  prettyErrors: false,
  uniqueKeys: false, // checked by the reader; the library's check is quadratic
}

/** Why a text is not valid YAML, as `line 3: reason`, for people; undefined if it is valid. */
export function whyNoYaml(text: string): string | undefined {
  if (isTooDeep(text)) return 'nested too deeply'
  try {
    const [error] = parseDocument(text, OPTIONS).errors
    if (error === undefined) return undefined
    return `line ${lineLookup(text, 1)(error.pos[0])}: ${error.message.split('\n')[0]}`
  } catch {
    return 'the YAML library cannot parse it'
  }
}

/** Parses one YAML document. Undefined if it is not valid YAML. */
export function parseYaml(text: string): Value | undefined {
  if (isTooDeep(text)) return undefined
  try {
    const document = parseDocument(text, OPTIONS)
    if (document.errors.length > 0) return undefined
    return toValue(document.contents, { source: text, anchors: new Map(), aliases: 0 })
  } catch {
    return undefined // the library throws on some documents
  }
}

/** Deeper documents are not read, because the available stack differs between processes. */
const MAX_DEPTH = 64

/** True if flow brackets, list markers on one line, or indentation are nested too deeply. Runs in linear time. */
function isTooDeep(text: string): boolean {
  const indents: number[] = []
  let flow = 0
  for (const line of text.split('\n')) {
    const lead = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)?.[0] ?? ''
    if (lead.length === line.length) continue
    if (/^[A-Za-z_]/.test(line)) flow = 0 // an unindented key is outside any bracket
    while ((indents.at(-1) ?? -1) >= lead.length) indents.pop()
    indents.push(lead.length)
    const markers = lead.replace(/[ \t]/g, '').length
    if (indents.length + markers > MAX_DEPTH) return true
    for (let i = lead.length; i < line.length; i++) {
      const unit = line.charCodeAt(i)
      if (unit === 91 || unit === 123) flow += 1
      else if ((unit === 93 || unit === 125) && flow > 0) flow -= 1
      if (flow > MAX_DEPTH) return true
    }
  }
  return false
}

/** Number of aliases that are followed; further ones are read as text (`*name`). */
const MAX_ALIASES = 100
/** Maximum length of a text that an alias may repeat, in UTF-16 units. */
const MAX_ALIAS_TEXT = 2000

interface Context {
  readonly source: string
  /** Scalars by anchor, as found so far. The library's own lookup takes linear time for each alias. */
  readonly anchors: Map<string, Value>
  aliases: number
}

function toValue(node: ParsedNode | Node | null, context: Context): Value {
  if (node === null) return { kind: 'null', at: 0 }
  const at = node.range?.[0] ?? 0
  if (isAlias(node)) {
    context.aliases += 1
    const target = context.aliases > MAX_ALIASES ? undefined : context.anchors.get(node.source)
    // A collection behind an alias may contain itself or grow without bound, so the alias is read as text.
    return target === undefined
      ? { kind: 'scalar', text: slice(node, context), json: slice(node, context), at }
      : { ...target, at }
  }
  if (isScalar(node)) {
    const value = scalar(node.value, node.source, at)
    const isShort = value.kind !== 'scalar' || value.text.length <= MAX_ALIAS_TEXT
    if (node.anchor !== undefined && isShort) context.anchors.set(node.anchor, value)
    return value
  }
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

/** The 1-based line in the file for an offset in a part of the file. */
export type LineOf = (offset: number) => number

/** Makes a `LineOf` for `text`, whose first line is line `firstLine` (1-based) of the file. */
export function lineLookup(text: string, firstLine: number): LineOf {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let [low, high] = [0, starts.length]
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return firstLine + low
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
