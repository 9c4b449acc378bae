/** The table of settings in `docs/commands.md` is the one in the source. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSettings } from '../../src/core/settings/parse-settings.ts'
import { DEFAULT_SETTINGS } from '../../src/core/settings/settings.ts'
import { SETTINGS } from '../../src/core/settings/settings-table.ts'

const COMMANDS = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')

test('each setting has a row: key, default, form, meaning', () => {
  const section = COMMANDS.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? ''
  const rows = section
    .split('\n')
    .flatMap((line) => /^\| (`.*) \|$/.exec(line)?.[1]?.split(' | ') ?? [])
  const expected = SETTINGS.flatMap(({ key, form, show }) => {
    const value = show(DEFAULT_SETTINGS)
    const text = typeof value === 'string' ? value : `[${value.join(', ')}]`
    return [`\`${key}\``, `\`${text}\``, form, expect.stringMatching(/\w/)]
  })
  expect(rows).toEqual(expected)
})

test('the documented defaults are parsed as the default settings', () => {
  const yaml = [...COMMANDS.matchAll(/^\| `([a-z_.]+)` \| `([^`]+)` \| .* \| .* \|$/gm)]
    .filter(([, key]) => SETTINGS.some((setting) => setting.key === key))
    .map(([, key, value]) => `${key}: ${value}\n`)
  expect(yaml).toHaveLength(SETTINGS.length)
  expect(parseSettings(yaml.join('')).settings).toEqual(DEFAULT_SETTINGS)
})
