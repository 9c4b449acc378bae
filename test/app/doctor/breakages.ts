/** Every finding of doctor: what causes it, what it says, and how its fix is followed. */

import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ROOT } from '../../support/git-repo.ts'
import { makeLock } from '../../support/locks.ts'
import { age, editState } from '../../sessions/readers.ts'
import type { Surroundings } from './in-process.ts'
import { quick } from './in-process.ts'
import { BLOCK, commitQuietly, edit, OUR, remove, userLine } from './scene.ts'

export interface Breakage {
  /** Name of the finding; `hook-<name>` stands for all eight hooks. */
  readonly finding: string
  readonly what: string
  readonly status: Exclude<Finding['status'], 'ok'>
  readonly message: RegExp
  readonly fix: RegExp
  breakIt(repo: Repo): void
  /** Follows the fix if it is a step for a person and not a command. */
  readonly byHand?: (repo: Repo, fix: string) => void
  readonly surroundings?: (repo: Repo) => Surroundings
  /** What the step changes around the repository, such as another Node or another git. */
  readonly afterwards?: (repo: Repo) => Surroundings
  /** The command itself is under test, so no stand-in replaces it. */
  readonly isReal?: true
  /** Is about hook files, which git 2.54 does not need. */
  readonly isAboutFiles?: true
  /** Another row shows the same; this one runs with LEDGER_LONG=1. */
  readonly isTwin?: true
  /** Rows of one scene are broken together, unless LEDGER_LONG=1, to show that no cause hides another. */
  readonly scene?: string
  /** A file that lost more than our part, or that people change. */
  readonly lost?: string
  /** `--fix` repairs it too. */
  readonly isMendable?: true
  /** Paths that a repaired repository has and a healthy one does not. */
  readonly adds?: RegExp
}

const OLD_CLOCK = '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: x\n'

const installs = { fix: /^ledger-git install$/, isMendable: true } as const

function shim(hook: string, text: string | undefined): (repo: Repo) => void {
  const path = `${OUR}/hooks/${hook}`
  return (repo) => (text === undefined ? remove(repo, path) : repo.write(path, text))
}

function changedHook(hook: string, change: (text: string) => string): (repo: Repo) => void {
  return (repo) => edit(repo, `.git/hooks/${hook}`, change)
}

/** Adds the line that the fix names. */
function addAttributesLine(repo: Repo, fix: string): void {
  const [, file = '', line = ''] = /^end (.*) with the line '(.*)', and/.exec(fix) ?? []
  edit(repo, file, (text) => `${text}${line}\n`)
  commitQuietly(repo)
}

function otherCommand(program: string): (repo: Repo) => void {
  return (repo) => {
    const cli = join(repo.sandbox.folder, 'home/other.mjs')
    writeFileSync(cli, program)
    repo.write(`${OUR}/launch`, `${process.execPath}\n${cli}\n`)
  }
}

/** A git on PATH that reports another release. */
function gitThatSays(version: string) {
  return (repo: Repo): Surroundings => {
    const bin = join(repo.sandbox.folder, `git-${version}`)
    mkdirSync(bin)
    const PATH = process.env['PATH']
    const text = `#!/bin/sh\n[ "$1" != --version ] || { echo 'git version ${version}'; exit; }\nPATH='${PATH}'\nexec git "$@"\n`
    writeFileSync(join(bin, 'git'), text, { mode: 0o755 })
    return { env: { ...quick(repo).env, PATH: `${bin}:${PATH}` } }
  }
}

/** A hook that cannot hold a block: with this text, or as a dangling link. */
function keptHook(text: string | undefined) {
  return (repo: Repo) => {
    const path = '.git/hooks/post-commit'
    remove(repo, path)
    if (text === undefined) symlinkSync('nowhere', join(repo.folder, path))
    else {
      repo.write(path, text)
      repo.chmod(path, 0o755)
    }
    repo.ledger('install')
  }
}

const withoutHandoffs = (text: string) => text.replace(/.*merge=ledger-handoff\n/, '')
const withEnv = (name: string) => (repo: Repo) => ({ env: { ...quick(repo).env, [name]: '0' } })
const nothing = () => {}

