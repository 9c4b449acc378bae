/** What a commit adds of the ledger while it is in progress, and what remains if the commit is not made. */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CLI } from '../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import { CURRENT, EVENTS, based, diverged, expectSound, note, words } from './scene.ts'

const MARKS = '.git/ledger-git/commits'

/** Puts lines at the top of our part of a hook, however git reaches it; the function returned removes them. */
function shimStart(repo: Repo, name: string, lines: string): () => void {
  const path = `.git/ledger-git/hooks/${name}`
  const text = repo.read(path)
  repo.write(path, `${lines}\n${text}`)
  return () => repo.write(path, text)
}

/** Puts lines at the end of a hook: the user's own part of it. */
function hookEnd(repo: Repo, name: string, lines: string): void {
  repo.write(`.git/hooks/${name}`, `${repo.read(`.git/hooks/${name}`)}${lines}\n`)
}

function script(repo: Repo, name: string, lines: string): string {
  const file = join(repo.sandbox.folder, name)
  writeFileSync(file, `#!/bin/sh\n${lines}\n`)
  chmodSync(file, 0o755)
  return file
}

/** A pending event beside a staged, a changed and an untracked file. */
function work(repo: Repo): string {
  repo.write('staged.txt', 'staged\n')
  repo.git('add', 'staged.txt')
  repo.write('base.txt', 'changed\n')
  return note(repo, 'a')
}

const COMMITS: readonly (readonly string[])[] = [
  ['commit'],
  ['commit', '-v'],
  ['commit', '--amend'],
  ['commit', '-a'],
  ['commit', '-i', 'base.txt'],
  ['commit', '--', 'base.txt'],
]

/** Ways to give a commit up: the environment, and hooks of the user. */
const GIVEN_UP: Readonly<Record<string, (repo: Repo) => NodeJS.ProcessEnv>> = {
  'the editor fails': () => ({ GIT_EDITOR: 'false' }),
  'the message is empty': (repo) => ({ GIT_EDITOR: script(repo, 'empty', ': >"$1"') }),
  'commit-msg refuses': (repo) => {
    hookEnd(repo, 'commit-msg', 'exit 1')
    return { GIT_EDITOR: script(repo, 'word', 'echo text >"$1"') }
  },
  'the user’s pre-commit refuses': (repo) => {
    hookEnd(repo, 'pre-commit', 'exit 3')
    return {}
  },
  'the editor kills git': (repo) => ({ GIT_EDITOR: script(repo, 'kill', KILL_GIT) }),
}

/** Git starts an editor through a shell. */
const KILL_GIT = `pid=$PPID
case $(tr '\\0' ' ' <"/proc/$pid/cmdline") in git*) ;; *) pid=$(cut -d' ' -f4 "/proc/$pid/stat") ;; esac
kill -9 "$pid"`

const isLinux = existsSync('/proc/self/stat')

describe.each(sampleOf(COMMITS, 3))('git %s %s', (...commit) => {
  const all = Object.keys(GIVEN_UP).filter((way) => isLinux || !way.includes('kills'))
  // Some of the ways for each command: what a way leaves behind does not depend on the command.
  const ways = IS_LONG ? all : all.filter((_, i) => i % 4 === commit.length - 1)
  test.each(ways)('%s: leaves nothing of ours behind', (way) => {
    const repo = based()
    const event = work(repo)
    const env = GIVEN_UP[way]?.(repo) ?? {}
    const before = { status: repo.status(), current: repo.read(CURRENT) }
    const index = repo.git('ls-files', '-s')

    expect(repo.run('git', commit.filter(Boolean), { env }).status).not.toBe(0)
    // Git's own lock stays when git is killed; the user removes it.
    rmSync(join(repo.folder, '.git/index.lock'), { force: true })

    expect(repo.git('ls-files', '-s')).toBe(index)
    expect({ status: repo.status(), current: repo.read(CURRENT) }).toEqual(before)
    repo.git('reset', '-q', '--hard')
    expect(repo.exists(event)).toBe(true)
    repo.git('switch', '-q', '-c', 'other')
    repo.ledger('status')
    expect(repo.exists(MARKS), 'the next contact clears up').toBe(false)
  })
})

