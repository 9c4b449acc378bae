/** What a build is made of, as one hash: it names the build, and tells whether `dist/` is current. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Any change to the source, to a library or to how they are bundled changes it. */
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
