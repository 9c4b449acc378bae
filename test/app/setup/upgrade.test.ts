/** What older or newer releases wrote, what moved in the meantime, and several releases in use at once. */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { needsHookFiles } from '../../support/not-run.ts'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import { hookBlock } from '../../../src/core/setup/install-texts.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, ledgerRepo, Sandbox } from '../../support/git-repo.ts'
import { makeLock } from '../../support/locks.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { doctorIn, quick } from '../doctor/in-process.ts'
import { installIn, isHeadFresh, uninstallIn } from './in-process.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const MARK = (version: number) =>
  `# >>> ledger-git v${version} >>> (managed: ledger-git install, ledger-git uninstall)\n`
const END = '# <<< ledger-git <<<\n'

const FIND_V1 = `ledger_git_dir=\${GIT_DIR:-.git}
if [ -f "$ledger_git_dir/commondir" ]; then
  IFS= read -r ledger_git_common <"$ledger_git_dir/commondir" || :
  case $ledger_git_common in
    /*) ledger_git_dir=$ledger_git_common ;;
    *) ledger_git_dir=$ledger_git_dir/$ledger_git_common ;;
  esac
fi
`

/** The block as release 0.1.0 wrote it, before it got its second form. */
const V1 = {
  'pre-commit': `${MARK(1)}${FIND_V1}if [ -f "$ledger_git_dir/ledger-git/hooks/pre-commit" ]; then ( . "$ledger_git_dir/ledger-git/hooks/pre-commit" ) || exit $?; fi
${END}`,
  'pre-push': `${MARK(1)}${FIND_V1}if [ -f "$ledger_git_dir/ledger-git/hooks/pre-push" ]; then
  ledger_git_stdin=$(cat)
  if [ -n "$ledger_git_stdin" ]; then
    printf '%s\\n' "$ledger_git_stdin" | ( . "$ledger_git_dir/ledger-git/hooks/pre-push" ) || exit $?
    exec <<ledger_git_end
$ledger_git_stdin
ledger_git_end
  else
    ( . "$ledger_git_dir/ledger-git/hooks/pre-push" ) </dev/null || exit $?
    exec </dev/null
  fi
fi
${END}`,
}
type OldHook = keyof typeof V1
const OLD_HOOKS = Object.keys(V1) as OldHook[]

/** An older release's attributes, with another comment and another order. */
const OLD_ATTRIBUTES = `${MARK(1)}# current.md is generated: run ledger-git install
/${CURRENT} text merge=ledger
${END}`

const NEWER = (lines: string) => `${MARK(99)}${lines}${END}`

function fresh(): Repo {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n' })
  return repo
}

function writeHook(repo: Repo, path: string, text: string): void {
  repo.write(path, text)
  repo.chmod(path, 0o755)
}

function blocks(text: string): number {
  return text.split('# >>> ledger-git').length - 1
}

