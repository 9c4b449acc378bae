/** The usual set-up of husky with lint-staged and prettier, and prettier run over a whole repository. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../support/git-repo.ts'
import { IS_LONG } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'
import type { Formatter } from './tools.ts'
import { biome, biome1, dprint, dprintConfig, FORMATTERS, node, NOT_HERE } from './tools.ts'

const MODULES = fileURLToPath(new URL('node_modules', import.meta.url))
const PRETTIER = `${process.execPath} ${join(MODULES, 'prettier/bin/prettier.cjs')} --write`
const LINT_STAGED = `${process.execPath} ${join(MODULES, 'lint-staged/bin/lint-staged.js')}`
const hasAll = ['prettier', 'husky', 'lint-staged'].every((name) => existsSync(join(MODULES, name)))

/** What prettier changes in a bare body: it removes `*` and `_`, joins lists and breaks long lines. */
const SAID = ['--decision', 'a_b=*one* _two_ "three"', '--question', '- [x] Why?', '--next', '# b']

function commitAll(repo: Repo, message: string): void {
  repo.git('add', '-A', '--', 'app.js', 'README.md')
  const ran = repo.tryGit('commit', '-m', message)
  expect(ran.status, ran.stderr).toBe(0)
}

/** Every event of HEAD is as it was written, and `current.md` is their rendering. */
function isWhole(repo: Repo, written: ReadonlyMap<string, string>): void {
  for (const [path, text] of written) expect(repo.git('show', `HEAD:${path}`)).toBe(text.trimEnd())
  repo.ledger('check', '--rev', 'HEAD')
  repo.ledger('event', 'validate')
}

const flow = notRunUnless(hasAll, 'husky with lint-staged and prettier', NOT_HERE)
test.skipIf(!IS_LONG || flow)(
  'husky and lint-staged with prettier leave events unchanged in commits and merges',
  () => {
    const repo = new Sandbox().init()
    const settings = JSON.stringify({ 'lint-staged': { '*.{js,md}': PRETTIER } })
    repo.commit('init', { 'app.js': 'x\n', 'README.md': '# x\n', 'package.json': settings })
    repo.run(process.execPath, [join(MODULES, 'husky/bin.js')])
    repo.write('.husky/pre-commit', `${LINT_STAGED}\n`)
    repo.install()
    const written = new Map<string, string>()
    const add = (...words: string[]) => {
      const path = repo.ledger('event', 'add', ...SAID, ...words).trim()
      written.set(path, repo.read(path))
    }
    add('--now', 'set it up')
    repo.git('add', '-A')
    repo.git('commit', '-qm', 'chore: set up')
    isWhole(repo, written)

    repo.git('switch', '-qc', 'topic')
    add('--now', 'on topic', '--agent', 'crisp', '--decision', 'db=sqlite')
    repo.write('app.js', 'const  a="1"\n')
    commitAll(repo, 'topic')
    expect(repo.read('app.js')).toBe('const a = "1";\n')
    isWhole(repo, written)

    repo.git('switch', '-q', 'main')
    add('--now', 'on main', '--decision', 'port=8080')
    repo.write('README.md', '* one\n* two\n')
    commitAll(repo, 'main')
    expect(repo.read('README.md')).toBe('- one\n- two\n')
    repo.git('merge', '-q', '--no-edit', 'topic')
    isWhole(repo, written)
    const { decisions } = JSON.parse(repo.ledger('show', '--json')) as { decisions: object }
    expect(Object.keys(decisions).toSorted()).toEqual(['a_b', 'db', 'port'])
    expect(repo.status()).toBe('')
  },
)

const BARE = `---
ts: 2026-01-02T00:00:00Z
agent: old
---

decisions:
  k: "*a* and _b_"
next:
- one
- "two: three"
open_questions:
- Why?
`

/** A repository with all kinds of our files, committed, in which formatters are set up. */
function yearsOfWork(more: Readonly<Record<string, string>>): Repo {
  const repo = ledgerRepo()
  for (let day = 10; day < 14; day++) {
    repo.event('--ts', `2026-01-${day}T00:00:00Z`, '--now', `day ${day}`, ...SAID)
  }
  repo.write('README.md', '* one\n\n\n\n* two\n')
  for (const [path, text] of Object.entries(more)) repo.write(path, text)
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'work')
  repo.ledger('archive', '--no-confirm', '--retention', sinceJanuary(), '--commit')
  repo.ledger('event', 'add', '--now', 'today', ...SAID, '--commit')
  expect(repo.git('ls-files', `${ROOT}/archive`, EVENTS).split('\n').length).toBeGreaterThan(4)
  return repo
}

