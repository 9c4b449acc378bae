/** Settings by which an agent runs no hooks, or not ours. Pure. */

import { getNodeValue } from 'jsonc-parser'
import { parseJsonTree, splitBom } from '../text/json-edits.ts'
import type { AgentName } from './agents.ts'
import { AGENTS } from './agents.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields } from '../text/json-fields.ts'

export interface SwitchedOff {
  /** From the top of the worktree. */
  readonly file: string
  /** As the agent's documents call it, with its value. */
  readonly setting: string
}

/** By which setting the files of a worktree switch hooks off. `read` gives a file's text. */
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

/** Of a key that stands there twice, agents take the last, and so does the library. */
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
