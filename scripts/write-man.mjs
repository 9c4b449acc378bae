/** Writes the man pages of what was built into `dist/man/`, from the command's own table. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from '../bench/bundle.mjs'

const top = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'))
const { TABLE } = createRequire(import.meta.url)('../dist/command-line.js')
const made = mkdtempSync(join(tmpdir(), 'man-page-'))
try {
  await bundle(made, { 'man-page': '../scripts/man-page.ts' })
  const { manPages } = await import(pathToFileURL(join(made, 'man-page.mjs')).href)
  const folder = new URL('dist/man/', top)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of manPages(TABLE, version)) writeFileSync(new URL(name, folder), text)
} finally {
  rmSync(made, { recursive: true, force: true })
}
