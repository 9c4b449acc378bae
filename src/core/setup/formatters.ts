/**
 * Formatters that may process the ledger's files, and how each of them is told to ignore a folder.
 *
 * Prettier and oxfmt leave new events, archived events, and `current.md` unchanged. Other formatters change one of
 * these, and can only be kept away by their own settings (docs/formatters.md).
 */

import { append, parseJsonTree, propertiesOf } from '../text/json-edits.ts'
import type { Insertion, Node } from '../text/json-edits.ts'
import { isBiome1 } from './biome.ts'
import { formatterBlock } from './path-blocks.ts'
import { hasBlock } from './marked-block.ts'

export interface Formatter {
  readonly name: string
  /** Files at the top of the worktree that show that the formatter is used. */
  readonly files: readonly string[]
  /** Text in other files that shows that it is used. */
  readonly marks?: Readonly<Record<string, RegExp>>
  /** Which of our files it would change: bare events in the old form, or more than those. */
  readonly changes: 'bare events' | 'current.md' | 'events'
  readonly shield: (ground: Ground) => Shield
}

/** Reads a file at a worktree's top. */
export type Read = (name: string) => string | undefined

interface Ground {
  readonly read: Read
  /** The ledger's folder. */
  readonly root: string
  /** Existing files of the formatter, and those that may name it. */
  readonly files: readonly string[]
}

/** What keeps, or would keep, a formatter out of the ledger's folder. */
export interface Shield {
  readonly isThere: boolean
  /** What only a person can do: the file, and what to write. */
  readonly advice?: string
  /** What `install` writes: a block of ours, a file of ours, or an addition to somebody else's file. */
  readonly edit?: {
    readonly path: string
    readonly block?: string
    readonly content?: string
    readonly pieces?: readonly string[]
  }
}

const PRESENT: Shield = { isThere: true }

/** A line in an ignore file with patterns like git's. */
const byLineIn =
  (path: string): Formatter['shield'] =>
  ({ read, root }) => {
    const text = read(path) ?? ''
    const isThere = hasBlock(text)
    if (!isThere && ignoresFolder(text, root)) return PRESENT
    return { isThere, edit: { path, block: formatterBlock(root) } }
  }

/** A separate settings file in the folder. */
const byFile =
  (name: string, wanted: string): Formatter['shield'] =>
  ({ read, root, files }) => {
    if (isNamedIn(files, root, read)) return PRESENT
    const path = `${root}/${name}`
    const text = read(path)
    if (text === undefined || words(text) === words(wanted)) {
      return { isThere: text !== undefined, edit: { path, content: text ?? wanted } }
    }
    return { isThere: false, advice: `make ${path} say ${words(wanted)}` }
  }

/** An element of a list in the formatter's settings. */
const byEntry =
  (keys: readonly string[], glob: string): Formatter['shield'] =>
  ({ read, root, files: [path = ''] }) => {
    const value = `${root}${glob}`
    const put = putInList(read(path) ?? '', keys, value, root)
    if (put === undefined) return PRESENT
    if (typeof put !== 'string') {
      return { isThere: false, edit: { path, content: put.text, pieces: [put.piece] } }
    }
    return {
      isThere: false,
      advice: `add "${value}" to ${keys.join('.')} in ${path}, which ${put}`,
    }
  }

const byHand =
  (name: string, line: string): Formatter['shield'] =>
  ({ read, root, files }) => {
    if (isNamedIn(files, root, read)) return PRESENT
    return { isThere: false, advice: `add ${line.replace('{root}', root)} to ${name}` }
  }

