import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { removeFolder } from './test/support/remove-folder.ts'

/** Temporary repositories are in memory if there is plenty; the disk would take a seventh of the time. */
const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
const base = process.env['TMPDIR'] ?? (freeBytes(MEMORY) >= ENOUGH ? MEMORY : tmpdir())
/** One folder for everything that the run leaves behind, including the shared templates of repositories. */
const folder = mkdtempSync(join(base, 'ledger-git-test-'))
chmodSync(folder, 0o755) // some programs run as another user
process.env['TMPDIR'] = folder
process.on('exit', () => removeFolder(folder))

const isLong = process.env['LEDGER_LONG'] === '1'
if (!isLong) process.stdout.write('not run: cases that others cover; LEDGER_LONG=1 runs them all\n')

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // not on this system
  }
}

/** Factor for timeouts: the long run tries many more cases of a law, and every step of a loop. */
const longer = isLong ? 5 : 1

/** Test files change nothing that others see. Isolation spent a tenth of the time on loading the same modules again. */
const isolate = false

/** Settings of every project. On a busy machine, polled conditions take longer to come true. */
const shared = {
  setupFiles: ['test/support/helpers/setup.ts'],
  expect: { poll: { timeout: 20_000 } },
}
/** Runs before tests of the built tool. */
const freshBuild = 'test/support/fresh-build.ts'
/** These share a project because each project has its own workers, and each worker starts helpers. */
const PROGRAMS = ['managers', 'formatters']
const isolated = 'test/**/*.isolated.test.ts'

export default defineConfig({
  test: {
    // Tests mostly wait for git and Node: three workers keep both cores busy.
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
          // These tests replace modules.
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
