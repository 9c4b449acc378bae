/** The product's own object readers, from their source, bundled as the product bundles them. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

const SOURCE = fileURLToPath(new URL('../src/io/git/', import.meta.url))

/** Bundles into `folder`; `programs/read-objects.mjs` loads one of them. */
export async function bundleReaders(folder) {
  await build({
    config: false,
    entry: {
      isomorphic: join(SOURCE, 'isomorphic-reader.ts'),
      'cat-file': join(SOURCE, 'cat-file-reader.ts'),
      batch: join(SOURCE, 'batch-reader.ts'),
      exec: join(SOURCE, 'exec.ts'),
    },
    outDir: folder,
    outExtensions: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    dts: false,
    logLevel: 'silent',
  })
}
