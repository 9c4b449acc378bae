import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UserConfig } from 'tsdown'
import { defineConfig } from 'tsdown'
import { sourceHash } from './scripts/source-hash.mjs'

/** Folders of the libraries that are in any of the bundles. */
const bundled = new Set<string>()

/** Libraries are bundled, so their licences must be shipped with the bundle. */
const thirdPartyLicences = {
  name: 'third-party-licences',
  generateBundle(
    _options: unknown,
    bundle: Record<string, { type: string; modules?: Record<string, unknown> }>,
  ) {
    const folders = Object.values(bundle)
      .flatMap((chunk) => Object.keys(chunk.modules ?? {}))
      .map((path) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    for (const folder of folders) if (folder !== undefined) bundled.add(folder)
  },
  writeBundle() {
    const texts = [...bundled].toSorted().map(licenceOf)
    writeFileSync(
      'dist/THIRD-PARTY-LICENSES.txt',
      `ledger-git's bundle contains these packages.\n\n${texts.join('\n')}`,
    )
  },
}

/** Tells Node that `dist` is CommonJS (the rest of the package is ES modules), and tests what it was built from. */
const description = {
  name: 'description',
  writeBundle() {
    bundlesLeft -= 1
    // Written only after the last bundle, so a build that failed half-way leaves no hash.
    if (bundlesLeft > 0) return
    const text = JSON.stringify({ type: 'commonjs', source: SOURCE_HASH })
    writeFileSync('dist/package.json', `${text}\n`)
  },
}

/** Node modules that take 4 ms each to load are loaded on first use, which most hooks never reach. */
const lateBuiltins = {
  name: 'late-builtins',
  renderChunk(code: string) {
    const loads = /^let (\w+) = (require\("node:(?:crypto|child_process)"\));\n/gm
    return [...code.matchAll(loads)].reduce((text, [load, name, required]) => {
      const late = text.replace(load, '').replaceAll(`(0, ${name}.`, `(0, ${required}.`)
      // Used other than by a call, so the module must be loaded at the start.
      return new RegExp(`\\b${name}\\b`).test(late) ? text : late
    }, code)
  },
}

/** The page's style sheet is served unchanged. */
const styleSheet = {
  name: 'style-sheet',
  writeBundle() {
    copyFileSync('src/web/dashboard.css', 'dist/dashboard.css')
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

/**
 * Part of the names of cache folders, because a build must not use what another build parsed, rendered, compiled,
 * or kept in another form.
 */
const SOURCE_HASH = sourceHash('.')

/** Keeps the bundler's few helpers apart. Otherwise they are in the file of some library, which then always loads. */
const HELPERS = { name: 'helpers', test: /rolldown[\\/]runtime/ }

/**
 * Puts all modules that the same entries need at start-up into one file; otherwise, each set of modules that share
 * something gets its own file. Modules that more entries need come first, because each file also takes in all modules
 * that it needs and that no earlier file has.
 */
function filesOf(entries: Readonly<Record<string, readonly string[]>>) {
  const reach = (id: string, graph: ModuleGraph, found: Set<string>) => {
    if (found.has(id)) return found
    found.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reach(next, graph, found)
    return found
  }
  const needs = Object.entries(entries).map(([name, sources]) => {
    const paths = sources.map((source) => fileURLToPath(new URL(source, import.meta.url)))
    let needed: Set<string> | undefined
    return (id: string, graph: ModuleGraph) => {
      needed ??= paths.reduce((found, path) => reach(path, graph, found), new Set<string>())
      return needed.has(id) ? [name] : []
    }
  })
  return needs.map((_, i) => ({
    name: (id: string, graph: ModuleGraph) => {
      const names = needs.flatMap((isNeeded) => isNeeded(id, graph))
      return names.length === needs.length - i ? names.join('-') : null
    },
  }))
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const shared = {
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  dts: false,
  alias: {
    // The package's main file loads the others by a name that no bundler can follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    y18n: fileURLToPath(new URL('src/cli/english.ts', import.meta.url)),
    'string-width': fileURLToPath(new URL('src/cli/text-width.ts', import.meta.url)),
  },
  define: { LEDGER_GIT_BUILD: JSON.stringify(SOURCE_HASH) },
  // `eval`: gray-matter's JavaScript engine is never reached (src/core/event/front-matter.ts).
  // `ineffectiveDynamicImport`: one bundle may load on demand what another needs at the start.
  // `emptyImportMeta`: yargs reads a part of `import.meta` that CommonJS lacks, for a setting that we do not use.
  inputOptions: {
    checks: { eval: false, emptyImportMeta: false, ineffectiveDynamicImport: false },
  },
  // Node loads CommonJS 30 ms faster than the same number of ES modules.
  format: 'cjs',
} satisfies UserConfig

const bundles: UserConfig[] = [
  {
    ...shared,
    entry: {
      main: 'src/entry/main.ts',
      'cc-synthesize': 'src/entry/cc-synthesize.ts',
      continuity: 'src/entry/continuity.ts',
      'command-line': 'src/entry/command-line.ts',
      'gather-fleet': 'src/entry/gather-fleet.ts',
    },
    clean: true,
    plugins: [lateBuiltins, thirdPartyLicences, description],
    outputOptions: {
      chunkFileNames: '[name]-[hash].js',
      entryFileNames: '[name].js',
      codeSplitting: {
        groups: [
          HELPERS,
          ...filesOf({
            entry: ['src/entry/git-entry.ts'],
            // `status` always reads the sessions, too.
            status: ['src/entry/status.ts', 'src/io/sessions/session-context.ts'],
            commands: ['src/entry/command-line.ts'],
          }),
        ],
      },
    },
  },
  {
    ...shared,
    // What git and agents start.
    entry: { 'git-entry': 'src/entry/git-entry-main.ts' },
    clean: false,
    plugins: [lateBuiltins, description],
    outputOptions: {
      chunkFileNames: 'git-[name]-[hash].cjs',
      entryFileNames: '[name].cjs',
      codeSplitting: {
        groups: [
          HELPERS,
          ...filesOf({ entry: ['src/entry/git-entry.ts'], agent: ['src/entry/agent-hook.ts'] }),
        ],
      },
    },
  },
]

/** The dashboard's page: a single script for browsers, with everything it needs. */
const page: UserConfig = {
  entry: { dashboard: 'src/web/main.tsx' },
  outDir: 'dist',
  dts: false,
  clean: false,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  minify: true,
  inputOptions: { transform: { jsx: { runtime: 'automatic', importSource: 'preact' } } },
  outputOptions: { entryFileNames: '[name].js' },
  plugins: [thirdPartyLicences, styleSheet, description],
}
bundles.push(page)

let bundlesLeft = bundles.length

export default defineConfig(bundles)
