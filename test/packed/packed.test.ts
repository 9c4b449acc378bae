/** What users get from the registry: the tarball, installed offline, on a real repository. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, Sandbox } from '../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import type { Packed } from '../support/pack.ts'
import { packTarball } from '../support/pack.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

function npm(repo: Repo, ...words: string[]): string {
  const env = {
    npm_config_cache: `${repo.sandbox.folder}/npm-cache`,
    npm_config_prefix: `${repo.sandbox.folder}/prefix`,
  }
  const ran = repo.run('npm', words, { env })
  if (ran.status !== 0) throw new Error(`npm ${words.join(' ')} → ${ran.status}\n${ran.stderr}`)
  return ran.stdout
}

const UNITS: Readonly<Record<string, number>> = { KB: 1000, MB: 1_000_000 }

/** The figures that docs/release.md gives for the tarball, and the actual ones. */
function figures({ files, size, unpackedSize }: Packed) {
  const text = readFileSync(join(PACKAGE, 'docs/release.md'), 'utf8')
  const bytes = (number = '', unit = '') => Number(number) * (UNITS[unit] ?? Number.NaN)
  const rows = [...text.matchAll(/^\| (`.*) \| .* \| ([\d.]+) (KB|MB) \|$/gm)].map(
    ([, cell = '', ...about]) => {
      const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      const isOne = (path: string, name: string) =>
        name.endsWith('/') ? path.startsWith(name) : matchesGlob(path, name)
      const own = files.filter(({ path }) => names.some((name) => isOne(path, name)))
      const sum = own.reduce((all, file) => all + file.size, 0)
      return { what: cell, said: bytes(...about), is: sum, files: own.map(({ path }) => path) }
    },
  )
  const [, ...whole] = /All of it is ([\d.]+) (MB), packed ([\d.]+) (MB)/.exec(text) ?? []
  return {
    rows,
    sizes: [
      ...rows,
      { what: 'all', said: bytes(...whole.slice(0, 2)), is: unpackedSize },
      { what: 'packed', said: bytes(...whole.slice(2)), is: size },
    ],
  }
}

/** Matches a glob with `*` inside a single name. */
function matchesGlob(path: string, glob: string): boolean {
  const [start = '', end] = glob.split('*')
  if (end === undefined) return path === glob
  return path.startsWith(start) && path.endsWith(end) && !path.slice(start.length).includes('/')
}

test('the tarball contains the code that runs, its licences and its README, and nothing else', () => {
  const packed = packTarball(new Sandbox())
  const { files } = packed
  const paths = files.map(({ path }) => path)
  const built = readdirSync(join(PACKAGE, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'man')
    .map((name) => `dist/${name}`)
  const hooks = readdirSync(join(PACKAGE, 'githooks')).map((name) => `githooks/${name}`)
  const templates = readdirSync(join(PACKAGE, 'templates'), {
    recursive: true,
    withFileTypes: true,
  }).flatMap((entry) =>
    entry.isFile() ? [join(relative(PACKAGE, entry.parentPath), entry.name)] : [],
  )
  const tops = ['LICENSE', 'gitattributes.template', 'package.json']
  const expected = [...built, ...hooks, ...templates, ...tops]
  expect(paths).toEqual(expect.arrayContaining([...expected, 'README.md']))
  const others = paths.filter((path) => !expected.includes(path))
  expect(others.filter((path) => !/^(?:README|CHANGELOG)\.md$/.test(path))).toEqual([])
  expect(built).toContain('dist/THIRD-PARTY-LICENSES.txt')

  const { rows, sizes } = figures(packed)
  expect(rows.flatMap((row) => row.files).toSorted(), 'docs/release.md').toEqual(paths.toSorted())
  const wrong = sizes.filter(({ said, is }) => !(Math.abs(said - is) <= Math.max(0.2 * is, 10_000)))
  expect(wrong, 'docs/release.md').toEqual([])

  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
    dependencies?: object
  }
  expect(Object.keys(manifest.bin).toSorted()).toEqual([
    'cc-synthesize',
    'continuity',
    'git-ledger',
    'ledger-git',
  ])
  for (const path of Object.values(manifest.bin)) {
    expect(paths).toContain(path)
    expect(readFileSync(join(PACKAGE, path), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  }
  // Everything is bundled.
  expect(manifest.dependencies ?? {}).toEqual({})
})

test('the published manifest has none of our scripts and tools; packing leaves the full manifest unchanged', () => {
  const sandbox = new Sandbox()
  const repo = sandbox.at(sandbox.folder)
  for (const path of ['package.json', 'scripts/pack-manifest.mjs']) {
    repo.write(path, readFileSync(join(PACKAGE, path)))
  }
  repo.write('dist/man/ledger-git.1', '')
  const before = repo.read('package.json')
  const step = (name: string) => repo.run(process.execPath, ['scripts/pack-manifest.mjs', name])
  step('strip')
  const {
    scripts: _,
    devDependencies: __,
    'lint-staged': ___,
    ...rest
  } = JSON.parse(before) as object & Record<string, unknown>
  expect(JSON.parse(repo.read('package.json'))).toEqual({
    ...rest,
    man: ['./dist/man/ledger-git.1'],
  })
  // Packing was killed; the next run starts with the full manifest.
  step('strip')
  expect(step('restore').status).toBe(0)
  expect(repo.read('package.json')).toBe(before)
  // Packing was killed, and somebody restored the manifest and changed it.
  step('strip')
  const changed = before.replace('"license"', '"x": 1,\n  "license"')
  repo.write('package.json', changed)
  step('strip')
  step('restore')
  expect(repo.read('package.json')).toBe(changed)
})

test.runIf(IS_LONG).each(sampleOf([`my repo's "folder" ü`, 'repo'], 2))(
  'installed in %s: three commands, two branches, one merge',
  (name) => {
    const sandbox = new Sandbox()
    const { path } = packTarball(sandbox)
    const repo = sandbox.init(name)
    repo.commit('init', {
      'package.json': '{"name": "demo", "private": true}\n',
      '.gitignore': 'node_modules\n',
    })
    npm(repo, 'install', '--offline', '--no-audit', '--no-fund', '--save-dev', path)
    expect(repo.exists('.git/ledger-git'), 'nothing is set up behind the back').toBe(false)
    expect(
      readdirSync(join(repo.folder, 'node_modules')).filter((entry) => !entry.startsWith('.')),
    ).toEqual(['ledger-git'])

    const bin = (command: string, ...words: string[]): string => {
      const ran = repo.run(join(repo.folder, 'node_modules/.bin', command), words)
      if (ran.status !== 0)
        throw new Error(`${command} ${words.join(' ')} → ${ran.status}\n${ran.stderr}`)
      return ran.stdout
    }
    bin('ledger-git', 'install')
    repo.commit('chore: set up ledger-git')
    repo.git('switch', '-q', '-c', 'side')
    bin('ledger-git', 'event', 'add', '--agent', 'crisp', '--done', 'on the side')
    repo.commit('feat: side', { 'side.txt': 'x\n' })
    repo.git('switch', '-q', 'main')
    bin('git-ledger', 'event', 'add', '--agent', 'toast', '--done', 'on main')
    repo.commit('feat: main', { 'main.txt': 'x\n' })

    repo.git('merge', '-q', '--no-edit', 'side')

    expect(repo.status()).toBe('')
    expect(repo.read(CURRENT)).toMatch(/- \[x\] on the side\n- \[x\] on main\n/)
    expect(bin('ledger-git', 'check', '--range', 'HEAD~1..HEAD')).not.toMatch(/stale/)
    expect(bin('cc-synthesize', '--stdout')).toBe(repo.read(CURRENT))
    expect(bin('continuity', 'status')).toContain('no active ledger')
    // With npx, without a network: from node_modules, and elsewhere from the tarball in npx's cache.
    const npx = (...words: string[]) => {
      const env = { npm_config_cache: `${sandbox.folder}/npm-cache` }
      return repo.run('npx', ['--offline', '--yes', ...words], { env })
    }
    expect(npx('ledger-git', 'frob').stderr).toContain('next: npx ledger-git --help\n')
    const tarball = `--package=${path}`
    expect(npx(tarball, '--prefix', sandbox.folder, 'ledger-git', '-v').stdout).toMatch(/^\d+\./)
    // As a git subcommand, from PATH.
    const PATH = `${join(repo.folder, 'node_modules/.bin')}:${process.env['PATH']}`
    expect(repo.run('git', ['ledger', 'check'], { env: { PATH } })).toMatchObject({ status: 0 })

    // After the package is removed, commits still work.
    npm(repo, 'uninstall', '--offline', '--no-audit', '--no-fund', 'ledger-git')
    repo.write('more.txt', 'x\n')
    repo.git('add', 'more.txt')
    expect(repo.tryGit('commit', '-q', '-m', 'more')).toMatchObject({ status: 0 })
  },
)

longTest('a prepare script sets up every teammate, and nothing without a repository', () => {
  const sandbox = new Sandbox()
  const { path } = packTarball(sandbox)
  const install = ['install', '--offline', '--no-audit', '--no-fund']
  const first = sandbox.init('first')
  first.commit('init', {
    'package.json':
      '{"name": "demo", "private": true, "scripts": {"prepare": "ledger-git install || exit 0"}}\n',
    '.gitignore': 'node_modules\n',
  })
  npm(first, ...install, '--save-dev', path)
  npm(first, 'run', 'prepare') // npm runs it by itself where it installs no single package
  expect(first.git('config', 'merge.ledger.driver')).toContain('merge-driver')
  first.commit('chore: set up ledger-git')

  // A teammate clones and runs npm install: no other step, and nothing to commit.
  first.git('clone', '-q', '.', '../second')
  const second = sandbox.at(join(sandbox.folder, 'second'))
  npm(second, ...install)
  expect(second.status()).toBe('')
  second.run(join(second.folder, 'node_modules/.bin/ledger-git'), [
    'event',
    'add',
    '--now',
    'second',
  ])
  second.commit('feat: second', { 'second.txt': 'x\n' })
  expect(second.git('show', `HEAD:${CURRENT}`)).toContain('[->] second')

  // A container build has the files but not the repository.
  const third = sandbox.at(join(sandbox.folder, 'third'))
  third.write('package.json', second.read('package.json'))
  third.write('package-lock.json', second.read('package-lock.json'))
  const ran = third.run('npm', install, {
    env: {
      GIT_CEILING_DIRECTORIES: sandbox.folder,
      npm_config_cache: `${sandbox.folder}/npm-cache`,
    },
  })
  expect(ran.status, ran.stderr).toBe(0)
})
