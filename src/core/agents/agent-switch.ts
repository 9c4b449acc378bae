/** Settings that make an agent skip all hooks, or ours. Pure. */

import { getNodeValue } from 'jsonc-parser'
import { parseJsonTree, splitBom } from '../text/json-edits.ts'
import type { AgentName } from './agents.ts'
import { AGENTS } from './agents.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields } from '../text/json-fields.ts'

export interface SwitchedOff {
  /** Relative to the top of the worktree. */
  readonly file: string
  /** Its name in the agent's documentation, with its value. */
  readonly setting: string
}

/** The setting in a worktree's files that switches hooks off; undefined if hooks run. `read` returns a file's text. */
export function findSwitchedOff(
  agent: AgentName,
  read: (file: string) => string | undefined,
): SwitchedOff | undefined {
  const { switchFiles, switchIn } = AGENTS[agent]
  for (const file of switchFiles) {
    const [, text] = splitBom(read(file))
    const settings = file.endsWith('.toml') ? flagsIn(text) : valuesIn(text)
    const setting = settings && switchIn(settings)
    if (setting !== undefined) return setting === 'on' ? undefined : { file, setting }
  }
  return undefined
}

/** If a key occurs twice, agents use the last one, and so does the library. */
function valuesIn(text: string): Fields | undefined {
  const root = parseJsonTree(text)
  return typeof root === 'string' ? undefined : asFields(getNodeValue(root))
}

/** The flags of a TOML file, such as `features.hooks`. */
function flagsIn(text: string): Fields {
  let table = ''
  const flags: Record<string, boolean> = {}
  for (const line of text.split('\n')) {
    table = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1] ?? (/^\s*\[\[/.test(line) ? '[]' : table)
    const [, key, value] = /^\s*([\w.]+)\s*=\s*(true|false)\b/.exec(line) ?? []
    if (key !== undefined) flags[table === '' ? key : `${table}.${key}`] = value === 'true'
  }
  return flags
}