describe('blocks of other releases', () => {
  test('an older block is replaced alone, and uninstall leaves what was around it', async () => {
    const repo = fresh()
    const around = (block: string) => `#!/bin/sh\n${block}echo after\n`
    for (const hook of OLD_HOOKS) writeHook(repo, `.git/hooks/${hook}`, around(V1[hook]))
    const attributes = (block: string) => `*.png binary\n${block}*.jpg binary`
    repo.write('.gitattributes', attributes(OLD_ATTRIBUTES))
    repo.commit('older release')

    const { changes } = await installIn(repo)

    const paths = changes.map(({ path }) => path.slice(repo.folder.length + 1))
    expect(paths).toEqual(expect.arrayContaining(['.git/hooks/pre-push', '.gitattributes']))
    for (const hook of OLD_HOOKS) {
      expect(repo.read(`.git/hooks/${hook}`)).toBe(around(hookBlock(hook)))
    }
    const installed = repo.read('.gitattributes')
    expect(installed.startsWith(`*.png binary\n${MARK(1)}`)).toBe(true)
    expect(installed.endsWith(`${END}*.jpg binary`)).toBe(true)
    expect(installed).not.toContain('run ledger-git install\n')
    expect((await installIn(repo)).changes).toEqual([])
    // The committed older block does not know handoffs.
    const amiss = (await doctorIn(repo)).findings.filter(({ status }) => status !== 'ok')
    expect(amiss).toMatchObject([
      { name: 'attributes-committed', fix: 'git add :/.gitattributes && git commit' },
    ])

    await uninstallIn(repo)
    for (const hook of OLD_HOOKS) expect(repo.read(`.git/hooks/${hook}`)).toBe(around(''))
    expect(repo.read('.gitattributes')).toBe(attributes(''))
  })

  test('an older block below lines of the user stays in its place', async () => {
    const repo = fresh()
    const around = (block: string) => `#!/bin/sh\nset -eu\nbefore=1\n${block}echo after\n`
    for (const hook of OLD_HOOKS) writeHook(repo, `.git/hooks/${hook}`, around(V1[hook]))
    await installIn(repo)
    for (const hook of OLD_HOOKS) {
      expect(repo.read(`.git/hooks/${hook}`)).toBe(around(hookBlock(hook)))
    }
    await uninstallIn(repo)
    for (const hook of OLD_HOOKS) expect(repo.read(`.git/hooks/${hook}`)).toBe(around(''))
  })

  test('husky: an older block is replaced in .husky/ and removed by uninstall', async () => {
    const repo = fresh()
    const around = (block: string) => `npm test\n${block}npx lint-staged\n`
    repo.write('.husky/_/h', '#!/bin/sh\nsh -e ".husky/$(basename "$0")" "$@"\n')
    for (const hook of OLD_HOOKS) repo.write(`.husky/${hook}`, around(V1[hook]))
    repo.git('config', 'core.hooksPath', '.husky/_')
    await installIn(repo)
    for (const hook of OLD_HOOKS) {
      expect(repo.read(`.husky/${hook}`)).toBe(around(hookBlock(hook)))
    }
    await uninstallIn(repo)
    for (const hook of OLD_HOOKS) expect(repo.read(`.husky/${hook}`)).toBe(around(''))
  })

  test('a newer block is left alone everywhere, even beside an older one', async () => {
    const repo = fresh()
    const hook = `#!/bin/sh\n${NEWER(': of the future\n')}echo mine\n`
    const attributes = `${NEWER(`/${CURRENT} merge=ledger future\n`)}*.png binary\n`
    writeHook(repo, '.git/hooks/pre-commit', hook)
    writeHook(repo, '.git/hooks/pre-push', `#!/bin/sh\n${V1['pre-push']}${NEWER(': future\n')}`)
    repo.write('.gitattributes', attributes)
    repo.commit('newer release')
    await installIn(repo)
    expect(repo.read('.git/hooks/pre-commit')).toBe(hook)
    expect(repo.read('.gitattributes')).toBe(attributes)
    expect(repo.status()).not.toContain('.gitattributes')
    expect(repo.read('.git/hooks/pre-push')).toBe(`#!/bin/sh\n${NEWER(': future\n')}`)
  })

  test('duplicate blocks become one, in the place of the first', async () => {
    const repo = fresh()
    const now = hookBlock('pre-commit')
    writeHook(repo, '.git/hooks/pre-commit', `#!/bin/sh\n${V1['pre-commit']}echo a\n${now}echo b\n`)
    repo.write('.gitattributes', `${OLD_ATTRIBUTES}*.png binary\n${OLD_ATTRIBUTES}`)
    await installIn(repo)
    expect(repo.read('.git/hooks/pre-commit')).toBe(`#!/bin/sh\n${now}echo a\necho b\n`)
    expect(blocks(repo.read('.gitattributes'))).toBe(1)
    expect(repo.read('.gitattributes')).toMatch(/# <<< ledger-git <<<\n\*\.png binary\n$/)
    await uninstallIn(repo)
    expect(repo.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\necho a\necho b\n')
    expect(repo.read('.gitattributes')).toBe('*.png binary\n')
  })

  test.skipIf(needsHookFiles('half a block'))(
    'install repairs half a block without losing a line of the user',
    async () => {
      const repo = fresh()
      for (const hook of OLD_HOOKS) {
        const half = hookBlock(hook).replace(END, '')
        writeHook(repo, `.git/hooks/${hook}`, `#!/bin/sh\n${half}echo 1\n${V1[hook]}echo 2\n`)
      }
      // The end of a block without its start.
      writeHook(repo, '.git/hooks/post-merge', `#!/bin/sh\necho 1\n${END}echo 2\n`)
      const now = hookBlock('post-commit')
      // A file that was cut in the middle of the block.
      writeHook(repo, '.git/hooks/post-commit', `#!/bin/sh\n${now.slice(0, now.length / 2)}`)
      repo.write('.gitattributes', `*.a text\n${OLD_ATTRIBUTES.replace(END, '')}*.b text\n`)
      await installIn(repo)
      for (const hook of OLD_HOOKS) {
        expect(repo.read(`.git/hooks/${hook}`)).toBe(
          `#!/bin/sh\necho 1\n${hookBlock(hook)}echo 2\n`,
        )
      }
      expect(repo.read('.git/hooks/post-merge')).toBe(
        `#!/bin/sh\n${hookBlock('post-merge')}echo 1\necho 2\n`,
      )
      expect(repo.read('.git/hooks/post-commit')).toBe(`#!/bin/sh\n${now}`)
      expect(repo.read('.gitattributes')).toMatch(/^\*\.a text\n[^]*\*\.b text\n/)
      expect((await installIn(repo)).changes).toEqual([])
      const { findings } = await doctorIn(repo, quick(repo))
      const hooks = findings.filter(({ name }) => name.startsWith('hook-'))
      // The user's lines come first in these hooks, so doctor does not try them out.
      for (const { name, status } of hooks)
        expect(status, name).toBe(
          OLD_HOOKS.some((hook) => name === `hook-${hook}`) ? 'warning' : 'ok',
        )
    },
  )

  test.each([true, false])('uninstall removes half a block, recorded: %s', async (isRecorded) => {
    const repo = fresh()
    const paths = OLD_HOOKS.map((hook) => `.git/hooks/${hook}`)
    for (const path of paths) writeHook(repo, path, '#!/bin/sh\necho 2\n')
    await installIn(repo)
    for (const path of paths) repo.write(path, repo.read(path).replace(END, ''))
    if (!isRecorded) rmSync(`${repo.folder}/.git/ledger-git/install.json`)
    await uninstallIn(repo)
    for (const path of paths) expect(repo.read(path)).toBe('#!/bin/sh\necho 2\n')
  })
})

/** A copy of the package, as if it were installed somewhere else. */
function packageIn(folder: string): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  mkdirSync(folder, { recursive: true })
  for (const name of ['dist', 'githooks', 'templates', 'gitattributes.template', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  return join(folder, 'dist/main.js')
}

longTest(
  'a moved command, Node or repository is found again, or repaired by one command',
  async () => {
    const repo = fresh()
    const packages = join(repo.sandbox.folder, 'packages')
    const node = (cli: string, ...args: string[]) => repo.run(process.execPath, [cli, ...args])
    expect(node(packageIn(join(packages, 'one')), 'install')).toMatchObject({ status: 0 })
    repo.commit('chore: set up')
    const commit = (now: string) => {
      repo.event('--now', now)
      repo.write('work.txt', now)
      repo.git('add', 'work.txt')
      return repo.tryGit('commit', '-q', '-m', now)
    }

    renameSync(join(packages, 'one'), join(packages, 'two'))
    const said = commit('the command is gone')
    expect(said.status).toBe(0)
    expect(said.stderr).toMatch(/next: npx ledger-git install\n$/)
    const cli = join(packages, 'two/dist/main.js')
    const doctor = node(cli, 'doctor')
    expect(doctor.status).toBe(1)
    expect(doctor.stdout).toMatch(
      /^broken {3}launcher: it cannot start ledger-git.*\n {9}fix: ledger-git install$/m,
    )
    expect(node(cli, 'install').stdout).toMatch(/^edit .*\/launch \(.*\)$/m)
    expect(commit('the command is back')).toMatchObject({ status: 0, stderr: '' })
    expect(await isHeadFresh(repo)).toBe(true)

    repo.write('.git/ledger-git/launch', `/gone/bin/node\n${cli}\n`)
    expect(commit('Node is gone')).toMatchObject({ status: 0, stderr: '' })
    expect(await isHeadFresh(repo)).toBe(true)
    expect(node(cli, 'doctor', '--fix')).toMatchObject({ status: 0 })
    expect(repo.read('.git/ledger-git/launch')).toBe(`${process.execPath}\n${cli}\n`)

    const moved = repo.sandbox.at(join(repo.sandbox.folder, `moved "to" an 'odd' place`))
    renameSync(repo.folder, moved.folder)
    expect(moved.run(process.execPath, [cli, 'install']).stdout).toMatch(/^already installed/)
    expect(moved.run(process.execPath, [cli, 'doctor'])).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/ 0 warning, 0 broken/),
    })
  },
)

