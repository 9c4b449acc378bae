/** The hash of everything that a build is made from. It names the build, and shows whether `dist/` is current. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Changes with any change to the source, to a library, or to the bundling. */
export function sourceHash(folder) {
  const hash = createHash('sha256')
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css)$/.test(name))
    .map((name) => `src/${name}`)
  for (const file of [
    'package-lock.json',
    'tsdown.config.ts',
    'scripts/man-page.ts',
    ...files.toSorted(),
  ]) {
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
