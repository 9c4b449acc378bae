/**
 * `.ledger-git.yaml`: the few settings, each with its default, its form and its meaning.
 *
 * Every key is optional. An unknown key is an error that names the nearest known one: a setting that
 * is silently ignored is worse than none.
 */

import { LedgerError } from './errors.ts'
import { nearest } from './nearest.ts'
import { parseYaml } from './ledger/yaml-value.ts'
import type { Value } from './ledger/yaml-value.ts'
import type { Settings } from './settings.ts'
import { DEFAULT_SETTINGS, parseDuration, SETTINGS_FILE } from './settings.ts'

type Reader = (value: Value) => Partial<Settings> | string

/** Each known key with a reader that returns the setting, or what was expected. */
const KEYS: Record<string, Reader> = {
  'ledger.root': (value) => {
    const root = value.kind === 'scalar' ? value.text.replace(/\/+$/, '').replace(/^\.\//, '') : ''
    const parts = root.split('/')
    // oxlint-disable-next-line no-control-regex
    const safe = !/[\u0000-\u001f\u007f\\]/.test(root) && !root.startsWith('/')
    return safe &&
      parts.every(
        (part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git',
      )
      ? { root }
      : 'a folder below the top of the repository'
  },
  mode: (value) => {
    const mode = value.kind === 'scalar' ? value.text : ''
    return mode === 'tracked' || mode === 'untracked' ? { mode } : 'tracked or untracked'
  },
  'clock.max_drift': (value) => {
    const maxDriftMillis = value.kind === 'scalar' ? parseDuration(value.text) : undefined
    return maxDriftMillis === undefined ? 'a duration such as 5m' : { maxDriftMillis }
  },
  'commit.protected': (value) => {
    const items = value.kind === 'list' ? value.items : [value]
    const names = items.map((item) => (item.kind === 'scalar' ? item.text : ''))
    if (value.kind === 'null') return { protectedBranches: [] }
    return names.includes('') ? 'a list of branch names' : { protectedBranches: names }
  },
  'synthesize.on_event': (value) => {
    const mode = value.kind === 'scalar' ? value.text : ''
    return mode === 'memory' || mode === 'file' ? { onEvent: mode } : 'memory or file'
  },
}

/** Reads the settings file's text. Throws `SETTINGS_INVALID` with line, expectation and next step. */
export function parseSettings(text: string): Settings {
  const parsed = parseYaml(text.replace(/^\ufeff/, ''))
  if (parsed === undefined) fail('not valid YAML', 'the keys that docs/commands.md lists')
  if (parsed.kind === 'null') return DEFAULT_SETTINGS
  let settings: Settings = DEFAULT_SETTINGS
  for (const [key, value] of flatten(parsed, '')) {
    const reader = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
    const line = text.slice(0, value.at).split('\n').length
    if (reader === undefined) fail(`line ${line}: unknown key ${key}${hint(key)}`)
    const read = reader(value)
    if (typeof read === 'string') fail(`line ${line}: ${key} has a bad value`, read)
    settings = { ...settings, ...read }
  }
  return settings
}

function flatten(value: Value, prefix: string): [string, Value][] {
  if (value.kind !== 'map') {
    if (prefix === '') fail('expected a map at the top', 'for example ledger: {root: notes}')
    return [[prefix.slice(0, -1), value]]
  }
  const isGroup = Object.keys(KEYS).some((key) => key.startsWith(prefix))
  if (value.entries.length === 0 && !isGroup) return [[prefix.slice(0, -1), value]]
  return value.entries.flatMap(({ key, value: inner }) => flatten(inner, `${prefix}${key}.`))
}

function hint(key: string): string {
  const near = nearest(key, Object.keys(KEYS), Infinity)
  return near === undefined ? '' : `; did you mean ${near}?`
}

function fail(what: string, expected?: string): never {
  throw new LedgerError(
    'SETTINGS_INVALID',
    `${SETTINGS_FILE}: ${what}${expected === undefined ? '' : ` (expected: ${expected})`}`,
    `edit ${SETTINGS_FILE}`,
  )
}