test('a setting that the user added to our section of .git/config stays', async () => {
  const repo = fresh()
  await installIn(repo)
  repo.git('config', '--add', 'include.path', '../mine')
  await uninstallIn(repo)
  expect(repo.git('config', '--file', '.git/config', '--get-all', 'include.path')).toBe('../mine')
})

test('files that are symlinks stay symlinks to the same file', async () => {
  const repo = fresh()
  for (const path of ['.git/config', '.git/info/exclude']) {
    renameSync(join(repo.folder, path), join(repo.sandbox.folder, path.replaceAll('/', '-')))
    symlinkSync(join(repo.sandbox.folder, path.replaceAll('/', '-')), join(repo.folder, path))
  }
  const before = snapshot(repo.sandbox.folder)
  await installIn(repo)
  expect(repo.git('config', 'merge.ledger.driver')).toContain('ledger-git')
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

test('an empty core.hooksPath: writes nothing to the top of the worktree', async () => {
  const repo = fresh()
  repo.git('config', 'core.hooksPath', '')
  await installIn(repo)
  expect(repo.status()).not.toContain('pre-commit')
})

/** Starts `ledger-git WORD` without waiting for it. */
function start(repo: Repo, word: string): Promise<{ status: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, word], { cwd: repo.folder, env: repo.sandbox.env })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stderr }))
  })
}

