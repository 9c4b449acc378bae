/** Regenerates the diagram and the table in `docs/sessions.md`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { load } from '../bench/bundle.mjs'

const { withSessionDiagram } = await load('../scripts/session-diagram.ts')
const document = new URL('../docs/sessions.md', import.meta.url)
writeFileSync(document, withSessionDiagram(readFileSync(document, 'utf8')))
