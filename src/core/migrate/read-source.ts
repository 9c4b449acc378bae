/** Detects the kind of a source, first by its content and then by its name. */

import { splitFrontMatter } from '../event/front-matter.ts'
import { isRendered } from '../ledger/provenance.ts'
import { parseJson } from '../text/json-values.ts'
import { isNamedLedger } from './candidates.ts'
import type { ReadSource } from './ledger-markdown.ts'
import { readLedgerMarkdown } from './ledger-markdown.ts'
import type { SourceProblem } from './source-text.ts'
import { knownKeys, readYamlHandoff } from './yaml-handoff.ts'

export type Source =
  | { readonly kind: 'event' }
  | { readonly kind: 'yaml' | 'markdown'; readonly read: ReadSource }
  | { readonly kind: 'none'; readonly problem: SourceProblem }

/** `isLedger`: the file is the repository's own `current.md`. */
export function readSource(path: string, text: string, isLedger: boolean): Source {
  if (isRendered(text)) return { kind: 'none', problem: 'rendered' }
  if (isEvent(text)) return { kind: 'event' }
  if (isYaml(path, text)) return { kind: 'yaml', read: readYamlHandoff(text) }
  if (!/\.(?:md|markdown|txt)$/i.test(path)) return none
  const read = readLedgerMarkdown(text, isLedger)
  const isKnown = isLedger || isNamedLedger(path) || TITLE.test(text) || read.draft.fieldsSaid() > 0
  return isKnown ? { kind: 'markdown', read } : none
}

const none: Source = { kind: 'none', problem: 'unknown-kind' }
const TITLE = /^# .*\b(?:ledger|handoff|continuity|work stream|session)\b/im

/** Old and new event formats: `ts` and an author, or the "unified" one. */
function isEvent(text: string): boolean {
  const split = splitFrontMatter(text)
  if (typeof split === 'string') return false
  const has = (key: string) => new RegExp(`^${key}:`, 'm').test(split.front)
  return (has('ts') && has('agent')) || (has('timestamp') && has('event_type'))
}

function isYaml(path: string, text: string): boolean {
  const keys = knownKeys(text)
  if (/\.ya?ml$/i.test(path)) return keys > 0
  return keys > 1 && !/^#{1,6} \S/m.test(text)
}

/** True for an event that is readable only because older field names are also accepted. */
export function isOlderEvent(text: string): boolean {
  const split = splitFrontMatter(text)
  if (typeof split === 'string') return false
  return /^(?:timestamp|stream|event_type|session_id):/m.test(split.front)
}

/** Header and footer lines of a `current.md` that older hooks generated. */
const GENERATED_LINES =
  /^(?:## Ledger|---|_Synthesized from:_|\*\*Updated:\*\*.*|- (?:Events|Latest|Branches|Generated):.*)$/gm

/** True for a `current.md` of older hooks without content: they appended the file to itself without a line break. */
export function saysNothing(text: string): boolean {
  if (!text.includes('_Synthesized from:_')) return false
  return text.replaceAll('## Ledger', '\n## Ledger\n').replace(GENERATED_LINES, '').trim() === ''
}

export function hasLedgerSection(text: string): boolean {
  return /^## Ledger\b/m.test(text)
}

/** The source and hash in a migrated event, by which it is recognized. */
export function originOf(eventText: string): { path: string; hash: string } | undefined {
  const [, path, hash] = /^source: (".*")\nsource_hash: "([0-9a-f]{16})"$/m.exec(eventText) ?? []
  return path === undefined || hash === undefined
    ? undefined
    : { path: String(parseJson(path) ?? path), hash }
}
