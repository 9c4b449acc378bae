/** `dashboard`: the fleet as a page, live or as one file. */

import { exportFleet } from '../../core/dashboard/export-fleet.ts'
import { selfContainedPage } from '../../core/dashboard/page.ts'
import { usage } from '../../core/errors/errors.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, value } from '../command/command.ts'
import type { Dashboard } from '../command/context.ts'

export const dashboard: Command = {
  name: 'dashboard',
  describe: 'The fleet as a page in the browser, live, or as one file',
  examples: [
    ['ledger-git dashboard', 'serve the page, and open it'],
    ['ledger-git dashboard --no-open --port 4321', 'print the link, for a port that is known'],
    ['ledger-git dashboard --export fleet.html', 'one file to look at later or elsewhere'],
  ],
  options: {
    port: value('listen on this port of 127.0.0.1; 0 or none: any that is free'),
    open: { ...flag('open the page in the browser'), default: true },
    export: value('write one HTML file without paths and names of people, and end'),
  },
  run: async (input) => {
    const file = input.text('export')
    const port = input.parsed('port', readPort, ': expected a number from 0 to 65535')
    if (file !== undefined && port !== undefined) {
      throw usage('--export serves nothing, so it takes no --port', 'leave one out')
    }
    if (file?.trim() === '') throw usage('--export needs a file to write')
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
