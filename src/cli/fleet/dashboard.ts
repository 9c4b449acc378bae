/** `dashboard`: the fleet as a page, live or as one file. */

import { dirname } from 'node:path'
import { exportFleet } from '../../core/dashboard/export-fleet.ts'
import { isExportedPage, selfContainedPage } from '../../core/dashboard/page.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, value } from '../command/command.ts'
import type { Dashboard } from '../command/context.ts'

export const dashboard: Command = {
  name: 'dashboard',
  describe: 'Show the fleet as a page in the browser, live or as one file',
  examples: [
    ['ledger-git dashboard', 'serve the page, and open it'],
    ['ledger-git dashboard --export fleet.html', 'one file to look at later or elsewhere'],
  ],
  options: {
    port: value('listen on this port of 127.0.0.1 (default, or 0: any free port)'),
    open: { ...flag('open the page in the browser'), default: true },
    export: {
      ...value('write one HTML file without paths and names of people, then exit'),
      conflicts: 'port',
    },
    force: flag('with --export: overwrite any existing file'),
  },
  run: async (input) => {
    const file = input.text('export')
    const port = input.parsed('port', readPort, ': expected a number from 0 to 65535')
    if (file === undefined && input.flag('force'))
      throw usage('--force only applies to --export FILE')
    if (file?.trim() === '') throw usage('--export needs a file to write')
    if (file !== undefined) checkTarget(file, input)
    const dashboard = await input.context.dashboard()
    try {
      if (file !== undefined) return await exportTo(file, dashboard, input)
      const { url, port: own } = await dashboard.serve(port ?? 0)
      input.print({ url, port: own }, url)
      const obstacle = input.flag('open') ? dashboard.openBrowser(url) : undefined
      const hint = obstacle === undefined ? '' : ` Open the link yourself: ${obstacle}.`
      input.say(`ledger-git: serving the fleet of ${dashboard.name} until Ctrl-C.${hint}`)
      // A signal ends the process.
      await new Promise(() => {})
    } finally {
      dashboard.close()
    }
    return 0
  },
}

function readPort(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined
}

/** Only an earlier export is overwritten, since a path is easily mistyped. */
function checkTarget(file: string, input: Input): void {
  const { files } = input.context
  const path = input.absolute(file)
  const folder = dirname(path)
  if (files.kind(folder) === 'absent' && files.kind(dirname(folder)) === 'absent') {
    const next = `mkdir -p ${shellWord(dirname(file))}, if that is the right place`
    throw new LedgerError('FILE_UNWRITABLE', `${file}: there is no folder ${dirname(file)}`, next)
  }
  const kind = files.kind(path)
  const isOurs = kind === 'absent' || (kind === 'file' && isExportedPage(files.read(path) ?? ''))
  if (isOurs || (kind === 'file' && input.flag('force'))) return
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `${file} already exists and is not ${kind === 'file' ? 'an exported fleet: it is left unchanged' : 'a file'}`,
    `name another file${kind === 'file' ? ', or overwrite this one with --force' : ''}`,
  )
}

async function exportTo(file: string, dashboard: Dashboard, input: Input): Promise<number> {
  const gathered = await dashboard.gather({})
  const fleet = exportFleet(gathered, await dashboard.hidden(gathered))
  const html = selfContainedPage(dashboard.page, { name: dashboard.name, fleet })
  const path = input.absolute(file)
  input.context.files.write(path, html)
  const bytes = new TextEncoder().encode(html).length
  input.print({ file: path, bytes }, file)
  return 0
}