describe('simultaneous runs', () => {
  longTest('six installs over a stale lock have the effect of one', async () => {
    const repo = fresh()
    const before = snapshot(repo.folder)
    makeLock(join(repo.folder, '.git/ledger-git.lock'))
    const answers = await Promise.all(Array.from({ length: 6 }, () => start(repo, 'install')))
    expect(answers.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0])
    const includes = repo.git('config', '--file', '.git/config', '--get-all', 'include.path')
    expect(includes).toBe('ledger-git/config')
    for (const hook of HOOKS) expect(blocks(repo.read(`.git/hooks/${hook}`)), hook).toBe(1)
    for (const path of ['.gitattributes', '.git/info/attributes', '.git/info/exclude']) {
      expect(blocks(repo.read(path)), path).toBe(1)
    }
    expect((await installIn(repo)).changes).toEqual([])
    expect(await doctorIn(repo)).toMatchObject({ status: 0 })
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })

  longTest(
    'of install and uninstall end in one of both states, and uninstall leaves nothing of either',
    async () => {
      const repo = fresh()
      const before = snapshot(repo.folder)
      const words = ['install', 'uninstall', 'install', 'uninstall']
      const answers = await Promise.all(words.map((word) => start(repo, word)))
      expect(answers).toMatchObject(words.map(() => ({ status: 0 })))
      expect(repo.git('config', '--list', '--local')).toContain('core.bare=false')
      const hasConfig = repo.exists('.git/ledger-git/config')
      const hasHook = repo.exists('.git/hooks/pre-commit')
      expect([hasConfig, hasHook]).toEqual([hasConfig, hasConfig])
      await uninstallIn(repo)
      expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
    },
  )
})

