/**
 * Reads `.ledger-git.yaml` with the table of settings.
 *
 * Every key is optional. An unknown key is an error, with a suggestion: a setting that is silently ignored is worse
 * than none.
 */

import { LedgerError } from '../errors/errors.ts'
import { parseYaml } from '../event/yaml-value.ts'
import type { Entry, Value } from '../event/yaml-value.ts'
import type { Settings } from './settings.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from './settings.ts'
import { unknownSetting, findSetting, SETTINGS } from './settings-table.ts'

export interface ParsedSettings {
  readonly settings: Settings
  /** The line of each key that the file sets. */
  readonly lines: ReadonlyMap<string, number>
}

/** Reads the settings file's text. Throws `SETTINGS_INVALID` with line, expected value, and next step. */
export function parseSettings(text: string): ParsedSettings {
  const parsed = parseYaml(text)
  if (parsed === undefined) fail('not valid YAML', 'the keys that ledger-git config lists')
  const lines = new Map<string, number>()
  let settings = DEFAULT_SETTINGS
  for (const { key, value, at } of parsed.kind === 'null' ? [] : leavesOf(parsed, '', 0)) {
    const line = text.slice(0, at).split('\n').length
    const first = lines.get(key)
    // People notice the first occurrence, but the last one would apply.
    if (first !== undefined)
      fail(`line ${line}: ${key} is already set in line ${first}`, 'one of them')
    const setting = findSetting(key)
    if (setting === undefined)
      fail(`line ${line}: unknown key ${unknownSetting(key)}`, 'one that ledger-git config lists')
    const read = setting.read(value)
    if (read === undefined) fail(`line ${line}: ${key} has a bad value`, setting.form)
    settings = { ...settings, ...read }
    lines.set(key, line)
  }
  refuseInLedger(settings, lines.get('context.handoffs') ?? 1)
  return { settings, lines }
}

/** Everything in the ledger's own folders is read as events. */
function refuseInLedger({ root, handoffs }: Settings, line: number): void {
  const own = ['events', 'archive'].map((name) => `${root}/${name}/`.toLowerCase())
  if (!own.some((folder) => `${handoffs}/`.toLowerCase().startsWith(folder))) return
  fail(`line ${line}: context.handoffs is a folder of the ledger's own`, 'another folder')
}

/** Keys with dots, whether the file nests them or not. */
function leavesOf(value: Value, prefix: string, at: number): Entry[] {
  const leaf = { key: prefix.slice(0, -1), value, at }
  const isGroup = SETTINGS.some(({ key }) => key.startsWith(prefix))
  if (value.kind !== 'map') {
    if (prefix === '') fail('expected a map at the top', 'for example ledger: {root: notes}')
    // A group whose keys are all commented out.
    return value.kind === 'null' && isGroup ? [] : [leaf]
  }
  if (value.entries.length === 0 && !isGroup) return [leaf]
  return value.entries.flatMap((entry) => leavesOf(entry.value, `${prefix}${entry.key}.`, entry.at))
}

function fail(what: string, expected?: string): never {
  const end = expected === undefined ? '' : ` (expected: ${expected.replaceAll('`', '')})`
  throw new LedgerError(
    'SETTINGS_INVALID',
    `${SETTINGS_FILE}: ${what}${end}`,
    `edit ${SETTINGS_FILE}`,
  )
}
