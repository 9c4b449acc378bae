/** Tests of the built tool test what `src` holds now: a `dist/` of another source is built anew. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { sourceHash } from '../../scripts/source-hash.mjs'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const STAMP = `${PACKAGE}dist/package.json`

export default function setup(project: TestProject): void {
  buildIfStale()
  project.onTestsRerun(buildIfStale)
}

function buildIfStale(): void {
  if (builtFrom() === sourceHash(PACKAGE)) return
  process.stderr.write('dist/ is of another source: npm run build\n')
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: PACKAGE, stdio: ['ignore', 2, 2] })
}

/** The hash of the source that `dist` was built from. */
function builtFrom(): string | undefined {
  if (!existsSync(STAMP)) return undefined
  return (JSON.parse(readFileSync(STAMP, 'utf8')) as { source?: string }).source
}
