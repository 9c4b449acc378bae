/** The documents agree with the source: codes, commands, options, settings, links. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { EXIT_STATUSES } from '../../src/core/errors/errors.ts'
import type { Problem, ProblemCode } from '../../src/core/event/problem.ts'
import { problemText, SENTENCES } from '../../src/core/event/problem.ts'
import { ALL_COMMANDS } from '../support/commands.ts'

const TOP = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(TOP, path), 'utf8')

/** The text below a heading, up to the next heading of the same or a higher level. */
function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split('\n')
  const start = lines.indexOf(heading)
  if (start === -1) return ''
  const level = heading.indexOf(' ')
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return rest.slice(0, end === -1 ? undefined : end).join('\n')
}

/** The cells of the table rows, without the header row and its separator. */
function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([first]) => first?.startsWith('`'))
}

const bare = (cell: string | undefined) => (cell ?? '').replaceAll('`', '')

describe('docs/errors.md', () => {
  const errors = read('docs/errors.md')

  test('has one row per error code, with its exit status and meaning', () => {
    const rows = rowsOf(sectionOf(errors, '## Error codes'))
    const expected = Object.entries(EXIT_STATUSES).map(([code, exit]) => [code, String(exit)])
    expect(rows.map(([code, exit]) => [bare(code), exit])).toEqual(expected)
    expect(rows.filter((row) => row.length !== 4 || row.includes(''))).toEqual([])
  })

  test('has one row per problem and warning code, with its sentence', () => {
    const codes = Object.keys(SENTENCES)
    expect(codes.length).toBeGreaterThan(10)
    const rows = [
      ...rowsOf(sectionOf(errors, '## Problems in event files')),
      ...rowsOf(sectionOf(errors, '## Warnings')),
    ]
    const sentenceOf = (code: string) => {
      const problem: Problem = {
        code: code as ProblemCode,
        file: '',
        line: undefined,
        section: undefined,
      }
      return problemText(problem)
    }
    expect(rows.map(([code, sentence]) => [bare(code), sentence])).toEqual(
      codes.map((code) => [code, sentenceOf(code)]),
    )
  })
})

test('docs/doctor.md has one row per finding', () => {
  const sources = readdirSync(join(TOP, 'src/app/doctor')).map((file) =>
    read(`src/app/doctor/${file}`),
  )
  const named = sources.flatMap((source) => [
    ...[...source.matchAll(/const name = '([a-z-]+)'/g)].map((match) => match[1] ?? ''),
    ...[...source.matchAll(/\b(?:ok|warning|broken)\(\s*'([a-z-]+)'/g)].map(
      (match) => match[1] ?? '',
    ),
  ])
  const rows = rowsOf(read('docs/doctor.md')).map(([name]) => bare(name))
  const findings = rows.filter((name) => !['ok', 'warning', 'broken', 'hook-<name>'].includes(name))
  expect(new Set(findings)).toEqual(new Set(named))
})

/** Every command, named as in the headings. */
const documented = ALL_COMMANDS.map(({ name, command }) => ({
  name: ['ledger-git', name, ...Object.keys(command.words ?? {})].join(' '),
  command,
}))

describe('docs/commands.md', () => {
  const commands = read('docs/commands.md')

  test('has one section per command and no other section', () => {
    const headings = [...commands.matchAll(/^### `(ledger-git [^`]+)`$/gm)].map(
      (match) => match[1] ?? '',
    )
    expect(headings.toSorted()).toEqual(documented.map(({ name }) => name).toSorted())
  })

  test.each(documented)('names every option of $name and no other option', ({ name, command }) => {
    const rows = rowsOf(sectionOf(commands, `### \`${name}\``))
    const named = rows.map(([cell]) => /`--(?:no-)?([a-z-]+)/.exec(cell ?? '')?.[1] ?? cell)
    expect(named.toSorted()).toEqual(Object.keys(command.options ?? {}).toSorted())
  })

  test.each(documented)('has an example of $name', ({ name, command }) => {
    const section = sectionOf(commands, `### \`${name}\``)
    expect(section).toMatch(/```(?:sh|text)\n/)
    expect(section).toMatch(new RegExp(`(?:git ledger|npx ledger-git) ${name.split(' ')[1]}`))
    expect(command.examples.length).toBeGreaterThan(0)
  })
})

function markdownFiles(folder: string): string[] {
  return readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(folder, path))
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[ \t]*$/gm, '')
}

/** The anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of withoutCode(markdown).matchAll(/^#{1,6} (.*)$/gm)) {
    const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = words.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let i = 1; anchors.has(anchor); i++) anchor = `${slug}-${i}`
    anchors.add(anchor)
  }
  return anchors
}

function brokenLinks(path: string): string[] {
  const text = withoutCode(read(path)).replace(/`[^`\n]*`/g, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#', 2)
      const absolute = file === '' ? join(TOP, path) : resolve(TOP, dirname(path), file)
      if (!existsSync(absolute)) return true
      if (anchor === undefined) return false
      if (statSync(absolute).isDirectory()) return true
      return !anchorsOf(read(relative(TOP, absolute))).has(anchor)
    })
}

describe('links', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...markdownFiles('docs'),
  ]

  test.each(files.filter((path) => existsSync(join(TOP, path))))(
    'every relative link of %s leads to a file and a heading',
    (path) => {
      expect(brokenLinks(path)).toEqual([])
    },
  )
})
