/** Makes the diagram and the table of `docs/sessions.md` anew. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from '../bench/bundle.mjs'

const folder = mkdtempSync(join(tmpdir(), 'session-diagram-'))
try {
  await bundle(folder, { diagram: '../scripts/session-diagram.ts' })
  const { withSessionDiagram } = await import(pathToFileURL(join(folder, 'diagram.mjs')).href)
  const document = new URL('../docs/sessions.md', import.meta.url)
  writeFileSync(document, withSessionDiagram(readFileSync(document, 'utf8')))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
