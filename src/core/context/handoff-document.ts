/**
 * The document that a session leaves when its context is full. It is written for the next session, which sees
 * nothing else. This module renders it and reads it back.
 *
 * Each text is one line of data: it cannot open a heading, a comment or a tag, and it cannot end a loop that waits
 * for a promise tag. Empty sections are left out, except Next Steps. Formatters are kept out of the document,
 * because they would take a path such as `pkg/__init__.py` for bold text.
 */

import { readDocument } from '../document/document.ts'
import { fieldsOf } from '../document/fields.ts'
import { scalar } from '../event/yaml-text.ts'
import { escapeWords, readWords } from '../text/document-words.ts'
import { IGNORE_END, IGNORE_START } from '../text/ignored-range.ts'
import { handoffLine as line } from './handoff-line.ts'
import type { Level } from './level.ts'

export interface ContextHandoff {
  /** Local date, `2026-01-07`. */
  readonly date: string
  /** Local time, `11:45`. */
  readonly time: string
  /** Time with millisecond precision, to tell which document of a minute is the newest. */
  readonly created?: string
  readonly session: string
  readonly agent: string
  readonly branch: string
  readonly issue: string | undefined
  readonly level: Level | 'unknown'
  /** Percent of the window, as the agent shows it. */
  readonly percent: number | undefined
  /** Tokens left before the effective limit. */
  readonly tokensLeft: number | undefined
  /** Why it was written: `manual`, `L2`, `pre-compact` …, or somebody's words. */
  readonly reason: string
  /** What the session is about. */
  readonly task: string | undefined
  readonly now: string | undefined
  readonly current: Progress | undefined
  readonly done: readonly string[]
  readonly next: readonly string[]
  readonly decisions: readonly { readonly key: string; readonly value: string }[]
  readonly questions: readonly string[]
  readonly findings: readonly string[]
  readonly reload: readonly Reload[]
  readonly files: readonly FileAtWork[]
  /** Entries of `git status --short`: two letters and a path. */
  readonly status: readonly { readonly code: string; readonly path: string }[]
  readonly commits: readonly { readonly oid: string; readonly subject: string }[]
  /** The commit that holds work in progress. */
  readonly wip: string | undefined
  /** Files that this commit does not contain, each with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

/** The to-do in progress; `progress` is a text such as `70%` or `2 of 3`. */
export interface Progress {
  readonly item: string
  readonly progress: string | undefined
}

/** Something to read again: a file and its relevant headings. */
export interface Reload {
  readonly title: string
  readonly sections: readonly string[]
}

export interface FileAtWork {
  readonly path: string
  /** `45-120`, in the current file. */
  readonly lines: string | undefined
}

const MAX_LIST = 30

/** Written as the only next step if there are none. */
export const NONE_RECORDED = '(none recorded)'

/** `Context Checkpoint L2 at 87% - ANV-123`, the title that memory tools index. */
export function titleOf({ level, percent, issue }: ContextHandoff): string {
  const at = percent === undefined ? '' : ` at ${percent}%`
  const name = level === 'unknown' ? '' : ` ${level}`
  return `Context Checkpoint${name}${at}${issue === undefined ? '' : ` - ${issue}`}`
}

export function renderContextHandoff(handoff: ContextHandoff): string {
  const { task, issue } = handoff
  const name = [issue, task === undefined ? undefined : line(task)].filter(Boolean).join(' ')
  return [
    '---',
    ...frontMatter(handoff).map(([key, value]) => `${key}: ${value}`),
    '---',
    '',
    IGNORE_START,
    '',
    `# Session Handoff: ${name || handoff.branch}`,
    ...sectionsOf(handoff).flatMap(([title, lines]) =>
      lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines],
    ),
    '',
    IGNORE_END,
    '',
  ].join('\n')
}

/** What `orient` needs to find a document and to describe it. */
export interface ReadHandoff {
  readonly title: string
  readonly branch: string | undefined
  readonly issues: readonly string[]
  /** Local time, `2026-01-07 11:45`. */
  readonly when: string
  /** Empty if the document does not say. */
  readonly created: string
  readonly session: string | undefined
  readonly wip: string | undefined
  /** Unescaped, non-blank lines of a section; empty if the section is missing. */
  section(title: string): readonly string[]
}

/** Undefined for a file of another form. Never throws. */
export function readContextHandoff(text: string): ReadHandoff | undefined {
  const document = readDocument(text)
  const fields = new Map(fieldsOf(document).map(({ key, value }) => [key, value]))
  const date = fields.get('session_date')
  const heading = document.sections.find(({ level }) => level === 1)
  if (date === undefined || heading === undefined) return undefined
  const title = fields.get('title') ?? heading.title
  return {
    title,
    branch: fields.get('branch'),
    issues: (fields.get('linear_issues') ?? '').split(/[\s,]+/).filter(Boolean),
    when: `${date} ${fields.get('session_time') ?? ''}`.trim(),
    created: fields.get('created') ?? '',
    session: fields.get('session'),
    wip: fields.get('wip_commit'),
    section: (wanted) =>
      document.sections
        .find(({ level, title: name }) => level === 2 && name === wanted)
        ?.lines.flatMap(({ kind, text: one }) =>
          kind === 'blank' || one === IGNORE_END ? [] : [readItem(one)],
        ) ?? [],
  }
}

