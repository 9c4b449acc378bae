/** The structure of `src` matches docs/architecture.md: layers, rooms, and no imports back up. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const TOP = fileURLToPath(new URL('../..', import.meta.url))
const SRC = join(TOP, 'src')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .toSorted()

/** Our own files that a file imports: static, type-only, re-exported, dynamic and in a type. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, resolve(SRC, dirname(file), name)))
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const importGraph: Graph = new Map(files.map((file) => [file, new Set(importsOf(file))]))

function roomGraph(): Graph {
  const rooms = new Map<string, Set<string>>()
  for (const [file, imported] of importGraph) {
    const from = rooms.get(dirname(file)) ?? new Set()
    for (const other of imported) if (dirname(other) !== dirname(file)) from.add(dirname(other))
    rooms.set(dirname(file), from)
  }
  return rooms
}

/** The cycles of the graph, each by its shortest path. */
function cyclesOf(graph: Graph): string[] {
  const found = new Set<string>()
  for (const start of graph.keys()) {
    const way = wayBack(graph, start)
    // Each cycle is listed once: it starts at its alphabetically first node.
    if (way !== undefined && way.every((node) => start <= node)) {
      found.add([...way, start].join(' → '))
    }
  }
  return [...found]
}

function wayBack(graph: Graph, start: string): string[] | undefined {
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

const architecture = readFileSync(join(TOP, 'docs/architecture.md'), 'utf8')

test('the graph has every kind of import', () => {
  const arrows = [...importGraph.values()].reduce((sum, imported) => sum + imported.size, 0)
  expect(arrows).toBeGreaterThan(files.length)
  const missing = [...importGraph].flatMap(([file, imported]) =>
    [...imported].filter((other) => !importGraph.has(other)).map((other) => `${file} → ${other}`),
  )
  expect(missing).toEqual([])
  expect(
    cyclesOf(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a'])],
      ]),
    ),
  ).toEqual(['a → b → a'])
})

test('there are no import cycles between files', () => {
  expect(cyclesOf(importGraph)).toEqual([])
})

test('there are no import cycles between rooms', () => {
  expect(cyclesOf(roomGraph())).toEqual([])
})

describe('docs/architecture.md', () => {
  test('has a row for every room, and for nothing else', () => {
    const rows = [
      ...architecture.matchAll(
        /^\| `((?:entry|compose|cli|web|app|core|io)(?:\/[a-z-]+)?)\/` \| (.+) \|$/gm,
      ),
    ]
    const rooms = new Set(files.map((file) => dirname(file)))
    rooms.delete('app') // ports.ts, which the table of layers names
    expect(rows.map(([, room]) => room).toSorted()).toEqual([...rooms].toSorted())
  })

  test('every file is in a room', () => {
    const outside = files.filter(
      (file) => !file.includes('/') || /^(core|app|io)\/[^/]+$/.test(file),
    )
    expect(outside).toEqual(['app/ports.ts'])
  })
})

describe('documents name files that exist', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...documentsBelow('docs')]

  test.each(documents)('%s', (document) => {
    const text = readFileSync(join(TOP, document), 'utf8')
    const named = [
      ...text.matchAll(
        /`((?:src\/)?(?:entry|compose|cli|app|core|io|test|bench|scripts|githooks|templates)\/[\w./-]+\.(?:ts|mjs|sh|yml|md))`/g,
      ),
    ]
    const gone = named
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(TOP, path)) && !existsSync(join(SRC, path)))
    expect(gone).toEqual([])
  })
})

function documentsBelow(folder: string): string[] {
  return readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path}`)
}

test('a file that replaces modules for all its tests is named as one that runs apart from others', () => {
  // Others share their modules with the files that ran before them in the same worker.
  const mocks = new RegExp(String.raw`^\s*vi\.mock\(`, 'm')
  const tests = readdirSync(join(TOP, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => mocks.test(readFileSync(join(TOP, 'test', path), 'utf8')))
  expect(tests).not.toEqual([])
  expect(tests.filter((path) => !path.endsWith('.isolated.test.ts'))).toEqual([])
})
