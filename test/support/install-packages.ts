/** Installs the packages of a test folder once, before the tests that need them. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** If there is no registry, the tests of each missing package are reported as skipped. */
export function installPackages(folder: string, what: string): void {
  const installed = `${folder}node_modules/.package-lock.json`
  // A lock file must list the programs for every system, and npm does not always write such a file. In that case
  // there is no lock file, and package.json names exact versions.
  const lock = `${folder}package-lock.json`
  const hasLock = existsSync(lock)
  const isCurrent =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(hasLock ? lock : `${folder}package.json`).mtimeMs
  if (isCurrent) return
  const cache = mkdtempSync(join(tmpdir(), 'packages-'))
  try {
    // The packages' install scripts would set up the repository around them, which is this one.
    const how = hasLock ? ['ci'] : ['install', '--no-package-lock']
    const args = [...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    // Nothing is written to the real HOME, including npm's cache and logs.
    const env = {
      ...process.env,
      npm_config_cache: cache,
      npm_config_update_notifier: 'false',
      // Without a network npm would wait two minutes before it reports that.
      npm_config_fetch_retry_mintimeout: '1000',
      npm_config_fetch_retry_maxtimeout: '2000',
    }
    execFileSync('npm', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    process.stderr.write(`${what} could not be installed: ${stderr?.toString()}\n`)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
