/**
 * Texts for agents that `install` writes as whole files, and that a team may edit. Pure.
 *
 * The last line has the version and a hash of the text, so that any clone can tell an old text of ours, which
 * is updated, from an edited one, which stays.
 */

import { createHash } from 'node:crypto'

/** Increased when a text changes. A newer text replaces an older one, never the reverse. */
const VERSION = 1

const MARKER = /\n<!-- ledger-git v(\d{1,6}) ([0-9a-f]{8}): [^\n]* -->\n*$/

/** Linters of Markdown that check the whole repository find nothing here; works wherever in the file it is. */
const NO_LINT = '<!-- markdownlint-disable-file -->'

/** The text with its marker. */
export function markedText(text: string, version = VERSION): string {
  const body = `${text.trimEnd()}\n\n${NO_LINT}\n`
  const says = 'ledger-git install keeps this text up to date until it is edited'
  return `${body}\n<!-- ledger-git v${version} ${hashOf(body)}: ${says} -->\n`
}

/** `edited`: no release wrote the text like this. */
export function stateOfText(
  text: string,
  wanted: string,
): 'current' | 'older' | 'newer' | 'edited' {
  const lines = text.replaceAll('\r\n', '\n')
  if (lines === wanted) return 'current'
  const match = MARKER.exec(lines)
  if (match === null || hashOf(lines.slice(0, match.index)) !== match[2]) return 'edited'
  return Number(match[1]) > VERSION ? 'newer' : 'older'
}

/** True for a text that is exactly as some release wrote it. */
export function isUnedited(text: string): boolean {
  return stateOfText(text, '') !== 'edited'
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 8)
}

/** The start of our own question (`session.ask`), which some programs send as if the user had typed it. */
export const ASK_OPENING = 'ledger-git: files were changed in this session'
