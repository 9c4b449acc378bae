/**
 * Adds and removes our status line in Claude Code's settings, and finds the one that would apply without ours. Pure.
 *
 * Laws: adding is idempotent; adding and then removing gives the original bytes; a status line that is not ours is
 * never touched.
 */

import { isObject, isText, parseJson } from '../text/json-values.ts'
import type { Node } from '../text/json-edits.ts'
import { append, parseJsonTree, propertiesOf, splitBom, withoutNode } from '../text/json-edits.ts'
import type { Connected } from './agent-settings.ts'
import { withCommand } from './agent-settings.ts'
import { AGENTS } from './agents.ts'

const KEY = 'statusLine'

/** Version of the command below. */
const VERSION = 3

const GIT_DIR = 'rev-parse --path-format=absolute --git-common-dir 2>/dev/null'
/**
 * Finds the git directory of the agent's project, as hooks do, else that of the shell's current folder. A branch may
 * contain a folder that looks like a git directory, but it cannot be named `.git`: hence the filter.
 */
const FIND_GIT_DIR =
  `git -C "\${${AGENTS.claude.projectVariable ?? ''}:-/dev/null}" ${GIT_DIR} || ` +
  `git ${GIT_DIR} | grep -E "/[.]git(/|$)"`

/** On any error it prints nothing and drains its input, so that the agent still shows the rest of its line. */
const COMMAND =
  `sh -c 'd=$(${FIND_GIT_DIR}) && [ -x "$d/ledger-git/run" ] && ` +
  `"$d/ledger-git/run" statusline || cat >/dev/null; exit 0 # ledger-git v${VERSION}'`

/** Any version of our command. */
const IS_OURS = /^sh -c '.*\bledger-git\/run" statusline\b.* # ledger-git v(\d{1,6})'$/

/** `pieces`: texts that we inserted into the file earlier. A string result says why the text is left unchanged. */
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
  if (root.type !== 'object') return 'is not a JSON object'
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

/** Removes our status line, wherever it is; the recorded piece is removed with the others (`disconnect`). */
export function takeStatusLine(text: string): string {
  const [bom, body] = splitBom(text)
  const root = parseJsonTree(body)
  if (typeof root === 'string') return text
  const property = statusLineIn(root)?.parent
  return property === undefined ? text : bom + withoutNode(body, property)
}

/** Our status line; undefined if the file has another one, or none. */
function statusLineIn(root: Node): Node | undefined {
  return propertiesOf(root, 'statusLine').find((line) => {
    const [command] = propertiesOf(line, 'command')
    return IS_OURS.test(String(command?.value))
  })
}

/** Whose status line the file has; undefined if it has none. */
export function statusLineOwner(text: string | undefined): 'ours' | 'other' | undefined {
  const line = lineIn(text ?? '')
  return line === undefined ? undefined : isOurs(line) ? 'ours' : 'other'
}

/** The command of the nearest status line that is not ours. `settings`: texts of settings files, nearest first. */
export function statusLineBeside(settings: readonly string[]): string | undefined {
  for (const text of settings) {
    const line = lineIn(text)
    if (line === undefined || isOurs(line)) continue
    const command = isObject(line) && line['type'] === 'command' ? line['command'] : undefined
    // The nearest one decides, even if it has nothing to run.
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
