/** `dist/` records a hash of the source that it was built from. If the source has changed, builds again. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sourceHash } from './source-hash.mjs'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const STAMP = `${PACKAGE}dist/package.json`

/** `announce` is called before a build. The output of the build is shown only if it fails. */
export function buildIfStale(announce) {
  if (builtFrom() === sourceHash(PACKAGE)) return
  announce()
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: PACKAGE, stdio: 'pipe' })
}

/** The hash of the source that `dist` was built from. */
function builtFrom() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')).source : undefined
}
