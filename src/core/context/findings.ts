/** What the next agent must know besides the state of the work: findings, and documents to read again. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { readDocument } from '../document/document.ts'
import { sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import type { Reload } from './handoff-document.ts'

const FOUND =
  /\b(?:root cause|turns? out|the (?:real |actual )?(?:cause|problem|bug|issue|reason|culprit) (?:is|was)|caused by|because of|discovered|it fails (?:because|when)|confirmed(?: that)?|i found|only (?:happens|works) (?:if|when))\b/i

/** Plans, guesses and phrases that use the same words. */
const NOT_FOUND = /\b(?:let me|i(?:'|’)ll|i will|might|maybe|perhaps|could be|not sure|if )\b|\?$/i

const MAX_FINDINGS = 8
const MAX_LENGTH = 300

/** Sentences in which the agent says what it found, each once, the newest last. */
export function findingsIn(entries: readonly TranscriptEntry[]): string[] {
  const found = entries.flatMap((entry) =>
    entry.kind === 'assistant'
      ? blocksOf(entry.text)
          .filter(({ kind }) => kind === 'text' || kind === 'item')
          .flatMap(({ text }) => sentencesOf(text))
          .filter((sentence) => FOUND.test(sentence) && !NOT_FOUND.test(sentence))
          .map((sentence) => shorten(sentence, MAX_LENGTH))
      : [],
  )
  return [...new Set(found)].slice(-MAX_FINDINGS)
}

export interface Instructions {
  /** Path from the top of the worktree. */
  readonly path: string
  readonly text: string
  /** The session read the document, so it is listed even if no heading concerns the changed files. */
  readonly wasRead: boolean
}

const MAX_SECTIONS = 6
const MAX_RELOAD = 8

/**
 * The parts of instructions and specs that concern the changed files: headings of sections that mention a changed
 * path, its name or its folder. `CLAUDE.md` and similar files are always listed.
 */
export function reloadFrom(
  documents: readonly Instructions[],
  changed: readonly string[],
): Reload[] {
  const words = [...new Set(changed.flatMap(wordsOf))]
  return documents
    .flatMap(({ path, text, wasRead }): Reload[] => {
      const { sections } = readDocument(text)
      const about = sections.filter(
        ({ heading, lines }) =>
          heading !== undefined &&
          [heading, ...lines].some((line) => words.some((word) => line.text.includes(word))),
      )
      if (about.length === 0 && !wasRead && !ALWAYS.test(path)) return []
      return [{ title: path, sections: about.slice(0, MAX_SECTIONS).map(({ title }) => title) }]
    })
    .slice(0, MAX_RELOAD)
}

export const ALWAYS = /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI)\.md$/

/** A file that says what is to be built. */
export const IS_SPEC =
  /(?:^|\/)(?:specs?|plans?)\/.*\.md$|(?:^|\/)(?:spec|plan|tasks|requirements|design|prd)[^/]*\.md$/i

function wordsOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = path.slice(0, path.length - name.length)
  return [path, name, folder].filter((word) => word.length > 4)
}
