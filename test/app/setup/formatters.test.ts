/** Formatters that would change the ledger's files are kept away from them, only where they are used. */

import { describe, expect, test } from 'vitest'
import type { Repo } from '../../support/git-repo.ts'
import { EVENTS, ROOT, Sandbox } from '../../support/git-repo.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { doctorIn, quick } from '../doctor/in-process.ts'
import { installIn, uninstallIn } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const BARE = '---\nts: 2026-01-10T00:00:00Z\nagent: a\n---\n\nnow: x\n'
const OFF = '{\n  "root": false,\n  "formatter": {\n    "enabled": false\n  }'
const packages = (name: string, version = '1') => ({
  'package.json': JSON.stringify({ devDependencies: { [name]: version } }),
})

interface Case {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** The file that keeps the formatter away, and what it contains then. */
  readonly path: string
  readonly holds: string
}

const CASES: readonly Case[] = [
  {
    name: 'prettier by its settings',
    files: { '.prettierrc': '{}' },
    path: '.prettierignore',
    holds: `\n/${ROOT}/\n`,
  },
  {
    name: 'prettier by its package',
    files: packages('prettier'),
    path: '.prettierignore',
    holds: `\n/${ROOT}/\n`,
  },
  {
    name: 'prettier, ignoring already',
    files: { '.prettierignore': 'dist' },
    path: '.prettierignore',
    holds: `dist\n# >>> ledger-git v1 >>>`,
  },
  {
    name: 'prettier by pre-commit',
    files: { '.pre-commit-config.yaml': '- id: prettier\n' },
    path: '.prettierignore',
    holds: ROOT,
  },
  {
    name: 'oxfmt',
    files: { '.oxfmtrc.json': '{}' },
    path: '.prettierignore',
    holds: `\n/${ROOT}/\n`,
  },
  { name: 'biome', files: { 'biome.json': '{}' }, path: `${ROOT}/biome.json`, holds: OFF },
  {
    name: 'biome by its package',
    files: packages('@biomejs/biome', '^2.1.0'),
    path: `${ROOT}/biome.json`,
    holds: OFF,
  },
  {
    name: 'dprint',
    files: { 'dprint.json': '{\n  "excludes": ["dist"] // why\n}\n' },
    path: 'dprint.json',
    holds: `["dist", "${ROOT}/**"] // why`,
  },
  {
    name: 'dprint without a list',
    files: { '.dprint.jsonc': '{\n\t"markdown": {}\n}\n' },
    path: '.dprint.jsonc',
    holds: `\n\t"excludes": ["${ROOT}/**"]\n`,
  },
  {
    name: 'deno',
    files: { 'deno.jsonc': '{}' },
    path: 'deno.jsonc',
    holds: `"fmt": { "exclude": ["${ROOT}/"] }`,
  },
  {
    name: 'deno fmt',
    files: { 'deno.json': '{ "fmt": { "exclude": [] } }' },
    path: 'deno.json',
    holds: `"${ROOT}/"`,
  },
  {
    name: 'markdownlint',
    files: { '.markdownlint-cli2.yaml': 'fix: true\n' },
    path: `${ROOT}/.markdownlint.json`,
    holds: '{\n  "default": false\n}\n',
  },
  { name: 'remark', files: { '.remarkrc.mjs': '' }, path: '.remarkignore', holds: `\n/${ROOT}/\n` },
  {
    name: 'eclint',
    files: packages('eclint'),
    path: `${ROOT}/.editorconfig`,
    holds: 'root = true',
  },
]

function withFiles(files: Readonly<Record<string, string>>): Repo {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# x\n', ...files })
  return repo
}

const finding = (repo: Repo) =>
  doctorIn(repo, quick(repo)).then(({ findings }) =>
    findings.find(({ name }) => name === 'formatters'),
  )

