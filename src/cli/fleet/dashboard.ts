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
  describe: 'The fleet as a page in the browser, live, or as one file',
  examples: [
    ['ledger-git dashboard', 'serve the page, and open it'],
    ['ledger-git dashboard --export fleet.html', 'one file to look at later or elsewhere'],
  ],
  options: {
    port: value('listen on this port of 127.0.0.1; 0 or none: any that is free'),
    open: { ...flag('open the page in the browser'), default: true },
    export: {
      ...value('write one HTML file without paths and names of people, and end'),
      conflicts: 'port',
    },
    force: flag('with --export: over any file that is there'),
  },
  run: async (input) => {
    const file = input.text('export')
    const port = input.parsed('port', readPort, ': expected a number from 0 to 65535')
    if (file === undefined && input.flag('force')) throw usage('--force is about --export FILE')
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

/** Only a fleet that was exported before is written over: a path is soon mistyped. */
function checkTarget(file: string, input: Input): void {
  const { files } = input.context
  const path = input.absolute(file)
  const folder = dirname(path)
  if (files.kind(folder) === 'absent' && files.kind(dirname(folder)) === 'absent') {
    const next = `mkdir -p ${shellWord(dirname(file))}, if it shall go there`
    throw new LedgerError('FILE_UNWRITABLE', `${file}: there is no folder ${dirname(file)}`, next)
  }
  const kind = files.kind(path)
  const isOurs = kind === 'absent' || (kind === 'file' && isExportedPage(files.read(path) ?? ''))
  if (isOurs || (kind === 'file' && input.flag('force'))) return
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `${file} is there, and is no ${kind === 'file' ? 'exported fleet: it stays as it is' : 'file'}`,
    `name another file${kind === 'file' ? ', or write over this one with --force' : ''}`,
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
