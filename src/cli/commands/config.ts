import { readSettingsFile } from '../../app/ledger/read-settings.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ParsedSettings } from '../../core/settings/parse-settings.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'
import type { Setting } from '../../core/settings/settings-table.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { safeText } from '../format.ts'

interface Shown {
  readonly key: string
  readonly value: string | readonly string[]
  readonly default: string | readonly string[]
  /** `default`, or file and line. */
  readonly source: string
}

export const config: Command = {
  name: 'config',
  words: '[key]',
  hot: true,
  describe: 'Which settings hold here, and where each comes from',
  examples: [
    ['ledger-git config', 'all settings, with the line of .ledger-git.yaml that sets each'],
    ['ledger-git config ledger.root', 'one value alone, for scripts; a list has one line an item'],
  ],
  options: (yargs) => yargs,
  run: async (args, context) => {
    const { SETTINGS, didYouMean, findSetting } =
      await import('../../core/settings/settings-table.ts')
    const key = text(args, 'key')
    const only = key === undefined ? undefined : findSetting(key)
    if (key !== undefined && only === undefined) {
      throw new LedgerError('USAGE', `unknown setting ${didYouMean(key)}`, 'ledger-git config')
    }
    const { repository } = await context.open()
    const file = await readSettingsFile(repository)
    const settings = SETTINGS.map((setting) => show(setting, file))
    if (only !== undefined) {
      const shown = show(only, file)
      if (flag(args, 'json')) printJson(context, shown)
      else
        context.stdout(
          [shown.value]
            .flat()
            .map((item) => `${safeText(item, Infinity)}\n`)
            .join(''),
        )
    } else if (flag(args, 'json')) {
      printJson(context, { settings, file: file === undefined ? null : SETTINGS_FILE })
    } else context.stdout(settings.map((shown) => `${lineOf(shown)}\n`).join(''))
    return 0
  },
}

function show({ key, show }: Setting, file: ParsedSettings | undefined): Shown {
  const line = file?.lines.get(key)
  return {
    key,
    value: show(file?.settings ?? DEFAULT_SETTINGS),
    default: show(DEFAULT_SETTINGS),
    source: line === undefined ? 'default' : `${SETTINGS_FILE}:${line}`,
  }
}

function lineOf({ key, value, source }: Shown): string {
  const said = typeof value === 'string' ? value : `[${value.join(', ')}]`
  return `${key.padEnd(20)} ${safeText(said).padEnd(26)} ${source}`
}
