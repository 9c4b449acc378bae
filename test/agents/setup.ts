/** Installs the real coding agents, hundreds of megabytes, once and only where all tests are run. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IS_LONG } from '../support/long.ts'

const folder = new URL('./', import.meta.url).pathname

/** Without a registry their tests are reported as not run. */
export default function setup(): void {
  const installed = `${folder}node_modules/.package-lock.json`
  const isCurrent =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs
  if (isCurrent || !IS_LONG) return
  const cache = mkdtempSync(join(tmpdir(), 'coding-agents-'))
  try {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    // Nothing is written to the real HOME, not even npm's cache and logs.
    const env = { ...process.env, npm_config_cache: cache, npm_config_update_notifier: 'false' }
    execFileSync('npm', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    process.stderr.write(`coding agents could not be installed: ${stderr?.toString()}\n`)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
