/** `npx vitest related src/…` finds tests for every file: some test imports the file, directly or indirectly. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** Imports that remain when the types are removed, including dynamic imports. */
const IMPORT =
  /(?:^|\n)(?:import|export)\s(?!type\b)[^;'"]*?from\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)|(?:^|\n)import\s+'(\.[^']+)'/g

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(IMPORT)]
    .map(([, from, onDemand, bare]) => join(dirname(path), from ?? onDemand ?? bare ?? ''))
    .filter((imported) => existsSync(imported))
}

function filesIn(folder: string, end: string): string[] {
  const names = readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(end)).map((name) => join(PACKAGE, folder, name))
}

/** True if nothing of the file remains at run time. */
function isOfTypes(path: string): boolean {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true }
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions })
  return !/^(?!\s*(?:import|export \{))[^/*\s]/m.test(outputText)
}

test('every file of src is imported by a test, directly or indirectly', () => {
  const reached = new Set(
    filesIn('test', '.test.ts').filter((path) => !path.includes('node_modules')),
  )
  for (const path of reached) for (const imported of importsOf(path)) reached.add(imported)
  const missed = filesIn('src', '.ts').filter((path) => !reached.has(path) && !isOfTypes(path))
  expect(missed.map((path) => path.slice(PACKAGE.length))).toEqual([])
})