/** An item keeps its list marker; its words are unescaped. */
function readItem(line: string): string {
  const [mark = ''] = /^(?:[-*]|\d+\.|\[->\])\s+/.exec(line) ?? []
  return mark === '' ? line : mark + readWords(line.slice(mark.length))
}

function frontMatter(handoff: ContextHandoff): (readonly [key: string, value: string])[] {
  const { percent, level, reason, issue, wip } = handoff
  const at = percent === undefined ? '' : ` (context at ${percent}%)`
  const trigger = level === 'unknown' || level === 'L0' ? reason : level
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['title', plain(titleOf(handoff))],
    ['session_date', handoff.date],
    ['session_time', handoff.time],
    ['created', handoff.created],
    ['session', scalar(handoff.session)],
    ['agent', scalar(handoff.agent)],
    ['branch', scalar(handoff.branch)],
    ['linear_issues', issue && plain(issue)],
    ['checkpoint_trigger', plain(`${line(trigger)}${at}`)],
    ['context_at_checkpoint', percent === undefined ? undefined : `${percent}%`],
    ['wip_commit', wip && scalar(wip)],
  ]
  return fields.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
}

/** Unquoted if no YAML reader could misread the words, because people grep for them. */
function plain(text: string): string {
  return /^[A-Za-z][A-Za-z0-9%()_-]*(?: [A-Za-z0-9%()_-]+)+$|^[A-Za-z]+-\d+$/.test(text)
    ? text
    : scalar(text)
}

function sectionsOf(
  handoff: ContextHandoff,
): (readonly [title: string, lines: readonly string[]])[] {
  const { current, now, next } = handoff
  return [
    ['Checkpoint Reason', [reasonLine(handoff)]],
    ['Context to Reload', handoff.reload.map(reloadLine)],
    ['Remaining Context Budget', budget(handoff)],
    ['Now', now === undefined ? [] : [`[->] ${escapeWords(line(now))}`]],
    ['Current Item', current === undefined ? [] : items([progressLine(current)])],
    ['Next Steps', next.length === 0 ? [`1. ${NONE_RECORDED}`] : numbered(next)],
    ['Completed', items(handoff.done)],
    ['Decisions', items(handoff.decisions.map(({ key, value }) => `${key}: ${value}`))],
    ['Open Questions', items(handoff.questions)],
    ['Key Findings', items(handoff.findings)],
    ['Modified Files', items(handoff.files.map(fileLine))],
    ['Commits', items(handoff.commits.map(({ oid, subject }) => `${oid.slice(0, 8)} ${subject}`))],
    ['Work in Progress', workInProgress(handoff)],
    ['Git Status', statusLines(handoff)],
  ]
}

function reasonLine({ level, percent, reason, task, now }: ContextHandoff): string {
  const during = task ?? now
  const tail = during === undefined ? '' : ` during: ${line(during)}`
  if (percent === undefined) return `Checkpoint (${line(reason)})${tail}`
  const threshold = level === 'L0' || level === 'unknown' ? line(reason) : `${level} threshold`
  return `Context reached ${percent}% (${threshold})${tail}`
}

function budget({ percent, tokensLeft }: ContextHandoff): string[] {
  if (percent === undefined) return []
  const rounded =
    tokensLeft === undefined ? '' : ` (~${thousands(tokensLeft)} tokens before the limit)`
  return [`Estimated ${Math.max(100 - percent, 0)}%${rounded} remaining in original session.`]
}

function thousands(tokens: number): string {
  const rounded = Math.round(Math.max(tokens, 0) / 1000) * 1000
  return String(rounded).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function reloadLine({ title, sections }: Reload): string {
  const list = sections.map(line).join(', ')
  return `- **${line(title)}**${list === '' ? '' : `: ${list}`}`
}

function progressLine({ item, progress }: Progress): string {
  return progress === undefined ? item : `${item} (${progress})`
}

function fileLine({ path, lines }: FileAtWork): string {
  return lines === undefined ? path : `${path} (lines ${lines})`
}

function workInProgress({ wip, leftOut }: ContextHandoff): string[] {
  const held =
    wip === undefined
      ? []
      : [`- In commit ${wip.slice(0, 8)}; \`ledger-git context undo-wip\` takes it back as changes`]
  return [...held, ...items(leftOut.map(({ path, why }) => `Not in it: ${path} (${why})`))]
}

function statusLines({ status }: ContextHandoff): string[] {
  const lines = status.map(({ code, path }) => `${code} ${line(path).replaceAll('`', "'")}`)
  return lines.length === 0 ? [] : ['```text', ...cut(lines), '```']
}

function items(texts: readonly string[]): string[] {
  return cut(texts).map((text) => `- ${escapeWords(line(text))}`)
}

function numbered(texts: readonly string[]): string[] {
  return cut(texts).map((text, i) => `${i + 1}. ${escapeWords(line(text))}`)
}

function cut(texts: readonly string[]): string[] {
  const left = texts.length - MAX_LIST
  return left <= 0 ? [...texts] : [...texts.slice(0, MAX_LIST), `… and ${left} more`]
}
