/**
 * Tests of the built tool must test the current `src`: if `dist/` was built from another source, it is built again.
 */

import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'

export default function setup(project: TestProject): void {
  build()
  project.onTestsRerun(build)
}

function build(): void {
  buildIfStale(() => process.stderr.write('dist/ is of another source: npm run build\n'))
}
