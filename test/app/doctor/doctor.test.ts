/** `doctor`: each way of being broken is found, named and mended; history and the user's hooks stay out of it. */

import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { HOOKS } from '../../../src/app/run-hook.ts'
import { hookCommand } from '../../../src/core/setup/install-texts.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ROOT, Sandbox } from '../../support/git-repo.ts'
import { needsHookFiles } from '../../support/not-run.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { installIn } from '../setup/in-process.ts'
import type { Surroundings } from './in-process.ts'
import { doctorIn, mendIn, quick } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const OUR = '.git/ledger-git'

/** A user's own lines: they leave a trace when they run. */
const userLine = (hook: string) => `echo "${hook}" >>"$HOME/ran"\n`

let template: string | undefined
afterAll(() => {
  if (template !== undefined) rmSync(template, { recursive: true })
})

/** An installed, committed repository in which every hook has a part of the user's. */
async function installed(): Promise<Repo> {
  const sandbox = new Sandbox()
  const folder = join(sandbox.folder, 'repo')
  // Made once: a repository may be copied, and all that is recorded in it is relative.
  if (template !== undefined) cpSync(template, folder, { recursive: true })
  else {
    const repo = sandbox.init()
    writeUserHooks(repo, '.git/hooks')
    await installIn(repo)
    commitQuietly(repo)
    template = mkdtempSync(join(tmpdir(), 'ledger-template-'))
    cpSync(folder, template, { recursive: true })
  }
  const repo = sandbox.at(folder)
  repo.git('update-index', '-q', '--refresh') // a copy has other times
  return repo
}

function writeUserHooks(repo: Repo, folder: string, start = '#!/bin/sh\n'): void {
  for (const hook of HOOKS) {
    repo.write(`${folder}/${hook}`, start + userLine(hook))
    repo.chmod(`${folder}/${hook}`, 0o755)
  }
}

function commitQuietly(repo: Repo): void {
  repo.git('add', '-A')
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'chore: set up')
}

/** Hooks of the user that have run, one a line. */
function ran(repo: Repo): string {
  const home = repo.sandbox.at(repo.sandbox.folder)
  return home.exists('home/ran') ? home.read('home/ran') : ''
}

function forget(repo: Repo): void {
  rmSync(join(repo.sandbox.folder, 'home/ran'), { force: true })
}

/** Refs, reflogs, HEAD and the number of objects: what doctor must never change. */
function history(repo: Repo): string {
  const commands =
    'git for-each-ref; git reflog --all; git symbolic-ref HEAD; git rev-parse HEAD; git count-objects -v'
  return repo.run('sh', ['-c', commands]).stdout
}

/** The index is git's own: any `git status` may refresh it. */
function files(repo: Repo) {
  const { 'repo/.git/index': _, ...rest } = snapshot(repo.sandbox.folder)
  return rest
}

function edit(repo: Repo, path: string, change: (text: string) => string): void {
  const before = repo.read(path)
  const after = change(before)
  if (after === before) throw new Error(`${path} was not changed`)
  repo.write(path, after)
}

function remove(repo: Repo, path: string): void {
  rmSync(join(repo.folder, path), { recursive: true })
}

const BLOCK = /^# >>> ledger-git[^]*?^# <<< ledger-git <<<\n/m
const blockOf = (text: string) => BLOCK.exec(text)?.[0] ?? ''

