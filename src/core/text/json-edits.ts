/**
 * Small edits of JSON with comments that leave every other byte unchanged. Pure.
 *
 * A library reads the text and reports the position of each value. We choose the text to insert or remove ourselves,
 * because value editors also change the surrounding lines.
 */

import type { Node, ParseError } from 'jsonc-parser'
import { createScanner, parseTree, printParseErrorCode } from 'jsonc-parser'
import { isObject, parseJson } from './json-values.ts'

export type { Node } from 'jsonc-parser'

/** Token numbers of the library, whose enumeration does not exist at run time. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blank: 15, end: 17 }

/** The byte order mark of a JSON file, if any, and the rest. */
export function splitBom(text = ''): [bom: string, body: string] {
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text]
}

/** The value in a text, or why it is not JSON. Comments and trailing commas are allowed. */
export function parseJsonTree(text: string): Node | string {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    // The library parses nested values recursively.
    if (error instanceof RangeError) return 'is nested too deeply'
    throw error
  }
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    return `is not valid JSON (line ${line}: ${printParseErrorCode(first.error)})`
  }
  return root ?? 'is not valid JSON (it is empty)'
}

/** The values of a property; several if the key occurs more than once. */
export function propertiesOf(object: Node, key: string): Node[] {
  if (object.type !== 'object') return []
  return (object.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name?.value === key && value !== undefined ? [value] : [],
  )
}

export interface Insertion {
  readonly text: string
  /** The inserted text; removing it restores the original. */
  readonly piece: string
}

/** Adds a last element or property. `content` is the output of JSON.stringify, indented by two spaces. */
export function append(text: string, container: Node, content: string): Insertion {
  // Line endings and indentation follow the file's first lines.
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const unit = /\n(\t|[ ]{1,8}(?=[^\s]))/.exec(text)?.[1] ?? '  '
  const last = container.children?.at(-1)
  const close = container.offset + container.length - 1
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', container.offset) + 1))?.[0] ?? ''
  const line = eol + outer + unit
  const deeper = (_: string, blanks: string) => line + unit.repeat(blanks.length / 2)
  const block = line + content.replace(/\n( *)/g, deeper)
  if (last === undefined) {
    const hasBreak = text.slice(container.offset, close).includes('\n')
    return insertAt(text, container.offset + 1, hasBreak ? block : block + eol + outer)
  }
  const after = restOfLine(text, last.offset + last.length, close)
  if (!text.slice(container.offset, close).includes('\n')) {
    const short = content.replace(/\n */g, ' ')
    return after.hasTrailingComma
      ? insertAt(text, after.end, ` ${short},`)
      : insertAt(text, last.offset + last.length, `, ${short}`)
  }
  if (after.hasTrailingComma) return insertAt(text, after.end, `${block},`)
  if (!after.hasComment) return insertAt(text, last.offset + last.length, `,${block}`)
  // A comment next to the last element stays there; `withoutPiece` knows to which piece the comma belongs.
  const { text: longer, piece } = insertAt(text, after.end, block)
  return { text: splice(longer, last.offset + last.length, 0, ','), piece }
}

function insertAt(text: string, at: number, piece: string): Insertion {
  return { text: splice(text, at, 0, piece), piece }
}

export function splice(text: string, at: number, length: number, put = ''): string {
  return text.slice(0, at) + put + text.slice(at + length)
}

/** What follows the last element: its comma, and the comments on its line. */
function restOfLine(text: string, start: number, close: number) {
  const rest = text.slice(start, close)
  const scanner = createScanner(rest, false)
  const found = { end: start, hasTrailingComma: false, hasComment: false }
  let isSameLine = true
  for (let token = scanner.scan() as number; token !== TOKEN.end; token = scanner.scan()) {
    const isComment = token === TOKEN.lineComment || token === TOKEN.blockComment
    if (token === TOKEN.lineBreak) isSameLine = false
    if (token === TOKEN.comma) found.hasTrailingComma = true
    if (isSameLine && isComment) found.hasComment = true
    if (token === TOKEN.comma || (isSameLine && isComment)) {
      found.end = start + scanner.getTokenOffset() + scanner.getTokenLength()
    }
  }
  return found
}

