/** What a line or a heading says about a task: its box, its number, its title, its dependencies. Pure. */

import { foldLine } from '../text/markdown-to-text.ts'

const BOX = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[([ xX~/>-])\](\*)?\s+(\S.*)$/

export interface BoxWords {
  readonly isDone: boolean
  /** Kiro's `- [ ]*`. */
  readonly isOptional: boolean
  readonly words: string
}

/** Undefined for a line without a check box. */
export function readBox(line: string): BoxWords | undefined {
  const [, box = '', star, words] = BOX.exec(line) ?? []
  if (words === undefined) return undefined
  return { isDone: /x/i.test(box), isOptional: star !== undefined, words: words.trimEnd() }
}

const KIND = '(?:task|story|user story|issue|ticket|work item)'
/** Headings that are tasks, whatever is below them. */
const TASK_HEADING = new RegExp(`^(?:${KIND}\\s+#?\\d+(?:\\.\\d+)*|T-?\\d+|US-?\\d+)\\b`, 'i')
/** Headings that are tasks if nothing smaller is. */
const NUMBERED =
  /^(?:(?:step|phase|stage|milestone|part|iteration|sprint|change|pr|section)\s+#?)?(?:\d+(?:\.\d+)*|[A-Z]{1,6}-\d+)(?=[.:)\s\u2014\u2013-]|$)/i

export function isTaskTitle(title: string): boolean {
  return TASK_HEADING.test(plain(title))
}

export function isNumberedTitle(title: string): boolean {
  return NUMBERED.test(plain(title))
}

const DONE_TITLE =
  /^(?:\u2705|\u2611|\u2714|\[[xX]\]|~~)|(?:\u2705|\u2611|\u2714|\[[xX]\]|~~)\ufe0f?\s*$/

export function isDoneTitle(title: string): boolean {
  return DONE_TITLE.test(title.trim())
}

const ID =
  /^(?:(?:task|story|user story|issue|ticket|work item|step|phase|milestone)\s+#?(\d+(?:\.\d+)*)|([A-Z]{1,6}-?\d+(?:\.\d+)*)|(\d+(?:\.\d+)*)(?=[.:)]|\s))/i

/** The id in the form used for comparison: `Task 3` and `3.` are `3`, `t-1` is `T-1`. */
export function idOf(title: string): string | undefined {
  const [, worded, coded, numbered] = ID.exec(plain(title)) ?? []
  return worded ?? coded?.toUpperCase() ?? numbered
}

/** The depth of a number: 0 without one, 1 for `2`, 2 for `2.1`. */
export function depthOf(id: string | undefined): number {
  return id !== undefined && /^\d/.test(id) ? id.split('.').length : 0
}

/** The title on one line without bold marks, for lists and names. */
export function titleOf(words: string): string {
  return foldLine(words.replaceAll('**', ''))
}

const DEPENDS_ON =
  /\b(?:depends\s+on|blocked\s+by)\b[:*\s]*((?:(?:tasks?|story|stories|and|or)\b|[,&\s*`()]|[A-Z]{1,6}-?\d+(?:\.\d+)*|\d+(?:\.\d+)*)+)/gi
const NAMED = /[A-Z]{1,6}-?\d+(?:\.\d+)*|\d+(?:\.\d+)*/gi

/** Ids of dependencies: `**Depends on:** Task 1, Task 2`, `(depends on T012)`. */
export function dependencyIds(line: string): string[] {
  return [...line.matchAll(DEPENDS_ON)].flatMap(([, list = '']) =>
    [...list.matchAll(NAMED)].map(([id]) => id.toUpperCase()),
  )
}

const CHECKPOINT =
  /^\s*(?:[-*+>]\s+)?(?:\[[ xX]\]\*?\s+)?[*_]*(?:\d+(?:\.\d+)*[.)]?\s+)?[*_]*checkpoint\b/i

/** `**Checkpoint**: …`, and Kiro's `- [ ] 3. Checkpoint - …`. */
export function isCheckpoint(line: string): boolean {
  return CHECKPOINT.test(line)
}

function plain(title: string): string {
  return title
    .replace(/^(?:[*_~`]|\[[ xX]\]|[\p{Extended_Pictographic}\ufe0f\s])*(?=\S)/u, '')
    .trim()
}
