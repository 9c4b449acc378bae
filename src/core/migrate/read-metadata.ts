/** What a source says about itself: when, who, where, in which session. */

import { parseYaml } from '../event/yaml-value.ts'
import type { Block } from './blocks.ts'
import { labelOf, textOf } from './blocks.ts'
import type { Draft } from './draft.ts'
import type { About } from './labels.ts'
import { aboutOf, fieldOf } from './labels.ts'
import type { Line } from '../document/document.ts'
import { leadingTime } from './source-time.ts'

/** A branch's name, perhaps in code marks; what follows it stays in the note. */
const BRANCH = /^`?([\w][\w./@+-]{0,199})`?(?=[\s,;]|$)/

/** Names that tools fill in when they know none. */
const NOBODY = /^(?:unknown|agent|null)$/i

export function setAbout(draft: Draft, about: About, text: string, lines: readonly number[]): void {
  if (about === 'updated') {
    const time = leadingTime(text)
    if (time !== undefined) draft.times.push({ texts: [time], lines })
  } else if (about === 'branch') {
    const branch = BRANCH.exec(text)?.[1]
    if (branch !== undefined) draft.set('branch', branch, lines)
  } else if (!NOBODY.test(text.trim())) draft.set(about, text, lines)
}

/** Front matter, line by line: nested maps and lists have no field. */
export function readFront(front: readonly Line[], draft: Draft): void {
  for (const { text, at } of front) {
    const value = parseYaml(text)
    const entry = value?.kind === 'map' ? value.entries[0] : undefined
    if (entry?.value.kind !== 'scalar' || /^\s/.test(text)) continue
    const about = aboutOf(entry.key)
    const field = fieldOf(entry.key)
    if (about !== undefined) setAbout(draft, about, entry.value.text, [at])
    else if (field === 'goal' || field === 'test' || field === 'now') {
      draft.set(field, entry.value.text, [at])
    }
  }
}

/** `**Updated:** T` and the like. True when the block was one; `only` names those that are read. */
export function readAbout(
  block: Block,
  draft: Draft,
  only: readonly About[] = ['updated', 'branch', 'session'],
): boolean {
  const label = labelOf(block.lines[0].text)
  const about = label === undefined ? undefined : aboutOf(label.label)
  if (label === undefined || about === undefined) return false
  if (only.includes(about)) {
    setAbout(draft, about, label.rest, textOf(block).lines.slice(0, 1))
  }
  return true
}
