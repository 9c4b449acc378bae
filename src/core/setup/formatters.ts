/**
 * Formatters that meet the ledger's files, how each is told to leave a folder alone, and where it says so.
 *
 * New events, archived events and `current.md` have forms that prettier and oxfmt leave as they are; the
 * others change one of them, and nothing but their own settings keeps them away (docs/formatters.md).
 */

import { append, parseJson, propertiesOf } from '../agents/agent-json.ts'
import type { Node } from '../agents/agent-json.ts'

export interface Formatter {
  readonly name: string
  /** Files at the top of the worktree that show it is used. */
  readonly files: readonly string[]
  readonly packages: readonly string[]
  /** What other files say where it is used. */
  readonly marks?: Readonly<Record<string, RegExp>>
  /** What it would change of ours: bare events, as they were written before, or more than those. */
  readonly changes: 'bare events' | 'current.md' | 'events'
  readonly away: Away
}

/** How a formatter is kept away from a folder. */
export type Away =
  /** A line in a file of patterns, as git has them. */
  | { readonly kind: 'block'; readonly file: string }
  /** A settings file of its own in the folder. */
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  /** An element of a list in its settings. */
  | { readonly kind: 'entry'; readonly keys: readonly string[]; readonly glob: string }
  /** By hand: what to write where. */
  | { readonly kind: 'hand'; readonly file: string; readonly line: string }

const PRE_COMMIT = '.pre-commit-config.yaml'
const PRETTIER_FILES = [
  ...['', '.json', '.yaml', '.yml', '.json5', '.js', '.cjs', '.mjs', '.ts', '.toml'].map(
    (end) => `.prettierrc${end}`,
  ),
  ...['js', 'cjs', 'mjs', 'ts'].map((end) => `prettier.config.${end}`),
  '.prettierignore',
]
const OFF = { root: false, formatter: { enabled: false }, linter: { enabled: false } }

export const FORMATTERS: readonly Formatter[] = [
  {
    name: 'prettier',
    files: PRETTIER_FILES,
    packages: ['prettier'],
    marks: { [PRE_COMMIT]: /prettier/ },
    changes: 'bare events',
    away: { kind: 'block', file: '.prettierignore' },
  },
  {
    name: 'oxfmt',
    files: ['.oxfmtrc.json', '.oxfmtrc.jsonc'],
    packages: ['oxfmt'],
    changes: 'bare events',
    away: { kind: 'block', file: '.prettierignore' },
  },
  {
    name: 'biome',
    files: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'],
    packages: ['@biomejs/biome'],
    changes: 'events',
    away: { kind: 'file', file: 'biome.json', text: `${JSON.stringify(OFF, null, 2)}\n` },
  },
  {
    name: 'dprint',
    files: ['dprint.json', 'dprint.jsonc', '.dprint.json', '.dprint.jsonc'],
    packages: [],
    changes: 'current.md',
    away: { kind: 'entry', keys: ['excludes'], glob: '/**' },
  },
  {
    name: 'deno fmt',
    files: ['deno.json', 'deno.jsonc'],
    packages: [],
    changes: 'current.md',
    away: { kind: 'entry', keys: ['fmt', 'exclude'], glob: '/' },
  },
  {
    name: 'markdownlint',
    files: [
      ...['jsonc', 'yaml', 'cjs', 'mjs'].map((end) => `.markdownlint-cli2.${end}`),
      ...['jsonc', 'json', 'yaml', 'yml', 'cjs', 'mjs'].map((end) => `.markdownlint.${end}`),
    ],
    packages: ['markdownlint-cli2', 'markdownlint-cli'],
    marks: { [PRE_COMMIT]: /markdownlint/ },
    changes: 'bare events',
    away: {
      kind: 'file',
      file: '.markdownlint.json',
      text: `${JSON.stringify({ default: false }, null, 2)}\n`,
    },
  },
  {
    name: 'remark',
    files: [
      ...['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs'].map((end) => `.remarkrc${end}`),
      '.remarkignore',
    ],
    packages: ['remark-cli'],
    changes: 'events',
    away: { kind: 'block', file: '.remarkignore' },
  },
  {
    name: 'eclint',
    files: [],
    packages: ['eclint'],
    changes: 'events',
    away: { kind: 'file', file: '.editorconfig', text: 'root = true\n' },
  },
  {
    name: 'mdformat',
    files: ['.mdformat.toml'],
    packages: [],
    marks: { [PRE_COMMIT]: /mdformat/, 'pyproject.toml': /^\[tool\.mdformat\]/m },
    changes: 'events',
    away: { kind: 'hand', file: '.mdformat.toml', line: 'exclude = ["{root}/**"]' },
  },
]

/** Packages that a `package.json` depends on, and tools that it has settings for. */
export function packagesIn(text: string | undefined): ReadonlySet<string> {
  try {
    const parsed = JSON.parse(text ?? '{}') as Record<string, object | undefined>
    const lists = [parsed['dependencies'], parsed['devDependencies']]
    const names = lists.flatMap((list) => Object.keys(list ?? {}))
    return new Set([...names, ...(parsed['prettier'] === undefined ? [] : ['prettier'])])
  } catch {
    return new Set()
  }
}

/** True when a pattern, as ignore files and lists of globs have them, takes in the whole folder. */
export function coversFolder(pattern: string, root: string): boolean {
  const path = pattern
    .trim()
    .replace(/^(?:\.?\/|!|\*\*\/)+/, '')
    .replace(/(?:\/\*{0,2})+$/, '')
  return path !== '' && (root === path || root.startsWith(`${path}/`))
}

export function ignoresFolder(text: string | undefined, root: string): boolean {
  const lines = (text ?? '').split('\n').filter((line) => !/^\s*[#!]/.test(line))
  return lines.some((line) => coversFolder(line.replaceAll('\\', ''), root))
}

export type ListEdit =
  | { readonly state: 'there' }
  | { readonly state: 'put'; readonly text: string; readonly piece: string }
  | { readonly state: 'unreadable'; readonly why: string }

/** Adds `value` to the list at `keys` of a JSON text, where nothing in it takes in the folder. */
export function putInList(
  text: string,
  keys: readonly string[],
  value: string,
  root: string,
): ListEdit {
  let node: Node | string = parseJson(text)
  if (typeof node === 'string') return { state: 'unreadable', why: node }
  for (const [i, key] of keys.entries()) {
    if (node.type !== 'object') return { state: 'unreadable', why: 'is not an object' }
    const [next]: Node[] = propertiesOf(node, key)
    if (next === undefined) {
      const list = `[${JSON.stringify(value)}]`
      const rest = keys.slice(i + 1).reduceRight((inner, name) => `{ "${name}": ${inner} }`, list)
      return { state: 'put', ...append(text, node, `"${key}": ${rest}`) }
    }
    node = next
  }
  if (node.type !== 'array') return { state: 'unreadable', why: `${keys.join('.')} is not a list` }
  const values = (node.children ?? []).map((child) => String(child.value))
  if (values.some((pattern) => coversFolder(pattern, root))) return { state: 'there' }
  return { state: 'put', ...append(text, node, JSON.stringify(value)) }
}