/** A retention that archives all events but the last of January and later ones. */
function sinceJanuary(): string {
  return `${Math.floor((Date.now() - Date.parse('2026-01-12T12:00:00Z')) / 1000)}s`
}

function isUntouched(repo: Repo, formatter: Formatter): void {
  const before = repo.ledger('show', '--json')
  formatter.run(repo.folder)
  expect(repo.read('README.md')).not.toContain('\n\n\n\n')
  const changed = repo.git('diff', '--name-only', '--', ROOT)
  expect(changed).toBe('')
  repo.ledger('check', '--worktree')
  repo.ledger('event', 'validate')
  expect(repo.ledger('show', '--json')).toBe(before)
}

/** The form of our files alone ensures this, without any settings. */
const byForm = IS_LONG ? FORMATTERS : []
for (const formatter of byForm) {
  test.skipIf(notRunUnless(formatter.isHere, formatter.name, NOT_HERE))(
    `${formatter.name} over a whole repository leaves the ledger unchanged`,
    () => isUntouched(yearsOfWork({}), formatter),
  )
}

const TOOLS: readonly [Formatter, Readonly<Record<string, string>>][] = [
  ...FORMATTERS.map((formatter): [Formatter, Record<string, string>] => {
    const module = formatter.name.split(' ')[0] ?? ''
    const name = module === 'markdownlint-cli2' ? module : module.replace('2', '')
    return [
      formatter,
      { 'package.json': `${JSON.stringify({ devDependencies: { [name]: '1' } }, null, 2)}\n` },
    ]
  }),
  [dprint, { 'dprint.json': dprintConfig({}) }],
  [biome, { 'biome.json': '{}\n' }],
]

for (const [formatter, settings] of IS_LONG ? TOOLS : []) {
  test.skipIf(notRunUnless(formatter.isHere, formatter.name, NOT_HERE))(
    `${formatter.name}, excluded by install, leaves old bare events and current.md unchanged`,
    () => {
      const repo = yearsOfWork({
        ...settings,
        [`${EVENTS}/2026-01-13T00-00-00Z_old.md`]: BARE.replace('-02T', '-13T'),
      })
      repo.install()
      repo.git('add', '-A')
      repo.git('commit', '-qm', 'chore: keep it away', '--allow-empty')
      isUntouched(repo, formatter)
      expect(repo.read(CURRENT)).toContain('- **k:** *a* and _b_')
    },
  )
}

const BIOMES: [Formatter, string, string][] = [
  [biome1, 'biome1', '1.9.4'],
  [biome, '@biomejs/biome', '2.6.8'],
]
for (const [formatter, module, version] of IS_LONG ? BIOMES : BIOMES.slice(-1)) {
  test.skipIf(notRunUnless(formatter.isHere, formatter.name, NOT_HERE))(
    `${formatter.name}: biome ci accepts what install writes, for agents after the step that install names`,
    () => {
      const repo = new Sandbox().init()
      const settings = { devDependencies: { '@biomejs/biome': version } }
      repo.commit('init', { 'biome.json': '{}\n', 'package.json': JSON.stringify(settings) })
      const run = (...words: string[]) => node(repo.folder, `${module}/bin/biome`, words)
      formatter.run(repo.folder)
      repo.ledger('install')
      repo.event('--now', 'a *b* and _c_')
      run('ci', '.')
      const agents = ['claude', 'codex', 'gemini'].flatMap((name) => ['--agent', name])
      const { stderr } = repo.runLedger('install', ...agents)
      const [, folders = ''] = /npx biome format --write (\S.*?) before/.exec(stderr) ?? []
      expect(folders).toBe('.claude .codex .gemini .agents')
      run('format', '--write', ...folders.split(' '))
      run('ci', '.')
      repo.ledger('install')
      run('ci', '.')
      expect(repo.tryLedger('doctor').stdout).toContain('agent-hooks: connected')
    },
  )
}
