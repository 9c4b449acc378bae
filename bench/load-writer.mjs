/** The product's own writer of events, from its source: Node alone cannot load TypeScript everywhere. */

import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'tsdown'

const SOURCE = fileURLToPath(new URL('../src/core/ledger/', import.meta.url))

/** Bundles into `folder`. Returns the functions that make an event's text and its name. */
export async function loadWriter(folder) {
  await build({
    config: false,
    entry: { 'write-event': join(SOURCE, 'write-event.ts'), instant: join(SOURCE, 'instant.ts') },
    outDir: folder,
    outExtensions: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    dts: false,
    logLevel: 'silent',
  })
  const load = (name) => import(pathToFileURL(join(folder, name)).href)
  const { renderEvent, eventFileName } = await load('write-event.mjs')
  const { parseInstant } = await load('instant.mjs')
  return {
    renderEvent,
    fileNameOf: ({ ts, agent }, text) => eventFileName(parseInstant(ts).instant, agent, text),
  }
}
