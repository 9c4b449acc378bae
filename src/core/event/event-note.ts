/** The note of an event: text of its source that fits no field. The ledger ignores it. */

import { insideFence } from './fence.ts'
import { splitFrontMatter } from './front-matter.ts'
import { salvageSection, splitSections } from './salvage.ts'

export interface EventNote {
  readonly text: string
  /** The file that it was migrated from. */
  readonly source: string | undefined
}

/** Undefined for an event without a note. */
export function readNote(eventText: string): EventNote | undefined {
  if (!/^note:/m.test(eventText)) return undefined
  const split = splitFrontMatter(eventText)
  if (typeof split === 'string') return undefined
  const sections = splitSections(insideFence(split.body).text)
  const textOf = (key: string) => {
    const section = sections.find((one) => one.key === key)
    const value = section && salvageSection(section).entries[0]?.value
    return value?.kind === 'scalar' && value.text.trim() !== '' ? value.text : undefined
  }
  const text = textOf('note')
  return text === undefined ? undefined : { text, source: textOf('source') }
}
