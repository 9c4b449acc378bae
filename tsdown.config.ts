import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UserConfig } from 'tsdown'
import { defineConfig } from 'tsdown'
import { sourceHash } from './scripts/source-hash.mjs'

/** Folders of libraries in any of the bundles. */
const bundled = new Set<string>()

/** Libraries are bundled, so their licences travel with the bundle. */
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

/** Tells Node what `dist` holds (the rest of the package is ES modules), and tests what it was built from. */
const description = {
  name: 'description',
  writeBundle() {
    bundlesLeft -= 1
    // A build that failed half-way says nothing.
    if (bundlesLeft > 0) return
    const text = JSON.stringify({ type: 'commonjs', source: SOURCE_HASH })
    writeFileSync('dist/package.json', `${text}\n`)
  },
}

/** Parts of Node that take 4 ms each to load: loaded where they are used first, which for most hooks is nowhere. */
const lateBuiltins = {
  name: 'late-builtins',
  renderChunk(code: string) {
    const loads = /^let (\w+) = (require\("node:(?:crypto|child_process)"\));\n/gm
    return [...code.matchAll(loads)].reduce((text, [load, name, required]) => {
      const late = text.replace(load, '').replaceAll(`(0, ${name}.`, `(0, ${required}.`)
      // Used in another way than by a call: it must be there.
      return new RegExp(`\\b${name}\\b`).test(late) ? text : late
    }, code)
  },
}

/** The page's style is served as it was written. */
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
 * Names the folders of the cache: what another build has parsed, rendered, kept in another form or
 * compiled is not ours to use.
 */
const SOURCE_HASH = sourceHash('.')

/** Else the bundler's few helpers live in some library's file, and load it every time. */
const HELPERS = { name: 'helpers', test: /rolldown[\\/]runtime/ }

/**
 * What the same entries need at once in one file; else each set of parts that share something gets one. What
 * more of them need comes first: a file takes all along that it needs and no other has.
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
    // Its main file loads the others by a name that no bundler can follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    y18n: fileURLToPath(new URL('src/cli/english.ts', import.meta.url)),
    'string-width': fileURLToPath(new URL('src/cli/text-width.ts', import.meta.url)),
  },
  define: { LEDGER_GIT_BUILD: JSON.stringify(SOURCE_HASH) },
  // gray-matter's JavaScript engine is never reached (src/core/event/front-matter.ts).
  // What one bundle loads on demand the other may need at once.
  // yargs asks for one part of `import.meta` that CommonJS lacks, for a setting that we do not use.
  inputOptions: {
    checks: { eval: false, emptyImportMeta: false, ineffectiveDynamicImport: false },
  },
  // CommonJS: Node loads it 30 ms sooner than as many ES modules.
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
            // Always follows the sessions, too.
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

/** The dashboard's page: one script for browsers, with all that it needs. */
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
