/** To-dos that an agent ticked although its own log contradicts this. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { sentencesOf } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { changedFiles, withoutFolder } from './changed-files.ts'
import type { SessionWork } from './session-work.ts'
import { turnsOf } from './turns.ts'

export function isDoubtful(todo: string, work: SessionWork): boolean {
  return isUntried(todo, work) || isRefused(todo, work) || isContradicted(todo, work.entries)
}

/** `Create limits.ts` is ticked, but the user refused to let that file be written, and it never was. */
function isRefused(todo: string, { entries }: SessionWork): boolean {
  const names = entries.flatMap((entry) =>
    entry.kind === 'refusal' ? (FILE.exec(entry.label)?.[1] ?? []) : [],
  )
  const isWritten = (name: string) =>
    entries.flatMap(changedFiles).some((file) => withoutFolder(file) === name)
  return names.some((name) => todo.split(/[\s`'"(),]+/).includes(name) && !isWritten(name))
}

/** The label of a call that writes a file: `Write limits.ts`. */
const FILE = /^[A-Z]\w+ ([\w.-]+\.\w+)$/

/** `Test the changes` is ticked, but nothing was ever run. */
function isUntried(todo: string, { entries, commits }: SessionWork): boolean {
  return CHECKS.test(todo) && commits.length === 0 && !entries.some(hasRun)
}

const CHECKS =
  /^(?:(?:re-?)?run\b.*\b(?:tests?|lint\w*|build|checks?|suite)\b|(?:re-?)?test (?:the|my|our|all|it|everything|that)\b(?! (?:fixtures?|data|suite|setup))|verify\b.*\b(?:works?|pass(?:es)?|builds?|compiles?)\b)/i

/** Outcomes do not matter: a command that failed was still tried. */
function hasRun(entry: TranscriptEntry): boolean {
  if (entry.kind !== 'tool') return false
  return [entry.tool.command, entry.told, entry.failed].some((one) => one !== undefined)
}

/** The last words of a recent turn say that the to-do is not done: `no real calculation yet`. */
function isContradicted(todo: string, entries: readonly TranscriptEntry[]): boolean {
  const stems = stemsOf(todo)
  const isAbout = (sentence: string) => {
    const said = stemsOf(sentence)
    const shared = [...stems].filter((stem) => said.has(stem)).length
    return shared >= MIN_SHARED && shared * 2 >= stems.size
  }
  return turnsOf(entries)
    .slice(-MAX_TURNS)
    .flatMap((turn) => turn.entries.findLast(({ kind }) => kind === 'assistant') ?? [])
    .flatMap((entry) => (entry.kind === 'assistant' ? blocksOf(entry.text) : []))
    .flatMap(({ text }) => sentencesOf(text))
    .some((sentence) => NOT_DONE.test(sentence) && isAbout(sentence))
}

/** Leaves out earlier faults: `clients cannot log in` describes what was fixed. */
const NOT_DONE = /\b(?:no|not|n['’]t)\b[^.;]{0,80}\byet\b|\bcould(?: not|n['’]t)\b|\bunable to\b/i
/** Words that a sentence must share with a to-do to be about it. */
const MIN_SHARED = 2
const MAX_TURNS = 3

/** `calculations` and `calculated` are the same word. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return new Set(words.map((word) => word.slice(0, STEM)))
}

const STEM = 6
