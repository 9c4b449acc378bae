/** The formatters as people run them: from the command line, over a folder, with their settings. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Why a formatter is not tested. */
export const NOT_HERE = 'it is not on this machine'

const MODULES = fileURLToPath(new URL('node_modules', import.meta.url))

export interface Formatter {
  readonly name: string
  readonly isHere: boolean
  /** Settings that people have, as the text of files; the first are the defaults. */
  readonly settings: readonly Readonly<Record<string, string>>[]
  /** Formats every file below the folder, in place. */
  run(folder: string): void
}

const isModule = (name: string) => existsSync(join(MODULES, name, 'package.json'))

function start(folder: string, program: string, args: readonly string[], fine = [0]): void {
  const ran = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, NO_COLOR: '1' },
  })
  if (!fine.includes(ran.status ?? -1)) {
    throw new Error(`${program} ${args.join(' ')}: ${ran.error ?? ran.stderr}${ran.stdout}`)
  }
}

export const node = (folder: string, file: string, args: readonly string[], fine?: number[]) =>
  start(folder, process.execPath, [join(MODULES, file), ...args], fine)

const json = (value: unknown) => JSON.stringify(value)
const TABS = '[*]\nindent_style = tab\nindent_size = 8\nmax_line_length = 40\n'
const FOUR = '[*]\nindent_style = space\nindent_size = 4\n'

function prettier(name: string, module: string, bin: string): Formatter {
  const rc = (value: unknown) => ({ '.prettierrc.json': json(value) })
  return {
    name,
    isHere: isModule(module),
    settings: [
      {},
      rc({ singleQuote: true, proseWrap: 'always', tabWidth: 4, printWidth: 40 }),
      rc({ useTabs: true, proseWrap: 'never', quoteProps: 'consistent' }),
      { '.editorconfig': TABS },
      { '.editorconfig': FOUR },
      rc({ proseWrap: 'always', singleQuote: true }),
    ],
    run: (folder) =>
      node(
        folder,
        `${module}/${bin}`,
        ['--write', '--log-level=warn', '.'].filter(
          (arg) => name !== 'prettier 2' || !arg.startsWith('--log'),
        ),
      ),
  }
}

export const FORMATTERS: readonly Formatter[] = [
  prettier('prettier 3', 'prettier', 'bin/prettier.cjs'),
  prettier('prettier 2', 'prettier2', 'bin-prettier.js'),
  {
    name: 'oxfmt',
    isHere: isModule('oxfmt'),
    settings: [
      {},
      {
        '.oxfmtrc.json': json({
          singleQuote: true,
          proseWrap: 'always',
          tabWidth: 4,
          printWidth: 40,
        }),
      },
      { '.oxfmtrc.json': json({ useTabs: true, proseWrap: 'never' }) },
      { '.editorconfig': TABS },
    ],
    run: (folder) => node(folder, 'oxfmt/bin/oxfmt', ['.']),
  },
  {
    name: 'markdownlint-cli2 --fix',
    isHere: isModule('markdownlint-cli2'),
    settings: [{}],
    // 1: it found something that it does not fix.
    run: (folder) =>
      node(folder, 'markdownlint-cli2/markdownlint-cli2-bin.mjs', ['--fix', '**/*.md'], [0, 1]),
  },
]

/** What markdownlint finds with its defaults in all Markdown below `folder`, hidden folders included. */
export function lintMarkdown(folder: string): void {
  node(folder, 'markdownlint-cli2/markdownlint-cli2-bin.mjs', ['**/*.md'])
}

/** Our files are safe from these only if `install` excludes them (docs/formatters.md). */
export const dprint: Formatter = {
  name: 'dprint',
  isHere: dprintProgram() !== undefined && isModule('@dprint/markdown'),
  settings: [{}],
  run(folder) {
    const config = join(folder, 'dprint.json')
    if (!existsSync(config)) writeFileSync(config, dprintConfig({}))
    start(folder, dprintProgram() ?? '', ['fmt', '--log-level=warn'], [0, 14])
  },
}

export function dprintConfig(more: object): string {
  const plugins = ['markdown', 'json'].map((name) => join(MODULES, `@dprint/${name}/plugin.wasm`))
  return `${JSON.stringify({ ...more, plugins }, null, 2)}\n`
}

/** The package's own script would download what its optional packages contain. */
function dprintProgram(): string | undefined {
  const folder = join(MODULES, '@dprint')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.flatMap((name) => [join(folder, name, 'dprint')])
  return files.find((file) => existsSync(file))
}

const biomeOf = (name: string, module: string): Formatter => ({
  name,
  isHere: isModule(module),
  settings: [{ 'biome.json': '{}' }],
  run: (folder) => node(folder, `${module}/bin/biome`, ['format', '--write', '.']),
})

export const biome = biomeOf('biome', '@biomejs/biome')
export const biome1 = biomeOf('biome 1', 'biome1')
