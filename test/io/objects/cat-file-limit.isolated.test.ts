/** git cannot be started because a system limit is reached. */

import type * as ChildProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { CatFileReader } from '../../../src/io/objects/cat-file-reader.ts'
import { Git } from '../../../src/io/process/exec.ts'

/** As Node answers at EMFILE: a child without streams, and the error a tick later. */
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof ChildProcess>()),
  spawn: () => {
    const child = new EventEmitter()
    process.nextTick(() => child.emit('error', new Error('spawn git EMFILE')))
    return child
  },
}))

test('every request for an object fails with the reason', async () => {
  const reader = new CatFileReader(new Git('/', {}))
  const asked = await Promise.allSettled([reader.find('HEAD'), reader.find('HEAD^{tree}')])
  const error = { code: 'GIT_FAILED', message: 'git could not be started: spawn git EMFILE' }
  expect(asked).toMatchObject([{ reason: error }, { reason: error }])
})
