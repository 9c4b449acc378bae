/** Parts of the product, from its source: Node alone cannot load TypeScript everywhere. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'tsdown'

/**
 * What modules of `src/` export, together.
 *
 * @param {readonly string[]} paths
 */
export async function load(...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-git-bundle-'))
  // Some of it loads when it is needed.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await bundle(folder, Object.fromEntries(paths.map((path, i) => [`module-${i}`, path])))
  const urls = paths.map((_, i) => pathToFileURL(join(folder, `module-${i}.mjs`)).href)
  return Object.assign({}, ...(await Promise.all(urls.map((url) => import(url)))))
}

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
