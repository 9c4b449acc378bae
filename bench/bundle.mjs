/** Loads parts of the product from its source, bundled first because not every Node can load TypeScript. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'tsdown'

/**
 * The combined exports of modules of `src/`.
 *
 * @param {readonly string[]} paths
 */
export async function load(...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-git-bundle-'))
  // Some parts are loaded only when they are needed.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await bundle(folder, Object.fromEntries(paths.map((path, i) => [`module-${i}`, path])))
  const urls = paths.map((_, i) => pathToFileURL(join(folder, `module-${i}.mjs`)).href)
  return Object.assign({}, ...(await Promise.all(urls.map((url) => import(url)))))
}

/**
 * Bundles modules of `src/` into `folder`; `modules` maps the names of the files to make to the modules.
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