describe('pre-commit', () => {
  longTest('runs after the user’s own part, which sees none of our changes', () => {
    const repo = based()
    hookEnd(repo, 'pre-commit', 'git diff --cached --name-only >../seen; env >../env; exit 0')
    const event = work(repo)
    repo.git('commit', '-q', '-m', 'a')
    expect(repo.run('cat', ['../seen']).stdout).toBe('staged.txt\n')
    expect(repo.changed().toSorted()).toEqual(['staged.txt', CURRENT, event].toSorted())
    expectSound(repo, { status: ' M base.txt' })
  })

  test('reports a failure of the user’s hook, whose arguments and folder are unchanged', () => {
    const repo = based()
    hookEnd(repo, 'pre-commit', 'echo "$0 $# $(pwd)" >&2; exit 7')
    work(repo)
    const ran = repo.tryGit('commit', '-m', 'a')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain(`.git/hooks/pre-commit 0 ${repo.folder}`)
  })

  longTest('regenerates a current.md that the user’s own part reformats and stages', () => {
    const repo = based()
    hookEnd(repo, 'pre-commit', `echo formatted >>${CURRENT}; git add ${CURRENT}`)
    work(repo)
    repo.git('commit', '-q', '-m', 'a')
    expectSound(repo, { status: ' M base.txt' })
  })

  longTest('regenerates a current.md that a tool rewrote', () => {
    const repo = based()
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.write(CURRENT, repo.read(CURRENT).replaceAll('- ', '* '))
    repo.run('git', ['commit', '-q'], { env: { GIT_EDITOR: 'false' } })
    expect(repo.read(CURRENT), 'a commit that is given up changes nothing').toContain('* ')
    const ran = repo.tryGit('commit', '-q', '-m', 'a')
    expect(ran.stderr).toContain('the edited text is kept')
    expectSound(repo)
  })

  test('does not mix up the entries of two commits at once', async () => {
    const repo = based()
    const event = work(repo)
    const slow = script(repo, 'slow', 'touch opened; while [ ! -e go ]; do sleep 0.02; done; false')
    const first = startGit(repo, ['commit'], { GIT_EDITOR: slow })
    await until(() => repo.exists('opened'))
    repo.git('commit', '-q', '-m', 'second')
    repo.write('go', '')
    expect(await first).not.toBe(0)
    rmSync(join(repo.folder, 'opened'))
    rmSync(join(repo.folder, 'go'))
    expect(repo.changed().toSorted()).toEqual(['staged.txt', CURRENT, event].toSorted())
    repo.ledger('status')
    expectSound(repo, { status: ' M base.txt' })
    expect(repo.exists(MARKS)).toBe(false)
  })
})

/** Lines that kill the git that runs the hook, and end the hook. */
const DIE = `pid=$$
while [ "$pid" -gt 1 ]; do
  case $(cat "/proc/$pid/comm") in git) kill -9 "$pid"; exit 0 ;; esac
  pid=$(cut -d' ' -f4 "/proc/$pid/stat")
done`

/** What somebody who knows nothing of it does next. */
const CONTACTS: Readonly<Record<string, (repo: Repo) => unknown>> = {
  'ledger-git status': (repo) => repo.ledger('status'),
  'ledger-git check': (repo) => repo.ledger('check'),
  'git commit': (repo) => repo.git('commit', '-q', '--allow-empty', '-m', 'next'),
  'git switch': (repo) => repo.tryGit('switch', '-q', '-c', 'other'),
  'an agent’s hook': (repo) =>
    repo.run(join(repo.folder, '.git/ledger-git/run'), ['agent-hook', 'claude', 'SessionStart'], {
      input: JSON.stringify({ session_id: 's1', cwd: repo.folder, source: 'startup' }),
    }),
}

