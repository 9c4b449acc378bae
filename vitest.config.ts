import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { removeFolder } from './test/support/remove-folder.ts'

/** Temporary repositories live in memory where there is plenty: a seventh of the time goes to the disk. */
const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
const base = process.env['TMPDIR'] ?? (freeBytes(MEMORY) >= ENOUGH ? MEMORY : tmpdir())
/** One folder for all that the run leaves behind; templates of repositories are shared in it. */
const folder = mkdtempSync(join(base, 'ledger-git-test-'))
chmodSync(folder, 0o755) // some programs run as another user
process.env['TMPDIR'] = folder
process.on('exit', () => removeFolder(folder))

const isLong = process.env['LEDGER_LONG'] === '1'
if (!isLong)
  process.stdout.write('not run: cases that others stand for; LEDGER_LONG=1 runs them all\n')

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // not on this system
  }
}

/** The long run tries a law on four times as many cases, and a loop over steps takes every one. */
const longer = isLong ? 5 : 1

/** Test files change nothing that others see; a tenth of the time went into loading the same modules anew. */
const isolate = false

/** Of every project. What is waited for comes late on a machine with other work. */
const shared = {
  setupFiles: ['test/support/helpers/setup.ts'],
  expect: { poll: { timeout: 20_000 } },
}
/** Before tests of the built tool. */
const freshBuild = 'test/support/fresh-build.ts'
/** Tests of one project share workers, and each worker has helpers to start: few projects. */
const PROGRAMS = ['managers', 'formatters']
const isolated = 'test/**/*.isolated.test.ts'

export default defineConfig({
  test: {
    // Tests wait for git and Node: both cores are kept busy.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          ...shared,
          isolate,
          include: ['test/core/**/*.test.ts', 'test/docs/**/*.test.ts'],
          testTimeout: 60_000 * longer,
        },
      },
      {
        test: {
          name: 'git',
          ...shared,
          isolate,
          globalSetup: freshBuild,
          include: ['app', 'cli', 'git', 'io', 'packed', 'robust', 'sessions'].map(testsOf),
          exclude: [isolated],
          testTimeout: 180_000 * longer,
          hookTimeout: 180_000 * longer,
        },
      },
      {
        test: {
          // They put something else in place of a module.
          name: 'isolated',
          ...shared,
          globalSetup: freshBuild,
          include: [isolated],
          testTimeout: 120_000 * longer,
        },
      },
      {
        test: {
          name: 'programs',
          ...shared,
          isolate,
          globalSetup: [freshBuild, ...PROGRAMS.map((room) => `test/${room}/setup.ts`)],
          include: PROGRAMS.map(testsOf),
          testTimeout: 120_000 * longer,
          hookTimeout: 120_000 * longer,
        },
      },
      {
        test: {
          name: 'agents',
          ...shared,
          isolate,
          globalSetup: [freshBuild, 'test/agents/setup.ts'],
          include: [testsOf('agents')],
          testTimeout: 180_000 * longer,
        },
      },
    ],
  },
})

function testsOf(room: string): string {
  return `test/${room}/**/*.test.ts`
}