/** If the settings name the folder, somebody has already decided about it. */
function isNamedIn(files: readonly string[], root: string, read: Read): boolean {
  return files.some((name) => read(name)?.includes(root) === true)
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const PRE_COMMIT = '.pre-commit-config.yaml'
const PACKAGE = 'package.json'
const OFF = { root: false, formatter: { enabled: false }, linter: { enabled: false } }
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Expands names with alternatives in braces. */
const named = (pattern: string) =>
  pattern.split(' ').flatMap((word) => {
    const [start = '', ends] = word.replace('}', '').split('{')
    return ends === undefined ? [start] : ends.split(',').map((end) => start + end)
  })

const FORMATTERS: readonly Formatter[] = [
  {
    name: 'prettier',
    files: named(
      '.prettierrc{,.json,.yaml,.yml,.json5,.js,.cjs,.mjs,.ts,.toml} ' +
        'prettier.config.{js,cjs,mjs,ts} .prettierignore',
    ),
    marks: { [PRE_COMMIT]: /prettier/, [PACKAGE]: /"prettier"\s*:/ },
    changes: 'bare events',
    shield: byLineIn('.prettierignore'),
  },
  {
    name: 'oxfmt',
    files: named('.oxfmtrc.{json,jsonc}'),
    marks: { [PACKAGE]: /"oxfmt"\s*:/ },
    changes: 'bare events',
    shield: byLineIn('.prettierignore'),
  },
  {
    name: 'biome',
    files: named('biome.{json,jsonc} .biome.{json,jsonc}'),
    marks: { [PACKAGE]: /"@biomejs\/biome"\s*:/ },
    changes: 'events',
    shield: (ground) => (isBiome1(ground.read) ? PRESENT : byFile('biome.json', json(OFF))(ground)),
  },
  {
    name: 'dprint',
    files: named('dprint.{json,jsonc} .dprint.{json,jsonc}'),
    changes: 'current.md',
    shield: byEntry(['excludes'], '/**'),
  },
  {
    name: 'deno fmt',
    files: named('deno.{json,jsonc}'),
    changes: 'current.md',
    shield: byEntry(['fmt', 'exclude'], '/'),
  },
  {
    name: 'markdownlint',
    files: named(
      '.markdownlint-cli2.{jsonc,yaml,cjs,mjs} .markdownlint.{jsonc,json,yaml,yml,cjs,mjs}',
    ),
    marks: { [PRE_COMMIT]: /markdownlint/, [PACKAGE]: /"markdownlint-cli2?"\s*:/ },
    changes: 'bare events',
    shield: byFile('.markdownlint.json', json({ default: false })),
  },
  {
    name: 'remark',
    files: named('.remarkrc{,.json,.yaml,.yml,.js,.cjs,.mjs} .remarkignore'),
    marks: { [PACKAGE]: /"remark-cli"\s*:/ },
    changes: 'events',
    shield: byLineIn('.remarkignore'),
  },
  {
    name: 'eclint',
    files: [],
    marks: { [PACKAGE]: /"eclint"\s*:/ },
    changes: 'events',
    shield: byFile('.editorconfig', 'root = true\n'),
  },
  {
    name: 'mdformat',
    files: ['.mdformat.toml'],
    marks: { [PRE_COMMIT]: /mdformat/, 'pyproject.toml': /^\[tool\.mdformat\]/m },
    changes: 'events',
    shield: byHand('.mdformat.toml', 'exclude = ["{root}/**"]'),
  },
]

/** The formatters that are set up, each with what keeps it away. */
export function usedFormatters(read: Read, root: string): readonly (Formatter & Shield)[] {
  return FORMATTERS.flatMap((formatter) => {
    const marks = Object.entries(formatter.marks ?? {})
    const files = formatter.files.filter((name) => read(name) !== undefined)
    const isUsed = files.length > 0 || marks.some(([name, mark]) => mark.test(read(name) ?? ''))
    const ground = { read, root, files: [...files, ...marks.map(([name]) => name)] }
    return isUsed ? [{ ...formatter, ...formatter.shield(ground) }] : []
  })
}

/** True if a pattern, from an ignore file or a list of globs, covers the whole folder. */
function coversFolder(pattern: string, root: string): boolean {
  const path = pattern
    .trim()
    .replace(/^(?:\.?\/|!|\*\*\/)+/, '')
    .replace(/(?:\/\*{0,2})+$/, '')
  return path !== '' && (root === path || root.startsWith(`${path}/`))
}

function ignoresFolder(text: string | undefined, root: string): boolean {
  const lines = (text ?? '').split('\n').filter((line) => !/^\s*[#!]/.test(line))
  return lines.some((line) => coversFolder(line.replaceAll('\\', ''), root))
}

/**
 * Adds `value` to the list at `keys` of a JSON text. Undefined if the list already covers the folder. A string says why
 * the value cannot be added.
 */
function putInList(
  text: string,
  keys: readonly string[],
  value: string,
  root: string,
): Insertion | string | undefined {
  let node: Node | string = parseJsonTree(text)
  if (typeof node === 'string') return node
  for (const [i, key] of keys.entries()) {
    if (node.type !== 'object') return 'is not an object'
    const [next]: Node[] = propertiesOf(node, key)
    if (next === undefined) {
      const list = `[${JSON.stringify(value)}]`
      const rest = keys.slice(i + 1).reduceRight((inner, name) => `{ "${name}": ${inner} }`, list)
      return append(text, node, `"${key}": ${rest}`)
    }
    node = next
  }
  if (node.type !== 'array') return `${keys.join('.')} is not a list`
  const values = (node.children ?? []).map((child) => String(child.value))
  if (values.some((pattern) => coversFolder(pattern, root))) return undefined
  return append(text, node, JSON.stringify(value))
}
