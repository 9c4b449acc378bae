/** Full disks, read-only repositories and clocks that jump: reported and survived, with nothing lost. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withLock } from '../../src/io/files/lock.ts'
import { processInfo } from '../../src/io/process/process-table.ts'
import { makeLock } from '../support/locks.ts'
import { note, work } from '../git/scene.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../support/git-repo.ts'
import { ownCode } from './crash.ts'
import { notRunUnless } from '../support/not-run.ts'
import { asOther, IS_ROOT, needsOther } from '../support/other-user.ts'

/** An old event in a commit, and another one that is pending. */
function filled(): Repo {
  const repo = ownCode(ledgerRepo())
  work(repo, 'old')
  note(repo, 'pending')
  repo.write('work.txt', 'x\n')
  repo.git('add', 'work.txt')
  return repo
}

/** The command that takes the most steps; with `LEDGER_LONG=1`, the others, too. */
const WRITERS = [
  'archive --no-confirm --commit',
  ...(IS_LONG ? ['event add --now new', 'event add --now new --commit', 'install'] : []),
]

/** Both events are in `events/` or the archive, with no half-written file among them. */
function expectWhole(repo: Repo): void {
  expect(repo.exists('.git/index.lock')).toBe(false)
  expect(repo.tryGit('fsck', '--no-dangling', '--no-progress')).toMatchObject({
    status: 0,
    stdout: '',
    stderr: '',
  })
  expect(repo.tryLedger('event', 'validate')).toMatchObject({ status: 0 })
  const root = join(repo.folder, ROOT)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).join('\n')
  for (const word of ['_old_', '_pending_']) expect(names).toContain(word)
  expect(names).not.toContain('.tmp')
}

/** The next commit works as usual. */
function expectNext(repo: Repo): void {
  repo.write('next.txt', 'x\n')
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'next')
  expect(repo.tryLedger('check', '--rev', 'HEAD')).toMatchObject({ status: 0 })
  expect(repo.status()).toBe('')
}

/** A failure is reported, with what to do; it is never a crash. */
function expectSaid({ status, stderr }: Ran, told: string): void {
  expect(stderr, told).not.toMatch(/this is a bug|\n {4}at /)
  if (status !== 0) expect(stderr, told).toMatch(/ledger-git: .+/)
  expect([0, 1, 3], told).toContain(status)
}

