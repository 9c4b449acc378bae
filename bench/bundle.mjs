/** Parts of the product, from its source: Node alone cannot load TypeScript everywhere. */

import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

/**
 * Bundles modules of `src/`, given by the name of the file to make, into `folder`.
 *
 * @param {string} folder
 * @param {Record<string, string>} modules
 */
export async function bundle(folder, modules) {
  const source = new URL('../src/', import.meta.url)
  const entry = Object.entries(modules).map(([name, path]) => [
    name,
    fileURLToPath(new URL(path, source)),
  ])
  await build({
    config: false,
    entry: Object.fromEntries(entry),
    outDir: folder,
    outExtensions: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    dts: false,
    logLevel: 'silent',
  })
}
