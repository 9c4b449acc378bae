/** `ralph`, as people and scripts type it. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/cli.ts'
import { createCliContext } from '../../../src/compose/cli.ts'
import { reportError } from '../../../src/entry/run-process.ts'
import { ledgerRepo } from '../../support/git-repo.ts'

const TASK = '# Task: Sign in\n'

function scene() {
  const repo = ledgerRepo()
  const file = (path: string) => readFileSync(join(repo.folder, path), 'utf8')
  writeFileSync(join(repo.folder, 'PROMPT.md'), TASK)
  const run = async (...words: string[]) => {
    const said = { stdout: '', stderr: '' }
    const stderr = (text: string) => void (said.stderr += text)
    const context = createCliContext(process.cwd(), {
      cwd: repo.folder,
      env: repo.sandbox.env,
      isStdoutTty: false,
      canAsk: false,
      stdin: async () => '',
      stdout: (text) => void (said.stdout += text),
      stderr,
    })
    try {
      return { status: await runCli(words, context), ...said }
    } catch (error) {
      const status = reportError(error, stderr)
      return { status, ...said }
    } finally {
      context.close()
    }
  }
  return { run, file }
}

describe('ralph run', () => {
  test('a fresh process each time, its prompt on standard input, until the promise', async () => {
    const { run, file } = scene()
    const script =
      'cat >>seen; [ "$LEDGER_RALPH_ITERATION" = 2 ] && echo "<promise>DONE</promise>"; true'
    const { status, stdout, stderr } = await run(
      'ralph',
      'run',
      '--max',
      '5',
      '--json',
      '--',
      'sh',
      '-c',
      script,
    )
    expect({ status, stdout: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      stdout: {
        ending: 'promise',
        promise: 'DONE',
        iterations: [1, 2].map((iteration) => ({
          iteration,
          peak_percent: null,
          checkpoint: false,
        })),
      },
    })
    expect(stderr).toContain('iteration 2')
    expect(file('seen')).toBe(TASK + TASK)
  })

  test("its words are the command's own, also those that look like options", async () => {
    const { run, file } = scene()
    await run('ralph', 'run', '--max', '1', '--', 'sh', '-c', 'echo "$@" >seen', '--max')
    expect(file('seen')).toBe('\n')
    const script = 'echo "$@" >seen'
    await run('ralph', 'run', '--max=1', '--', 'sh', '-c', script, 'x', '--json', '--', '007')
    expect(file('seen')).toBe('--json -- 007\n')
  })

  test.each([
    [['--', 'true'], 1, 'two iterations in a row changed nothing'],
    [['--max', '1', '--', 'sh', '-c', 'date >x'], 1, 'maximum'],
  ])('%j ends with %i', async (words, status, said) => {
    const { run } = scene()
    expect(await run('ralph', 'run', ...words)).toMatchObject({
      status,
      stdout: expect.stringContaining(said) as string,
    })
  })

  test.each([
    [['--', 'no-such-program'], 3, 'no-such-program'],
    [[], 2, 'no command'],
    [['--max', '0', '--', 'true'], 2, '--max'],
    [['--prompt', '../x', '--', 'true'], 2, '--prompt'],
    [['--prompt', 'none.md', '--', 'true'], 1, 'none.md'],
  ])('%j is refused with %i', async (words, status, said) => {
    const { run } = scene()
    expect(await run('ralph', 'run', ...words)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringContaining(said) as string,
    })
  })
})

test('a checkpoint waits once: the script goes on, then the prompt is the task again', async () => {
  const { run, file } = scene()
  await run('ralph', 'run', '--max', '1', '--', 'true')
  await run('ralph', 'checkpoint', '--now', 'wire the form', '--next', 'validate')
  expect(file('PROMPT.md')).toContain('wire the form')
  expect(file('PROMPT.md')).not.toContain('**File**')
  expect((await run('ralph', 'status')).stdout).toContain('a checkpoint waits')
  expect((await run('ralph', 'stop')).status).toBe(1)
  expect(file('PROMPT.md')).toContain('wire the form')
  expect((await run('ralph', 'stop')).status).toBe(0)
  expect(file('PROMPT.md')).toBe(TASK)
})

test('without a loop, stop says so', async () => {
  const { run } = scene()
  expect((await run('ralph', 'status')).stdout).toBe('no loop is here\n')
  expect(await run('ralph', 'stop')).toMatchObject({ status: 1, stdout: '' })
})
