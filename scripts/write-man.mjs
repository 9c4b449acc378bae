/** Writes the man pages of what was built into `dist/man/`, from the command's own table. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const top = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'))
const { manPagesOf } = createRequire(import.meta.url)('../dist/command-line.js')
const folder = new URL('dist/man/', top)
mkdirSync(folder, { recursive: true })
for (const [name, text] of manPagesOf(version)) writeFileSync(new URL(name, folder), text)
