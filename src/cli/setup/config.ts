/** `config`: which settings are in effect here, and where each comes from. */

import { readSettingsFile } from '../../app/ledger/read-settings.ts'
import { usage } from '../../core/errors/errors.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'
import type { Setting } from '../../core/settings/settings-table.ts'
import type { Command } from '../command/command.ts'
import { safeText } from '../command/format.ts'

export const config: Command = {
  name: 'config',
  words: { '[key]': 'one setting' },
  refusal: [
    'config only shows settings, it changes nothing',
    `write the setting into ${SETTINGS_FILE} at the top of the repository`,
  ],
  describe: 'Show the settings in effect here, and where each comes from',
  examples: [
    ['ledger-git config', 'all settings, with the line of .ledger-git.yaml that sets each'],
    ['ledger-git config ledger.root', 'a single value, for scripts; a list has one line per item'],
  ],
  run: async (input) => {
    const table = import('../../core/settings/settings-table.ts')
    const { SETTINGS, unknownSetting, findSetting } = await table
    const key = input.text('key')
    const only = key === undefined ? undefined : findSetting(key)
    if (key !== undefined && only === undefined) {
      throw usage(`unknown setting ${unknownSetting(key)}`, 'ledger-git config')
    }
    const { repository } = await input.context.open()
    const file = await readSettingsFile(repository)
    const look = ({ key, show }: Setting) => {
      const line = file?.lines.get(key)
      return {
        key,
        value: show(file?.settings ?? DEFAULT_SETTINGS),
        default: show(DEFAULT_SETTINGS),
        source: line === undefined ? 'default' : `${SETTINGS_FILE}:${line}`,
      }
    }
    if (only !== undefined) {
      const setting = look(only)
      const lines = [setting.value].flat().map((item) => safeText(item, Infinity))
      return input.print(setting, lines)
    }
    const settings = SETTINGS.map(look)
    const width = Math.max(...settings.map(({ key }) => key.length))
    const lines = settings.map(({ key, value, source }) => {
      const shown = typeof value === 'string' ? value : `[${value.join(', ')}]`
      return `${key.padEnd(width)} ${safeText(shown).padEnd(26)} ${source}`
    })
    input.print({ settings, file: file === undefined ? null : SETTINGS_FILE }, lines)
  },
}