describe('on a disk that takes no more', () => {
  /** Runs with files that may not grow: writing fails, for git as for us. */
  function limited(repo: Repo, blocks: number, ...words: string[]): Ran {
    const folder = join(repo.sandbox.folder, 'bin')
    mkdirSync(folder, { recursive: true })
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    // Node resets the signal to its default for its children, which would kill them.
    writeFileSync(join(folder, 'git'), `#!/bin/sh\ntrap '' XFSZ\nexec '${git}' "$@"\n`, {
      mode: 0o755,
    })
    const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`
    const env = { PATH: `${folder}:${process.env['PATH']}` }
    return repo.run('sh', ['-c', script, 'sh', ...words], { env, stdio: 'pipe' })
  }

  longTest.each(WRITERS)('%s survives files that may not grow and works afterwards', (text) => {
    const words = text.split(' ')
    // With 0 blocks nothing can be written; with 1, the event but not the index.
    for (const blocks of IS_LONG ? [0, 1] : [1]) {
      const repo = filled()
      const ran = limited(repo, blocks, process.execPath, CLI, ...words)
      expectSaid(ran, `${text} with ${blocks} blocks`)
      expectWhole(repo)
      expect(repo.tryLedger(...words)).toMatchObject({ status: 0 })
      expectNext(repo)
    }
  })

  test('git commit loses nothing when files may not grow, and the next commit is fresh', () => {
    for (const blocks of IS_LONG ? [0, 1] : [1]) {
      const repo = filled()
      limited(repo, blocks, 'git', 'commit', '-q', '-m', 'work')
      expectWhole(repo)
      repo.ledger('resolve', '--commit')
      expectNext(repo)
    }
  })

  const namespace = process.getuid?.() === 0 ? ['-m'] : ['-rm']
  const mount = 'mount -t tmpfs -o "size=$1,mode=755" tmpfs "$2"'

  function canMount(): boolean {
    const { status } = spawnSync('unshare', [...namespace, 'sh', '-c', mount, 'sh', '64k', '/mnt'])
    return status === 0
  }

  const why = 'unshare and mount are not allowed here'
  test.skipIf(notRunUnless(canMount(), 'a full file system', why)).each(WRITERS)(
    '%s survives a full file system and works afterwards',
    (text) => {
      const repo = filled()
      const { folder } = repo.sandbox
      mkdirSync(join(folder, 'small'))
      // A file system of its own, full but for some pages, that disappears with the process.
      const script = `${mount} || exit 99
        for pages in $5; do
          rm -rf "$2/fill" "$2/repo" && cp -a "$3" "$2/repo" && cd "$2/repo" || exit 98
          cat /dev/zero >"$2/fill" 2>/dev/null
          truncate -s "-$((pages * 4096))" "$2/fill"
          "$NODE" "$CLI" $WORDS >"$4/$pages.out" 2>"$4/$pages.err"
          echo $? >"$4/$pages.status"
          cp -a "$2/repo" "$4/$pages"
        done`
      const pages = IS_LONG ? [0, 2, 9] : [2]
      mkdirSync(join(folder, 'out'))
      const small = join(folder, 'small')
      const [command = '', ...args] = [
        'unshare',
        ...namespace,
        'sh',
        '-c',
        script,
        'sh',
        '4m',
        small,
        repo.folder,
        join(folder, 'out'),
        pages.join(' '),
      ]
      const env = { NODE: process.execPath, CLI, WORDS: text }
      expect(repo.run(command, args, { env }).status).toBe(0)
      for (const free of pages) {
        const out = repo.sandbox.at(join(folder, 'out'))
        const ran = {
          status: Number(out.read(`${free}.status`)),
          stdout: out.read(`${free}.out`),
          stderr: out.read(`${free}.err`),
        }
        expectSaid(ran, `${text} with ${free} pages`)
        const after = repo.sandbox.at(join(folder, 'out', String(free)))
        after.git('update-index', '-q', '--refresh')
        expectWhole(after)
        expect(after.tryLedger(...text.split(' '))).toMatchObject({ status: 0 })
        expectNext(after)
      }
    },
  )
})

describe('in a read-only repository', () => {
  const READERS =
    'show,status,check,check --rev HEAD,check --staged,check --range HEAD,event list,event validate,log,' +
    'why last,diff HEAD~1 HEAD,show --rev HEAD --json,synthesize --check,synthesize --stdout,' +
    'archive --dry-run,config'

  /** Runs as somebody who may only read. */
  function readOnly(repo: Repo): (...words: string[]) => Ran {
    const { folder } = repo.sandbox
    repo.sandbox.at(folder).write('home/.gitconfig', '[safe]\n\tdirectory = *\n')
    execFileSync('chmod', ['-R', IS_ROOT ? 'a+rX,a-w' : 'a-w', folder])
    const [program, ...rest] = asOther('main.js')
    return (...words) => repo.run(program, [...rest, ...words])
  }

  test.skipIf(needsOther('a read-only repository'))(
    'readers print the same, and writers fail with a message and change nothing',
    () => {
      const repo = filled()
      const readers = sampleOf(READERS.split(','), 16)
      const expected = readers.map((text) => repo.tryLedger(...text.split(' ')))
      repo.run('rm', ['-rf', '.git/ledger-git/cache'])
      const before = repo.status()
      const ledger = readOnly(repo)
      readers.forEach((text, i) => {
        const ran = ledger(...text.split(' '))
        expectSaid(ran, text)
        expect(ran.stdout, `${text}\n${ran.stderr}`).toBe(expected[i]?.stdout)
      })
      // doctor says what is wrong and tries nothing that crashes.
      const examined = ledger('doctor')
      expect(examined.stderr).toMatch(/^\d+ ok, \d+ warning, \d+ broken$/m)
      expect(examined.stdout).toMatch(/^broken /m)
      for (const text of WRITERS) {
        const ran = ledger(...text.split(' '))
        expectSaid(ran, text)
        if (text !== 'install') expect(ran.status, text).not.toBe(0)
      }
      execFileSync('chmod', ['-R', 'u+w', repo.sandbox.folder])
      expect(repo.status()).toBe(before)
      expectWhole(repo)
      expectNext(repo)
    },
  )
})

describe('when a clock jumps', () => {
  const YEAR = 365 * 86_400

  const MINE = processInfo(process.pid)?.startTime

  test.each([
    ['an unknown owner, a year ahead', 7, 'elsewhere', YEAR],
    ['an unknown owner, a year ago', 7, 'elsewhere', -YEAR],
    ['a dead process, a year ahead', 4194305, MINE, YEAR],
    ['a dead process, a year ago', 4194305, MINE, -YEAR],
    ['a process whose number another one has now, a year ahead', process.pid, '1', YEAR],
    ['a process whose number another one has now, a year ago', process.pid, '1', -YEAR],
  ])('a lock of %s is taken over', async (_name, pid, startTime, seconds) => {
    const path = join(new Sandbox().folder, '.synth.lock')
    const holder = join(path, makeLock(path, { pid, startTime }))
    const time = Date.now() / 1000 + seconds
    utimesSync(holder, time, time)
    expect(await withLock(path, async () => 'mine')).toBe('mine')
    expect(existsSync(path)).toBe(false)
  })

  const CLOCKS = [
    ['ahead', YEAR],
    ['back', -YEAR],
  ] as const
  test.each(sampleOf(CLOCKS, 2))(
    'files written with a clock that was %s do not prevent a commit of the ledger',
    (_name, seconds) => {
      const repo = filled()
      const time = Date.now() / 1000 + seconds
      for (const name of ['COMMIT_EDITMSG', 'index', 'ledger-git/launch']) {
        utimesSync(join(repo.folder, '.git', name), time, time)
      }
      expect(repo.tryLedger('synthesize', '--no-confirm', '--commit')).toMatchObject({ status: 0 })
      expectNext(repo)
    },
  )

  longTest('an event of 2099 is named, and new ones are not dated after it', () => {
    const repo = ownCode(ledgerRepo())
    note(repo, 'future', { ts: '2099-01-01T00:00:00Z' })
    expect(repo.ledger('event', 'add', '--now', 'today')).not.toContain('2099')
    expect(repo.tryLedger('status').stdout).toContain('2099')
    repo.ledger('archive', '--no-confirm', '--retention', '0s')
    expect(readdirSync(join(repo.folder, EVENTS)).join('\n')).toContain('2099')
    expectNext(repo)
    expect(repo.read(CURRENT)).toContain('- [x] future')
  })

  // The limits of instants are tested in test/core/event/instant.test.ts.
  longTest.each(
    sampleOf(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'], 3),
  )('--ts %s is kept as given', (ts) => {
    const repo = ownCode(ledgerRepo())
    const path = repo.event('--now', 'x', '--ts', ts)
    expect(repo.read(path)).toContain(`ts: ${ts}`)
    repo.event('--done', 'after')
    repo.ledger('archive', '--no-confirm')
    expectNext(repo)
  })
})

longTest('status and doctor say what to set when there is no folder for temporary files', () => {
  const repo = ledgerRepo()
  repo.ledger('install')
  const env = { TMPDIR: join(repo.folder, 'none') }
  const next = 'set TMPDIR to a writable folder, then run the command again'
  const run = (...words: string[]) => repo.run(process.execPath, [CLI, ...words, '--json'], { env })
  const status = run('status')
  expect([status.status, JSON.parse(status.stdout)]).toMatchObject([0, { next }])
  const doctor = run('doctor')
  const { findings } = JSON.parse(doctor.stdout) as { findings: { status: string; fix: string }[] }
  expect(doctor.status).toBe(1)
  expect(findings.filter((one) => one.status === 'broken')).toMatchObject([{ fix: next }])
})

test('a file in place of the lock is named, with the command that removes it', () => {
  const repo = filled()
  repo.write(`${ROOT}/.synth.lock`, '')
  const { status, stderr } = repo.tryLedger('archive')
  expect(status).toBe(3)
  const path = join(repo.folder, ROOT, '.synth.lock')
  expect(stderr).toContain(`${path} is in the way: the lock of ledger-git is a folder of that name`)
  expect(stderr).toContain(`\n  next: rm ${path}\n`)
})
