/** Every command explains itself, and refuses with status 2 what it does not understand. */

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLI, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { refusal } from './words.ts'
import { builtFrom } from '../support/built-from.ts'
import { sampleOf } from '../support/long.ts'

builtFrom(
  () => import('../../src/entry/main.ts'),
  () => import('../../src/cli/english.ts'),
  () => import('../../src/cli/text-width.ts'),
)

/** Each command, with arguments that would make it run. */
const COMMANDS: readonly (readonly [name: string, ...words: string[]])[] = [
  ['install'],
  ['uninstall'],
  ['status'],
  ['synthesize'],
  ['check'],
  ['show'],
  ['log'],
  ['why', 'db'],
  ['diff', 'HEAD'],
  ['preview', 'main'],
  ['resolve'],
  ['completion', 'bash'],
  ['event add', '--now', 'x'],
  ['event list'],
  ['event show', 'x.md'],
  ['event validate'],
  ['event retract', 'x.md'],
  ['event restore', 'x.md'],
  ['session list'],
  ['session show', 'x'],
  ['session reset', 'x'],
  ['session recover'],
  ['checkpoint list'],
  ['checkpoint show', '0123456789ab'],
]

describe.each(sampleOf(COMMANDS, 3))('%s', (name, ...words) => {
  const command = name.split(' ')

  test('--help has a purpose, its options and an example, on stdout', () => {
    const ran = new Sandbox().init().tryLedger(...command, '--help')
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toMatch(new RegExp(`^ledger-git ${name}\\b[^\\n]*\\n\\n[A-Z]`))
    expect(ran.stdout).toMatch(/Examples:\n[^]*\b(?:ledger-git|printf) /)
    expect(ran.stdout).toContain('--json')
    expect(ran.stdout.split('\n').every((line) => line.length <= 100)).toBe(true)
  })

  test('an unknown option is named, with exit status 2', () => {
    const ran = new Sandbox().init().tryLedger(...command, ...words, '--frobnicate')
    expect(refusal(ran)).toEqual({ status: 2, stdout: '' })
    expect(ran.stderr).toMatch(/frobnicate/)
    expect(ran.stderr).toMatch(/\n {2}next: ledger-git .*--help/)
  })
})

test.each(COMMANDS.filter(([name]) => name !== 'completion'))(
  '%s outside a repository exits with 3',
  (name, ...words) => {
    const sandbox = new Sandbox()
    const ran = sandbox.at(sandbox.folder).tryLedger(...name.split(' '), ...words)
    expect(refusal(ran)).toEqual({ status: 3, stdout: '' })
    expect(ran.stderr).toMatch(/not a git repository/)
    expect(ran.stderr).toMatch(/\n {2}next: .*git init/)
  },
)

test('install --help and the README show the same npm pkg command', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [line = '', command = ''] = /(npm pkg set [^#]*?)  +# .*/.exec(readme) ?? []
  const { stdout } = new Sandbox().init().tryLedger('install', '--help')
  expect(stdout).toContain(`\n  ${command}\n`)
  const husky = '"husky && ledger-git install || exit 0"'
  for (const text of [line, stdout]) expect(text).toContain(husky)
})

test('--help lists every command', () => {
  const { status, stdout } = new Sandbox().init().tryLedger('--help')
  expect(status).toBe(0)
  for (const [name] of COMMANDS) expect(stdout).toContain(`ledger-git ${name.split(' ')[0]}`)
})

test('help columns line up when commands start with npx', () => {
  const repo = new Sandbox().init()
  const program = join(repo.folder, 'node_modules/.bin/ledger-git')
  mkdirSync(dirname(program), { recursive: true })
  symlinkSync(CLI, program)
  for (const words of [[], ['event']]) {
    const { stdout } = repo.run(process.execPath, [program, ...words, '--help'])
    const lines = /Commands:\n([^]*?)\n\n/.exec(stdout)?.[1]?.split('\n') ?? []
    const columns = lines.map((line) => /^ {2}npx ledger-git .*?  +|^ +/.exec(line)?.[0].length)
    expect(new Set(columns)).toEqual(new Set([columns[0]]))
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
  }
})

test('internal commands print their usage with --help', () => {
  const repo = new Sandbox().init()
  for (const name of sampleOf(
    ['merge-driver', 'handoff-driver', 'hook', 'agent-hook', 'summarize'],
    3,
  )) {
    const asked = repo.runLedger(name, '--help')
    expect(asked).toMatchObject({ status: 0, stderr: '' })
    expect(asked.stdout).toMatch(new RegExp(`^usage: ledger-git ${name} .*\\n$`))
    expect(repo.runLedger(name)).toEqual({ status: 2, stdout: '', stderr: asked.stdout })
  }
})

test('-h, help and -v work like --help and --version', () => {
  const repo = new Sandbox().init()
  const help = repo.ledger('--help')
  for (const words of [['-h'], ['help'], ['help', 'help']]) expect(repo.ledger(...words)).toBe(help)
  const ofAdd = repo.ledger('event', 'add', '--help')
  expect(repo.ledger('help', 'event', 'add')).toBe(ofAdd)
  expect(repo.ledger('event', 'add', '-h')).toBe(ofAdd)
  expect(repo.ledger('-v')).toBe(repo.ledger('--version'))
})

test('--version prints the version of the package', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  expect(new Sandbox().init().ledger('--version')).toBe(manifest.version)
})