describe.skipIf(!isLinux)('after git is killed', () => {
  // All of them clean up by the same call.
  test.each(sampleOf(Object.entries(CONTACTS), 6))(
    'before the message, the next contact cleans up: %s',
    (_name, contact) => {
      const repo = based()
      const mend = shimStart(repo, 'prepare-commit-msg', DIE)
      const event = work(repo)
      repo.tryGit('commit', '-m', 'a')
      mend()
      expect(repo.git('diff', '--cached', '--name-only')).toContain(event) // the window
      contact(repo)
      expect(repo.git('diff', '--cached', '--name-only')).not.toContain(event)
      expect(repo.exists(MARKS)).toBe(false)
      repo.git('commit', '-q', '--allow-empty', '-m', 'rest')
      expect(words(repo)).toEqual(['base', 'a'])
      expectSound(repo, { status: ' M base.txt' })
    },
  )

  test('before the message and reset --hard deletes the event, status restores it', () => {
    const repo = based()
    const mend = shimStart(repo, 'prepare-commit-msg', DIE)
    const event = work(repo)
    const text = repo.read(event)
    repo.tryGit('commit', '-m', 'a')
    mend()
    repo.git('reset', '-q', '--hard')
    expect(repo.exists(event)).toBe(false)
    expect(repo.tryLedger('status').stderr).toContain(event)
    expect(repo.read(event)).toBe(text)
    expect(repo.exists(MARKS)).toBe(false)
  })

  // `drop` is tested in test/cli/event-mending.test.ts.
  longTest.each(sampleOf(['restore', 'drop'], 2))(
    'status names an event deleted since then until event %s',
    (way) => {
      const repo = based()
      const mend = shimStart(repo, 'prepare-commit-msg', DIE)
      const event = work(repo)
      const text = repo.read(event)
      repo.git('reset', '-q') // before, not after
      repo.git('add', 'staged.txt')
      repo.tryGit('commit', '-m', 'a')
      mend()
      repo.git('rm', '-q', '-f', '--', event)
      const name = event.slice(event.lastIndexOf('/') + 1)
      expect(repo.ledger('status')).toContain(`damaged: ${name}`)
      expect(repo.exists(event), 'not by itself').toBe(false)
      const validate = repo.tryLedger('event', 'validate')
      expect(validate.status).toBe(1)
      expect(validate.stdout + validate.stderr).toContain('a copy is kept')
      repo.ledger('event', way, name)
      expect(repo.ledger('status')).not.toContain('damaged:')
      expect(repo.exists(event) && repo.read(event)).toBe(way === 'restore' && text)
      expect(repo.exists(MARKS)).toBe(false)
    },
  )

  test('while the user’s own pre-commit hook goes on, nothing of ours is staged', async () => {
    const repo = based()
    const killer = DIE.replace('exit 0', 'break')
    hookEnd(repo, 'pre-commit', `echo $PPID >../hook\n${killer}\ntouch ../killed`)
    const event = work(repo)
    const index = repo.git('ls-files', '-s')
    repo.tryGit('commit', '-m', 'a')
    await until(() => repo.exists('../killed'))
    await until(() => hasEnded(repo.read('../hook').trim()))
    expect(repo.git('ls-files', '-s')).toBe(index)
    expect(repo.status()).toBe(` M base.txt\nA  staged.txt\n?? ${event}`)
    expect(repo.exists(MARKS)).toBe(false)
  })

  test.each(sampleOf(['ledger-git status', 'git commit'], 2))(
    'after the branch moved, the next contact cleans up: %s',
    (name) => {
      const repo = based()
      const mend = shimStart(repo, 'post-commit', DIE)
      const event = work(repo)
      repo.tryGit('commit', '-q', '-m', 'a')
      mend()
      expect(repo.changed()).toContain(event)
      expect(repo.status()).toContain('D  ') // the window
      CONTACTS[name]?.(repo)
      expect(words(repo)).toEqual(['base', 'a'])
      expectSound(repo, { status: ' M base.txt' })
      expect(repo.exists(MARKS)).toBe(false)
    },
  )

  test('marks are readable for their owner only', () => {
    const repo = based()
    shimStart(repo, 'post-commit', DIE)
    work(repo)
    repo.tryGit('commit', '-q', '-m', 'a')
    const folder = join(repo.folder, MARKS)
    expect(statSync(folder).mode & 0o77).toBe(0)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o77).toBe(0)
  })
})

