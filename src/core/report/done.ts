/**
 * What was done, by what an agent said: a headline of each turn that changed something, and the lists of the
 * last message. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { joined, LEADS, newsIn, ofOneList } from './headline.ts'
import { isStep } from './left.ts'
import { partsOf } from './message-parts.ts'
import { isQuestion } from './questions.ts'
import { isTask, promptLine } from './request.ts'

export interface Turn {
  readonly prompt: TranscriptEntry & { readonly kind: 'prompt' }
  /** What followed the prompt. */
  readonly entries: readonly TranscriptEntry[]
}

export function turnsOf(entries: readonly TranscriptEntry[]): Turn[] {
  const turns: { prompt: Turn['prompt']; entries: TranscriptEntry[] }[] = []
  for (const entry of entries) {
    if (entry.kind === 'prompt' && hasWords(entry.text)) turns.push({ prompt: entry, entries: [] })
    else turns.at(-1)?.entries.push(entry)
  }
  return turns
}

/** Commands that leave something behind beside files. */
const DEED =
  /\b(?:git (?:commit|push|merge|rebase|revert|tag|cherry-pick)|gh (?:pr|issue|release) (?:create|merge|close|edit|comment)|(?:npm|cargo|twine) publish)\b/

/** What a message reports as done; empty where it reports nothing. Of a list its items, with their title. */
function deedsIn(message: string, max: number): string {
  const told = newsIn(message).filter(
    ({ text, part }) => !LEADS.test(text) && !ASIDE.test(part.title ?? ''),
  )
  const prose = told.filter(({ kind, text }) => kind === 'text' && isReport(text))
  if (prose.length > 0) return joined(prose, max)
  const items = told.filter(({ text, part }) => isReport(text) || begins(part.title ?? ''))
  return items.length === 0 ? '' : joined(ofOneList(items), max)
}

/**
 * Only what a sentence says of a deed counts: how something is, what might be done and words to the user
 * look like it in too many ways.
 */
function isReport(sentence: string): boolean {
  if (ASIDE.test(sentence) || isStep(sentence)) return false
  return begins(sentence) || DEED_WORDS.test(sentence)
}

/** It begins with a deed. */
function begins(text: string): boolean {
  return REPORT.test(text) && !NO_REPORT.test(text)
}

/** Words to the user, conditions, and what was not done. */
const ASIDE =
  /\b(?:have|has|did) (?:not|never)\b|\b(?:have|has|did)n['’]t\b|\bnot run\b|^(?:no|none|nothing|if|si|once|when(?:ever)?|you|why|note|(?:please |now )?(?:run|use|try|open))\b/i

const DID =
  '(?:added|applied|built|changed|cleared|committed|configured|converted|created|deleted|deployed|enabled|fixed|generated|implemented|installed|integrated|marked|merged|migrated|moved|pushed|refactored|removed|renamed|replaced|restored|saved|switched|tested|updated|verified|wired|written)'

/** Not behind these, with so many words between: `were not yet committed`, `can be deleted`. */
const unlessBehind = (between: number) =>
  String.raw`(?<!(?:\b(?:not|never|cannot|be|could|may|might|must|should|will|would)|n['’]t)(?: \p{L}+){0,${between}} |\bto )`
const NOT = unlessBehind(2)

/** A deed inside a sentence, in those languages that were seen. */
const DEED_WORDS = new RegExp(
  [
    String.raw`\b(?:i|we)(?:['’]ve| have)? (?:also |now |just |successfully |had to )*(?:\w+ed|built|made|ran|rewrote|wrote|split|set|found|put|fix|create)\b`,
    String.raw`${unlessBehind(0)}\b(?:has|have) been\b|\b(?:is|are) now\b|\bnow \w+s\b|\b\w+s now\b`,
    String.raw`\b(?:is|are|was|were) (?:now |also |all )*${DID}\b|^(?:[^\s.,:]+ ){1,5}${NOT}${DID}(?=[.:!,]|$| and\b)`,
    String.raw`\b(?:is|are) (?:complete|done)\b|${NOT}\b(?:done|completed?|in place)[.!]?$`,
    String.raw`\b(?:tests?|checks)\b.*${NOT}\bpass(?:e[ds]|ing)?\b`,
    String.raw`\bj['’]ai \p{L}+(?:é|is|it)(?=\s)|(?<=\s)(?:a|ont) été\s|\b(?:foi|foram) \p{L}+d[oa]s?\b|했습니다|しました|已(?:经|完成|更新|创建|添加|修改|生成|推送|提交|升级|统一|补充|修复|删除)`,
  ].join('|'),
  'iu',
)

/** A turn that only read and talked changed nothing. */
export function didSomething(entries: readonly TranscriptEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'tool' &&
      entry.failed === undefined &&
      (entry.tool.files.length > 0 || DEED.test(entry.tool.command ?? entry.ran?.command ?? '')),
  )
}

/** Of a turn that a message ended; where that reports nothing, what was worked on. */
export function turnHeadline({ prompt, entries }: Turn, max: number): string | undefined {
  const last = entries.findLast((entry) => entry.kind !== 'tool' || entry.label !== undefined)
  if (last?.kind !== 'assistant' || !didSomething(entries)) return undefined
  const headline = deedsIn(last.text, max)
  if (countWords(headline) > 2) return headline
  const line = promptLine(prompt.text, max - WORKED_ON.length)
  return isTask(line) ? `${WORKED_ON}${line}` : undefined
}

const WORKED_ON = 'worked on: '

/** What begins a report of something done: `Added a flag`. */
const REPORT =
  /^(?:(?:also|now|successfully|then) )*(?:\p{L}{2,}ed|built|made|ran|rewrote|wrote|split|set up|hid)\b/iu
const NO_REPORT =
  /^(?:deferred|skipped|failed|needed|required|blocked|expected|recommended|suggested|proposed|planned|estimated|related|limited|based|hardcoded|deprecated|outdated|duplicated|nested|shared|detailed|mixed|advanced|un\p{L}+ed|need|feed|speed|proceed|exceed|indeed)\b/iu

/** Items of the message's lists that report something done; all of a list whose title says so. */
export function reportedIn(message: string, max: number): string[] {
  return partsOf(message).flatMap(({ kind, blocks }) => {
    if (kind === 'left' || kind === 'asked') return []
    return blocks.flatMap(({ kind: form, text, isNested }) => {
      if (form !== 'item' || isNested === true || isQuestion(text) || NO_REPORT.test(text))
        return []
      const isReport = kind === 'done' || REPORT.test(text)
      return isReport && hasWords(text) ? [itemLine(text, max)] : []
    })
  })
}

/** The first sentence says what it is. */
function itemLine(text: string, max: number): string {
  const [first = text] = sentencesOf(text)
  return shorten(first.replace(/[.:]$/, ''), max)
}