test('mistyped arguments exit with 2, and the message says what was wrong', () => {
  const repo = ledgerRepo()
  const cases: [string[], RegExp][] = [
    [[], /name a command/],
    [['event'], /name a command of event: add, list/],
    [['synthesise'], /synthesize/],
    [['event', 'lst'], /list/],
    [['frobnicate'], /: Unknown command: frobnicate$/m],
    [['frob'], /: Unknown command: frob$/m],
    [['x'.repeat(900)], /: Unknown command: x{200}…$/m],
    [['status', `--${'x'.repeat(900)}`], /: Unknown argument: --x{198}…$/m],
    [['config', 'x'.repeat(900)], /: unknown setting x{200}…$/m],
    [['log', '--since', 'x'.repeat(900)], /: --since x{200}… is neither/m],
    [
      ['config', 'mode', 'tracked'],
      /: config only shows settings, it changes nothing[^]*next: .*\.ledger-git\.yaml/,
    ],
    [['config', 'mode', '--jsn'], /: Unknown argument: --jsn/],
    [['why'], /key|argument/i],
    [['event', 'show'], /file|argument/i],
    [['check', 'HEAD'], /: Unknown argument: HEAD$/m],
    [['check', '--rev', 'HEAD', '--staged'], /: --staged and --rev are mutually exclusive$/m],
    [['check', '--rev', 'HEAD', '--range', 'a..b'], /rev.*range|range.*rev/],
    [['check', '--rev'], /rev/],
    [['check', '--rev', ''], /: --rev is empty$/m],
    [['handoff', 'show', ''], /: <name> is empty$[^]*next: ledger-git handoff show --help/m],
    [['event', 'validate', 'a.md', ' '], /: <files> is empty$/m],
    [['why', ''], /: <key> is empty$/m],
    [['context', 'orient', '--issue', ''], /: --issue is empty$/m],
    [['continuity', 'load', '--track', ' '], /: --track is empty$/m],
    [['show', '--json=maybe'], /: --json takes no value$/m],
    [['check', '--json='], /: --json takes no value$/m],
    [['archive', '--dry-run=yes'], /: --dry-run takes no value$/m],
    [['archive', '--confirm=0'], /: --confirm takes no value$/m],
    [['archive', '--no-confirm=true'], /: --no-confirm takes no value$/m],
    [['show', '--no-json=x'], /: --no-json takes no value$/m],
    [['show', '-h=x'], /: -h takes no value$/m],
    [['show', '--help=x'], /: --help takes no value$/m],
    [['archive', '--dryRun'], /: Unknown argument: --dryRun; did you mean --dry-run\?$/m],
    [
      ['fleet', '--allBranches=x'],
      /: Unknown argument: --allBranches; did you mean --all-branches\?$/m,
    ],
    [['show', '--JSON'], /: Unknown argument: --JSON; did you mean --json\?$/m],
    [['log', '--no-agent'], /: --agent has no --no-agent$[^]*next: leave --no-agent out$/m],
    [['log', '--no-n'], /: --limit has no --no-n$/m],
    [['install', '--no-agent'], /^ledger-git: --agent has no --no-agent$/m],
    [['uninstall', '--no-agent=x'], /^ledger-git: --agent has no --no-agent$/m],
    [['completion', 'fish', '--no-shell'], /: <shell> has no --no-shell$/m],
    [['completion', '--no-shell'], /: <shell> has no --no-shell$/m],
    [['preview', 'master', '--no-branch'], /: <branch> has no --no-branch$/m],
    [['event', 'validate', '--no-files'], /: <files> has no --no-files$/m],
    [['event', 'add', '--now', 'x', '--no-next'], /: --next has no --no-next$/m],
    [['show', '--agent', ''], /: --agent is empty$/m],
    [['show', '--rev', ''], /: --rev is empty$/m],
    [['synthesize', '--input', ''], /: --input is empty$/m],
    [['log', '-n', '-1'], /: --limit \S+ is not a whole number of at least 0$/m],
    [['log', '--limit', '1.5'], /: --limit \S+ is not a whole number of at least 0$/m],
    [['--vresion'], /: Unknown argument: --vresion; did you mean --version\?$/m],
    [['--jsno', 'status'], /: Unknown argument: --jsno; did you mean --json\?$/m],
    [['event', '--hlep'], /; did you mean --help\?[^]*next: ledger-git event --help/],
    [['--json'], /: name a command$/m],
    [['status', '-x'], /: Unknown argument: -x$/m],
    [['-V'], /: Unknown argument: -V$/m],
    [['show', '--agent'], /: --agent needs a value$/m],
    [['event', 'add', '--now', '--done', 'x'], /: --now needs a value$/m],
    [['log', '-n'], /: --limit needs a value$/m],
    [['fleet', '--at'], /at/],
    [['synthesize', '--check', '--commit'], /check.*commit|commit.*check/],
    [['synthesize', '--check', '--input', '*.md'], /check.*input|input.*check/],
    [['event', 'add', '--now', 'x', '--stage', '--commit'], /stage.*commit|commit.*stage/],
    [['completion', 'tcsh'], /<shell> must be one of bash, zsh, fish, not tcsh/],
    [['show', '--agnt', 'x'], /; did you mean --agent\?/],
    [
      ['archive', '--dry-rn'],
      /^ledger-git: Unknown argument: --dry-rn; did you mean --dry-run\?$/m,
    ],
    [
      ['install', '--agent', 'cluade'],
      /: --agent must be one of claude, codex, gemini, not cluade; did you mean claude\?$/m,
    ],
    [['synthesize', '--no-confrim'], /: --no-confrim; did you mean --no-confirm\?$/m],
    [['help', 'evnt'], /no command is called evnt; did you mean event\?/],
    [['help', 'event', 'lst'], /did you mean list\?[^]*next: ledger-git event --help/],
    [['preview'], /<branch> is missing/],
    [['log', '--since', 'yesterday'], /--since yesterday/],
    [['log', '--since', ''], /: --since is empty$/m],
    [['log', '-n', 'many'], /many|limit/],
    [['log', '-n', '-1'], /limit|-1/],
    [['log', '-n'], /limit/],
    [['log', '-n', ''], /: --limit '' is not a whole number of at least 0$/m],
    [['log', '-n', '1', '--limit', '1'], /: --limit is given 2 times$/m],
    [['check', '--rev', 'nonesuch'], /nonesuch/],
    [['check', '--range', 'nonesuch..HEAD'], /nonesuch/],
    [['show', '--rev=--output=/tmp/x'], /--output/],
    [['diff', 'nonesuch'], /nonesuch/],
    [['preview', 'nonesuch'], /nonesuch/],
  ]
  for (const [words, said] of cases) {
    const ran = repo.tryLedger(...words)
    const { status, stdout } = ran
    expect.soft({ words, status, stdout }).toEqual({ words, status: 2, stdout: '' })
    expect.soft(ran.stderr, words.join(' ')).toMatch(said)
  }
})
