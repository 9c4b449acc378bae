/** Settings by which an agent runs no hooks, or not ours. Pure. */

import type { AgentName } from './agent-hooks.ts'
import { AGENTS } from './agent-hooks.ts'
import type { Node } from './agent-json.ts'
import { parseJson, propertiesOf } from './agent-json.ts'

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
  const { file, localFile } = AGENTS[agent]
  if (agent === 'codex') return inCodex('.codex/config.toml', read)
  const settingIn = agent === 'claude' ? claudeSetting : geminiSetting
  // The nearest file that has the setting decides.
  for (const each of [localFile, file].filter((name) => name !== undefined)) {
    const root = parseJson((read(each) ?? '').replace(/^\uFEFF/, ''))
    const setting = typeof root === 'string' ? undefined : settingIn(root)
    if (setting === 'on') return undefined
    if (setting !== undefined) return { file: each, setting }
  }
  return undefined
}

function claudeSetting(root: Node): string | undefined {
  const value = valueOf(root, 'disableAllHooks')
  if (value === undefined) return undefined
  return value === true ? 'disableAllHooks: true' : 'on'
}

function geminiSetting(root: Node): string | undefined {
  const [config] = propertiesOf(root, 'hooksConfig').slice(-1)
  if (config === undefined) return undefined
  if (valueOf(config, 'enabled') === false) return 'hooksConfig.enabled: false'
  const [disabled] = propertiesOf(config, 'disabled').slice(-1)
  const names = (disabled?.children ?? []).map(({ value }) => String(value))
  // By the name that our hooks have there; where there is none, by the command.
  const own = names.find(
    (name) => name === AGENTS.gemini.hookName || / agent-hook gemini /.test(name),
  )
  return own === undefined ? undefined : 'hooksConfig.disabled: has our hooks in it'
}

/** Of a key that stands there twice, agents take the last. */
function valueOf(object: Node, key: string): unknown {
  return propertiesOf(object, key).at(-1)?.value
}

/** `[features]` of a TOML file; the old name counts where the new one is not there. */
function inCodex(
  file: string,
  read: (file: string) => string | undefined,
): SwitchedOff | undefined {
  let table = ''
  const features = new Map<string, string>()
  for (const line of (read(file) ?? '').split('\n')) {
    table = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1] ?? (/^\s*\[\[/.test(line) ? '[]' : table)
    const [, key = '', value = ''] = /^\s*([\w.]+)\s*=\s*(true|false)\b/.exec(line) ?? []
    features.set(table === '' ? key : `${table}.${key}`, value)
  }
  for (const key of ['hooks', 'codex_hooks']) {
    const value = features.get(`features.${key}`)
    if (value === 'true') return undefined
    if (value === 'false') return { file, setting: `features.${key} = false` }
  }
  return undefined
}
