/**
 * The manifest that is published: without scripts and what only contributors need, so that nothing of
 * ours can run, or be warned about, where somebody installs the package; and with the man pages that were
 * built, which npm links where `man` looks. npm calls this around packing.
 */

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(new URL('../package.json', import.meta.url))
/** The whole one, meanwhile; ignored by git and not in the package. */
const whole = `${manifest}.whole`
const CONTRIBUTORS_ONLY = new Set(['scripts', 'devDependencies', 'lint-staged'])

const steps = {
  strip() {
    // A pack that failed left it; where the manifest has its scripts, somebody brought that back and went on.
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
