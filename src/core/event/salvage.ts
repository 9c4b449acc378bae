/**
 * Reads a body that is not valid YAML, section by section.
 *
 * Agents write YAML by hand, with mistakes such as an unquoted `: ` or a list item that starts with a quote. One bad
 * line must not lose the other sections, nor the other items of its own section. What cannot be read even this way is
 * reported. Works on lines only, so the result never depends on a library's error recovery.
 */

import { BODY_KEYS } from './event.ts'
import type { Entry, Value } from './yaml-value.ts'
import { parseYaml } from './yaml-value.ts'

export interface Salvage {
  readonly entries: readonly Entry[]
  /** Sections or items that could not be read: the section's key and the offset. */
  readonly lost: readonly { readonly section: string; readonly at: number }[]
}

export interface YamlSection {
  readonly key: string
  /** Offset of the key. */
  readonly at: number
  readonly lines: readonly YamlLine[]
}

export interface YamlLine {
  readonly text: string
  readonly at: number
  /** 0-based. */
  readonly row: number
}

const SECTION = /^([A-Za-z_][A-Za-z0-9_-]*):(?=\s|$)/
/** A line that ends a section; the text after it is free text until the next key. */
const BREAK = /^(?:---|\.\.\.|```|~~~)/
const ITEM = /^(\s*)[-*]\s+(\S.*)$/s

/** Reads as much of `body` as possible. Text before the first `key:` line is free text. */
export function salvage(body: string): Salvage {
  const entries: Entry[] = []
  const lost: { section: string; at: number }[] = []
  for (const section of splitSections(body)) {
    if (!KNOWN.has(section.key)) continue
    const read = salvageSection(section)
    entries.push(...read.entries)
    lost.push(...read.lost)
  }
  return { entries, lost }
}

/** Reads one section, whatever its key. The result has at most one entry. */
export function salvageSection(section: YamlSection): Salvage {
  const entries: Entry[] = []
  const lost: { section: string; at: number }[] = []
  const whole = parseYaml(section.lines.map(({ text }) => text).join('\n'))
  const entry = whole?.kind === 'map' && whole.entries.length === 1 ? whole.entries[0] : undefined
  if (entry !== undefined) entries.push(shift(entry, section.at))
  else readLines(section, entries, lost)
  return { entries, lost }
}

/** Splits a text at unindented keys. Text before the first key belongs to no section. */
export function splitSections(body: string): YamlSection[] {
  const sections: { key: string; at: number; lines: YamlLine[] }[] = []
  let open: YamlLine[] | undefined
  let at = 0
  for (const [row, text] of body.split('\n').entries()) {
    const key = SECTION.exec(text)?.[1]
    if (key !== undefined) {
      open = [{ text, at, row }]
      sections.push({ key, at, lines: open })
    } else if (BREAK.test(text)) open = undefined
    else open?.push({ text, at, row })
    at += text.length + 1
  }
  return sections
}

/** The sections whose loss matters; unknown keys stay in the file and are not read. */
const KNOWN = new Set<string>(BODY_KEYS)

/** Reads a section that is not valid YAML by itself: as items, as pairs, or as text. */
function readLines(section: YamlSection, entries: Entry[], lost: Salvage['lost'][number][]): void {
  const { key, at } = section
  const [head, ...rest] = section.lines
  const inline = head?.text.slice(key.length + 1).trim() ?? ''
  const lines = rest.filter((line) => line.text.trim() !== '' && !line.text.startsWith('#'))
  if (inline !== '' && !/^[|>][-+0-9]*$/.test(inline)) {
    // `now: Fix: the parser`, or a flow list with unquoted commas, on one or more lines.
    // Only indented lines continue the text; unindented lines are free text.
    const more = lines.filter((line) => /^\s/.test(line.text)).map((line) => line.text.trim())
    const text = [inline, ...more].join(' ')
    if (/^[[{]/.test(text)) lost.push({ section: key, at })
    else entries.push({ key, at, value: scalar(unquote(text), at) })
    return
  }
  const groups = groupItems(lines)
  if (groups !== undefined) {
    const items = groups.map((group) => readItem(group))
    entries.push({ key, at, value: { kind: 'list', items, at, text: '' } })
    return
  }
  const pairs = lines.map((line) => readPair(line))
  if (pairs.every((pair) => pair === undefined)) {
    lost.push({ section: key, at })
    return
  }
  lines.forEach((line, i) => {
    if (pairs[i] === undefined) lost.push({ section: key, at: line.at })
  })
  const read = pairs.filter((pair) => pair !== undefined)
  entries.push({ key, at, value: { kind: 'map', entries: read, at, text: '' } })
}

/** Splits lines at the outermost list markers. Undefined if the section is not a list. */
function groupItems(lines: readonly YamlLine[]): YamlLine[][] | undefined {
  const indent = ITEM.exec(lines[0]?.text ?? '')?.[1]?.length
  if (indent === undefined) return undefined
  const groups: YamlLine[][] = []
  for (const line of lines) {
    const match = ITEM.exec(line.text)
    if (match !== null && (match[1]?.length ?? 0) <= indent) groups.push([line])
    else if (/^\s*/.exec(line.text)?.[0].length !== 0) groups.at(-1)?.push(line)
  }
  return groups
}

function readItem(group: readonly YamlLine[]): Value {
  const [first] = group
  if (first === undefined) return { kind: 'null', at: 0 }
  const parsed = parseYaml(group.map((line) => line.text).join('\n'))
  const item = parsed?.kind === 'list' && parsed.items.length === 1 ? parsed.items[0] : undefined
  if (item !== undefined) return { ...item, at: first.at }
  const text = group.map((line) => line.text.trim()).join(' ')
  return scalar(unquote(text.replace(/^[-*]\s+/, '')), first.at)
}

function readPair(line: YamlLine): Entry | undefined {
  const parsed = parseYaml(line.text.trim())
  const entry =
    parsed?.kind === 'map' && parsed.entries.length === 1 ? parsed.entries[0] : undefined
  if (entry !== undefined) return { ...entry, at: line.at }
  const text = line.text.trim()
  const quoted = /^"[^"]*"(?=:)|^'[^']*'(?=:)/.exec(text)?.[0]
  const colon = quoted?.length ?? text.indexOf(': ')
  const key = quoted === undefined ? text.slice(0, colon).trim() : unquote(quoted)
  const value = text.slice(colon + 1).trim()
  if (!/^\s/.test(line.text) || colon < 1 || key === '' || value === '') return undefined
  return { key, at: line.at, value: scalar(unquote(value), line.at) }
}

/** Drops quotes around the whole text; a quoted first word is ordinary text. */
function unquote(text: string): string {
  const match = /^"([^"]*)"$|^'([^']*)'$/.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}

function scalar(text: string, at: number): Value {
  return text === '' ? { kind: 'null', at } : { kind: 'scalar', text, json: text, at }
}

function shift(entry: Entry, by: number): Entry {
  return { ...entry, at: entry.at + by, value: { ...entry.value, at: entry.value.at + by } }
}