/** Removes a piece that `append` inserted; undefined if it does not occur exactly once. */
export function withoutPiece(text: string, piece: string): string | undefined {
  const forms = new Set([piece, piece.replace(/\r?\n/g, '\n'), piece.replace(/\r?\n/g, '\r\n')])
  for (const form of forms) {
    const at = text.indexOf(form)
    if (form === '' || at === -1 || at !== text.lastIndexOf(form)) continue
    const rest = splice(text, at, form.length)
    // The piece was inserted without a comma, because a comment is between it and the comma.
    const isBare = /^\s/.test(form) && !form.endsWith(',')
    const comma = isBare ? lastCommaBefore(rest, at) : undefined
    return comma === undefined ? rest : splice(rest, comma, 1)
  }
  return undefined
}

/** The last comma, if only white space and comments follow it. */
function lastCommaBefore(text: string, end: number): number | undefined {
  const scanner = createScanner(text.slice(0, end), false)
  let comma: number | undefined
  for (let token = scanner.scan() as number; token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.comma) comma = scanner.getTokenOffset()
    else if (token < TOKEN.lineComment || token > TOKEN.blank) comma = undefined
  }
  return comma
}

/** Removes one element or property, together with its comma and white space. */
export function withoutNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? []
  const index = siblings.indexOf(node)
  const close = (node.parent?.offset ?? 0) + (node.parent?.length ?? 0) - 1
  const end = node.offset + node.length
  const previous = siblings[index - 1]
  const following = commaIn(text, end, siblings[index + 1]?.offset ?? close)
  if (following !== undefined) return withoutSpan(splice(text, following, 1), node.offset, end)
  const rest = withoutSpan(text, node.offset, end)
  if (previous === undefined) return rest
  const comma = commaIn(text, previous.offset + previous.length, node.offset)
  return comma === undefined ? rest : splice(rest, comma, 1)
}

/** Removes a span and the white space around it; if more follows on the line, only that on one side. */
function withoutSpan(text: string, offset: number, end: number): string {
  const before = /\s*$/.exec(text.slice(0, offset))?.[0] ?? ''
  const after = /^[ \t]*/.exec(text.slice(end))?.[0] ?? ''
  const [first, last] = [offset - before.length, end + after.length]
  if (/^(?:\r?\n|$)/.test(text.slice(last))) return splice(text, first, last - first)
  // The rest of the line must not become part of a comment on the line before.
  const isOwnLine = before.includes('\n')
  return isOwnLine ? splice(text, offset, last - offset) : splice(text, first, end - first)
}

function commaIn(text: string, start: number, end: number): number | undefined {
  const scanner = createScanner(text.slice(start, end), true)
  for (let token = scanner.scan() as number; token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.comma) return start + scanner.getTokenOffset()
  }
  return undefined
}

/** Plain JSON: without comments and without duplicate names. */
export interface JsonFile {
  readonly root: Node
  readonly value: Readonly<Record<string, unknown>>
}

/** Undefined if the text is not a plain JSON object, or contains a name twice. */
export function readJsonFile(text: string): JsonFile | undefined {
  const value = parseJson(text)
  const root = isObject(value) ? parseJsonTree(text) : undefined
  if (!isObject(value) || root === undefined || typeof root === 'string') return undefined
  const names = (root.children ?? []).map(({ children: [name] = [] }) => name?.value as unknown)
  return new Set(names).size === names.length ? { root, value } : undefined
}

/** The text with this member. Every other byte is left unchanged, except for a comma before a new member. */
export function withMember(text: string, key: string, value: unknown): string {
  const file = readJsonFile(text)
  if (file === undefined) return text
  const [node] = propertiesOf(file.root, key)
  if (node === undefined) {
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value, undefined, 2)}`
    return append(text, file.root, member).text
  }
  if (JSON.stringify(file.value[key]) === JSON.stringify(value)) return text
  return splice(text, node.offset, node.length, inLayout(text, node, value))
}

/** The value in the layout of the file: on one line, or indented like its line. */
function inLayout(text: string, node: Node, value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  const begin = text.lastIndexOf('\n', node.offset)
  if (begin === -1) return JSON.stringify(value)
  const outer = /^[ \t]*/.exec(text.slice(begin + 1))?.[0] ?? ''
  const unit = outer === '' ? '  ' : outer
  const eol = text[begin - 1] === '\r' ? '\r\n' : '\n'
  const deeper = (_: string, blanks: string) => outer + unit.repeat(blanks.length / 2)
  return lines.map((line, i) => (i === 0 ? line : line.replace(/^( *)/, deeper))).join(eol)
}