/** Follows the fix: moves the whole block below the first line. */
function blockToTop(file: string) {
  return (repo: Repo) =>
    edit(repo, file, (text) => {
      const block = BLOCK.exec(text)?.[0] ?? ''
      const rest = text.replace(BLOCK, '')
      return rest.replace(/^#!.*\n/, (first) => first + block)
    })
}

const PROGRAMS: readonly Breakage[] = [
  {
    finding: 'git-version',
    what: 'an old git',
    scene: 'programs',
    status: 'broken',
    message: /^git 2\.33\.8 is too old/,
    fix: /^install git 2\.34 or newer$/,
    breakIt: nothing,
    surroundings: gitThatSays('2.33.8'),
    byHand: nothing,
    afterwards: gitThatSays('2.39.5'),
  },
  {
    finding: 'node-version',
    what: 'an old Node',
    scene: 'programs',
    status: 'broken',
    message: /^Node 20\.18\.3 is too old$/,
    fix: /^install Node 20\.19 or newer$/,
    breakIt: nothing,
    surroundings: (repo) => ({ ...quick(repo), nodeVersion: '20.18.3' }),
    byHand: nothing,
    afterwards: (repo) => ({ ...quick(repo), nodeVersion: '20.19.0' }),
  },
  {
    finding: 'environment',
    what: 'LEDGER_GIT=0: no commit takes an event',
    scene: 'programs',
    status: 'broken',
    message: /^LEDGER_GIT=0 switches hooks and driver off here$/,
    fix: /^unset LEDGER_GIT$/,
    breakIt: nothing,
    surroundings: withEnv('LEDGER_GIT'),
  },
  {
    finding: 'installation',
    what: 'never set up',
    status: 'broken',
    message: /^this repository uses ledger-git, but this clone was never set up$/,
    ...installs,
    lost: '.git/ledger-git/install.json', // a new install writes another record
    breakIt: (repo) => {
      repo.ledger('uninstall')
      repo.git('-c', 'core.hooksPath=/dev/null', 'checkout', '-q', '--', '.')
    },
  },
  {
    finding: 'installation',
    what: 'the file that names the ledger folder for the hooks is gone',
    isTwin: true,
    status: 'broken',
    message: /: ledger-git\/root$/,
    ...installs,
    breakIt: (repo) => remove(repo, `${OUR}/root`),
  },
  {
    finding: 'installation',
    what: 'the file that names the ledger folder for the hooks names another one',
    status: 'broken',
    message:
      /^this clone is set up for the ledger in somewhere\/else, but this branch has it in thoughts\/shared\/handoffs$/,
    ...installs,
    breakIt: (repo) => repo.write(`${OUR}/root`, 'somewhere/else\n'),
  },
  ...['start', 'pre-commit', 'pre-push'].map((hook, i): Breakage => ({
    finding: 'installation',
    what: `the shim ${hook} is ${['gone', 'empty, as after a full disk', 'older'][i]}`,
    status: 'broken',
    message: new RegExp(`: ledger-git/hooks/${hook}$`),
    ...installs,
    ...(i === 0 ? {} : { isTwin: true }),
    breakIt: shim(hook, [undefined, '', '[ "${LEDGER_GIT-}" = 0 ] && exit 0\nexit 0\n'][i]),
  })),
  {
    finding: 'installation',
    what: 'local files are no longer ignored',
    scene: 'files',
    status: 'warning',
    message: /^not as ledger-git .* writes it: info\/exclude$/,
    ...installs,
    breakIt: (repo) => edit(repo, '.git/info/exclude', (text) => text.replace(BLOCK, '')),
  },
  {
    finding: 'installation',
    what: 'an older release wrote it',
    isTwin: true,
    status: 'warning',
    message: /^an older ledger-git wrote .*post-merge: hooks are not tried out$/,
    ...installs,
    isAboutFiles: true,
    breakIt: (repo) => {
      edit(repo, `${OUR}/install.json`, (text) =>
        text.replace(/"version": ".*"/, '"version": "0.0.1"'),
      )
      repo.write(`${OUR}/hooks/post-merge`, 'exit 0\n')
    },
  },
  {
    finding: 'installation',
    what: 'a newer release wrote it',
    status: 'warning',
    message: /^a newer ledger-git than .* set this clone up/,
    fix: /^npm install ledger-git@latest$/,
    breakIt: (repo) =>
      edit(repo, `${OUR}/install.json`, (text) =>
        text.replace(/"version": ".*"/, '"version": "99.0.0"'),
      ),
    // There is no registry here, so the release under test stands for the newest.
    byHand: (repo) =>
      edit(repo, `${OUR}/install.json`, (text) => text.replace('99.0.0', version(repo))),
  },
  {
    finding: 'launcher',
    what: 'it is gone',
    status: 'broken',
    message: /\/run is gone$/,
    ...installs,
    breakIt: (repo) => remove(repo, `${OUR}/run`),
  },
  {
    finding: 'launcher',
    what: 'it is not executable',
    isTwin: true,
    status: 'broken',
    message: /\/run is not executable$/,
    ...installs,
    breakIt: (repo) => repo.chmod(`${OUR}/run`, 0o644),
  },
  {
    finding: 'launcher',
    what: 'the recorded Node is gone, another is found',
    isTwin: true,
    isReal: true,
    status: 'warning',
    message: /^\/gone\/bin\/node is gone; another was found$/,
    ...installs,
    breakIt: (repo) => repo.write(`${OUR}/launch`, `/gone/bin/node\n${CLI}\n`),
  },
  {
    finding: 'launcher',
    what: 'the locations of Node and the command are unknown',
    isReal: true,
    status: 'broken',
    message: /cannot start ledger-git/,
    ...installs,
    breakIt: (repo) => remove(repo, `${OUR}/launch`),
  },
  {
    finding: 'launcher',
    what: 'another release answers to the hooks',
    isTwin: true,
    isReal: true,
    status: 'warning',
    message: /^hooks start ledger-git 0\.0\.1, you typed /,
    ...installs,
    breakIt: otherCommand(
      `if (process.argv[2] === '--version') console.log('0.0.1')\nelse await import('${CLI}')\n`,
    ),
  },
  {
    finding: 'launcher-without-path',
    what: 'only a PATH that a GUI client lacks leads to the command',
    isReal: true,
    status: 'broken',
    message: /PATH=\/usr\/bin:\/bin/,
    ...installs,
    breakIt: (repo) => remove(repo, `${OUR}/launch`),
    surroundings: (repo) => {
      const bin = join(repo.sandbox.folder, 'elsewhere')
      mkdirSync(bin)
      const program = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`
      writeFileSync(join(bin, 'ledger-git'), program, { mode: 0o755 })
      return { env: { PATH: `${bin}:${process.env['PATH']}` } }
    },
  },
]

function version(repo: Repo): string {
  return repo.ledger('--version')
}

const MERGING: readonly Breakage[] = [
  {
    finding: 'driver-config',
    what: 'the include of our configuration is gone',
    status: 'broken',
    message:
      /^.*\/current\.md has merge=ledger, but this clone has no such driver: git merges it as text$/,
    ...installs,
    breakIt: (repo) =>
      edit(repo, '.git/config', (text) => text.replace(/\[include\]\n\tpath = .*\n/, '')),
  },
  {
    finding: 'driver-config',
    what: 'a release that knew no handoffs wrote it',
    isTwin: true,
    status: 'broken',
    message: /\/NAME\/current\.md has merge=ledger-handoff, but this clone has no such driver/,
    ...installs,
    breakIt: (repo) =>
      edit(repo, `${OUR}/config`, (text) =>
        text.replace(/\[merge "ledger-handoff"\]\n(?:\t.*\n)+/, ''),
      ),
  },
  {
    finding: 'driver-config',
    what: 'somebody else’s driver',
    status: 'broken',
    message: /^merge\.ledger\.driver is set to something else: true$/,
    fix: /^git config --local --unset-all merge\.ledger\.driver && ledger-git install$/,
    breakIt: (repo) => repo.git('config', 'merge.ledger.driver', 'true'),
  },
  {
    finding: 'attributes',
    what: 'no file has them',
    status: 'broken',
    message: /has no merge=ledger in .*\/repo \(merge: unspecified\)$/,
    ...installs,
    breakIt: (repo) => {
      for (const path of ['.gitattributes', '.git/info/attributes']) {
        edit(repo, path, (text) => text.replace(BLOCK, ''))
      }
    },
  },
  {
    finding: 'attributes',
    what: 'a release that knew no handoffs wrote them',
    isTwin: true,
    status: 'broken',
    message: /\/NAME\/current\.md has no merge=ledger-handoff in .*\/repo \(merge: unspecified\)$/,
    ...installs,
    breakIt: (repo) => {
      for (const path of ['.gitattributes', '.git/info/attributes'])
        edit(repo, path, withoutHandoffs)
    },
  },
  {
    finding: 'attributes',
    what: 'a line after ours',
    status: 'broken',
    message: /has no merge=ledger in .*\(merge: unset\)/,
    fix: /^remove the line after ours that says otherwise, in .*\/info\/attributes$/,
    breakIt: (repo) => edit(repo, '.git/info/attributes', (text) => `${text}*.md -merge\n`),
    byHand: (repo) =>
      edit(repo, '.git/info/attributes', (text) => text.replace('*.md -merge\n', '')),
  },
  {
    finding: 'attributes',
    what: 'a filter that encrypts, or stores files elsewhere',
    status: 'broken',
    message: /current\.md has filter=crypt: git does not store the text that is written/,
    fix: /^end \.gitattributes with a line that removes the filter: '\/thoughts\/shared\/handoffs\/\*\* -filter'$/,
    breakIt: (repo) => edit(repo, '.gitattributes', (text) => `*.md filter=crypt\n${text}`),
    byHand: (repo) =>
      edit(repo, '.gitattributes', (text) => `${text}/thoughts/shared/handoffs/** -filter\n`),
  },
  {
    finding: 'worktrees',
    what: 'git cannot work in a linked worktree',
    status: 'broken',
    message: /^git cannot work in beside: its index is damaged$/,
    fix: /^mv .*\/index .*\/index\.damaged && git -C .*\/beside reset$/,
    breakIt: (repo) => {
      repo.git('worktree', 'add', '-q', '--detach', '../beside')
      repo.write('.git/worktrees/beside/index', 'DIRC')
    },
    lost: '.git/worktrees',
  },
  {
    finding: 'attributes-committed',
    what: 'in no commit yet',
    scene: 'commits',
    status: 'warning',
    message: /^HEAD has no merge=ledger in \.gitattributes: it applies in this clone only$/,
    fix: /^git add :\/\.gitattributes && git commit$/,
    breakIt: (repo) => {
      repo.git('rm', '-q', '--cached', '.gitattributes')
      repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'not yet')
    },
  },
  {
    finding: 'attributes-committed',
    what: 'not written yet',
    isTwin: true,
    status: 'warning',
    message: /it applies in this clone only$/,
    fix: /^ledger-git install && git add :\/\.gitattributes && git commit$/,
    breakIt: (repo) => {
      repo.git('rm', '-q', '.gitattributes')
      repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'not yet')
    },
  },
  {
    finding: 'attributes-committed',
    what: 'by a release that knew no handoffs',
    isTwin: true,
    status: 'warning',
    message: /^HEAD has no merge=ledger-handoff in \.gitattributes: it applies in this clone only$/,
    fix: /^ledger-git install && git add :\/\.gitattributes && git commit$/,
    breakIt: (repo) => {
      edit(repo, '.gitattributes', withoutHandoffs)
      commitQuietly(repo)
    },
  },
  {
    finding: 'attributes-committed',
    what: 'a link, which git does not read',
    status: 'warning',
    message: /^\.gitattributes is a link, and git does not follow it: /,
    fix: /^put a file in its place, then ledger-git install && git add :\/\.gitattributes && git commit$/,
    breakIt: (repo) => {
      renameSync(join(repo.folder, '.gitattributes'), join(repo.folder, 'attributes'))
      symlinkSync('attributes', join(repo.folder, '.gitattributes'))
      commitQuietly(repo)
    },
    byHand: (repo) => {
      rmSync(join(repo.folder, '.gitattributes'))
      renameSync(join(repo.folder, 'attributes'), join(repo.folder, '.gitattributes'))
      commitQuietly(repo)
    },
  },
  {
    finding: 'attributes-committed',
    what: 'a file in a sub-folder overrides them',
    status: 'warning',
    message:
      /^in clones without ledger-git, thoughts\/shared\/handoffs\/NAME\/current\.md has merge=binary, not ledger-handoff$/,
    fix: /^end thoughts\/\.gitattributes with the line '\/shared\/handoffs\/\*\/current\.md merge=ledger-handoff', and commit that$/,
    breakIt: (repo) => {
      repo.write('thoughts/.gitattributes', 'shared/handoffs/*/current.md merge=binary\n')
      repo.write('thoughts/shared/.gitattributes', '*.png binary\n')
      commitQuietly(repo)
    },
    byHand: addAttributesLine,
  },
  {
    finding: 'attributes-committed',
    what: 'a line after ours, about line ends of events',
    isTwin: true,
    status: 'warning',
    message: /^in clones without ledger-git, .*\/events\/EVENT\.md has eol=crlf, not lf$/,
    fix: /^move the block of ledger-git to the end of \.gitattributes, and commit that$/,
    breakIt: (repo) => {
      edit(repo, '.gitattributes', (text) => `${text}**/events/* eol=crlf\n`)
      repo.write('thoughts/.gitattributes', '*.png binary\n')
      commitQuietly(repo)
    },
    byHand: (repo) => {
      edit(repo, '.gitattributes', (text) => text.replace(/([^]*)(.*eol=crlf\n)$/, '$2$1'))
      commitQuietly(repo)
    },
  },
  {
    finding: 'attributes-committed',
    what: 'a file in a sub-folder, about line ends of events',
    isTwin: true,
    status: 'warning',
    message: /^in clones without ledger-git, .*\/events\/EVENT\.md has eol=unspecified, not lf$/,
    fix: /^end thoughts\/\.gitattributes with the line '\/shared\/handoffs\/events\/\*\.md eol=lf', and commit that$/,
    breakIt: (repo) => {
      repo.write('thoughts/.gitattributes', 'shared/*/events/* !eol\n')
      commitQuietly(repo)
    },
    byHand: addAttributesLine,
  },
  {
    finding: 'driver-merge',
    what: 'the command crashes during a merge',
    isReal: true,
    status: 'broken',
    message: /ended in a conflict: .*not available \(status 42\)/,
    ...installs,
    breakIt: otherCommand(
      `if (process.argv[2] === 'merge-driver') process.exit(42)\nawait import('${CLI}')\n`,
    ),
  },
  {
    finding: 'driver-merge',
    what: 'the command loses a side',
    isTwin: true,
    isReal: true,
    status: 'broken',
    message: /lost a side/,
    ...installs,
    breakIt: otherCommand(
      `if (process.argv[2] === 'merge-driver') process.exit(0)\nawait import('${CLI}')\n`,
    ),
  },
  {
    finding: 'driver-merge',
    what: 'the command loses a side of a handoff',
    isTwin: true,
    isReal: true,
    status: 'broken',
    message: /^a trial merge of a handoff lost a side/,
    ...installs,
    breakIt: otherCommand(
      `if (process.argv[2] === 'handoff-driver') process.exit(0)\nawait import('${CLI}')\n`,
    ),
  },
  {
    finding: 'driver-merge',
    what: 'a git without merge-tree --write-tree',
    isTwin: true,
    status: 'warning',
    message: /^not tried: git 2\.37\.1 cannot merge without a worktree$/,
    fix: /^install git 2\.38 or newer$/,
    breakIt: nothing,
    surroundings: gitThatSays('2.37.1'),
    byHand: nothing,
    afterwards: gitThatSays('2.38.0'),
  },
]

const ABOUT_FILES: readonly Breakage[] = [
  {
    finding: 'hooks-folder',
    what: 'it is gone',
    status: 'broken',
    message: /\/hooks is empty or missing: git runs no hook$/,
    ...installs,
    lost: '.git/hooks',
    breakIt: (repo) => remove(repo, '.git/hooks'),
  },
  {
    finding: 'hooks-folder',
    what: 'an empty core.hooksPath',
    status: 'broken',
    message: /^core\.hooksPath \(local\) is empty: git runs no hook$/,
    fix: /^git config --local --unset core\.hooksPath && ledger-git install$/,
    breakIt: (repo) => repo.git('config', 'core.hooksPath', ''),
  },
  {
    finding: 'hooks-folder',
    what: 'a core.hooksPath that is no folder',
    isAboutFiles: true,
    status: 'broken',
    message: /^core\.hooksPath \(local\) is \/dev\/null, which is not a folder: git runs no hook$/,
    fix: /^git config --local --unset core\.hooksPath && ledger-git install$/,
    breakIt: (repo) => repo.git('config', 'core.hooksPath', '/dev/null'),
  },
  {
    finding: 'hooks-in-worktrees',
    what: 'a relative core.hooksPath that another worktree does not have',
    status: 'broken',
    message: /^missing, so git runs no hook in that worktree: .*\/linked\/\.githooks$/,
    fix: /^\(cd .*\/linked && ledger-git install\)$/,
    lost: '.git/worktrees',
    breakIt: (repo) => {
      repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '../linked')
      repo.git('config', 'core.hooksPath', '.githooks')
      repo.ledger('install')
    },
  },
  {
    finding: 'hook-post-merge',
    what: 'the block is gone',
    scene: 'more hooks',
    status: 'broken',
    message: /\/post-merge does not call ledger-git$/,
    ...installs,
    breakIt: changedHook('post-merge', (text) => text.replace(BLOCK, '')),
  },
  {
    finding: 'hook-post-rewrite',
    what: 'the block is there twice',
    isTwin: true,
    status: 'broken',
    message: /\/post-rewrite calls ledger-git twice$/,
    ...installs,
    breakIt: changedHook('post-rewrite', (text) => text.replace(BLOCK, (block) => block + block)),
  },
  {
    finding: 'hook-post-checkout',
    what: 'the file is gone',
    isTwin: true,
    status: 'broken',
    message: /\/post-checkout is missing: git does not run the hook$/,
    ...installs,
    lost: '.git/hooks/post-checkout',
    breakIt: (repo) => remove(repo, '.git/hooks/post-checkout'),
  },
  {
    finding: 'hook-pre-commit',
    what: 'the block was edited: the user’s lines must not run in its stead',
    scene: 'more hooks',
    status: 'broken',
    message: /\/pre-commit is not as ledger-git .* wrote it$/,
    ...installs,
    breakIt: changedHook('pre-commit', (text) =>
      text.replace(/^ledger_git_dir=.*$/m, 'ledger_git_dir=/gone'),
    ),
  },
  {
    finding: 'hook-pre-commit',
    what: 'exit above the block',
    scene: 'hooks',
    status: 'broken',
    message: /^`exit 0` above the block may end .*\/pre-commit before ledger-git runs$/,
    fix: /^move the block to the top of .*\/pre-commit$/,
    lost: '.git/hooks/pre-commit',
    breakIt: changedHook('pre-commit', (text) => text.replace('\n', '\nexit 0\n')),
    byHand: blockToTop('.git/hooks/pre-commit'),
  },
  {
    finding: 'hook-pre-commit',
    what: 'another way out above the block',
    isTwin: true,
    status: 'broken',
    message: /^`\[ -n "\$CI" \] \|\| exit` above the block/,
    fix: /^move the block to the top of .*\/pre-commit$/,
    lost: '.git/hooks/pre-commit',
    breakIt: changedHook('pre-commit', (text) => text.replace('\n', '\n  [ -n "$CI" ] || exit\n')),
    byHand: blockToTop('.git/hooks/pre-commit'),
  },
  {
    finding: 'hook-post-merge',
    what: 'other lines above the block',
    scene: 'hooks',
    status: 'warning',
    message: /\/post-merge runs other lines first, so it was not tried out$/,
    fix: /^move the block to the top of .*\/post-merge$/,
    lost: '.git/hooks/post-merge',
    breakIt: changedHook('post-merge', (text) => text.replace('\n', `\n${userLine('first')}`)),
    byHand: blockToTop('.git/hooks/post-merge'),
  },
  ...(
    [
      ['its end is gone', (block) => block.replace('# <<< ledger-git <<<\n', '')],
      ['its start is gone', (block) => block.slice(block.indexOf('\n') + 1)],
      ['the rest is gone', (block) => `${block.split('\n').slice(0, 6).join('\n')}\n`],
    ] as const satisfies readonly (readonly [string, (block: string) => string])[]
  ).map(([what, cut], i): Breakage => ({
    finding: 'hook-pre-push',
    what: `half a block: ${what}`,
    scene: 'hooks',
    ...(i === 0 ? {} : { isTwin: true }),
    status: 'broken',
    message: /\/pre-push holds half a block of ledger-git$/,
    ...installs,
    breakIt: changedHook('pre-push', (text) => text.replace(BLOCK, cut)),
  })),
  {
    finding: 'hook-post-rewrite',
    what: 'no run bit',
    scene: 'hooks',
    status: 'broken',
    message: /\/post-rewrite is not executable: git ignores it$/,
    fix: /^chmod \+x .*\/post-rewrite'?$/,
    breakIt: (repo) => repo.chmod('.git/hooks/post-rewrite', 0o644),
  },
  {
    finding: 'hook-post-commit',
    what: 'an interpreter that is not there',
    scene: 'hooks',
    status: 'broken',
    message: /\/post-commit needs the interpreter \/gone\/bash, which does not exist$/,
    fix: /^change the first line of .*\/post-commit: #!\/bin\/sh$/,
    breakIt: changedHook('post-commit', (text) => text.replace('#!/bin/sh', '#!/gone/bash')),
    byHand: (repo) =>
      edit(repo, '.git/hooks/post-commit', (text) => text.replace('#!/gone/bash', '#!/bin/sh')),
  },
  {
    finding: 'hook-post-commit',
    what: "the interpreter of the user's own hook, which ours runs, is not there",
    isAboutFiles: true,
    status: 'broken',
    message:
      /^your own hook, .*\/post-commit\.ledger-git-kept, needs the interpreter \/gone\/node, which/,
    fix: /^change the first line of .*\/post-commit\.ledger-git-kept$/,
    breakIt: keptHook('#!/gone/node\n'),
    byHand: (repo) => repo.write('.git/hooks/post-commit.ledger-git-kept', '#!/usr/bin/env node\n'),
  },
  {
    finding: 'hook-post-commit',
    what: "the user's own hook, which ours runs, is a link to nothing",
    isAboutFiles: true,
    isTwin: true,
    status: 'warning',
    message: /^your own hook, .*\/post-commit\.ledger-git-kept, is a folder or a link to nothing:/,
    fix: /^remove .*\/post-commit\.ledger-git-kept, then ledger-git install$/,
    breakIt: keptHook(undefined),
    byHand: (repo) => {
      remove(repo, '.git/hooks/post-commit.ledger-git-kept')
      repo.ledger('install')
    },
  },
  {
    finding: 'hook-post-commit',
    what: 'a newer release wrote the block',
    scene: 'more hooks',
    status: 'warning',
    message: /^a newer ledger-git wrote .*\/post-commit: not tried out$/,
    fix: /^npm install ledger-git@latest$/,
    breakIt: changedHook('post-commit', (text) =>
      text.replace(/>>> ledger-git v\d+/, '>>> ledger-git v999'),
    ),
    // There is no registry here, so the block of the release under test stands for the newest.
    byHand: (repo) => {
      edit(repo, '.git/hooks/post-commit', (text) => text.replace(BLOCK, ''))
      repo.ledger('install')
    },
  },
  ...HOOKS.slice(0, 2).map((hook, i): Breakage => ({
    finding: `hook-${hook}`,
    what:
      i === 0 ? 'a global folder without that hook' : 'a global folder whose hook does not call us',
    ...(i === 0 ? {} : { isTwin: true }),
    status: 'broken',
    message:
      i === 0
        ? /\/global has no pre-commit, so nothing calls ledger-git$/
        : /does not call ledger-git$/,
    fix: i === 0 ? /^for n in pre-commit; do printf .* done$/ : /^add to it: h=/,
    breakIt: (repo) => {
      const folder = join(repo.sandbox.folder, 'home/global')
      mkdirSync(folder)
      for (const each of HOOKS) {
        const line =
          each === hook
            ? 'true'
            : `h="$(git rev-parse --git-common-dir)/ledger-git/hook"; [ ! -x "$h" ] || "$h" ${each} "$@"`
        if (i === 1 || each !== hook)
          writeFileSync(join(folder, each), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
      }
      repo.git('config', '--global', 'core.hooksPath', folder)
    },
    ...(i === 0
      ? {}
      : {
          byHand: (repo: Repo, fix: string) =>
            writeFileSync(
              join(repo.sandbox.folder, 'home/global', hook),
              `#!/bin/sh\n${fix.replace('add to it: ', '')}\n`,
            ),
        }),
  })),
]

const HOOK_FILES = ABOUT_FILES.map((row): Breakage => ({ ...row, isAboutFiles: true }))

const TAKING: readonly Breakage[] = [
  {
    finding: 'pending-events',
    what: 'the command fails in the hook',
    isReal: true,
    status: 'broken',
    message:
      /^a trial commit left a pending event behind: .*the pre-commit hook failed \(status 42\)/,
    ...installs,
    breakIt: otherCommand(
      `if (process.argv.includes('pre-commit') && !process.argv.includes('--probe')) process.exit(42)\nawait import('${CLI}')\n`,
    ),
  },
]

const LEDGER: readonly Breakage[] = [
  {
    finding: 'settings',
    what: 'they cannot be read',
    status: 'broken',
    message: /root/,
    fix: /./,
    breakIt: (repo) => repo.write('.ledger-git.yaml', 'ledger: {root: ../outside}\n'),
    byHand: (repo) => remove(repo, '.ledger-git.yaml'),
  },
  {
    finding: 'archive',
    what: 'a killed archive run left a file, and its event is still there',
    status: 'warning',
    message: /^archive was interrupted, and left .*\/archive\/2026-01-01\/a\.json$/,
    fix: /^ledger-git archive$/,
    breakIt: (repo) => {
      repo.write(`${EVENTS}/a.md`, OLD_CLOCK)
      repo.git('add', EVENTS)
      repo.git('commit', '-q', '-m', 'one event')
      repo.ledger('archive')
      repo.git('reset', '-q')
      repo.git('restore', ROOT)
      repo.git('clean', '-fq', EVENTS)
    },
    byHand: (repo) => {
      repo.ledger('archive')
      repo.git('commit', '-q', '-m', 'archive')
    },
  },
  ...['.git/ledger-git.lock', `${ROOT}/.synth.lock`].map((path, i): Breakage => ({
    finding: 'locks',
    what: `a dead process left ${path}`,
    ...(i === 0 ? {} : { isTwin: true }),
    status: 'warning',
    message: new RegExp(`^left behind by a process that died: .*/${path.replaceAll('.', '\\.')}$`),
    fix: /^ledger-git doctor --fix$/,
    isMendable: true,
    breakIt: (repo) => void makeLock(join(repo.folder, path)),
  })),
  {
    finding: 'locks',
    what: 'a file is where the lock belongs',
    status: 'broken',
    message: /\.synth\.lock is in the way: the lock of ledger-git is a folder of that name$/,
    fix: /^rm .*\.synth\.lock$/,
    breakIt: (repo) => repo.write(`${ROOT}/.synth.lock`, ''),
  },
  {
    finding: 'locks',
    what: 'a killed git left the lock of a shadow ref',
    status: 'warning',
    message: /^left behind by a process that died: .*\/refs\/ledger\/shadow\/abc\.lock$/,
    fix: /^ledger-git doctor --fix$/,
    isMendable: true,
    adds: /\/refs\/ledger\b/,
    breakIt: (repo) => {
      repo.write('.git/refs/ledger/shadow/abc.lock', '')
      const then = Date.now() / 1000 - 120
      utimesSync(join(repo.folder, '.git/refs/ledger/shadow/abc.lock'), then, then)
    },
  },
  {
    finding: 'ignored',
    what: 'events by their name',
    status: 'broken',
    message: /^git ignores events \(\.gitignore:1:\*\.md\): they would never be committed$/,
    fix: /^change that rule, or add !\/thoughts\/shared\/handoffs\/events\/\*\.md after it$/,
    breakIt: (repo) => repo.write('.gitignore', '*.md\n'),
    byHand: (repo) => repo.write('.gitignore', `*.md\n!/${EVENTS}/*.md\n!/${CURRENT}\n`),
  },
  {
    finding: 'ignored',
    what: 'the whole folder, so no later rule can undo it',
    isTwin: true,
    status: 'broken',
    message: /^git ignores events \(\.gitignore:1:thoughts\/\)/,
    // Git does not look into an ignored folder.
    fix: /^remove that rule(?!.*\badd !)/,
    breakIt: (repo) => repo.write('.gitignore', 'thoughts/\n'),
    byHand: (repo) => remove(repo, '.gitignore'),
  },
  {
    finding: 'ignored',
    what: 'a ledger that is in no commit yet',
    isTwin: true,
    status: 'broken',
    message: /^git ignores events \(\.gitignore:1:thoughts\/\)/,
    fix: /^remove that rule/,
    breakIt: (repo) => {
      repo.write('.gitignore', 'thoughts/\n')
      repo.git('rm', '-rq', '--cached', 'thoughts')
    },
    byHand: (repo) => {
      remove(repo, '.gitignore')
      repo.git('add', 'thoughts')
    },
  },
  {
    finding: 'ignored',
    what: 'current.md',
    isTwin: true,
    status: 'broken',
    message: /^git ignores .*\/current\.md \(\.gitignore:1:current\.md\)$/,
    fix: /^change that rule/,
    breakIt: (repo) => repo.write('.gitignore', 'current.md\n'),
    byHand: (repo) => remove(repo, '.gitignore'),
  },
  {
    finding: 'ignored',
    what: 'a folder that became a link',
    isTwin: true,
    status: 'broken',
    message: /^thoughts\/shared is a symbolic link: no commit takes what is behind it$/,
    fix: /^replace it with a folder, or name another one as ledger\.root in \.ledger-git\.yaml$/,
    breakIt: (repo) => {
      renameSync(join(repo.folder, 'thoughts/shared'), join(repo.folder, '.git/shared'))
      symlinkSync('../.git/shared', join(repo.folder, 'thoughts/shared'))
    },
    byHand: (repo) => {
      remove(repo, 'thoughts/shared')
      renameSync(join(repo.folder, '.git/shared'), join(repo.folder, 'thoughts/shared'))
    },
  },
  {
    finding: 'ignored',
    what: 'a folder that became another repository',
    isTwin: true,
    status: 'broken',
    message: /^thoughts is a repository of its own: no commit of this one takes what is in it$/,
    fix: /^name another folder as ledger\.root in \.ledger-git\.yaml$/,
    breakIt: (repo) => repo.git('init', '-q', 'thoughts'),
    byHand: (repo) => remove(repo, 'thoughts/.git'),
  },
  {
    finding: 'ignored',
    what: 'mode: untracked without the rule',
    isTwin: true,
    status: 'warning',
    message: /^mode: untracked, but git does not ignore /,
    fix: /^ledger-git install$/,
    breakIt: (repo) => repo.write('.ledger-git.yaml', 'mode: untracked\n'),
  },
  {
    finding: 'active-ledger',
    what: 'one that somebody committed',
    scene: 'others',
    status: 'warning',
    message: /^git tracks conductor\/sessions\/active\/LEDGER\.md, which is one person's$/,
    fix: /^git rm --cached conductor\/sessions\/active\/LEDGER\.md, and commit that$/,
    breakIt: (repo) => {
      repo.write('conductor/sessions/active/LEDGER.md', '# Session Ledger\n')
      repo.git('add', '-f', 'conductor')
      commitQuietly(repo)
    },
    byHand: (repo) => {
      repo.git('rm', '-q', '--cached', 'conductor/sessions/active/LEDGER.md')
      commitQuietly(repo)
    },
  },
  {
    finding: 'ledger',
    what: 'a commit that no hook saw',
    status: 'warning',
    message: /./,
    fix: /^ledger-git resolve$/,
    breakIt: (repo) => {
      repo.write(`${EVENTS}/a.md`, OLD_CLOCK)
      commitQuietly(repo)
    },
  },
  {
    finding: 'ledger',
    what: 'a hand-kept current.md',
    status: 'warning',
    message: /^current\.md is kept by hand, and your next commit replaces it$/,
    fix: /^ledger-git migrate$/,
    breakIt: (repo) => {
      repo.write(CURRENT, '# Ledger\n\n## Ledger\n**Goal:** ship\n### Now\n[->] by hand\n')
      commitQuietly(repo)
      repo.write(`${EVENTS}/a.md`, OLD_CLOCK)
    },
  },
  {
    finding: 'events',
    what: 'one that cannot be read',
    scene: 'files',
    status: 'warning',
    message: /^skipped: broken\.md$/,
    fix: /^ledger-git event validate says why; correct each file, or delete it$/,
    breakIt: (repo) => repo.write(`${EVENTS}/broken.md`, '---\nts: never\n'),
    byHand: (repo) => remove(repo, `${EVENTS}/broken.md`),
  },
  {
    finding: 'damage',
    what: 'a pending event that a full disk truncated',
    scene: 'files',
    status: 'warning',
    message: /^not as they were written: 2026-.*_a_[0-9a-f]{8}\.md$/,
    fix: /^ledger-git event /,
    breakIt: (repo) => edit(repo, repo.event('--agent', 'a', '--now', 'x'), () => ''),
  },
  {
    finding: 'damage',
    what: 'a committed event that was changed by hand',
    scene: 'commits',
    status: 'warning',
    message: /^not as they were written: /,
    fix: /^ledger-git event restore /,
    breakIt: (repo) => {
      const path = repo.event('--agent', 'a', '--now', 'x', '--commit')
      edit(repo, path, (text) => text.replace('now: x', 'now: y'))
    },
  },
  {
    finding: 'damage',
    what: 'an event whose history was rewritten',
    isTwin: true,
    status: 'warning',
    message: /^not as they were written: /,
    fix: /^ledger-git event accept /,
    breakIt: (repo) => {
      const path = repo.event('--agent', 'a', '--now', 'x', '--commit')
      edit(repo, path, (text) => text.replace('now: x', 'now: y'))
      commitQuietly(repo)
      repo.ledger('resolve', '--commit')
    },
  },
  {
    finding: 'damage',
    what: 'several, each in its own way',
    isTwin: true,
    status: 'warning',
    message: /^not as they were written: (?:[^,]*, ){4}[^,]*$/,
    fix: /^(?:ledger-git event (?!accept)\S+ \S+ && ){3}ledger-git event accept \S+ \S+$/,
    breakIt: (repo) => {
      const events = ['a', 'b', 'c', 'd'].map((now) => repo.event('--agent', 'a', '--now', now))
      commitQuietly(repo)
      for (const path of events.slice(0, 2))
        edit(repo, path, (text) => text.replace('now:', 'goal:'))
      commitQuietly(repo)
      repo.ledger('resolve', '--commit')
      for (const path of events.slice(2)) edit(repo, path, (text) => text.replace('now:', 'goal:'))
      edit(repo, repo.event('--agent', 'a', '--now', 'x'), () => '')
    },
  },
  {
    finding: 'formatters',
    what: 'one was set up after install',
    scene: 'files',
    status: 'warning',
    message: /biome/i,
    fix: /^ledger-git install$/,
    breakIt: (repo) => repo.write('biome.json', '{}\n'),
  },
  {
    finding: 'clock',
    what: 'events from a wrong clock',
    scene: 'files',
    status: 'warning',
    message: /^ahead of the clock: late\.md, later\.md$/,
    fix: /^ledger-git event retract late\.md && ledger-git event retract later\.md$/,
    breakIt: (repo) => {
      for (const name of ['late', 'later']) {
        repo.write(`${EVENTS}/${name}.md`, OLD_CLOCK.replace('2026', '2999'))
      }
    },
  },
]

const OBJECTS: readonly Breakage[] = [
  {
    finding: 'objects',
    what: 'an event whose object a full disk truncated',
    status: 'broken',
    message: /\/events\/a\.md cannot be read from the repository: object [0-9a-f]{40} is damaged/,
    fix: /^rm -f .* && git hash-object -w /,
    breakIt: (repo) => {
      repo.write(`${EVENTS}/a.md`, OLD_CLOCK)
      repo.git('add', EVENTS)
      repo.git('commit', '-q', '-m', 'one event')
      const oid = repo.git('rev-parse', `HEAD:${EVENTS}/a.md`)
      const path = `.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`
      repo.chmod(path, 0o644)
      repo.write(path, 'xyz')
      // Git reads a file that was written since, and the object for it.
      repo.write(`${EVENTS}/a.md`, OLD_CLOCK)
    },
  },
  {
    finding: 'unchecked',
    what: 'a current.md that only a newer release can render',
    status: 'broken',
    message:
      /^current\.md has format 9; this release of ledger-git renders up to \d+ \(not checked: .*ledger\)$/,
    fix: /^npm install ledger-git@latest$/,
    breakIt: (repo) =>
      edit(repo, CURRENT, (text) => text.replace(/^ {2}format: \d+$/m, '  format: 9')),
    // There is no registry here, so the release under test stands for the newest.
    byHand: (repo) => edit(repo, CURRENT, (text) => text.replace('  format: 9', '  format: 1')),
  },
]

const AGENTS: readonly Breakage[] = [
  {
    finding: 'agent-hooks',
    what: 'hooks of ours are gone from an agent’s settings',
    scene: 'others',
    status: 'warning',
    message: /^\.claude\/settings\.json has none of our hooks any more$/,
    fix: /^ledger-git install --agent claude$/,
    lost: '.claude',
    breakIt: (repo) => {
      repo.ledger('install', '--agent', 'claude')
      repo.write('.claude/settings.json', '{}\n')
    },
  },
  {
    finding: 'agent-hooks',
    what: 'settings that are not JSON',
    isTwin: true,
    status: 'warning',
    message: /^\.claude\/settings\.json /,
    fix: /^correct \.claude\/settings\.json$/,
    lost: '.claude',
    breakIt: (repo) => {
      repo.ledger('install', '--agent', 'claude')
      edit(repo, '.claude/settings.json', (text) => `{${text}`)
    },
    byHand: (repo) => edit(repo, '.claude/settings.json', (text) => text.slice(1)),
  },
  {
    finding: 'agent-hooks-on',
    what: 'a setting switches them off',
    scene: 'commits',
    status: 'warning',
    message:
      /^hooks are switched off: Claude Code \(\.claude\/settings\.json, disableAllHooks: true\)$/,
    fix: /^take disableAllHooks out of \.claude\/settings\.json, or leave it: then nothing is recorded$/,
    lost: '.claude',
    breakIt: (repo) => {
      repo.ledger('install', '--agent', 'claude')
      edit(repo, '.claude/settings.json', (text) => text.replace('{', '{"disableAllHooks": true,'))
    },
    byHand: (repo) =>
      edit(repo, '.claude/settings.json', (text) => text.replace('"disableAllHooks": true,', '')),
  },
]

const LOCAL_SETTINGS = '.claude/settings.local.json'
const installsContext = {
  status: 'warning',
  fix: /^ledger-git install --agent claude --context$/,
  lost: '.claude',
} as const
const follow = (repo: Repo) => repo.ledger('install', '--agent', 'claude', '--context')

const CONTEXT: readonly Breakage[] = [
  {
    finding: 'context',
    what: 'no agent is connected anymore',
    isTwin: true,
    ...installsContext,
    message: /^no agent has hooks here that follow its context$/,
    breakIt: (repo) => repo.write(`${OUR}/context/followed`, ''),
  },
  {
    finding: 'context',
    what: 'the hook for read-only tools is gone',
    ...installsContext,
    message: /^\.claude\/settings\.local\.json lacks the hook for tools that only read$/,
    breakIt: (repo) => {
      follow(repo)
      edit(repo, LOCAL_SETTINGS, (text) => text.replace('"PostToolUse"', '"Other"'))
      edit(repo, LOCAL_SETTINGS, (text) => text.replace('context-hook', 'nothing'))
    },
  },
  {
    finding: 'context',
    what: 'local settings that are not JSON',
    isTwin: true,
    ...installsContext,
    message: /^\.claude\/settings\.local\.json is not valid JSON/,
    fix: /^correct \.claude\/settings\.local\.json$/,
    breakIt: (repo) => {
      follow(repo)
      edit(repo, LOCAL_SETTINGS, (text) => `{${text}`)
    },
    byHand: (repo) => edit(repo, LOCAL_SETTINGS, (text) => text.slice(1)),
  },
  {
    finding: 'status-line',
    what: 'ours is gone',
    scene: 'commits',
    ...installsContext,
    message: /^\.claude\/settings\.local\.json has no status line of ours any more$/,
    breakIt: (repo) => {
      follow(repo)
      edit(repo, LOCAL_SETTINGS, (text) => text.replace('"statusLine"', '"oldLine"'))
    },
  },
  {
    finding: 'status-line',
    what: 'another status line hides ours',
    isTwin: true,
    ...installsContext,
    message: /^the status line in \.claude\/settings\.json hides ours$/,
    fix: /^take statusLine out of \.claude\/settings\.json, or leave it: hooks still follow the context$/,
    breakIt: (repo) => {
      repo.ledger('install', '--agent', 'claude', '--context', '--user')
      edit(repo, '.claude/settings.json', (text) =>
        text.replace('{', '{"statusLine": {"type": "command", "command": "x"},'),
      )
    },
    byHand: (repo) =>
      edit(repo, '.claude/settings.json', (text) =>
        text.replace('"statusLine": {"type": "command", "command": "x"},', ''),
      ),
  },
]

const SESSIONS: readonly Breakage[] = [
  {
    finding: 'sessions',
    what: 'an agent is gone without reporting the end of its session',
    status: 'warning',
    message: /^open although their agents are gone: left-open$/,
    fix: /^ledger-git doctor --fix$/,
    isMendable: true,
    // An ended session leaves its state, what it said, and its event.
    adds: /\/ledger-git\/(?:(?:open-)?sessions|session-locks|scratch|kept)\b|\/objects\/|\/refs\/ledger\b|\/events\/[^/]+_claude_/,
    breakIt: (repo) => {
      const session = 'left-open'
      const hook = (event: string, fields: object) => {
        const input = JSON.stringify({ session_id: session, cwd: repo.folder, ...fields })
        const words = ['agent-hook', 'claude', event]
        repo.run(join(repo.folder, OUR, 'run'), words, { input })
      }
      hook('UserPromptSubmit', { prompt: 'Explain the parser' })
      hook('Stop', { last_assistant_message: 'It reads dates.' })
      age(repo, { session }, 25 * 60)
      editState(repo, { session }, { owner: null })
    },
  },
]

const DAMAGED_SESSIONS: readonly Breakage[] = [
  {
    finding: 'sessions',
    what: 'the file of a session is damaged, and was set aside',
    status: 'broken',
    message: /\/sessions\/one\.json is not JSON$/,
    fix: /^rm .*\/sessions\/one\.json\.damaged-1$/,
    adds: /\/ledger-git\/sessions$/,
    breakIt: (repo) => repo.write(`${OUR}/sessions/one.json.damaged-1`, '{"id": '),
  },
]

const BROKEN_REFS: readonly Breakage[] = [
  {
    finding: 'sessions',
    what: 'a power failure left an empty shadow ref',
    status: 'broken',
    message: /^refs\/ledger\/shadow\/abc is broken, .* git gc fails/,
    fix: /^rm .*\/refs\/ledger\/shadow\/abc$/,
    adds: /\/refs\/ledger\b/,
    breakIt: (repo) => repo.write('.git/refs/ledger/shadow/abc', ''),
  },
  {
    finding: 'sessions',
    what: 'a power failure left an empty checkpoints branch',
    status: 'broken',
    message: /^refs\/heads\/ledger\/checkpoints\/v1 is broken/,
    fix: /^rm .*\/checkpoints\/v1 && git update-ref refs\/heads\/ledger\/checkpoints\/v1 [0-9a-f]{40}$/,
    adds: /\/(?:refs\/heads|logs\/refs\/heads)\/ledger\b/,
    breakIt: (repo) => {
      repo.git('update-ref', 'refs/heads/ledger/checkpoints/v1', 'HEAD')
      repo.write('.git/refs/heads/ledger/checkpoints/v1', '')
    },
  },
]

const CHECKPOINTS = 'ledger/checkpoints/v1'
/** Checks the checkpoints branch out in a worktree beside the repository. */
function checkOutCheckpoints(repo: Repo): void {
  repo.git('update-ref', `refs/heads/${CHECKPOINTS}`, 'HEAD')
  repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '../beside it', CHECKPOINTS)
}

