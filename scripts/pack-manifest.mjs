/**
 * Writes the published manifest. It leaves out scripts and everything that only contributors need, so that
 * installing the package runs none of our scripts and causes no warnings about them. It adds the built man pages,
 * which npm links where `man` looks. npm calls this before and after packing.
 */

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../package.json', import.meta.url))
/** Keeps the full manifest during packing; ignored by git and not in the package. */
const whole = `${manifest}.whole`
const CONTRIBUTORS_ONLY = new Set(['scripts', 'devDependencies', 'lint-staged'])

const steps = {
  strip() {
    // Left by a pack that failed. If the manifest has scripts, somebody has already restored it by hand.
    if (existsSync(whole) && !/"scripts":/.test(readFileSync(manifest, 'utf8'))) steps.restore()
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(whole, text)
    const entries = Object.entries(JSON.parse(text))
    const published = entries.filter(([key]) => !CONTRIBUTORS_ONLY.has(key))
    const man = readdirSync(new URL('../dist/man/', import.meta.url)).toSorted()
    const all = [...published, ['man', man.map((name) => `./dist/man/${name}`)]]
    writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
  },
  restore() {
    renameSync(whole, manifest)
  },
}

steps[process.argv[2]]()
