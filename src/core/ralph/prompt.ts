/** Reads the Markdown that a loop gives its agent: its title, and its open items. */

import { readDocument } from '../document/document.ts'
import { takeResume } from './resume-block.ts'

/** The first heading without `Task:`, else the first line. Our own block is ignored. */
export function titleOfPrompt(text: string): string | undefined {
  const { lines } = readDocument(takeResume(text))
  const heading = lines.find(({ kind }) => kind === 'heading')
  const line = heading ?? lines.find(({ kind }) => kind === 'text' || kind === 'item')
  const title = line?.text.replace(/^\s*#+\s*/, '').replace(/^Task:\s*/i, '')
  return title?.trim() === '' ? undefined : title?.trim()
}

/** The first unticked check box. */
export function openItem(text: string): string | undefined {
  const lines = readDocument(text).lines.filter(({ kind }) => kind === 'item')
  for (const { text: line } of lines) {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+\[ \]\s+(.*\S)/.exec(line)?.[1]
    if (item !== undefined) return item
  }
  return undefined
}