const HELD_CHECKPOINTS: readonly Breakage[] = [
  {
    finding: 'sessions',
    what: 'the checkpoints branch is checked out',
    status: 'broken',
    message:
      /^no checkpoint is written: branch ledger\/checkpoints\/v1 is checked out in .*\/beside it$/,
    fix: /^git -C '.*\/beside it' switch --detach$/,
    breakIt: checkOutCheckpoints,
  },
  {
    finding: 'sessions',
    what: 'the checkpoints branch was checked out in a worktree that is gone',
    status: 'broken',
    message: /^no checkpoint is written: branch ledger\/checkpoints\/v1 is checked out in /,
    fix: /^git worktree prune$/,
    breakIt: (repo) => {
      checkOutCheckpoints(repo)
      rmSync(join(repo.sandbox.folder, 'beside it'), { recursive: true })
    },
  },
  {
    finding: 'sessions',
    what: 'the checkpoints branch is checked out and has no commit',
    status: 'broken',
    message: /^no checkpoint is written: branch ledger\/checkpoints\/v1 is checked out in /,
    fix: /^switch to another branch in .*\/beside it$/,
    breakIt: (repo) => {
      checkOutCheckpoints(repo)
      repo.git('update-ref', '-d', `refs/heads/${CHECKPOINTS}`)
    },
    byHand: (repo) => repo.git('-C', '../beside it', 'switch', '-q', '--orphan', 'other'),
  },
  {
    finding: 'sessions',
    what: 'the checkpoints branch is another name of a branch',
    status: 'broken',
    message: /^no checkpoint is written: .* is only another name of refs\/heads\/main$/,
    fix: /^git symbolic-ref --delete refs\/heads\/ledger\/checkpoints\/v1$/,
    breakIt: (repo) => repo.git('symbolic-ref', `refs/heads/${CHECKPOINTS}`, 'refs/heads/main'),
  },
]