/** Runs a fix as somebody would type it: `ledger-git` and `git` are in PATH, the editor writes a line. */
function type(repo: Repo, command: string) {
  const bin = join(repo.sandbox.folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`
  writeFileSync(join(bin, 'ledger-git'), program, { mode: 0o755 })
  return repo.run('sh', ['-c', command], {
    env: { PATH: `${bin}:${process.env['PATH']}`, GIT_EDITOR: 'echo typed >' },
  })
}

function named(findings: readonly Finding[], name: string): Finding | undefined {
  return findings.find((finding) => finding.name === name)
}

/** The table is run whole on older gits. */
function isForThisGit(row: { name: string; isAboutFiles?: boolean }): boolean {
  const { name, isAboutFiles } = row
  return isAboutFiles !== true || !needsHookFiles(name)
}

describe('healthy', () => {
  const places: Record<string, (repo: Repo) => Promise<Repo> | Repo> = {
    'the main worktree': (repo) => repo,
    'a linked worktree': (repo) => {
      repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '../linked')
      return repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
    },
    // Cone mode always checks out the files of the top folder; without it .gitattributes is not there.
    'a sparse worktree (cone)': (repo) => {
      repo.git('-c', 'core.hooksPath=/dev/null', 'sparse-checkout', 'set', '--cone', 'thoughts')
      return repo
    },
    'a sparse worktree without .gitattributes': (repo) => {
      const args = ['sparse-checkout', 'set', '--no-cone', '/thoughts/']
      repo.git('-c', 'core.hooksPath=/dev/null', ...args)
      expect(repo.exists('.gitattributes')).toBe(false)
      return repo
    },
    'a bare repository': async (repo) => {
      repo.git('clone', '-q', '--bare', '.', '../bare.git')
      const bare = repo.sandbox.at(join(repo.sandbox.folder, 'bare.git'))
      writeUserHooks(bare, 'hooks')
      await installIn(bare)
      return bare
    },
  }

  test.each(sampleOf(Object.entries(places), 2))(
    '%s: every finding is ok, nothing is left',
    async (_, go) => {
      const repo = await go(await installed())
      const [before, filesBefore] = [history(repo), files(repo)]

      const { status, findings } = await doctorIn(repo)

      expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([])
      expect(findings.filter(({ fix }) => fix !== null)).toEqual([])
      expect(status).toBe(0)
      const hooks = findings.filter(({ name }) => name.startsWith('hook-')).map(({ name }) => name)
      expect(hooks).toEqual(HOOKS.map((hook) => `hook-${hook}`))
      expect(ran(repo)).toBe('')
      expect(history(repo)).toBe(before)
      expect(changedPaths(filesBefore, files(repo))).toEqual([])
    },
  )
})

interface Break {
  breakIt(repo: Repo): void
  readonly finding: string
  readonly status: Finding['status']
  readonly message: RegExp
  /** Default: `ledger-git install`. */
  readonly fix?: RegExp
}

interface Mended {
  readonly name: string
  /** At once: one look of doctor finds them all. */
  readonly breaks: readonly Break[]
  /** The command itself is the point, so nothing stands in for it. */
  readonly isReal?: boolean
  /** Whether such a hook still does its work is not for doctor to know. */
  readonly isEitherWay?: boolean
  /** Of hook files, which git 2.54 does not need. */
  readonly isAboutFiles?: boolean
  /** Path of a file of which more than our part was lost. */
  readonly lost?: string
}

function brokenLauncher(name: string, finding: string, message: RegExp, program: string): Mended {
  const breakIt = (repo: Repo) => {
    const cli = join(repo.sandbox.folder, 'home/other.mjs')
    writeFileSync(cli, program)
    repo.write(`${OUR}/launch`, `${process.execPath}\n${cli}\n`)
  }
  const status = finding === 'launcher' ? 'warning' : 'broken'
  return { name, isReal: true, breaks: [{ breakIt, finding, status, message }] }
}

function brokenHook(hook: string, message: RegExp, change: (block: string) => string): Break {
  const breakIt = (repo: Repo) =>
    edit(repo, `.git/hooks/${hook}`, (text) => text.replace(BLOCK, change))
  return { breakIt, finding: `hook-${hook}`, status: 'broken', message }
}

const HALF = /\/\w+-\w+ holds half a block of ledger-git$/

/** `doctor --fix` brings every byte back, and so does the fix that the finding names. */
const MENDED: readonly Mended[] = [
  {
    name: 'hooks: shim gone, run bit gone, block gone, block twice, file gone',
    isAboutFiles: true,
    lost: 'repo/.git/hooks/post-checkout',
    breaks: [
      {
        breakIt: (repo) => remove(repo, `${OUR}/hooks/pre-commit`),
        finding: 'hook-pre-commit',
        status: 'broken',
        message: /\/ledger-git\/hooks\/pre-commit is missing$/,
      },
      brokenHook('post-merge', /\/post-merge does not call ledger-git$/, () => ''),
      brokenHook(
        'post-rewrite',
        /\/post-rewrite calls ledger-git twice$/,
        (block) => block + block,
      ),
      {
        breakIt: (repo) => remove(repo, '.git/hooks/post-checkout'),
        finding: 'hook-post-checkout',
        status: 'broken',
        message: /\/post-checkout is missing: git does not run the hook$/,
      },
    ],
  },
  {
    name: 'a hook whose block was edited: the user’s lines must not run in its stead',
    isAboutFiles: true,
    breaks: [
      brokenHook('pre-commit', /./, (block) =>
        block.replace(/^ledger_git_dir=.*$/m, 'ledger_git_dir=/gone'),
      ),
      brokenHook('pre-push', /./, (block) => block.replace(/^if \[ -f .*\/hooks\//m, 'if [ -f "/')),
    ],
  },
  {
    name: 'half a block: its end, its start, the rest of the file',
    isAboutFiles: true,
    breaks: [
      brokenHook('pre-push', HALF, (block) => block.replace('# <<< ledger-git <<<\n', '')),
      brokenHook('pre-commit', HALF, (block) => block.slice(block.indexOf('\n') + 1)),
      brokenHook('post-merge', HALF, (block) => `${block.split('\n').slice(0, 6).join('\n')}\n`),
    ],
  },
  {
    name: 'a shim that is empty, as after a full disk',
    isAboutFiles: true,
    breaks: [
      {
        breakIt: (repo) => repo.write(`${OUR}/hooks/post-commit`, ''),
        finding: 'hook-post-commit',
        status: 'broken',
        message: /./,
      },
    ],
  },
  {
    name: 'a shim of an older release beside a new start, as after half an upgrade',
    isEitherWay: true,
    breaks: [
      {
        breakIt: (repo) =>
          repo.write(`${OUR}/hooks/pre-push`, '[ "${LEDGER_GIT-}" = 0 ] && exit 0\nexit 0\n'),
        finding: 'installation',
        status: 'warning',
        message: /: ledger-git\/hooks\/pre-push$/,
      },
    ],
  },
  {
    name: 'what every shim reads first is gone, so no hook does anything',
    isAboutFiles: true,
    breaks: [
      {
        breakIt: (repo) => remove(repo, `${OUR}/hooks/start`),
        finding: 'hook-pre-commit',
        status: 'broken',
        message: /./,
      },
    ],
  },
  {
    name: 'the launcher is gone',
    breaks: [
      {
        breakIt: (repo) => remove(repo, `${OUR}/run`),
        finding: 'launcher',
        status: 'broken',
        message: /\/run is gone$/,
      },
    ],
  },
  {
    name: 'the launcher has no run bit',
    isAboutFiles: true,
    breaks: [
      {
        breakIt: (repo) => repo.chmod(`${OUR}/run`, 0o644),
        finding: 'launcher',
        status: 'broken',
        message: /\/run has no run bit$/,
      },
      {
        breakIt: () => {},
        finding: 'hook-pre-commit',
        status: 'broken',
        message: /does not reach ledger-git/,
      },
    ],
  },
  {
    name: 'the recorded Node is gone, another is found',
    isReal: true,
    breaks: [
      {
        breakIt: (repo) => repo.write(`${OUR}/launch`, `/gone/bin/node\n${CLI}\n`),
        finding: 'launcher',
        status: 'warning',
        message: /^\/gone\/bin\/node is gone; another was found$/,
      },
    ],
  },
  {
    name: 'the record of Node and command is gone',
    isReal: true,
    breaks: [
      {
        breakIt: (repo) => remove(repo, `${OUR}/launch`),
        finding: 'launcher',
        status: 'broken',
        message: /cannot start ledger-git/,
      },
      {
        breakIt: () => {},
        finding: 'launcher-without-path',
        status: 'broken',
        message: /PATH=\/usr\/bin:\/bin/,
      },
      {
        breakIt: () => {},
        finding: 'driver-merge',
        status: 'broken',
        message: /ended in a conflict: .*not available \(status 127\)/,
      },
    ],
  },
  brokenLauncher(
    'the command starts, but crashes in a merge',
    'driver-merge',
    /ended in a conflict: .*not available \(status 42\)/,
    `if (process.argv[2] === 'merge-driver') process.exit(42)\nawait import('${CLI}')\n`,
  ),
  brokenLauncher(
    'the command loses a side in a merge',
    'driver-merge',
    /lost a side/,
    `if (process.argv[2] === 'merge-driver') process.exit(0)\nawait import('${CLI}')\n`,
  ),
  brokenLauncher(
    'another release answers to the hooks',
    'launcher',
    /^hooks start ledger-git 0\.0\.1, you typed /,
    `if (process.argv[2] === '--version') console.log('0.0.1')\nelse await import('${CLI}')\n`,
  ),
  {
    name: 'the include of our configuration is gone, and so are the attributes',
    breaks: [
      {
        breakIt: (repo) =>
          edit(repo, '.git/config', (text) => text.replace(/\[include\]\n\tpath = .*\n/, '')),
        finding: 'driver-config',
        status: 'broken',
        message: /^this clone has no merge\.ledger\.driver$/,
      },
      {
        breakIt: (repo) => {
          for (const path of ['.gitattributes', '.git/info/attributes']) {
            edit(repo, path, (text) => text.replace(BLOCK, ''))
          }
        },
        finding: 'attributes',
        status: 'broken',
        message: /has no merge=ledger in .*\/repo \(merge: unspecified\)$/,
      },
    ],
  },
  {
    name: 'locks that dead processes left',
    breaks: ['.git/ledger-git.lock', `${ROOT}/.synth.lock`].map((path) => ({
      breakIt: (repo) => repo.write(path, '4194305\n'),
      finding: 'locks',
      status: 'warning',
      message: new RegExp(`left behind by a process that died: .*/${path.replaceAll('.', '\\.')}`),
      fix: /^ledger-git doctor --fix$/,
    })),
  },
]

test.each(sampleOf(MENDED.filter(isForThisGit), 5))(
  '$name: --fix mends it, and so does the named fix',
  async ({ breaks, lost, isReal, isEitherWay }) => {
    const repo = await installed()
    const [before, healthy] = [history(repo), files(repo)]
    for (const { breakIt } of breaks) breakIt(repo)

    const { status, findings } = await doctorIn(repo, isReal ? {} : quick(repo))

    const fixes = new Set<string>()
    for (const { finding: name, status, message, fix } of breaks) {
      const finding = named(findings, name)
      expect.soft(finding?.status, name).toBe(status)
      expect.soft(finding?.message).toMatch(message)
      expect.soft(finding?.fix).toMatch(fix ?? /^ledger-git install$/)
      if (typeof finding?.fix === 'string') fixes.add(finding.fix)
    }
    expect.soft(ran(repo), 'hooks of the user that ran').toBe('')
    if (isEitherWay !== true)
      expect.soft(status).toBe(breaks.some(({ status }) => status === 'broken') ? 1 : 0)
    expect(history(repo)).toBe(before)

    const ours = (path: string) => !/^(?:home|bin)\/|^bin$/.test(path) && path !== lost
    const different = () => changedPaths(healthy, files(repo)).filter((path) => ours(path))
    await mendIn(repo, findings)
    expect(different(), 'after --fix').toEqual([])
    for (const { breakIt } of breaks) breakIt(repo)
    for (const fix of fixes) await follow(repo, fix)
    expect(different(), 'after the named fix').toEqual([])
    expect(history(repo)).toBe(before)
  },
)

/** Commands of ours without starting Node; any other fix as somebody would type it. */
async function follow(repo: Repo, fix: string): Promise<void> {
  if (fix === 'ledger-git install') await installIn(repo)
  else if (fix === 'ledger-git doctor --fix') await mendIn(repo, [])
  else expect(type(repo, fix)).toMatchObject({ status: 0 })
}

test.skipIf(
  needsHookFiles(
    'the command: exit 1 and every fix below its finding; --fix says what it did, and exit 0',
  ),
)(
  'the command: exit 1 and every fix below its finding; --fix says what it did, and exit 0',
  async () => {
    const repo = await installed()
    const before = history(repo)
    remove(repo, '.git/hooks')
    remove(repo, `${OUR}/run`)
    const broken = repo.tryLedger('doctor')
    expect(broken).toMatchObject({ status: 1 })
    expect(broken.stdout).toMatch(
      /^broken {3}hooks-folder: .*\/hooks does not exist: git runs no hook\n {9}fix: ledger-git install$/m,
    )
    expect(broken.stderr).toMatch(/^\d+ ok, \d+ warning, \d+ broken$/m)
    const fixed = repo.tryLedger('doctor', '--fix')
    expect(fixed).toMatchObject({ status: 0, stderr: '30 ok, 0 warning, 0 broken\n' })
    expect(fixed.stdout).toMatch(/^fixed {4}create .*\/ledger-git\/run$/m)
    expect(history(repo)).toBe(before)
  },
)

/** A git in PATH that says that it is another release. */
function gitThatSays(version: string) {
  return (repo: Repo): Surroundings => {
    const bin = join(repo.sandbox.folder, 'old-git')
    mkdirSync(bin)
    const PATH = process.env['PATH']
    const text = `#!/bin/sh\n[ "$1" != --version ] || { echo 'git version ${version}'; exit; }\nPATH='${PATH}'\nexec git "$@"\n`
    writeFileSync(join(bin, 'git'), text, { mode: 0o755 })
    return { env: { ...quick(repo).env, PATH: `${bin}:${PATH}` } }
  }
}

