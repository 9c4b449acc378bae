/** What an agent sends reaches its hook completely, however it arrives. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FileSessionStore } from '../../../src/io/sessions/session-store.ts'
import { builtFrom } from '../../support/built-from.ts'
import { ENTRY, Sandbox } from '../../support/git-repo.ts'

builtFrom(() => import('../../../src/entry/agent-hook.ts'))

test('arrives as a whole when sent in parts through a non-blocking pipe', async () => {
  const repo = new Sandbox().init()
  const pipe = join(repo.sandbox.folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(pipe, 'w')
  const command = `exec "$0" '${ENTRY}' agent-hook claude UserPromptSubmit <&3`
  const child = spawn('sh', ['-c', command, process.execPath], {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, LEDGER_TEST_OWN_PROCESS: '1' },
    stdio: ['ignore', 'inherit', 'inherit', reader],
  })
  const prompt = `All of it${' and more'.repeat(50)}`
  const text = JSON.stringify({ session_id: 'a', cwd: repo.folder, prompt })
  writeSync(writer, text.slice(0, 100))
  await setTimeout(300) // it has read that, and there is nothing more
  writeSync(writer, text.slice(100))
  closeSync(writer)
  await once(child, 'exit')
  closeSync(reader)
  const [said] = new FileSessionStore(`${repo.folder}/.git`).read('a')?.prompts ?? []
  expect(said).toBe(prompt)
})