longTest('with umask 077, files of the user keep their mode and ours still run', async () => {
  const repo = fresh()
  repo.write('.gitattributes', '*.png binary\n')
  writeHook(repo, '.git/hooks/pre-commit', '#!/bin/sh\n')
  const before = snapshot(repo.folder)
  const umask = (word: string) =>
    repo.run('sh', ['-c', `umask 077; '${process.execPath}' '${CLI}' ${word}`])
  const modes = () =>
    Object.entries(snapshot(repo.folder)).flatMap(([path, text]) =>
      before[path] === undefined ? [] : [[path, text.split(' ').slice(0, 2).join(' ')]],
    )
  const was = modes()
  expect(umask('install')).toMatchObject({ status: 0 })
  expect(await doctorIn(repo)).toMatchObject({ status: 0 })
  expect.soft(modes()).toEqual(was)
  expect((await installIn(repo)).changes).toEqual([])
  expect(umask('uninstall')).toMatchObject({ status: 0 })
  expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
})

describe('a hooks folder that cannot be written to', () => {
  const isRoot = process.getuid?.() === 0
  const ways: Record<string, { lock: (hooks: string) => void; unlock: (hooks: string) => void }> = {
    'is a file': {
      lock: (hooks) => {
        renameSync(hooks, `${hooks}.away`)
        writeFileSync(hooks, '')
      },
      unlock: (hooks) => {
        rmSync(hooks)
        renameSync(`${hooks}.away`, hooks)
      },
    },
    'is a link to nowhere': {
      lock: (hooks) => {
        renameSync(hooks, `${hooks}.away`)
        symlinkSync('nowhere/hooks', hooks)
      },
      unlock: (hooks) => {
        rmSync(hooks)
        renameSync(`${hooks}.away`, hooks)
      },
    },
    'is read-only': {
      lock: (hooks) => chmodSync(hooks, 0o555),
      unlock: (hooks) => chmodSync(hooks, 0o755),
    },
  }

  test.for(sampleOf(Object.entries(ways), 3))(
    '%s: is reported, and nothing is half written',
    async ([name, way], context) => {
      context.skip(name === 'is read-only' && isRoot, 'root may write everywhere')
      const repo = fresh()
      const before = snapshot(repo.folder)
      const hooks = join(repo.folder, '.git/hooks')
      way.lock(hooks)
      const { status, stderr } = repo.tryLedger('install')
      expect(status).not.toBe(0)
      expect
        .soft(stderr)
        .toMatch(/hooks\/pre-commit could not be written \(E\w+\)\n {2}next: check perm/)
      const written = readdirSync(repo.folder, { recursive: true }).map(String)
      expect(written.filter((path) => /\.tmp$|\.lock$/.test(path))).toEqual([])
      expect(repo.tryGit('commit', '-q', '--allow-empty', '-m', 'x')).toMatchObject({ status: 0 })
      repo.git('update-ref', 'HEAD', 'HEAD~1')
      way.unlock(hooks)
      await uninstallIn(repo)
      const changed = changedPaths(before, snapshot(repo.folder))
      expect
        .soft(changed.filter((path) => !/^\.git\/(?:objects|logs|COMMIT|index|refs)/.test(path)))
        .toEqual([])
      await installIn(repo)
      expect(await doctorIn(repo)).toMatchObject({ status: 0 })
    },
  )
})

test('install completes and uninstall undoes an install that was stopped half-way', async () => {
  const repo = ledgerRepo()
  const complete = snapshot(join(repo.folder, '.git'))
  // The record is written last.
  for (const path of ['install.json', 'config', 'hooks/start']) {
    rmSync(join(repo.folder, '.git/ledger-git', path))
  }
  await installIn(repo)
  const now = snapshot(join(repo.folder, '.git'))
  expect(changedPaths(complete, now).filter((path) => path !== 'ledger-git/install.json')).toEqual(
    [],
  )
  await uninstallIn(repo)
  expect(
    readdirSync(join(repo.folder, '.git/hooks')).filter((name) => !name.endsWith('.sample')),
  ).toEqual([])
})
