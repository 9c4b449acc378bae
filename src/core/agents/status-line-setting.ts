/**
 * Our status line in Claude Code's settings: put in, taken out; and the one that would apply without ours. Pure.
 *
 * Laws: putting in twice changes nothing; taking out what was put in gives the bytes from before; a status line
 * that is not ours is never touched.
 */

import { isObject, isText, parseJson } from '../text/json-values.ts'
import type { Node } from '../text/json-edits.ts'
import { append, parseJsonTree, propertiesOf, splitBom, withoutNode } from '../text/json-edits.ts'
import type { Connected } from './agent-settings.ts'
import { withCommand } from './agent-settings.ts'
import { AGENTS } from './agents.ts'

const KEY = 'statusLine'

/** Of the text below. */
const VERSION = 3

const GIT_DIR = 'rev-parse --path-format=absolute --git-common-dir 2>/dev/null'
/**
 * Of the agent's project, as hooks do; else of where its shell stands, which may be a folder that a branch brought in
 * the shape of a git folder. None of those is named `.git`.
 */
const FIND_GIT_DIR =
  `git -C "\${${AGENTS.claude.projectVariable ?? ''}:-/dev/null}" ${GIT_DIR} || ` +
  `git ${GIT_DIR} | grep -E "/[.]git(/|$)"`

/** Whatever goes wrong, it says nothing and reads its input: the agent shows the rest of its line. */
const COMMAND =
  `sh -c 'd=$(${FIND_GIT_DIR}) && [ -x "$d/ledger-git/run" ] && ` +
  `"$d/ledger-git/run" statusline || cat >/dev/null; exit 0 # ledger-git v${VERSION}'`

/** Ours, of whatever version. */
const IS_OURS = /^sh -c '.*\bledger-git\/run" statusline\b.* # ledger-git v(\d{1,6})'$/

/** `pieces`: of ours, which the file has already. A string says why the text stays as it is. */
export function putStatusLine(
  text: string | undefined,
  pieces: readonly string[] = [],
): Connected | string {
  const [bom, body] = splitBom(text)
  const content = { [KEY]: { type: 'command', command: COMMAND } }
  if (body.trim() === '') {
    const piece = `${JSON.stringify(content, null, 2)}\n`
    return { text: bom + body + piece, pieces: [...pieces, piece] }
  }
  const root = parseJsonTree(body)
  if (typeof root === 'string') return root
  if (root.type !== 'object') return 'is no JSON object'
  const ours = statusLineIn(root)
  if (propertiesOf(root, KEY).some((line) => line !== ours)) return 'has a status line of its own'
  const [command] = ours === undefined ? [] : propertiesOf(ours, 'command')
  if (command !== undefined) {
    const isOlder = Number(IS_OURS.exec(String(command.value))?.[1]) < VERSION
    const now = { text: body, pieces }
    const { text: renewed, ...rest } = isOlder ? withCommand(now, command, COMMAND) : now
    return { text: bom + renewed, ...rest }
  }
  const property = JSON.stringify(content, null, 2).slice(2, -2).replace(/^ {2}/gm, '').trim()
  const put = append(body, root, property)
  return { text: bom + put.text, pieces: [...pieces, put.piece] }
}

/** Takes ours out, wherever it stands; the piece that was put in goes with the others (`disconnect`). */
export function takeStatusLine(text: string): string {
  const [bom, body] = splitBom(text)
  const root = parseJsonTree(body)
  if (typeof root === 'string') return text
  const property = statusLineIn(root)?.parent
  return property === undefined ? text : bom + withoutNode(body, property)
}

/** Our status line; undefined where there is another one, or none. */
function statusLineIn(root: Node): Node | undefined {
  return propertiesOf(root, 'statusLine').find((line) => {
    const [command] = propertiesOf(line, 'command')
    return IS_OURS.test(String(command?.value))
  })
}

/** Whether the file has a status line: ours, or another one. */
export function statusLineOwner(text: string | undefined): 'ours' | 'other' | undefined {
  const line = lineIn(text ?? '')
  return line === undefined ? undefined : isOurs(line) ? 'ours' : 'other'
}

/** The command of the first of these settings that has one which is not ours; nearest first. */
export function statusLineBeside(settings: readonly string[]): string | undefined {
  for (const text of settings) {
    const line = lineIn(text)
    if (line === undefined || isOurs(line)) continue
    const command = isObject(line) && line['type'] === 'command' ? line['command'] : undefined
    // The nearest one decides, also where nothing can be run.
    return isText(command) && command.trim() !== '' ? command : undefined
  }
  return undefined
}

function lineIn(text: string): unknown {
  const value = parseJson(splitBom(text)[1])
  return isObject(value) && Object.hasOwn(value, KEY) ? value[KEY] : undefined
}

function isOurs(value: unknown): boolean {
  const command = isObject(value) ? value['command'] : undefined
  return isText(command) && IS_OURS.test(command)
}