describe('install', () => {
  test.each(sampleOf(CASES, 3))(
    '$name: the exclusion is listed, made once, and removed byte for byte',
    async ({ files, path, holds }) => {
      const repo = withFiles(files)
      const before = snapshot(repo.folder)
      const planned = await installIn(repo, true)
      expect(planned.changes.map((change) => change.path)).toContain(`${repo.folder}/${path}`)
      expect(changedPaths(before, snapshot(repo.folder))).toEqual([])

      const done = await installIn(repo)
      expect(done.commit).toContain(path)
      expect(repo.read(path)).toContain(holds)
      expect((await installIn(repo)).changes).toEqual([])

      await uninstallIn(repo)
      expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
    },
  )

  test('writes nothing for formatters in a repository that uses none', async () => {
    const repo = withFiles({ 'package.json': '{"dependencies":{"yargs":"1"}}', 'x.json': '{' })
    const { commit } = await installIn(repo)
    expect(commit.toSorted()).toEqual(['.gitattributes', ROOT])
  })

  const biome = (version: string) => packages('@biomejs/biome', version)
  const schema = (version: string) => ({
    'biome.json': `{"$schema":"https://biomejs.dev/schemas/${version}/schema.json"}`,
  })
  const installed = (version: string) => ({
    'node_modules/@biomejs/biome/package.json': `{"version": "${version}"}`,
  })
  const BIOMES: [boolean, Record<string, string>][] = [
    [true, biome('^1.9.4')],
    [true, biome('npm:@biomejs/biome@1.9.4')],
    [true, { ...biome('catalog:'), ...schema('1.9.4') }],
    [true, { ...biome('>=1'), ...installed('1.8.0') }],
    [false, { ...biome('>=1'), ...installed('2.6.8') }],
    [false, { ...biome('latest'), ...schema('2.0.0') }],
    [false, biome('*')],
  ]
  test.each(sampleOf(BIOMES, 4))(
    'only Biome 1, which ignores nested settings and Markdown, gets no settings file: %s, %j',
    async (isOne, files) => {
      const repo = withFiles(files)
      await installIn(repo)
      expect(repo.exists(`${ROOT}/biome.json`)).toBe(!isOne)
      expect(await finding(repo)).toMatchObject({ status: 'ok' })
    },
  )

  const KEPT: [string, string][] = [
    ['.prettierignore', 'thoughts/\n'],
    ['.prettierignore', `/${ROOT}\n`],
    ['dprint.json', '{"excludes":["**/thoughts/**"]}'],
    ['deno.json', `{"fmt":{"exclude":["./${ROOT}/"]}}`],
    ['biome.json', `{"files":{"includes":["**","!${ROOT}"]}}`],
  ]
  test.each(sampleOf(KEPT, 8))(
    'an existing exclusion is left unchanged: %s %s',
    async (path, text) => {
      const repo = withFiles({ [path]: text })
      const { commit, notes } = await installIn(repo)
      expect([repo.read(path), commit.toSorted(), notes]).toEqual([
        text,
        ['.gitattributes', ROOT],
        [],
      ])
      expect(await finding(repo)).toMatchObject({ status: 'ok' })
    },
  )

  test("a teammate's clone finds the exclusions in git, and uninstall there removes none", async () => {
    const repo = withFiles({ 'dprint.json': '{}', 'biome.json': '{}', '.prettierrc': '{}' })
    await installIn(repo)
    repo.git('add', '-A')
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'chore: set up')
    repo.git('clone', '-q', '.', '../clone')
    const clone = repo.sandbox.at(`${repo.sandbox.folder}/clone`)
    await installIn(clone)
    expect(clone.status()).toBe('')
    await uninstallIn(clone)
    expect(clone.status()).toBe('')
  })

  test('unreadable settings are left alone, with a note', async () => {
    const repo = withFiles({ 'dprint.json': '{ "excludes": ' })
    const { notes } = await installIn(repo)
    expect(notes.join()).toMatch(/to keep dprint away: add ".*\/\*\*" to excludes in dprint\.json/)
    expect(repo.read('dprint.json')).toBe('{ "excludes": ')
  })
})

describe('doctor', () => {
  // Doctor uses the same rule as install, which the cases above cover.
  test.each(sampleOf(CASES, 14))(
    '$name: the finding names it, and the printed fix repairs it',
    async ({ files }) => {
      const repo = withFiles({})
      await installIn(repo)
      repo.write(`${EVENTS}/2026-01-10_a.md`, BARE) // an event that every formatter would change
      for (const [path, text] of Object.entries(files)) repo.write(path, text)
      const found = await finding(repo)
      expect(found).toMatchObject({ status: 'warning', fix: 'ledger-git install' })
      await installIn(repo)
      expect(await finding(repo)).toMatchObject({ status: 'ok' })
    },
  )

  longTest('files that no formatter would change cause no finding', async () => {
    const repo = withFiles({})
    await installIn(repo)
    repo.event('--now', 'x')
    repo.write('.prettierrc', '{}')
    repo.write('.markdownlint.json', '{}')
    expect(await finding(repo)).toMatchObject({ status: 'ok' })
    repo.write('biome.json', '{}')
    expect(await finding(repo)).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/: biome \(events\)$/),
    })
  })

  const BY_HAND: [string, string, string, string, string][] = [
    [
      'mdformat',
      '.pre-commit-config.yaml',
      '- id: mdformat\n',
      '.mdformat.toml',
      `exclude = ["${ROOT}/**"]`,
    ],
    [
      'dprint',
      'dprint.json',
      '{"excludes":"dist"}',
      'dprint.json',
      `{"excludes":["dist","${ROOT}/**"]}`,
    ],
    [
      'markdownlint',
      '.markdownlint.json',
      '{}',
      `${ROOT}/.markdownlint.json`,
      '{ "default": false }',
    ],
  ]
  longTest.each(BY_HAND)(
    '%s: a step for a person is named, and repairs it',
    async (name, path, text, into, line) => {
      const repo = withFiles({})
      if (name === 'markdownlint') repo.write(into, '{}')
      await installIn(repo)
      repo.write(`${EVENTS}/2026-01-10_a.md`, BARE)
      repo.write(path, text)
      const found = await finding(repo)
      expect(found).toMatchObject({ status: 'warning' })
      const words = line.startsWith('{"') ? `"${ROOT}/**"` : line
      expect(found?.fix).toContain(words)
      expect(found?.fix).toContain(into)
      repo.write(into, `${line}\n`)
      expect(await finding(repo)).toMatchObject({ status: 'ok' })
    },
  )
})