describe('a commit of the ledger’s own', () => {
  const addCommitting = (repo: Repo) =>
    repo.run(process.execPath, [
      CLI,
      'event',
      'add',
      '--agent',
      'q',
      '--now',
      'x',
      '--commit',
      '--json',
    ])

  longTest('leaves the event pending, safe from reset --hard, when the branch is locked', () => {
    const repo = based()
    repo.write('.git/refs/heads/main.lock', '')
    const ran = addCommitting(repo)
    expect(ran.status).toBe(1)
    const { path, commit } = JSON.parse(ran.stdout) as { path: string; commit: string | null }
    expect(commit).toBe(null)
    expect(repo.status()).toBe(`?? ${path}`)
    rmSync(join(repo.folder, '.git/refs/heads/main.lock'))
    repo.git('reset', '-q', '--hard')
    expect(repo.exists(path)).toBe(true)
    expect(repo.exists(MARKS)).toBe(false)
  })

  test.skipIf(!isLinux)('gives way to a git commit in progress', async () => {
    const repo = based()
    work(repo)
    const slow = script(
      repo,
      'slow',
      'touch ../opened; while [ ! -e ../go ]; do sleep 0.02; done; echo text >"$1"',
    )
    const commit = startGit(repo, ['commit', '-q', '-n'], { GIT_EDITOR: slow })
    await until(() => repo.exists('../opened'))
    const ran = addCommitting(repo)
    expect(ran.stderr).toContain('git commit is at work in this worktree')
    expect(ran.status).toBe(1)
    writeFileSync(join(repo.sandbox.folder, 'go'), '')
    expect(await commit, 'the user’s commit is made').toBe(0)
    expect(repo.exists(MARKS)).toBe(false)
  })

  longTest('keeps what the user staged staged and does not commit it', () => {
    const repo = based()
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.ledger('event', 'add', '--now', 'x', '--commit')
    expect(repo.changed()).not.toContain('staged.txt')
    expectSound(repo, { status: 'A  staged.txt' })
  })

  test('made several times at once in one worktree loses no event and leaves the index clean', async () => {
    const repo = based()
    const count = IS_LONG ? 12 : 4
    const started = Array.from({ length: count }, (_, i) =>
      startProgram(repo, process.execPath, [
        CLI,
        'event',
        'add',
        '--done',
        `d${i}`,
        '--agent',
        `a${i}`,
        '--commit',
      ]),
    )
    const ends = await Promise.all(started)
    for (const { status, stderr } of ends)
      if (status !== 0) expect(stderr).toContain('was not committed')
    expect(ends.filter(({ status }) => status === 0).length).toBeGreaterThan(0)
    for (const { stdout } of ends) expect(repo.exists(stdout.trim())).toBe(true)
    const left = repo.status().split('\n').filter(Boolean)
    for (const line of left) expect(line).toMatch(new RegExp(`^\\?\\? ${EVENTS}/`))
    repo.git('switch', '-q', '-c', 'other')
    repo.git('commit', '-q', '--allow-empty', '-m', 'rest')
    expect(words(repo).toSorted()).toEqual(
      ['base', ...Array.from({ length: count }, (_, i) => `d${i}`)].toSorted(),
    )
    expectSound(repo)
  })
})

longTest('a linked worktree keeps its event pending when a commit is given up', () => {
  const repo = diverged()
  repo.git('worktree', 'add', '-q', '../linked', 'topic')
  const linked = repo.sandbox.at(join(repo.sandbox.folder, 'linked'))
  const event = note(linked, 'a')
  linked.write('staged.txt', 'x\n')
  linked.git('add', 'staged.txt')
  expect(linked.run('git', ['commit'], { env: { GIT_EDITOR: 'false' } }).status).not.toBe(0)
  expect(linked.status()).toBe(`A  staged.txt\n?? ${event}`)
  linked.git('commit', '-q', '-m', 'a')
  expect(words(linked)).toEqual(['base', 't1', 't2', 'a'])
  expectSound(linked)
})

function startGit(repo: Repo, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return startProgram(repo, 'git', args, env).then(({ status }) => status)
}

function startProgram(
  repo: Repo,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = spawn(program, args, {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, ...repo.sandbox.tick(), ...env },
  })
  child.stdin.end()
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status: status ?? 137, stdout, stderr }))
  })
}

/** True also for a process that nobody has waited for yet. */
function hasEnded(pid: string): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('a user’s commit waits for a ledger commit that holds the branch', async () => {
  const repo = based()
  work(repo)
  hookEnd(repo, 'commit-msg', 'touch .git/arrived')
  const [old, next] = repo.git('rev-parse', 'HEAD', 'HEAD^').split('\n')
  // Longer than git itself waits, from the last moment before it locks the branch.
  const asked = `start\\nupdate HEAD ${next} ${old}\\nprepare\\n`
  const rest = 'while [ ! -e .git/arrived ]; do sleep 0.05; done; sleep 0.5'
  const holding = `{ printf '${asked}'; ${rest}; } | git update-ref --stdin`
  const holder = spawn('sh', ['-c', holding], { cwd: repo.folder, env: repo.sandbox.env })
  const ended = new Promise((resolve) => holder.on('close', resolve))
  const locks = ['.git/HEAD.lock', '.git/reftable/tables.list.lock']
  await until(() => locks.some((lock) => repo.exists(lock)))
  expect(repo.tryGit('commit', '-q', '-m', 'mine')).toMatchObject({ status: 0, stderr: '' })
  await ended
  expect(repo.git('log', '-1', '--format=%s')).toBe('mine')
})
