/**
 * YAML handoffs: `goal`, `now`, `done_this_session`, `questions`, `decisions`, `next` and much more.
 *
 * One in six of those in the wild is not valid YAML, so each section is read by itself, with the
 * rescue that event bodies have (`salvage.ts`). Sections without a field go into the note as they are.
 */

import { parseInstant } from '../event/instant.ts'
import type { Entry } from '../event/yaml-value.ts'
import { splitDecision } from './decision-line.ts'
import { Draft } from './draft.ts'
import type { Field } from './labels.ts'
import { aboutOf, fieldOf } from './labels.ts'
import type { ReadSource } from './ledger-markdown.ts'
import { setAbout } from './read-metadata.ts'
import type { YamlSection } from './yaml-section.ts'
import { SectionReader } from './yaml-section.ts'

const KEY = /^([A-Za-z_][\w-]*):(?=\s|$)/
const RULE = /^(?:---|\.\.\.)\s*$/
export function readYamlHandoff(text: string): ReadSource {
  const lines = text.split('\n')
  const draft = new Draft()
  const parents: (number | undefined)[] = lines.map(() => undefined)
  for (const section of sectionsOf(lines)) {
    section.lines.forEach((_, i) => {
      if (i > 0) parents[section.at + i] = section.at
    })
    readSection(section, draft, parents)
  }
  const rules = new Set(lines.flatMap((line, i) => (RULE.test(line) ? [i] : [])))
  return { draft, source: { lines, parents, rules } }
}

/** The keys at the margin that a ledger has a field for. */
export function knownKeys(text: string): number {
  const keys = text.split('\n').map((line) => KEY.exec(line)?.[1] ?? '')
  return new Set(keys.filter((key) => fieldOf(key) !== undefined)).size
}

function sectionsOf(lines: readonly string[]): YamlSection[] {
  const sections: { key: string; at: number; lines: string[] }[] = []
  let open: string[] | undefined
  lines.forEach((line, at) => {
    const key = KEY.exec(line)?.[1]
    if (key !== undefined) {
      open = [line]
      sections.push({ key, at, lines: open })
    } else if (RULE.test(line)) open = undefined
    else open?.push(line)
  })
  return sections
}

function readSection(section: YamlSection, draft: Draft, parents: (number | undefined)[]): void {
  const field = fieldOf(section.key)
  const about = field === undefined ? aboutOf(section.key) : undefined
  const read = new SectionReader(section, about === undefined ? field : 'goal')
  if (read.value === undefined) return readQuestions(section, field, draft)
  if (about !== undefined) return setAbout(draft, about, read.oneText(), read.all())
  if (field === 'goal' || field === 'now' || field === 'test') {
    draft.set(field, read.oneText(), read.all())
  } else if (field === 'decisions') readDecisions(read, draft)
  else if (field === 'checkpoints') readCheckpoints(read, draft)
  else if (field !== undefined) {
    for (const { text, lines } of read.items()) draft.add(field, text, lines)
    if (field === 'next' && read.isEmptyList()) draft.clearsNext = true
  }
  draft.structure.push(section.at)
  for (const { lines } of read.items()) for (const at of lines.slice(1)) parents[at] = lines[0]
}

function readDecisions(read: SectionReader, draft: Draft): void {
  const { value } = read
  if (value?.kind === 'map') {
    for (const { part, lines } of read.withLines(value.entries, (entry) => entry.at)) {
      draft.decide(part.key, read.whole(textOfEntry(part), lines), lines)
    }
    return
  }
  for (const { text, value, lines } of read.items()) {
    const entry = value.kind === 'map' ? value.entries[0] : undefined
    if (entry !== undefined) draft.decide(entry.key, read.whole(textOfEntry(entry), lines), lines)
    else {
      const { key, value } = splitDecision(text)
      draft.decide(key, value, lines)
    }
  }
}

function textOfEntry({ value }: Entry): string {
  return value.kind === 'null' ? '' : value.text
}

function readCheckpoints(read: SectionReader, draft: Draft): void {
  for (const { value, lines } of read.items()) {
    if (value.kind !== 'map') continue
    const text = (name: string) => {
      const found = value.entries.find(({ key }) => key === name)?.value
      return found?.kind === 'scalar' && found.text.trim() !== '' ? found.text.trim() : undefined
    }
    // A time that is none would make the checkpoint unreadable: its line is for the note.
    const updated = parseInstant(text('updated') ?? '') === undefined ? undefined : text('updated')
    const checkpoint = { phase: text('phase'), status: text('status'), updated }
    const texts = Object.values(checkpoint).filter((part) => part !== undefined)
    if (checkpoint.phase ?? checkpoint.status) draft.check(checkpoint, texts, lines)
  }
}

/** `[Which port?, Why so?]`: no YAML, but a question ends where its mark stands. */
function readQuestions(section: YamlSection, field: Field | undefined, draft: Draft): void {
  const inline = section.lines.join(' ').slice(section.key.length + 1)
  const inner = /^\s*\[(.*)\]\s*$/s.exec(inline)?.[1]
  if (field !== 'openQuestions' || inner === undefined) return
  const lines = section.lines.map((_, i) => section.at + i)
  for (const question of inner.split(/(?<=\?)\s*,\s*/)) draft.add(field, question, lines)
}