interface Decision extends Break {
  /** Follows the named step; where that is a command, it is typed. */
  readonly mend?: ((repo: Repo) => void) | 'typed'
}

interface Manual {
  readonly name: string
  readonly isAboutFiles?: boolean
  readonly surroundings?: (repo: Repo) => Surroundings
  readonly breaks: readonly Decision[]
}

const nothing = () => {}

/** What needs somebody to decide: `--fix` leaves it, and the named step mends it. */
const MANUAL: readonly Manual[] = [
  {
    name: 'LEDGER_GIT=0',
    surroundings: (repo) => ({ env: { ...quick(repo).env, LEDGER_GIT: '0' } }),
    breaks: [
      {
        breakIt: nothing,
        finding: 'environment',
        status: 'warning',
        message: /^LEDGER_GIT=0 switches hooks and driver off here$/,
        fix: /^unset LEDGER_GIT$/,
      },
      {
        breakIt: nothing,
        finding: 'driver-merge',
        status: 'warning',
        message: /^not tried: LEDGER_GIT=0$/,
        fix: /^unset LEDGER_GIT$/,
      },
    ],
  },
  {
    name: 'an old Node and an old git',
    surroundings: (repo) => ({ ...gitThatSays('2.33.8')(repo), nodeVersion: '20.18.3' }),
    breaks: [
      {
        breakIt: nothing,
        finding: 'node-version',
        status: 'broken',
        message: /^Node 20\.18\.3 is too old$/,
        fix: /^install Node 20\.19 or newer$/,
      },
      {
        breakIt: nothing,
        finding: 'git-version',
        status: 'broken',
        message: /^git 2\.33\.8 is too old/,
        fix: /^install git 2\.34 or newer$/,
      },
    ],
  },
  {
    name: 'a git without merge-tree --write-tree',
    surroundings: gitThatSays('2.37.1'),
    breaks: [
      {
        breakIt: nothing,
        finding: 'driver-merge',
        status: 'warning',
        message: /^not tried: git 2\.37\.1 cannot merge without a worktree$/,
        fix: /^install git 2\.38 or newer$/,
      },
    ],
  },
  {
    name: 'changes of people, in hooks, configuration, events and commits',
    isAboutFiles: true,
    breaks: [
      {
        breakIt: (repo) => {
          repo.write(`${EVENTS}/a.md`, '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: x\n')
          commitQuietly(repo)
        },
        finding: 'ledger',
        status: 'warning',
        message: /./,
        fix: /^ledger-git resolve$/,
        mend: 'typed',
      },
      {
        breakIt: (repo) => repo.git('config', 'merge.ledger.driver', 'true'),
        finding: 'driver-config',
        status: 'broken',
        message: /^merge\.ledger\.driver is something else: true$/,
        fix: /^git config --show-origin --get-all merge\.ledger\.driver, remove that line, then /,
        mend: (repo) => repo.git('config', '--unset', 'merge.ledger.driver'),
      },
      {
        breakIt: (repo) =>
          edit(repo, '.git/hooks/post-merge', (text) =>
            text.replace('\n', `\n${userLine('first')}`),
          ),
        finding: 'hook-post-merge',
        status: 'warning',
        message: /\/post-merge runs other lines first, so it was not tried out$/,
        fix: /^move the block to the top of .*\/post-merge$/,
        mend: (repo) =>
          edit(repo, '.git/hooks/post-merge', (text) => text.replace(userLine('first'), '')),
      },
      {
        breakIt: (repo) => repo.chmod('.git/hooks/post-rewrite', 0o644),
        finding: 'hook-post-rewrite',
        status: 'broken',
        message: /\/post-rewrite has no run bit: git ignores it$/,
        fix: /^chmod \+x .*\/post-rewrite'?$/,
        mend: 'typed',
      },
      {
        breakIt: (repo) => repo.write(`${EVENTS}/broken.md`, '---\nts: never\n'),
        finding: 'events',
        status: 'warning',
        message: /^skipped: broken\.md$/,
        fix: /^ledger-git event validate$/,
        mend: (repo) => remove(repo, `${EVENTS}/broken.md`),
      },
      {
        breakIt: (repo) => {
          repo.git('rm', '-q', '--cached', '.gitattributes')
          repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'not yet')
        },
        finding: 'attributes-committed',
        status: 'warning',
        message: /^HEAD has no merge=ledger in \.gitattributes: it holds in this clone only$/,
        fix: /^git add \.gitattributes && git commit$/,
        mend: 'typed',
      },
    ],
  },
  {
    name: 'an event from a wrong clock, which a retraction takes back',
    breaks: [
      {
        breakIt: (repo) =>
          repo.write(
            `${EVENTS}/late.md`,
            '---\nts: 2999-01-01T00:00:00Z\nagent: a\n---\n\nnow: x\n',
          ),
        finding: 'clock',
        status: 'warning',
        message: /^ahead of the clock: late\.md$/,
        fix: /^ledger-git event retract FILE$/,
        mend: (repo) => expect(type(repo, 'ledger-git event retract late.md').status).toBe(0),
      },
    ],
  },
  {
    name: 'settings that cannot be read',
    breaks: [
      {
        breakIt: (repo) => repo.write('.ledger-git.yaml', 'ledger: {root: ../outside}\n'),
        finding: 'settings',
        status: 'broken',
        message: /root/,
        fix: /./,
        mend: (repo) => remove(repo, '.ledger-git.yaml'),
      },
    ],
  },
  {
    name: 'a rule after ours in info/attributes',
    breaks: [
      {
        breakIt: (repo) => edit(repo, '.git/info/attributes', (text) => `${text}*.md -merge\n`),
        finding: 'attributes',
        status: 'broken',
        message: /has no merge=ledger in .*\(merge: unset\)/,
        // Installing again leaves it as it is.
        fix: /^(?!ledger-git install$).*info\/attributes/,
      },
    ],
  },
  {
    name: 'a rule that ignores events by their name',
    breaks: [
      {
        breakIt: (repo) => repo.write('.gitignore', '*.md\n'),
        finding: 'ignored',
        status: 'broken',
        message: /^git ignores events \(\.gitignore:1:\*\.md\): they would never be committed$/,
        fix: /^change that rule, or add !\/thoughts\/shared\/handoffs\/events\/\*\.md after it$/,
        mend: (repo) => repo.write('.gitignore', `*.md\n!/${EVENTS}/*.md\n!/${CURRENT}\n`),
      },
    ],
  },
  {
    name: 'a rule that ignores the whole folder, which no later rule can undo',
    breaks: [
      {
        breakIt: (repo) => repo.write('.gitignore', 'thoughts/\n'),
        finding: 'ignored',
        status: 'broken',
        message: /^git ignores events \(\.gitignore:1:thoughts\/\)/,
        // git does not look into an ignored folder.
        fix: /^(?!.*\badd !)/,
      },
    ],
  },
  {
    name: 'a rule that ignores current.md',
    breaks: [
      {
        breakIt: (repo) => repo.write('.gitignore', 'current.md\n'),
        finding: 'ignored',
        status: 'broken',
        message: /^git ignores .*\/current\.md \(\.gitignore:1:current\.md\)$/,
        fix: /^change that rule/,
      },
    ],
  },
]

