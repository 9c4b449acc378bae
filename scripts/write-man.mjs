/** Writes man pages into `dist/man/`, from the command table of the build. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { load } from '../bench/bundle.mjs'

const top = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'))
const { TABLE } = createRequire(import.meta.url)('../dist/command-line.js')
const { manPages } = await load('../scripts/man-page.ts')
const folder = new URL('dist/man/', top)
mkdirSync(folder, { recursive: true })
for (const [name, text] of manPages(TABLE, version)) writeFileSync(new URL(name, folder), text)