const INCLUDED = '[include]\n\tpath = ../tools.inc\n'

/** The environment of a user who has the tracker's key. */
function withKey(repo: Repo): Surroundings {
  return { env: { ...quick(repo).env, LINEAR_API_KEY: 'key' } }
}

function useTracker(repo: Repo): void {
  repo.git('config', 'ledger.tracker', 'linear')
  repo.git('config', 'ledger.trackerTeams', 'ANV')
}

export const BREAKAGES: readonly Breakage[] = [
  ...PROGRAMS,
  ...MERGING,
  ...HOOK_FILES,
  ...TAKING,
  ...LEDGER,
  ...OBJECTS,
  ...AGENTS,
  ...CONTEXT,
  ...SESSIONS,
  ...DAMAGED_SESSIONS,
  ...BROKEN_REFS,
  ...HELD_CHECKPOINTS,
  {
    finding: 'summarizer',
    scene: 'personal',
    what: 'its command is set in a file of the worktree',
    status: 'warning',
    message:
      /^ledger\.summarizer is not used: it is set in .*\/tools\.inc, which a commit can change$/,
    fix: /^remove ledger\.summarizer from .*\/tools\.inc; git config --global ledger\.summarizer COMMAND sets yours$/,
    lost: 'tools.inc',
    breakIt: (repo) => {
      repo.write('tools.inc', '[ledger]\n\tsummarizer = evil\n')
      edit(repo, '.git/config', (text) => text + INCLUDED)
    },
    byHand: (repo) => edit(repo, '.git/config', (text) => text.replace(INCLUDED, '')),
  },
  {
    finding: 'tracker',
    scene: 'personal',
    what: 'there is no key',
    status: 'warning',
    message:
      /^linear gets updates on issues of ANV, and LINEAR_API_KEY is not set: updates wait \(0 texts\)$/,
    fix: /^set LINEAR_API_KEY in the environment that your agents and you work in$/,
    lost: '.git/config',
    breakIt: useTracker,
    byHand: nothing,
    afterwards: withKey,
  },
  {
    finding: 'outbox',
    what: 'a file is damaged',
    status: 'warning',
    message: /^cannot be read, so it is not sent: .*\/outbox\/0+1-[a-f0-9-]{36}\.json$/,
    fix: /^rm .*\/outbox\/0+1-[a-f0-9-]{36}\.json$/,
    adds: /\/ledger-git\/outbox$/,
    surroundings: withKey,
    breakIt: (repo) => {
      useTracker(repo)
      const id = '3f2a8c1e-0000-4000-8000-000000000001'
      repo.write(`${OUR}/outbox/${'1'.padStart(16, '0')}-${id}.json`, '{"format":1,')
    },
  },
]
