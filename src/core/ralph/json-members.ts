/** Single members of a JSON file that belongs to somebody else, changed where they stand. */

import type { Node } from '../text/json-edits.ts'
import { append, parseJsonTree, propertiesOf, splice } from '../text/json-edits.ts'
import { isObject, parseJson } from '../text/json-values.ts'

export interface JsonFile {
  readonly root: Node
  readonly value: Readonly<Record<string, unknown>>
}

/** Undefined for what is no plain JSON object, or says a thing twice. */
export function readJsonFile(text: string): JsonFile | undefined {
  const value = parseJson(text)
  const root = isObject(value) ? parseJsonTree(text) : undefined
  if (!isObject(value) || root === undefined || typeof root === 'string') return undefined
  const names = (root.children ?? []).map(({ children: [name] = [] }) => name?.value as unknown)
  return new Set(names).size === names.length ? { root, value } : undefined
}

/** The text with this member; every byte outside of it stays, but for a comma where it is new. */
export function withMember(text: string, key: string, value: unknown): string {
  const file = readJsonFile(text)
  if (file === undefined) return text
  const [node] = propertiesOf(file.root, key)
  if (node === undefined) {
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value, undefined, 2)}`
    return append(text, file.root, member).text
  }
  if (JSON.stringify(file.value[key]) === JSON.stringify(value)) return text
  return splice(text, node.offset, node.length, laidOut(text, node, value))
}

/** As the file lays out: on one line, or indented by what its line is. */
function laidOut(text: string, node: Node, value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  const begin = text.lastIndexOf('\n', node.offset)
  if (begin === -1) return JSON.stringify(value)
  const outer = /^[ \t]*/.exec(text.slice(begin + 1))?.[0] ?? ''
  const unit = outer === '' ? '  ' : outer
  const eol = text[begin - 1] === '\r' ? '\r\n' : '\n'
  const deeper = (_: string, blanks: string) => outer + unit.repeat(blanks.length / 2)
  return lines.map((line, i) => (i === 0 ? line : line.replace(/^( *)/, deeper))).join(eol)
}