test.each(sampleOf(MANUAL.filter(isForThisGit), 4))(
  '$name: found, and mended by the named step',
  async (broken) => {
    const repo = await installed()
    for (const { breakIt } of broken.breaks) breakIt(repo)
    forget(repo)
    const surroundings = broken.surroundings?.(repo) ?? quick(repo)
    const before = history(repo)

    const { status, findings } = await doctorIn(repo, surroundings)

    expect.soft(ran(repo), 'hooks of the user that ran').toBe('')
    for (const { finding: name, status, message, fix = /./ } of broken.breaks) {
      const finding = named(findings, name)
      expect.soft(finding?.status, name).toBe(status)
      expect.soft(finding?.message).toMatch(message)
      expect.soft(finding?.fix).toMatch(fix)
    }
    expect.soft(status).toBe(broken.breaks.some(({ status }) => status === 'broken') ? 1 : 0)
    expect(history(repo)).toBe(before)
    if (broken.breaks.every(({ mend }) => mend === undefined)) return

    for (const { mend = nothing, finding: name } of broken.breaks) {
      const fix = named(findings, name)?.fix ?? 'false'
      if (mend === 'typed') expect(type(repo, fix), fix).toMatchObject({ status: 0 })
      else mend(repo)
    }
    forget(repo)
    await installIn(repo)
    const mended = await doctorIn(repo, surroundings)
    expect(mended.findings.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(ran(repo)).toBe('')
  },
)

test.skipIf(
  needsHookFiles('a path with a space: the command that gives a hook its run bit can be typed'),
)('a path with a space: the command that gives a hook its run bit can be typed', async () => {
  const repo = new Sandbox().init(`it's a repo`)
  await installIn(repo)
  repo.chmod('.git/hooks/pre-commit', 0o644)
  const { findings } = await doctorIn(repo, quick(repo))
  expect(type(repo, named(findings, 'hook-pre-commit')?.fix ?? 'false')).toMatchObject({
    status: 0,
  })
})

describe('not set up', () => {
  test('a repository that never was: found; --fix writes no tracked file', async () => {
    const repo = new Sandbox().init()
    repo.commit('init', { 'README.md': '# demo\n' })
    const { status, findings } = await doctorIn(repo, quick(repo))
    expect(status).toBe(1)
    expect(named(findings, 'installation')).toMatchObject({
      status: 'broken',
      message: 'this clone was never set up',
      fix: 'ledger-git install',
    })
    await mendIn(repo, findings)
    const fixed = await doctorIn(repo, quick(repo))
    expect(fixed.status).toBe(0)
    expect(fixed.findings.filter(({ status }) => status !== 'ok')).toMatchObject([
      { name: 'attributes-committed', fix: 'ledger-git install, then commit .gitattributes' },
    ])
    expect(repo.status()).toBe('')
  })

  test('a clone that has the attribute but not the driver', async () => {
    const origin = await installed()
    origin.git('clone', '-q', '.', '../clone')
    const clone = origin.sandbox.at(join(origin.sandbox.folder, 'clone'))
    const before = history(clone)
    const { status, findings } = await doctorIn(clone, quick(clone))
    expect(status).toBe(1)
    expect(named(findings, 'driver-config')).toMatchObject({
      status: 'broken',
      message: `${CURRENT} has merge=ledger, but this clone has no such driver: git merges it as text`,
      fix: 'ledger-git install',
    })
    expect(named(findings, 'installation')?.message).toMatch(
      /^this repository uses ledger-git, but this clone was never set up$/,
    )
    const fixed = await doctorIn(clone, quick(clone), true)
    expect(fixed).toMatchObject({ status: 0 })
    expect(fixed.findings.every(({ status }) => status === 'ok')).toBe(true)
    expect(clone.status()).toBe('')
    expect(history(clone)).toBe(before)
  })
})

/** A hook as each manager writes it; the user's line stands for the jobs that it would run. */
const LEFTHOOK = '#!/bin/sh\ncall_lefthook() {\n  :\n}\n'
const PRE_COMMIT = '#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n'
const SIMPLE = '#!/bin/sh\n[ "$SKIP_SIMPLE_GIT_HOOKS" = 1 ] && exit 0\n'

describe.skipIf(needsHookFiles('hooks of other managers are never run'))(
  'hooks of other managers are never run',
  () => {
    test('lefthook, pre-commit, simple-git-hooks, with our block and without it', async () => {
      const repo = await installed()
      const write = (hook: string, start: string, block = '') => {
        repo.write(`.git/hooks/${hook}`, start.replace('\n', `\n${block}`) + userLine(hook))
      }
      const block = (hook: string) => blockOf(repo.read(`.git/hooks/${hook}`))
      write('pre-commit', LEFTHOOK)
      write('prepare-commit-msg', SIMPLE)
      write('post-commit', PRE_COMMIT)
      write('post-merge', LEFTHOOK, block('post-merge'))
      write('post-rewrite', SIMPLE, block('post-rewrite'))
      write('post-checkout.legacy', '#!/bin/sh\n', block('post-checkout'))
      write('post-checkout', PRE_COMMIT)
      repo.chmod('.git/hooks/post-checkout.legacy', 0o755)
      write('pre-push', LEFTHOOK)
      repo.write(
        'lefthook.yml',
        `pre-push:\n  jobs:\n    - run: ${hookCommand('pre-push', '{0}')}\n`,
      )

      const { status, findings } = await doctorIn(repo, quick(repo))

      expect(status).toBe(1)
      const statuses = HOOKS.map((hook) => [hook, named(findings, `hook-${hook}`)?.status])
      expect(Object.fromEntries(statuses)).toEqual({
        'pre-commit': 'broken',
        'prepare-commit-msg': 'broken',
        'commit-msg': 'ok',
        'post-commit': 'broken',
        'post-merge': 'ok',
        'post-rewrite': 'ok',
        'post-checkout': 'ok',
        'pre-push': 'ok',
      })
      expect(named(findings, 'hook-pre-commit')).toMatchObject({
        message: expect.stringMatching(/does not call ledger-git \(lefthook wrote it anew\)$/),
        fix: expect.stringMatching(
          /^ledger-git install; to keep it, in lefthook\.yml:\npre-commit:\n/,
        ),
      })
      expect(named(findings, 'hook-prepare-commit-msg')).toMatchObject({
        message: expect.stringMatching(/\(simple-git-hooks wrote it anew\)$/),
        fix: 'ledger-git install',
      })
      expect(named(findings, 'hook-pre-push')?.message).toMatch(
        /not run: your other jobs would run/,
      )
      expect(ran(repo)).toBe('')
      await mendIn(repo, findings)
      const mended = await doctorIn(repo, quick(repo))
      expect(mended.findings.filter(({ status }) => status !== 'ok')).toEqual([])
      expect(ran(repo)).toBe('')
    })

    longTest('husky: its folder gone, the launcher not executable, our block gone', async () => {
      const repo = new Sandbox().init()
      writeUserHooks(repo, '.husky', '')
      repo.write('.husky/_/h', '#!/bin/sh\nsh -e ".husky/$(basename "$0")" "$@"\n')
      for (const hook of HOOKS) {
        repo.write(`.husky/_/${hook}`, '#!/bin/sh\n. "$(dirname "$0")/h"')
        repo.chmod(`.husky/_/${hook}`, 0o755)
      }
      repo.write('.husky/_/.gitignore', '*\n')
      repo.git('config', 'core.hooksPath', '.husky/_')
      await installIn(repo)
      commitQuietly(repo)
      repo.chmod(`${OUR}/run`, 0o644)
      edit(repo, '.husky/pre-push', (text) => text.replace(BLOCK, ''))

      const { status, findings } = await doctorIn(repo, quick(repo))

      expect(status).toBe(1)
      expect(named(findings, 'hook-pre-commit')?.message).toMatch(/does not reach ledger-git/)
      expect(named(findings, 'hook-pre-push')?.message).toMatch(/does not call ledger-git$/)
      expect(ran(repo)).toBe('')
      await mendIn(repo, findings)
      remove(repo, '.husky/_')
      const without = await doctorIn(repo, quick(repo))
      expect(without.findings.filter(({ status }) => status !== 'ok')).toMatchObject([
        { name: 'hooks-folder', status: 'broken', fix: 'npm install (husky makes it)' },
        ...HOOKS.map((hook) => ({ name: `hook-${hook}`, status: 'broken' })),
      ])
      expect(ran(repo)).toBe('')
    })

    test('a global hooks folder: read, never run; the named line can be added', async () => {
      const repo = await installed()
      const folder = join(repo.sandbox.folder, 'global')
      const shared = repo.sandbox.at(repo.sandbox.folder)
      writeUserHooks(shared, 'global')
      repo.git('config', '--global', 'core.hooksPath', folder)
      const { status, findings } = await doctorIn(repo, quick(repo))
      expect(status).toBe(1)
      expect(named(findings, 'hooks-folder')).toMatchObject({ status: 'warning' })
      for (const hook of HOOKS) {
        const finding = named(findings, `hook-${hook}`)
        expect(finding?.message).toMatch(/does not call ledger-git$/)
        const line = finding?.fix?.replace(/^add to it: /, '') ?? ''
        shared.write(`global/${hook}`, `#!/bin/sh\n${line}\n${userLine(hook)}`)
      }
      const fixed = await doctorIn(repo, quick(repo))
      expect(fixed.status).toBe(0)
      expect(named(fixed.findings, 'hook-pre-push')?.message).toMatch(/calls ledger-git \(not run/)
      expect(ran(repo)).toBe('')
    })
  },
)

test.skipIf(
  needsHookFiles('hooks from a folder of the worktree that another worktree does not have'),
)('hooks from a folder of the worktree that another worktree does not have', async () => {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  repo.git('worktree', 'add', '-q', '../linked')
  repo.git('config', 'core.hooksPath', '.githooks')
  await installIn(repo)
  commitQuietly(repo)
  const { status, findings } = await doctorIn(repo, quick(repo))
  expect(status).toBe(1)
  expect(named(findings, 'hooks-in-worktrees')).toMatchObject({
    status: 'broken',
    message: `not there, so git runs no hook in that worktree: ${repo.sandbox.folder}/linked/.githooks`,
    fix: 'commit the hooks folder, or run ledger-git install in that worktree',
  })
  const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
  linked.git('-c', 'core.hooksPath=/dev/null', 'merge', '-q', 'main')
  expect(await doctorIn(linked, quick(linked))).toMatchObject({ status: 0 })
})

longTest(
  'a hook without interpreter line, which git runs with sh, is tried out like any other',
  async () => {
    const repo = new Sandbox().init()
    writeUserHooks(repo, '.git/hooks', '')
    await installIn(repo)
    commitQuietly(repo)
    const { status, findings } = await doctorIn(repo, quick(repo))
    expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([])
    expect(status).toBe(0)
    expect(ran(repo)).toBe('')
  },
)

longTest('a git folder elsewhere (.git is a file): every finding is ok', async () => {
  const sandbox = new Sandbox()
  const repo = sandbox.init('repo', `--separate-git-dir=${join(sandbox.folder, 'git-data')}`)
  await installIn(repo)
  commitQuietly(repo)
  const { findings } = await doctorIn(repo, quick(repo))
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
})

test('GIT_DIR and GIT_WORK_TREE name a repository that no folder leads to: every finding is ok', async () => {
  const repo = await installed()
  renameSync(join(repo.folder, '.git'), join(repo.sandbox.folder, 'dotfiles.git'))
  const { findings } = await doctorIn(repo, {
    env: {
      ...quick(repo).env,
      GIT_DIR: join(repo.sandbox.folder, 'dotfiles.git'),
      GIT_WORK_TREE: repo.folder,
    },
  })
  expect.soft(ran(repo)).toBe('')
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
})

longTest(
  'GIT_DIR relative to a sub-folder: the same answer, and no hook of the user runs',
  async () => {
    const repo = await installed()
    mkdirSync(join(repo.folder, 'src'))
    const { status } = await doctorIn(repo.sandbox.at(join(repo.folder, 'src')), {
      env: { ...quick(repo).env, GIT_DIR: '../.git', GIT_WORK_TREE: '..' },
    })
    expect.soft(ran(repo)).toBe('')
    expect(status).toBe(0)
  },
)
