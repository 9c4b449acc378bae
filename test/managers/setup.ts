/** Installs the real hook managers once, before the tests that need them. */

import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const folder = new URL('.', import.meta.url).pathname

/** Without a registry the tests of each missing manager are reported as skipped. */
export default function setup(): void {
  const installed = `${folder}node_modules/.package-lock.json`
  const isCurrent =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs
  if (isCurrent) return
  try {
    // Their install scripts would set up the repository around them: this one.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    process.stderr.write(`hook managers could not be installed: ${stderr?.toString()}\n`)
  }
}
