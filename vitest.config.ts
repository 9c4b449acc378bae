import { statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Temporary repositories live in memory where there is plenty: a seventh of the time goes to the disk. */
const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
if (process.env['TMPDIR'] === undefined && freeBytes(MEMORY) >= ENOUGH)
  process.env['TMPDIR'] = MEMORY

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // not on this system
  }
}

export default defineConfig({
  test: {
    // Tests wait for git and Node: both cores are kept busy.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/core/**/*.test.ts', 'test/docs/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'git',
          include: [
            'test/io/**/*.test.ts',
            'test/app/**/*.test.ts',
            'test/git/**/*.test.ts',
            'test/robust/**/*.test.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'managers',
          include: ['test/managers/**/*.test.ts'],
          globalSetup: 'test/managers/setup.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'packed',
          include: [
            'test/packed/**/*.test.ts',
            'test/cli/**/*.test.ts',
            'test/sessions/**/*.test.ts',
          ],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
