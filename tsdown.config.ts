import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'tsdown'

/** Libraries are bundled, so their licences travel with the bundle. */
const thirdPartyLicences = {
  name: 'third-party-licences',
  generateBundle(
    this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void },
    _options: unknown,
    bundle: Record<string, { type: string; modules?: Record<string, unknown> }>,
  ) {
    const folders = Object.values(bundle)
      .flatMap((chunk) => Object.keys(chunk.modules ?? {}))
      .map((path) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
      .filter((folder) => folder !== undefined)
    const texts = [...new Set(folders)].toSorted().map(licenceOf)
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-LICENSES.txt',
      source: `ledger-git's bundle contains these packages.\n\n${texts.join('\n')}`,
    })
  },
}

function licenceOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  const text =
    file !== undefined && existsSync(join(folder, file))
      ? readFileSync(join(folder, file), 'utf8')
      : ''
  return `== ${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${text}\n`
}

export default defineConfig({
  entry: { main: 'src/main.ts', 'cc-synthesize': 'src/cc-synthesize.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  clean: true,
  dts: false,
  plugins: [thirdPartyLicences],
  // One folder of small chunks: an entry point loads only what it needs.
  outputOptions: { chunkFileNames: '[name]-[hash].js', entryFileNames: '[name].js' },
  // gray-matter's JavaScript engine is never reached (src/core/ledger/front-matter.ts).
  inputOptions: { checks: { eval: false } },
})
