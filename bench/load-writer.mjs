/** The product's own writer of events. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'

/** Bundles into `folder`. Returns the functions that make an event's text and its name. */
export async function loadWriter(folder) {
  await bundle(folder, {
    'write-event': 'core/event/write-event.ts',
    instant: 'core/event/instant.ts',
  })
  const load = (name) => import(pathToFileURL(join(folder, name)).href)
  const { renderEvent, eventFileName } = await load('write-event.mjs')
  const { parseInstant } = await load('instant.mjs')
  return {
    renderEvent,
    fileNameOf: ({ ts, agent }, text) => eventFileName(parseInstant(ts).instant, agent, text),
  }
}
